"""Made-up items, answers and predictions of the tracks, and files of them in every format."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from backend.tracks.base import AnyTrack
from backend.tracks.item_table import ItemTable
from backend.tracks.prediction_check import CheckedPredictions
from backend.tracks.predictions import check_predictions
from backend.tracks.registry import load_tracks
from backend.tracks.stark_rows import QueryAnswer, QueryItem
from backend.tracks.truthhypo.track import NO_RELATION, PairAnswer, PairItem

TABLE_1 = {
    "Chemical & Gene": {"positive_correlate": 328, "negative_correlate": 478, NO_RELATION: 403},
    "Disease & Gene": {"stimulate": 104, "inhibit": 75, NO_RELATION: 89},
    "Gene & Gene": {"positive_correlate": 247, "negative_correlate": 118, NO_RELATION: 182},
}
Row = Mapping[str, Any]


class Release:
    """A track with items and answers, as the tests need it."""

    def __init__(
        self,
        track: AnyTrack,
        items: Sequence[Any],
        answers: Sequence[Any],
        candidates: frozenset[int | str] | None = None,
    ) -> None:
        self.track, self.items, self.answers = track, items, answers
        self.table: ItemTable[Any] = track.index_items(items, candidates)

    def check(self, content: bytes, name: str = "predictions.jsonl") -> CheckedPredictions:
        file = io.BytesIO(content)
        return check_predictions(self.track, file, name, self.table, answers=self.answers or None)

    def score(self, rows: Sequence[Row]) -> dict[str, float]:
        """Metrics over all items of a valid file."""
        checked = self.check(json_lines(rows))
        assert checked.components is not None, checked.faults.listed
        everything = np.ones(len(self.items), dtype=np.bool_)
        return self.track.metric_values(checked.components, everything)


def truthhypo(table: Mapping[str, Mapping[str, int]] = TABLE_1) -> Release:
    """Items with the counts of a table by relation type and label; Table 1's unless given."""
    items: list[PairItem] = []
    answers: list[PairAnswer] = []
    for type_, counts in table.items():
        x_type, _, y_type = type_.partition(" & ")
        for label, count in counts.items():
            for _ in range(count):
                x_id, y_id = f"{x_type}|{len(items)}", f"{y_type}|{len(items)}b"
                labels = tuple(sorted(counts))
                question = f"How is {x_id} related to {y_id}?"
                items.append(PairItem(x_id, y_id, x_type, y_type, type_, question, labels))
                answers.append(PairAnswer(label))
    return Release(load_tracks()["truthhypo"], items, answers)


def stark(
    gold: Sequence[Sequence[int]], *, slug: str = "stark-prime", candidates: int | None = None
) -> Release:
    """A query for each list of answers, numbered from 0."""
    items = [QueryItem(number, f"Query {number}") for number in range(len(gold))]
    answers = [QueryAnswer(tuple(ids)) for ids in gold]
    known = None if candidates is None else frozenset(range(candidates))
    return Release(load_tracks()[slug], items, answers, known)


def labels_of(release: Release, labels: Sequence[str]) -> list[Row]:
    return [
        {"x_id": item.x_id, "y_id": item.y_id, "label": label}
        for item, label in zip(release.items, labels, strict=True)
    ]


def ranks(*lists: Sequence[int | str]) -> list[Row]:
    return [{"query_id": number, "pred_rank": list(ids)} for number, ids in enumerate(lists)]


def as_rows(records: Sequence[Any]) -> list[Row]:
    return [asdict(record) for record in records]


def json_lines(rows: Sequence[Row]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def json_list(rows: Sequence[Row]) -> bytes:
    return json.dumps(list(rows), indent=1).encode()


def csv_file(rows: Sequence[Row]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)  # lists become Python literals, as STaRK writes them
    return file.getvalue().encode()


def parquet_file(rows: Sequence[Row]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), file)
    return file.getvalue()


def gzip_file(content: bytes) -> bytes:
    return gzip.compress(content)


def zstd_file(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


FORMATS: dict[str, Callable[[Sequence[Row]], bytes]] = {
    "jsonl": json_lines,
    "json": json_list,
    "csv": csv_file,
    "parquet": parquet_file,
}
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip_file, ".zst": zstd_file}
