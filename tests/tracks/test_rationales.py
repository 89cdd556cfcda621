"""Predictions of hypotheses may have a rationale, which no score and no old digest depends on."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from backend.tracks.model_tasks import NO_CONTEXT
from backend.tracks.truthhypo.model_tasks import MODEL_TASKS, HypothesisOutput
from backend.tracks.truthhypo.track import LONGEST_RATIONALE
from tests.tracks.releases import Row, csv_file, json_lines, labels_of, truthhypo

RELEASE = truthhypo({"Disease & Gene": {"stimulate": 2, "inhibit": 2, "no_relation": 2}})
ROWS = labels_of(RELEASE, [item.labels[0] for item in RELEASE.items])


def with_rationales(text: str) -> list[Row]:
    return [{**row, "rationale": f"{text} {n}"} for n, row in enumerate(ROWS)]


def test_rationales_change_the_digest_and_no_score() -> None:
    plain = RELEASE.check(json_lines(ROWS))
    reasoned = RELEASE.check(json_lines(with_rationales("Because of")))
    others = RELEASE.check(json_lines(with_rationales("In spite of")))
    assert len({plain.digest, reasoned.digest, others.digest}) == 3
    assert RELEASE.score(ROWS) == RELEASE.score(with_rationales("Because of"))
    components = [
        one.components.tolist() for one in (plain, reasoned) if one.components is not None
    ]
    assert components[0] == components[1]


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_rationale_is_none(empty: str | None) -> None:
    rows = [{**row, "rationale": empty} for row in ROWS]
    assert RELEASE.check(json_lines(rows)).digest == RELEASE.check(json_lines(ROWS)).digest


def parquet_file(rows: list[Row]) -> bytes:
    into = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), into)
    return into.getvalue()


@pytest.mark.parametrize(("name", "write"), [("a.csv", csv_file), ("a.parquet", parquet_file)])
def test_rationales_are_equal_in_every_format(name: str, write: Callable[..., bytes]) -> None:
    rows = with_rationales('Says "a, b",\nand more')
    checked = RELEASE.check(write(rows), name)
    assert checked.faults.listed == []
    assert checked.digest == RELEASE.check(json_lines(rows)).digest


def test_a_column_of_parquet_may_have_empty_cells() -> None:
    rows: list[Row] = [{**row, "rationale": None} for row in ROWS]
    rows[0] = {**rows[0], "rationale": "One alone."}
    checked = RELEASE.check(parquet_file(rows), "a.parquet")
    assert checked.is_valid


@pytest.mark.parametrize(
    ("rationale", "code"),
    [
        ("x" * (LONGEST_RATIONALE + 1), "too_long"),
        (7, "wrong_type"),
        ("a\x00b", "bad_character"),
    ],
)
def test_a_rationale_that_cannot_be_stored_is_a_fault_with_its_place(
    rationale: Any, code: str
) -> None:
    checked = RELEASE.check(json_lines([ROWS[0], {**ROWS[1], "rationale": rationale}]))
    assert [(one.line, one.field, one.code) for one in checked.faults.listed] == [
        (2, "rationale", code)
    ]


def test_a_header_without_the_column_is_read_as_before() -> None:
    text = csv_file(ROWS).decode()
    assert "rationale" not in next(csv.reader(io.StringIO(text)))
    assert RELEASE.check(text.encode(), "a.csv").digest == RELEASE.check(json_lines(ROWS)).digest


def test_a_model_task_writes_the_rationale_that_a_model_gave() -> None:
    task, item = MODEL_TASKS[0], RELEASE.items[0]
    output = HypothesisOutput(rationale="A\x00 causes B.", label=item.labels[0])
    assert task.predict(item, output, NO_CONTEXT).rationale == "A causes B."
    output = HypothesisOutput(rationale="x" * 30_000, label=item.labels[0])
    assert len(task.predict(item, output, NO_CONTEXT).rationale) == LONGEST_RATIONALE
    assert task.predict(item, HypothesisOutput(label=item.labels[0]), NO_CONTEXT).rationale == ""
