"""Vectors of the texts of a graph's entities, beside its snapshot and deleted with it.

There is one folder for each embedder and unit; the dimension is the embedder's.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from backend.evaluation.entity_texts import (
    CHUNK_CHARACTERS,
    NEIGHBOURS_OF_LINE,
    TextUnit,
    entity_units,
)
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.array_store.artifacts import artifact_writer, open_artifact
from backend.runtime.array_store.errors import InvalidArrayStore
from backend.science.retrieval.text_pieces import TextPieces
from backend.tracks.text_vectors import TextEmbedder

KIND = "text-vectors"
BATCH = 64
ProgressCallback = Callable[[str, float], None]  # may raise to cancel


def ignore_progress(_phase: str, _share: float) -> None:
    pass


def vectors_folder(snapshot: Snapshot, embedder: str, unit: TextUnit) -> Path:
    return snapshot.path.with_name(f"{snapshot.path.name}.vectors-{embedder}-{unit}")


def vectors_parameters(embedder: str, unit: TextUnit) -> dict[str, Any]:
    """What the vectors depend on, beside the graph."""
    parameters = {"embedder": embedder, "unit": unit, "neighbours": NEIGHBOURS_OF_LINE}
    return parameters | ({"characters": CHUNK_CHARACTERS} if unit == "chunk" else {})


def load_vectors_or_none(snapshot: Snapshot, embedder: str, unit: TextUnit) -> TextPieces | None:
    """None if they were not computed, or are altered or of another version."""
    try:
        stored = open_artifact(
            vectors_folder(snapshot, embedder, unit),
            kind=KIND,
            source=snapshot.id,
            parameters=vectors_parameters(embedder, unit),
        )
    except (InvalidArrayStore, OSError):
        return None
    vectors, starts = stored.arrays.get("vectors"), stored.arrays.get("starts")
    if vectors is None or starts is None or len(starts) != snapshot.entity_count:
        return None
    return TextPieces(vectors, starts)


def compute_vectors(
    snapshot: Snapshot,
    embedder: TextEmbedder,
    unit: TextUnit,
    progress: ProgressCallback = ignore_progress,
) -> TextPieces:
    """Those that are stored, or new ones. Texts are read twice and never all at once."""
    stored = load_vectors_or_none(snapshot, embedder.name, unit)
    if stored is not None:
        return stored
    counts = np.fromiter(
        (len(entity_units(snapshot, entity, unit)) for entity in snapshot.entities()),
        dtype=np.int64,
        count=snapshot.entity_count,
    )
    folder = vectors_folder(snapshot, embedder.name, unit)
    parameters = vectors_parameters(embedder.name, unit)
    with artifact_writer(folder, KIND, snapshot.id, parameters) as writer:
        writer.add("starts", np.cumsum(counts) - counts)
        total, done = int(counts.sum()), 0
        width = embedder.embed(["width"]).shape[1]
        rows = writer.open_array("vectors", (total, width), "<f4")
        for batch in batches(snapshot, unit):
            progress("computing vectors of texts", done / total)
            rows.write(embedder.embed(batch))
            done += len(batch)
    computed = load_vectors_or_none(snapshot, embedder.name, unit)
    if computed is None:
        raise InvalidArrayStore(folder, "it was removed meanwhile")
    return computed


def compute_view_vectors(view: GraphView, embedder: TextEmbedder, unit: TextUnit) -> TextPieces:
    """Of what a view of a snapshot shows, in memory: nothing of it is stored or read."""
    counts = np.array([len(entity_units(view, one, unit)) for one in view.entities()], np.int64)
    rows = [embedder.embed(batch) for batch in batches(view, unit)]
    return TextPieces(np.concatenate(rows), np.cumsum(counts) - counts)


def batches(snapshot: GraphView, unit: TextUnit) -> Iterator[list[str]]:
    batch: list[str] = []
    for entity in snapshot.entities():
        batch += entity_units(snapshot, entity, unit)
        while len(batch) >= BATCH:
            yield batch[:BATCH]
            del batch[:BATCH]
    if batch:
        yield batch
