"""Mentions and citations of later links, from tables: two more components of importance."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from scipy.stats import rankdata

from tests.evaluation.test_discovery_releases import (
    COMPONENTS,
    LATER,
    TEST,
    TRAIN,
    YEARS,
    dated_edges,
    run,
    serve,
)

pytestmark = pytest.mark.django_db
Row = tuple[str, str, int, int]


def counted_rows(seed: int) -> list[Row]:
    """Of dated links in either direction, several a link, in years before, between and after."""
    draw = np.random.default_rng(seed)
    rows = []
    for edge in dated_edges():
        if edge.first_year is None:
            continue
        ends = (edge.source, edge.target) if draw.random() < 0.5 else (edge.target, edge.source)
        for _ in range(int(draw.integers(4))):
            rows.append((*ends, int(draw.integers(2008, 2026)), int(draw.integers(0, 50))))
    return rows


def write_rows(path: Path, rows: Iterable[Row]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("source", "target", "year", "count"), *rows])
    return path


def test_counts_are_ranked_over_the_years_that_the_component_is_of(tmp_path: Path) -> None:
    tables = {"mentions": counted_rows(2), "citations": counted_rows(3)}
    files = [write_rows(tmp_path / f"{name}.csv", rows) for name, rows in tables.items()]
    more = ("--mentions", files[0], "--citations", files[1])
    path = tmp_path / "pairs.jsonl"
    report = run("make_dyport", serve("Dated", dated_edges()), "--into", path, *YEARS, *more)
    assert report["importance"] == [*COMPONENTS, "mentions", "citations"]
    assert report["importance_missing"] == []
    assert report["rows_of_no_link"] == {"mentions": 0, "citations": 0}
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    true = [row for row in rows if not row["negative_of"]]
    for name, after in {"mentions": TEST, "citations": 0}.items():
        totals: Counter[frozenset[str]] = Counter()
        for source, target, year, count in tables[name]:
            totals[frozenset((source, target))] += count if after < year <= LATER else 0
        counts = [totals[frozenset((row["subject"], row["object"]))] for row in true]
        ranks = [row["components"][name] for row in true]
        assert len({*counts}) > 10
        # Links without enough negatives are ranked too, so that the order is all that is the same.
        assert rankdata(ranks).tolist() == rankdata(counts).tolist()


def test_rows_of_other_pairs_are_counted(tmp_path: Path) -> None:
    rows = [("X:d1", "X:nobody", 2019, 3), ("X:d1", "X:d2", 2019, 4), *counted_rows(2)]
    table = write_rows(tmp_path / "mentions.csv", rows)
    slug, into = serve("Dated", dated_edges()), tmp_path / "pairs.jsonl"
    report = run("make_dyport", slug, "--into", into, *YEARS, "--mentions", table)
    assert report["rows_of_no_link"] == {"mentions": 2}


def test_faults_of_a_table_are_listed_and_nothing_is_written(tmp_path: Path) -> None:
    slug, into = serve("Dated", dated_edges()), tmp_path / "pairs.jsonl"
    rows: list[Row] = [
        ("X:d1", "X:e1", 0, 3),
        ("X:d1", "X:e1", 2019, -1),
        ("X:d1", "X:e1", 2019, 2),
    ]
    table = write_rows(tmp_path / "mentions.csv", rows)
    error = refuse(slug, into, table)
    assert error["code"] == "invalid_file"
    assert [one["place"] for one in error["errors"]] == ["line 2, year", "line 3, count"]
    assert refuse(slug, into, tmp_path / "absent.csv")["code"] == "no_file"
    others = write_rows(tmp_path / "others.csv", [("Y:1", "Y:2", 2019, 1)])
    assert refuse(slug, into, others)["code"] == "no_links"
    assert not into.exists()


def refuse(slug: str, into: Path, table: Path) -> dict[str, Any]:
    out = io.StringIO()
    arguments = (slug, "--into", into, *YEARS, "--mentions", table, "--json")
    with pytest.raises(SystemExit, match="1"):
        call_command("make_dyport", *map(str, arguments), stdout=out)
    error: dict[str, Any] = json.loads(out.getvalue())["error"]
    return error


def test_mentions_are_missing_where_no_year_follows_the_test_year(tmp_path: Path) -> None:
    table = write_rows(tmp_path / "mentions.csv", counted_rows(2))
    slug, into = serve("Dated", dated_edges()), tmp_path / "pairs.jsonl"
    years = ("--train", TRAIN, "--test", TEST, "--importance", TEST, "--negatives", 5)
    report = run("make_dyport", slug, "--into", into, *years, "--mentions", table)
    assert "mentions" not in report["importance"]
    assert "mentions" in report["importance_missing"]
