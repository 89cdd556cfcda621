"""Statistics of query sets, against scipy and by hand."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core.management import call_command
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from backend.benchmarks.models import Release
from backend.benchmarks.stark_queries.statistics import (
    QueryRecord,
    compute_query_statistics,
    shannon_entropy,
)
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from tests.benchmarks.stark_queries.factories import PrimekgRows


def run(*arguments: object) -> tuple[int, Any]:
    out = io.StringIO()
    try:
        call_command(*map(str, arguments), "--json", stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), json.loads(out.getvalue())
    return 0, json.loads(out.getvalue())


def test_a_small_set_is_counted_by_hand() -> None:
    records = [
        QueryRecord("Which drugs treat pain?", 1, 4, 0),
        QueryRecord("Which drugs treat heart failure and say so?", 3, 6, 2),
        QueryRecord("Which genes?", 2),
    ]
    result = compute_query_statistics(records)
    assert (result.queries, result.with_several_answers) == (3, 2)
    assert result.mean_answers == 2 and result.mean_words == pytest.approx(14 / 3)
    assert result.query_lengths == {2: 1, 4: 1, 8: 1}
    assert result.answer_counts == {1: 1, 2: 1, 3: 1}
    assert result.type_token_ratio == pytest.approx(10 / 14)
    assert result.queries_with_text == 1
    assert result.relational_to_textual == 3
    assert result.relational_share == pytest.approx((1 + 0.75) / 2)


def test_an_empty_set_has_zeros() -> None:
    result = compute_query_statistics([])
    assert (result.queries, result.mean_answers, result.shannon_entropy) == (0, 0, 0)
    assert result.relational_to_textual is None and result.relational_share is None


@given(st.lists(st.integers(1, 1_000), min_size=1, max_size=50))
@settings(deadline=None)
def test_entropy_is_scipys(counts: list[int]) -> None:
    words = {str(at): count for at, count in enumerate(counts)}
    assert shannon_entropy(words) == pytest.approx(stats.entropy(counts, base=2))


@pytest.mark.django_db
def test_written_queries_become_a_release_and_are_counted(tmp_path: Path) -> None:
    built = build_snapshot(PrimekgRows(1), Path(project.SNAPSHOTS))
    graph = Graph.objects.create(name="Prime", slug="prime", visibility=Graph.Visibility.PUBLIC)
    Version.objects.create(
        graph=graph,
        snapshot=built.path.name,
        number=1,
        entities=built.entities,
        edges=built.edges,
        types=built.types,
        relations=built.relations,
        ready_at=timezone.now(),
    )
    file = tmp_path / "queries.csv"
    code, written = run("make_stark_queries", "prime", "--count", 60, "--into", file)
    assert code == 0 and written["queries"] == 60
    first = file.read_bytes()
    run("make_stark_queries", "prime", "--count", 60, "--into", file)
    assert file.read_bytes() == first
    code, counted = run("query_statistics", file)
    assert code == 0
    assert (counted["queries"], counted["queries_with_text"]) == (60, written["with_text"])
    assert 0 < counted["relational_share"] < 1
    code, _ = run("make_release", "stark-prime", file, "--name", "prime", "--graph", "prime")
    assert code == 0 and Release.objects.get(slug="prime").items.count() == 60


def test_a_faulty_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "queries.csv"
    file.write_text("id,query,answer_ids\n0,Which?,[]\nx,Which?,[1]\n")
    code, result = run("query_statistics", file)
    assert code == 1 and len(result["faults"]) == 2
