"""Rows that are read, digested and scored as arrays are those that are read one by one."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backend.tracks.prediction_check import CheckedPredictions
from backend.tracks.predictions import check_predictions
from backend.tracks.stark import StarkTrack
from backend.tracks.stark_prime.track import TRACK
from backend.tracks.stark_rows import QueryItem
from backend.validation.row_files import number_lists
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.limits import ReadLimits
from backend.validation.row_files.parquet_rows import WorkerRequest
from backend.validation.row_files.reader import ListRows, read_rows
from tests.tracks.releases import FORMATS, Release, Row, csv_file, json_lines, ranks, stark


class RowsTrack(StarkTrack):
    """Reads no rows as arrays."""

    prediction_columns = replace(StarkTrack.prediction_columns, lists=None)


GOLD = [[number % 7, number % 3, 9, 150][: 1 + number % 4] for number in range(40)]
RELEASE = stark([*GOLD, [*range(25)], [3, 3]], candidates=200)
ROWS_RELEASE = Release(RowsTrack(), RELEASE.items, RELEASE.answers, frozenset(range(200)))
PLAIN = ranks(*([number, 0, 9, number + 1] for number in range(42)))
LIMITS = ReadLimits(block_bytes=256)  # several blocks, of which some are plain

ids = st.integers(0, 199)
lists = st.one_of(
    st.lists(ids, max_size=6),
    st.lists(st.integers(0, 5), max_size=9),
    st.just([*range(199)]),
    st.lists(ids | ids.map(str), max_size=4),
    st.lists(ids | st.sampled_from([200, 2**63 - 1, 2**63, -1, "x", "017"]), max_size=4),
)
rows = st.lists(st.tuples(st.integers(0, 43), lists), min_size=1, max_size=42)
files = rows.map(lambda some: [{"query_id": key, "pred_rank": one} for key, one in some])


def check(release: Release, content: bytes, name: str, *, rescored: bool) -> CheckedPredictions:
    return check_predictions(
        release.track,
        io.BytesIO(content),
        name,
        release.table,
        answers=release.answers,
        limits=LIMITS,
        is_rescored=rescored,
    )


def assert_read_alike(content: bytes, name: str, *, rescored: bool = False) -> CheckedPredictions:
    one, other = (
        check(release, content, name, rescored=rescored) for release in (RELEASE, ROWS_RELEASE)
    )
    assert (one.digest, one.faults) == (other.digest, other.faults)
    if all(fault.code != "open_quote" for fault in one.faults.listed):  # it ends the reading
        assert one.notices == other.notices
        np.testing.assert_array_equal(one.answered, other.answered)
    assert (one.components is None) == (other.components is None)
    if one.components is not None and other.components is not None:
        np.testing.assert_array_equal(one.components, other.components)
    return one


def naive_digest(some: Sequence[Row]) -> str:
    """Over predictions of all items, in their order."""
    digest = hashlib.sha256()
    for row in sorted(some, key=lambda one: int(one["query_id"])):
        read: list[object] = []
        for id_ in row["pred_rank"][:100]:
            is_number = isinstance(id_, str) and id_.isdigit() and str(int(id_)) == id_
            read += [it for it in [int(id_) if is_number else id_] if it not in read]
        if any(isinstance(id_, str) for id_ in read):
            text = json.dumps({**row, "pred_rank": read}, separators=(",", ":"), ensure_ascii=False)
            digest.update(struct.pack("<q", -len(text.encode())) + text.encode())
        else:
            digest.update(struct.pack(f"<{len(read) + 2}q", row["query_id"], len(read), *read))
    return digest.hexdigest()


@settings(max_examples=120, deadline=None)
@given(files, st.sampled_from(["jsonl", "csv"]), st.booleans())
@example([*ranks([200]), {"query_id": 0, "pred_rank": [*range(199)]}], "csv", True)
def test_any_rows_are_read_alike(some: list[Row], suffix: str, rescored: bool) -> None:
    assert_read_alike(FORMATS[suffix](some), f"a.{suffix}", rescored=rescored)


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(42)), st.lists(st.lists(ids, max_size=5), min_size=42, max_size=42))
def test_plain_rows_are_read_alike_in_every_format_and_order(
    order: list[int], some: list[list[int]]
) -> None:
    plain = ranks(*some)
    for suffix, write in FORMATS.items():
        checked = assert_read_alike(write([plain[at] for at in order]), f"a.{suffix}")
        assert checked.digest == naive_digest(plain)


@pytest.mark.parametrize("seed", range(6))
def test_long_repeated_empty_and_mixed_lists_have_the_digest_that_is_documented(seed: int) -> None:
    draw = np.random.default_rng(seed)
    some: list[list[int | str]] = [
        draw.integers(0, 1 + draw.integers(200), draw.integers(0, 180)).tolist() for _ in range(42)
    ]
    some[seed] = ["7", 7, "00", "é"]
    release = Release(TRACK, RELEASE.items, RELEASE.answers)
    table = ranks(*some)
    for suffix in ("jsonl", "json", "csv"):
        checked = release.check(FORMATS[suffix](table), f"a.{suffix}")
        assert checked.digest == naive_digest(table)


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_plain_files_are_read_as_arrays(suffix: str) -> None:
    content = FORMATS[suffix](PLAIN)
    read = list(
        read_rows(io.BytesIO(content), f"a.{suffix}", TRACK.prediction_rows, RowFaultList(), LIMITS)
    )
    arrays = [batch for batch in read if isinstance(batch, ListRows)]
    assert len(arrays) >= len(read) - 2
    assert [row.query_id for batch in read for row in batch.values] == [*range(42)]
    assert [line for batch in read for line in batch.lines][-1] == 42 + (suffix == "csv")


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_without_pyarrow_the_digest_is_the_same(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = FORMATS[suffix](PLAIN)
    with_arrays = check(RELEASE, content, f"a.{suffix}", rescored=False)
    monkeypatch.setattr(number_lists, "has_pyarrow", lambda: False)
    assert check(RELEASE, content, f"a.{suffix}", rescored=False).digest == with_arrays.digest


GOOD = '{"query_id": 5, "pred_rank": [1, 2]}'
JSON_LINES = [
    GOOD + ",",
    GOOD + " 5",
    "5" + GOOD,
    GOOD.replace("query", "que5ry"),
    GOOD.replace("5,", "5 5,"),
    GOOD.replace("5,", "05,"),
    GOOD.replace("5,", "5,,"),
    GOOD.replace("5,", "5, 3,"),
    GOOD.replace(": 5", ":, 5"),
    GOOD.replace("[1, 2]", "[1, 2,]"),
    GOOD.replace("[1, 2]", "[,1]"),
    GOOD.replace("[1, 2]", "1[2]"),
    GOOD.replace("[1, 2]", "[1, 2] 3"),
    GOOD.replace("[1, 2]", "[1, 99999999999999999999]"),
    GOOD.replace("[1, 2]", "[1, 2], "),
    GOOD.replace("[1, 2]", f"[{', '.join(['7'] * 20_001)}]"),
    '{"pred_rank": [1, 2], "query_id": 5}',
    '{"query_id": 5, "pred_rank": [1], "pred_rank": [2]}',
    '{"query_id": 5,',
    "",
    " ",
]
CSV_LINES = [
    '5,"[1, 2]"',
    '05,"[1]"',
    ' 5 ,"[1]"',
    '5 ,"[1]" ',
    '5,"[1]",3',
    '5,6,"[1]"',
    ',"[1]"',
    '5 "[1]"',
    '5, "[1]"',
    '5,"[1]2"',
    '5,"1[2]"',
    '5,"[01]"',
    '5,"[1,]"',
    '5,"[1\n2]"',
    '5,"[1,\n2]"',
    '5,""[1]""',
    '"5","[1]"',
    '"5,"[1]"',
    "5,[1]",
    '5,"[1]""',
    '5,"',
    "",
]


@pytest.mark.parametrize("at", [0, 20, 41])
@pytest.mark.parametrize("line", JSON_LINES)
def test_lines_at_the_edge_of_json_are_read_alike(line: str, at: int) -> None:
    lines = json_lines(PLAIN).decode().splitlines()
    lines[at] = line
    assert_read_alike("\n".join(lines).encode(), "a.jsonl")
    assert_read_alike("\r\n".join([*lines, ""]).encode(), "a.jsonl")


@pytest.mark.parametrize("at", [1, 20, 42])
@pytest.mark.parametrize("line", CSV_LINES)
def test_lines_at_the_edge_of_csv_are_read_alike(line: str, at: int) -> None:
    lines = csv_file(PLAIN).decode().splitlines()
    lines[at] = line
    assert_read_alike("\n".join(lines).encode(), "a.csv")
    assert_read_alike("\r\n".join([*lines, ""]).encode(), "a.csv")


@given(st.lists(st.integers(0, 2**63 - 1), unique=True, max_size=30), st.integers(0, 9))
@example([], 0)
@example([5, 6, 7], 0)
@example([7, 5, 6], 0)
def test_items_are_found_by_numbers_as_by_keys(keys: list[int], first: int) -> None:
    items = [QueryItem(key, "Which?") for key in keys] or [
        QueryItem(first + number, "Which?") for number in range(first)
    ]
    table = TRACK.index_items(items)
    numbers = [*(item.query_id for item in items), 0, 6, 2**63 - 1]
    positions = table.find_numbers(np.array(numbers, dtype=np.int64)).tolist()
    assert positions == [table.positions.get(key, -1) for key in numbers]


@pytest.mark.parametrize("moved", [None, 0, 20, 41])
@pytest.mark.parametrize("suffix", [*FORMATS])
def test_a_file_on_disk_is_read_as_one_in_memory_in_the_order_of_the_items_or_not(
    suffix: str, moved: int | None, tmp_path: Path
) -> None:
    """Ordered rows are digested as they arrive; one that is not is reason to read again."""
    some = ranks(*([number, 0, 9, number + 1] for number in range(42) if number != 30))
    if moved is not None:
        some = [*some[:moved], *some[moved + 1 :], *some[moved : moved + 1]]
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(FORMATS[suffix](some))
    with path.open("rb") as file:
        on_disk = check_predictions(
            RELEASE.track, file, path.name, RELEASE.table, answers=RELEASE.answers, limits=LIMITS
        )
    in_memory = assert_read_alike(path.read_bytes(), path.name)
    assert on_disk.digest == in_memory.digest == naive_digest(some)
    np.testing.assert_array_equal(on_disk.components, in_memory.components)
    assert on_disk.notices == in_memory.notices


def test_a_parquet_file_on_disk_has_the_limits_of_one_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(FORMATS["parquet"](PLAIN))
    limits = ReadLimits(bytes=path.stat().st_size - 1)
    fault_lists = []
    with path.open("rb") as on_disk:
        for file in (on_disk, io.BytesIO(path.read_bytes())):
            checked = check_predictions(TRACK, file, path.name, RELEASE.table, limits=limits)
            fault_lists.append(checked.faults)
    assert fault_lists[0] == fault_lists[1]
    assert [fault.code for fault in fault_lists[0].listed] == ["too_large"]


@pytest.mark.skipif(find_spec("pandas") is None, reason="pandas is not installed")
def test_reading_parquet_does_not_import_pandas(tmp_path: Path) -> None:
    """Arrow's conversions import it where they can; that took longer than reading most files."""
    path = tmp_path / "a.parquet"
    path.write_bytes(FORMATS["parquet"](PLAIN))
    request = WorkerRequest(["query_id", "pred_rank"], 10**9, 10**6).as_json()
    done = subprocess.run(
        [sys.executable, "-c", READ_AND_LIST_MODULES, str(path), request],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["42", "False"]


READ_AND_LIST_MODULES = """
import io, json, sys
from backend.tracks.stark_prime.track import TRACK
from backend.validation.row_files import parquet_worker
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import read_rows
with open(sys.argv[1], "rb") as file:
    parquet_worker.write_rows(file, io.BytesIO(), json.loads(sys.argv[2]))
    file.seek(0)
    batches = [*read_rows(file, "a.parquet", TRACK.prediction_rows, RowFaultList())]
print(sum(len(batch.lines) for batch in batches), "pandas" in sys.modules)
"""
