"""No file ends the process that checks it, or takes more memory than ordinary ones."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from backend.validation.row_files import parquet_rows
from tests.tracks.hostile_files import FILES
from tests.tracks.releases import json_lines, ranks, stark
from tests.tracks.test_prediction_files import ROWS, STARK, codes, parquet

ROOT = Path(__file__).resolve().parents[2]
MEGABYTES = 250
CODES = {"damaged histogram": "not_parquet"}


@pytest.mark.parametrize("name", FILES)
def test_a_small_file_takes_little_memory(name: str, tmp_path: Path) -> None:
    write, file_name = FILES[name]
    path = tmp_path / file_name
    path.write_bytes(write())
    assert path.stat().st_size < 2_000_000
    done = subprocess.run(
        [sys.executable, "-m", "tests.tracks.hostile_files", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["codes"] == [CODES.get(name, "too_long")]
    assert report["megabytes"] < MEGABYTES


@pytest.mark.parametrize(
    "program", ["import os; os.abort()", "while True: pass", "pass", "print('no', 'stream')"]
)
def test_a_reader_that_dies_is_a_fault(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\n"
    worker = tmp_path / "worker.py"
    worker.write_text(limit + program)
    monkeypatch.setattr(parquet_rows, "WORKER", str(worker))
    content = parquet(query_id=[0], pred_rank=[[1]])
    assert codes(content, "a.parquet") == [(0, "not_parquet")]


def test_a_reader_that_dies_after_the_last_batch_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream is whole, the exit status is not."""
    source = Path(parquet_rows.WORKER).read_text()
    worker = tmp_path / "worker.py"
    worker.write_text(source.replace("        return 0\n", "        import os; os.abort()\n"))
    assert worker.read_text() != source
    monkeypatch.setattr(parquet_rows, "WORKER", str(worker))
    assert codes(parquet(query_id=[0], pred_rank=[[1]]), "a.parquet") == [(0, "not_parquet")]


@pytest.mark.parametrize(
    "kind",
    [
        pa.date32(),
        pa.date64(),
        pa.timestamp("ns"),
        pa.duration("s"),
        pa.binary(),
        pa.list_(pa.list_(pa.int64())),
        pa.struct([("a", pa.int64())]),
    ],
)
def test_other_types_of_parquet_are_a_fault_of_the_column(kind: pa.DataType) -> None:
    if pa.types.is_temporal(kind):
        width = np.int32 if kind == pa.date32() else np.int64
        column = pa.array(np.array([10**9], width)).view(kind)
    else:
        column = pa.array([None], kind)
    content = parquet(query_id=[0], pred_rank=column)
    faults = STARK.check(content, "a.parquet").faults.listed
    assert [(fault.line, fault.code) for fault in faults] == [(0, "wrong_type")]


def test_every_kind_of_list_and_text_is_read() -> None:
    expected = STARK.check(json_lines(ROWS[:3])).digest
    lists = [row["pred_rank"] for row in ROWS[:3]]
    for kind in (pa.list_(pa.int32(), 2), pa.large_list(pa.uint16()), pa.list_(pa.int64())):
        content = parquet(query_id=[0, 1, 2], pred_rank=pa.array(lists, kind))
        assert STARK.check(content, "a.parquet").digest == expected
    texts = [[str(id_) for id_ in ids] for ids in lists]
    for text in (pa.string(), pa.large_string()):
        content = parquet(query_id=[0, 1, 2], pred_rank=pa.array(texts, pa.list_(text)))
        assert STARK.check(content, "a.parquet").digest == expected
        cells = pa.array([json.dumps(ids) for ids in lists], text).dictionary_encode()
        content = parquet(query_id=[0, 1, 2], pred_rank=cells)
        assert STARK.check(content, "a.parquet").digest == expected


def test_large_batches_are_divided_and_small_ones_joined() -> None:
    sizes = [20_000] * 70 + [1] * 2_000
    rows = ranks(*([*range(size)] for size in sizes))
    release = stark([[1]] * len(sizes))
    content = parquet(
        query_id=[row["query_id"] for row in rows], pred_rank=[row["pred_rank"] for row in rows]
    )
    assert release.check(content, "a.parquet").digest == release.check(json_lines(rows)).digest


def test_lists_of_texts_in_several_row_groups_are_read() -> None:
    rows = ranks(*([f"{row}-{place}" for place in range(100)] for row in range(700)))
    table = pa.table({name: [row[name] for row in rows] for name in ("query_id", "pred_rank")})
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=90, dictionary_pagesize_limit=200)
    release = stark([[1]] * len(rows))
    assert release.check(file.getvalue(), "a.parquet").digest == (
        release.check(json_lines(rows)).digest
    )


def test_missing_values_stay_missing_in_lists() -> None:
    lists = [["a", None], None, [], ["1"]]
    content = parquet(query_id=[0, 1, 2, 3], pred_rank=pa.array(lists, pa.list_(pa.string())))
    assert codes(content, "a.parquet") == [(1, "wrong_type"), (2, "missing_field")]
