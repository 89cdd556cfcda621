"""Files of predictions with known faults, for every way by which a file can be checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tests.tracks.releases import Release, Row, csv_file, json_lines

Place = tuple[str, str]  # field and code
Plant = Callable[[Row, Row], bytes]  # of a valid row and an earlier one


@dataclass(frozen=True)
class PlantedFile:
    """A file whose every fault is known as (line, field, code)."""

    name: str
    content: bytes
    faults: frozenset[tuple[int, str, str]]

    @property
    def kinds(self) -> set[Place]:
        return {(field, code) for _, field, code in self.faults}


def changed(**fields: object) -> Plant:
    return lambda row, _: json.dumps({**row, **fields}).encode()


def without(field: str) -> Plant:
    return lambda row, _: json.dumps({k: v for k, v in row.items() if k != field}).encode()


def text(line: bytes) -> Plant:
    return lambda row, _: line


def earlier(_: Row, before: Row) -> bytes:
    return json.dumps(before).encode()


def with_bytes(old: bytes, new: bytes) -> Plant:
    return lambda row, _: json.dumps({**row, "label": "planted"}).encode().replace(old, new)


def given_twice(row: Row, _: Row) -> bytes:
    name = list(row)[-1]
    return json.dumps(row).encode()[:-1] + f', "{name}": {json.dumps(row[name])}}}'.encode()


def cells(**fields: object) -> Plant:
    return lambda row, _: csv_line({**row, **fields})


def csv_line(row: Row) -> bytes:
    return csv_file([row]).splitlines()[1]


def earlier_cells(_: Row, before: Row) -> bytes:
    return csv_line(before)


def raw_cell(content: bytes) -> Plant:
    return lambda row, _: csv_line({**row, "label": "planted"}).replace(b"planted", content)


def ranked_with_unknown(row: Row) -> list[object]:
    """Two ids that the release has, and one that it has not."""
    return [*row["pred_rank"][:2], 10**9]


ANY_JSON: dict[Place, Plant] = {
    ("", "not_json"): text(b'{"label": '),
    ("", "wrong_type"): text(b"[1, 2]"),
    ("note", "unknown_field"): changed(note="more"),
    ("", "duplicate_item"): earlier,
    ("", "not_utf8"): text(b'{"label": "\xff"}'),
    ("", "repeated_field"): given_twice,
}
ANY_CSV: dict[Place, Plant] = {
    ("", "wrong_cell_count"): lambda row, _: csv_line(row) + b",more",
    ("", "not_csv"): lambda row, _: b'"a"b,' + csv_line(row),
    ("", "duplicate_item"): earlier_cells,
}
JSON_FAULTS: dict[str, dict[Place, Plant]] = {
    "truthhypo": ANY_JSON
    | {
        ("label", "missing_field"): without("label"),
        ("label", "wrong_type"): changed(label=7),
        ("label", "not_finite"): changed(label=float("nan")),
        ("label", "empty"): changed(label=""),
        ("label", "too_long"): changed(label="a" * 301),
        ("label", "bad_character"): changed(label="no\x00"),
        ("label", "not_a_label"): changed(label="cures"),
        ("x_id+y_id", "unknown_item"): changed(x_id="Chemical|none"),
    },
    "stark-prime": ANY_JSON
    | {
        ("pred_rank", "missing_field"): without("pred_rank"),
        ("pred_rank", "wrong_type"): changed(pred_rank=None),
        ("pred_rank[1]", "wrong_type"): changed(pred_rank=[1, None]),
        ("pred_rank[1]", "not_finite"): changed(pred_rank=[1, float("inf")]),
        ("pred_rank[0]", "out_of_range"): changed(pred_rank=[-1]),
        ("pred_rank[2]", "unknown_id"): lambda row, _: json.dumps(
            {**row, "pred_rank": ranked_with_unknown(row)}
        ).encode(),
        ("pred_rank", "too_long"): changed(pred_rank=[1] * 20_001),
        ("query_id", "unknown_item"): changed(query_id=10**6),
    },
}
CSV_FAULTS: dict[str, dict[Place, Plant]] = {
    "truthhypo": ANY_CSV
    | {
        ("label", "empty"): cells(label=""),
        ("y_id", "empty"): cells(y_id=""),
        ("label", "too_long"): cells(label="a" * 301),
        ("x_id", "too_long"): cells(x_id="a" * 301),
        ("label", "bad_character"): raw_cell(b"no\x01"),
        ("x_id", "bad_character"): cells(x_id="a\x02"),
        ("label", "not_utf8"): raw_cell(b"\xff"),
        ("label", "not_a_label"): cells(label="cures"),
        ("x_id+y_id", "unknown_item"): cells(x_id="Chemical|none"),
    },
    "stark-prime": ANY_CSV
    | {
        ("pred_rank", "empty"): cells(pred_rank=""),
        ("pred_rank", "wrong_type"): cells(pred_rank="__import__('os').listdir()"),
        ("query_id", "wrong_type"): cells(query_id="one"),
        ("pred_rank[1]", "wrong_type"): cells(pred_rank="[1, None]"),
        ("pred_rank[1]", "not_finite"): cells(pred_rank="[1, NaN]"),
        ("pred_rank[0]", "out_of_range"): cells(pred_rank="[-1]"),
        ("pred_rank[2]", "unknown_id"): lambda row, _: csv_line(
            {**row, "pred_rank": ranked_with_unknown(row)}
        ),
        ("pred_rank", "too_long"): cells(pred_rank=[1] * 20_001),
        ("query_id", "unknown_item"): cells(query_id=10**6),
    },
}


def plant_faults(
    release: Release, rows: Sequence[Row], *, suffix: str, count: int = 50, seed: int = 1
) -> PlantedFile:
    """Valid rows, `count` of them replaced by faulty ones of every kind, at seeded places."""
    kinds = {".jsonl": JSON_FAULTS, ".csv": CSV_FAULTS}[suffix][release.track.slug]
    content = json_lines(rows) if suffix == ".jsonl" else csv_file(rows)
    lines = content.splitlines()
    first = len(lines) - len(rows)  # after a header
    draw = np.random.default_rng(seed)
    places = sorted((1 + draw.choice(len(rows) - 1, count, replace=False)).tolist())
    key = "+".join(release.track.key_fields)
    faults = set()
    for number, at in enumerate(places):
        (field, code), plant = list(kinds.items())[number % len(kinds)]
        lines[first + at] = plant(rows[at], rows[0])
        place = {"duplicate_item": key, "repeated_field": list(rows[at])[-1]}.get(code, field)
        faults.add((first + at + 1, place, code))
    return PlantedFile(f"planted{suffix}", b"\n".join(lines) + b"\n", frozenset(faults))
