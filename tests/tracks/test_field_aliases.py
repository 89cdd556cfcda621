"""Other names of fields, as the pages of tracks list them, in every format of predictions."""

import io
import json
from typing import Any

import pytest

from backend.tracks.base import AnyTrack
from backend.tracks.registry import load_tracks
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import read_rows

TRACKS = load_tracks()
NAMES = [
    (track.slug, alias, name)
    for track in TRACKS.values()
    for alias, name in track.prediction_columns.aliases.items()
]


def example_rows(track: AnyTrack) -> list[dict[str, Any]]:
    return [json.loads(line) for line in track.example_file.read_text("utf-8").splitlines()]


def read(
    track: AnyTrack, rows: list[dict[str, Any]], suffix: str
) -> tuple[list[Any], RowFaultList]:
    text = "\n".join(map(json.dumps, rows)) if suffix != "json" else json.dumps(rows)
    faults = RowFaultList()
    file = io.BytesIO(text.encode())
    batches = read_rows(file, f"predictions.{suffix}", track.prediction_rows, faults)
    return [value for batch in batches for value in batch.values], faults


def test_some_tracks_have_other_names() -> None:
    assert {slug for slug, _, _ in NAMES} >= {"biohopr", "truthhypo", "serenqa-retrieval"}


@pytest.mark.parametrize("suffix", ["jsonl", "ndjson", "json"])
@pytest.mark.parametrize(("slug", "alias", "name"), NAMES)
def test_json_may_use_the_other_name(slug: str, alias: str, name: str, suffix: str) -> None:
    track = TRACKS[slug]
    rows = example_rows(track)
    renamed = [{alias if key == name else key: it for key, it in row.items()} for row in rows]
    assert any(alias in row for row in renamed)
    expected, _ = read(track, rows, suffix)
    values, faults = read(track, renamed, suffix)
    assert (values, faults.total) == (expected, 0)


@pytest.mark.parametrize(("slug", "alias", "name"), NAMES)
def test_both_names_in_a_row_are_a_fault_with_its_line(slug: str, alias: str, name: str) -> None:
    track = TRACKS[slug]
    rows = example_rows(track)
    values, faults = read(track, [rows[0], {**rows[1], alias: rows[1].get(name)}], "jsonl")
    assert len(values) == 1
    (fault,) = faults.listed
    assert (fault.line, fault.code) == (2, "repeated_field")


def test_a_faulty_value_under_another_name_is_listed_with_its_item() -> None:
    track = TRACKS["biohopr"]
    _, faults = read(track, [{"id": "q1", "prediction": 5}], "jsonl")
    (fault,) = faults.listed
    assert fault.line == 1 and "q1" in fault.item


def test_text_that_only_contains_the_other_name_stays() -> None:
    track = TRACKS["biohopr"]
    values, faults = read(track, [{"question_id": "q1", "answers": ["id", '"id"']}], "jsonl")
    assert faults.total == 0
    assert list(values[0].answers) == ["id", '"id"']
