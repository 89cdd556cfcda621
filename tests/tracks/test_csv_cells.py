"""Cells that are read as arrays mean the same as cells that are parsed one by one."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.tracks.stark import StarkTrack
from backend.tracks.stark_rows import RankedPrediction
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault, RowFaultList
from backend.validation.row_files.reader import RowSchema, read_rows

COLUMNS = StarkTrack.prediction_columns
PLAIN = replace(COLUMNS, lists=None)
NUMBERS = st.text("0123456789 ", max_size=20)
LISTS = st.text("0123456789, ", max_size=24).map(lambda text: f"[{text}]")


def read(
    rows: list[tuple[str, str]], columns: Columns = COLUMNS
) -> tuple[list[RankedPrediction], list[RowFault]]:
    content = "query_id,pred_rank\n" + "".join(f'{id_},"{ids}"\n' for id_, ids in rows)
    schema = RowSchema(RankedPrediction, columns, ("query_id",))
    faults = RowFaultList()
    file = io.BytesIO(content.encode())
    batches = list(read_rows(file, "p.csv", schema, faults))
    return [row for batch in batches for row in batch.values], faults.listed


@given(st.lists(st.tuples(NUMBERS, LISTS), min_size=1, max_size=5))
def test_any_cells_are_read_alike(rows: list[tuple[str, str]]) -> None:
    assert read(rows) == read(rows, PLAIN)


@pytest.mark.parametrize(
    ("id_", "ids"),
    [("7", "[1, 2]"),
     ("007", "[1]"), (" 7", "[]"), ("7", "[01]"), ("7", "[1,,2]"), ("7", "[1 2]"),
     ("7", "[ ]"), ("9" * 19, "[1]"), ("7", f"[{'9' * 30}]"), ("7", "[1,]"), ("7", "1"),
     ("", "[]")],
)  # fmt: skip
def test_cells_at_the_edge_of_json_are_read_alike(id_: str, ids: str) -> None:
    for rows in ([(id_, ids)], [("1", "[1]"), (id_, ids)]):
        assert read(rows) == read(rows, PLAIN)
