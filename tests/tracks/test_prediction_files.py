"""Formats and compressions are equal; damaged, hostile and unusual files are faults, not errors."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.tracks.predictions import check_predictions
from backend.validation.row_files.limits import ReadLimits
from tests.tracks.releases import (
    COMPRESSIONS,
    FORMATS,
    Release,
    Row,
    csv_file,
    json_lines,
    labels_of,
    ranks,
    stark,
    truthhypo,
)

STARK = stark([[number] for number in range(300)], candidates=1_000)
ROWS = ranks(*([number + 1, number] for number in range(300)))
GOOD = b'{"query_id": 0, "pred_rank": [1]}\n'


def codes(content: bytes, name: str = "a.jsonl", release: Release = STARK) -> list[tuple[int, str]]:
    return [(fault.line, fault.code) for fault in release.check(content, name).faults.listed]


def limited(content: bytes, name: str, limits: ReadLimits) -> list[tuple[int, str]]:
    file = io.BytesIO(content)
    checked = check_predictions(STARK.track, file, name, STARK.table, limits=limits)
    return [(fault.line, fault.code) for fault in checked.faults.listed]


def release_and_rows(slug: str) -> tuple[Release, list[Row]]:
    if slug == "stark-prime":
        return STARK, ROWS
    release = truthhypo()
    return release, labels_of(release, [item.labels[0] for item in release.items])


@pytest.mark.parametrize("slug", ["truthhypo", "stark-prime"])
def test_every_format_compression_and_order_has_one_digest(slug: str) -> None:
    release, rows = release_and_rows(slug)
    shuffled = [rows[at] for at in np.random.default_rng(1).permutation(len(rows))]
    digests = set()
    for suffix, write in FORMATS.items():
        for ending, compress in COMPRESSIONS.items():
            for order in (rows, shuffled):
                content = compress(write(order))
                checked = release.check(content, f"a.{suffix}{ending}")
                assert checked.faults.listed == []
                digests.add(checked.digest)
    assert len(digests) == 1


def test_the_digest_of_numbers_is_that_of_their_bytes() -> None:
    numbers = [0, 2, 1, 0, 2, 2, 3, 2]  # key, number of ids, ids; of two predictions
    expected = hashlib.sha256(np.array(numbers, "<i8").tobytes()).hexdigest()
    assert STARK.check(json_lines([ROWS[2], ROWS[0]])).digest == expected


def test_the_digest_of_texts_is_that_of_their_json() -> None:
    release = truthhypo()
    rows = labels_of(release, [item.labels[0] for item in release.items])
    digest = hashlib.sha256()
    for row in rows:
        text = json.dumps(row, separators=(",", ":")).encode()
        digest.update((-len(text)).to_bytes(8, "little", signed=True) + text)
    assert release.check(json_lines(rows)).digest == digest.hexdigest()


def test_the_digest_tells_apart_texts_that_look_like_rows() -> None:
    release = stark([[1], [2]])
    rows = ranks(["a},{b"], ["c"])
    reversed_file = release.check(json_lines(rows[::-1]))
    assert reversed_file.digest == release.check(json_lines(rows)).digest
    assert reversed_file.digest != release.check(json_lines(ranks(["a}"], ["{b", "c"]))).digest


def test_other_predictions_have_another_digest() -> None:
    digests = {STARK.check(json_lines(rows)).digest for rows in (ROWS, ROWS[:-1], ROWS[1:])}
    assert len(digests) == 3


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n") * 1 + b"\r\n\n",
        GOOD.rstrip(),
        b"\n\n" + GOOD,
        b"  " + GOOD,
    ],
)
def test_marks_blank_lines_and_line_ends_do_not_matter(content: bytes) -> None:
    assert STARK.check(content).digest == STARK.check(GOOD).digest


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (b"{nope}", "names in double quotes, see column 2"),
        (b"nope", "one JSON object, its names and texts in double quotes, see column 2"),
        (b'{"query_id": 1', "a closing quote or bracket before the line ends, see column 14"),
        (b"{} {}", "nothing after the object, see column 4"),
        (b'{"query_id": 1,}', "no comma before a closing bracket, see column 16"),
        (b'{"query_id": "\x01"}', "no control characters in texts, see column 15"),
    ],
)
def test_a_row_that_is_no_json_has_its_column_and_the_line_of_the_file(
    row: bytes, expected: str
) -> None:
    (fault,) = STARK.check(GOOD + b"\n" + row + b"\n").faults.listed
    assert (fault.line, fault.code, fault.expected) == (3, "not_json", expected)


def test_lines_are_counted_across_blank_lines_and_blocks() -> None:
    lines = [json.dumps(row).encode() for row in ROWS]
    lines[150] = b"{"
    content = b"\r\n\r\n".join(lines)
    limits = ReadLimits(block_bytes=64)
    assert limited(content, "a.jsonl", limits) == [(301, "not_json")]
    spaced = b"\n[\n" + b",\n\n".join([*lines[:150], b'{"query_id": 150}', *lines[151:]]) + b"]\n"
    assert limited(spaced, "a.json", limits) == [(303, "missing_field")]


JSON_CASES = {
    "empty": (b"", [(0, "empty_file")]),
    "spaces": (b"\n \n", [(0, "empty_file")]),
    "many blank lines": (b"\n" * 300_000, [(0, "empty_file")]),
    "UTF-16": (GOOD.decode().encode("utf-16"), [(1, "not_utf8")]),
    "NUL": (b"\x00" + GOOD, [(1, "not_json")]),
    "deep": (b'{"query_id": 0, "pred_rank": ' + b"[" * 100_000, [(1, "not_json")]),
    "huge integer": (GOOD.replace(b"[1]", b"[1%s]" % (b"0" * 400)), [(1, "out_of_range")]),
    "huger integer": (GOOD.replace(b"[1]", b"[1%s]" % (b"0" * 9_000)), [(1, "not_json")]),
    "text with a surrogate": (GOOD.replace(b"[1]", b'["\\ud800"]'), [(1, "not_json")]),
    "two objects on a line": (GOOD.strip() + b"," + GOOD, [(1, "not_json")]),
    "an object on two lines": (GOOD.replace(b", ", b",\n"), [(1, "not_json"), (2, "not_json")]),
    "true as a number": (GOOD.replace(b"[1]", b"[true]"), [(1, "wrong_type")]),
    "fraction": (GOOD.replace(b"[1]", b"[1.5]"), [(1, "wrong_type")]),
}


@pytest.mark.parametrize("case", JSON_CASES)
def test_unusual_json_lines(case: str) -> None:
    content, expected = JSON_CASES[case]
    assert codes(content) == expected


LIST_CASES = {
    "JSON Lines": (GOOD + GOOD, [(1, "not_json")]),
    "not closed": (b"[" + GOOD, [(2, "not_json")]),
    "cut off": (b"[" + GOOD + b', {"query_id"', [(2, "not_json")]),
    "comma at the end": (b"[" + GOOD + b",]", [(2, "not_json")]),
    "no comma": (b"[" + GOOD + GOOD + b"]", [(2, "not_json")]),
    "more": (b"[" + GOOD + b"] 1", [(2, "not_json")]),
    "numbers": (b"[1, 2]", [(1, "wrong_type"), (1, "wrong_type")]),
    "deep": (b"[" * 100_000, [(1, "not_json")]),
    "not UTF-8": (b'["\xff"]', [(1, "not_utf8")]),
    "empty list": (b"[ ]", [(0, "empty_file")]),
}


@pytest.mark.parametrize("case", LIST_CASES)
def test_unusual_json_lists(case: str) -> None:
    content, expected = LIST_CASES[case]
    assert codes(content, "a.json") == expected


CSV_CASES = {
    "open quote": (b'query_id,pred_rank\n0,"[1]"\n1,"[1]\n2,[1]\n', [(3, "open_quote")]),
    "long open quote": (
        b'query_id,pred_rank\n0,"' + b"[1]\n" * 300_000,
        [(2, "open_quote")],
    ),
    "long cell": (b"query_id,pred_rank\n0," + b"1" * 1_200_000 + b"\n", [(2, "too_long")]),
    "unknown column": (b"query_id,pred_rank,note\n0,[1],a\n", [(1, "wrong_header")]),
    "missing column": (b"query_id\n0\n", [(1, "wrong_header")]),
    "repeated column": (b"query_id,id,pred_rank\n0,0,[1]\n", [(1, "repeated_column")]),
    "header alone": (b"query_id,pred_rank\n", [(0, "empty_file")]),
    "line separators in a cell": (
        'query_id,pred_rank\n0,"[1]"\n\u20281,"[1]"\n'.encode(),
        [(3, "wrong_type")],
    ),
}


@pytest.mark.parametrize("case", CSV_CASES)
def test_unusual_csv(case: str) -> None:
    content, expected = CSV_CASES[case]
    assert codes(content, "a.csv") == expected


def test_columns_may_have_other_names_and_another_order() -> None:
    rows = [{"pred_rank": row["pred_rank"], "id": row["query_id"]} for row in ROWS]
    assert STARK.check(csv_file(rows), "a.csv").digest == STARK.check(json_lines(ROWS)).digest


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_damaged_compression_is_a_fault(ending: str) -> None:
    content = COMPRESSIONS[ending](json_lines(ROWS))
    for damaged in (content[:-12], b"plain text", content[:40] + b"\xff" * 40 + content[80:]):
        assert "damaged" in {code for _, code in codes(damaged, f"a.jsonl{ending}")}


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_file_that_expands_too_much_is_refused(ending: str) -> None:
    bomb = COMPRESSIONS[ending](b" " * 40_000_000)
    limits = ReadLimits(row_bytes=10**9)
    assert limited(bomb, f"a.jsonl{ending}", limits) == [(0, "too_large")]


def test_limits_of_size_rows_and_lines() -> None:
    content = json_lines(ROWS)
    assert limited(content, "a.jsonl", ReadLimits(bytes=1_000)) == [(0, "too_large")]
    assert limited(content, "a.jsonl", ReadLimits(rows=299)) == [(0, "too_many_rows")]
    faulty = limited(b"{}\n" * 50 + GOOD, "a.jsonl", ReadLimits(faults=9, block_bytes=30))
    assert faulty[0] == (0, "too_many_faults")
    assert len(faulty) < 25
    long = GOOD + b'{"x": "' + b"a" * 5_000 + b'"}\n' + b"{\n"
    limits = ReadLimits(row_bytes=1_000)
    assert limited(long, "a.jsonl", limits) == [(2, "too_long"), (3, "not_json")]
    assert limited(b"[" + long, "a.json", limits) == [(2, "not_json")]
    assert limited(b'[{"x": "' + b"a" * 5_000, "a.json", limits) == [(1, "too_long")]


@pytest.mark.parametrize("name", ["a.txt", "a", "a.gz", "a.zip", ".jsonl.bz2"])
def test_a_name_without_a_known_format_is_a_fault(name: str) -> None:
    assert codes(GOOD, name) == [(0, "unknown_format")]


def parquet(**columns: object) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def test_parquet_faults_have_rows() -> None:
    numbers = [0, 1, None, 0]
    lists = [[1], None, [1], [2]]
    content = parquet(query_id=numbers, pred_rank=lists)
    expected = [(2, "missing_field"), (3, "missing_field"), (4, "duplicate_item")]
    assert codes(content, "a.parquet") == expected


def test_parquet_without_rows_is_empty() -> None:
    lists = pa.array([], pa.list_(pa.int64()))
    content = parquet(query_id=pa.array([], pa.int64()), pred_rank=lists)
    assert codes(content, "a.parquet") == [(0, "empty_file")]


def test_parquet_with_other_types() -> None:
    as_text = parquet(query_id=pa.array([0, 1], pa.int16()), pred_rank=["[1, 0]", "[2, 1]"])
    assert STARK.check(as_text, "a.parquet").digest == STARK.check(json_lines(ROWS[:2])).digest
    assert codes(parquet(query_id=[0.0], pred_rank=[[1]]), "a.parquet") == [(1, "wrong_type")]
    assert codes(parquet(query_id=[0], rank=[[1]]), "a.parquet") == [(1, "wrong_header")]
    assert codes(b"PAR1" + b"\x00" * 100 + b"PAR1", "a.parquet") == [(0, "not_parquet")]
    assert codes(GOOD, "a.parquet") == [(0, "not_parquet")]


def test_a_value_of_parquet_that_is_stored_once_and_repeated_is_refused() -> None:
    texts = pa.DictionaryArray.from_arrays([0] * 300, ["a" * 2_000_000])
    content = parquet(query_id=list(range(300)), pred_rank=texts)
    assert codes(content, "a.parquet") == [(1, "too_long")]


SAMPLES = [
    (f"a.{name}{ending}", compress(write(ROWS[:3])))
    for name, write in FORMATS.items()
    for ending, compress in COMPRESSIONS.items()
]


@settings(max_examples=150, deadline=None)
@given(
    sample=st.sampled_from(SAMPLES),
    start=st.integers(0, 400),
    length=st.integers(0, 40),
    patch=st.binary(max_size=40),
)
def test_damaged_bytes_are_faults_and_never_errors(
    sample: tuple[str, bytes], start: int, length: int, patch: bytes
) -> None:
    name, content = sample
    checked = STARK.check(content[:start] + patch + content[start + length :], name)
    assert checked.is_valid == (checked.components is not None)


@settings(max_examples=150, deadline=None)
@given(
    content=st.binary(max_size=200)
    | st.text(alphabet='{}[]",: \n\r\\ntfu012.e-x', max_size=200).map(str.encode),
    name=st.sampled_from([name for name, _ in SAMPLES] + ["a.tsv"]),
)
def test_any_bytes_are_faults_and_never_errors(content: bytes, name: str) -> None:
    assert STARK.check(content, name).faults.total or not STARK.check(content, name).answered.all()


def test_a_gzip_file_of_several_parts_is_read_whole() -> None:
    parts = [gzip.compress(json.dumps(row).encode() + b"\n") for row in ROWS]
    assert STARK.check(b"".join(parts), "a.jsonl.gz").answered.all()


def test_the_tracks_import_neither_django_nor_celery() -> None:
    program = (
        "import sys; from backend.tracks import predictions, registry; registry.load_tracks();"
        "print([m for m in sys.modules if m.split('.')[0] in"
        " {'django', 'celery', 'rest_framework', 'channels', 'numba'}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[2],
        env={"SERENDIB_PLUGINS": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
