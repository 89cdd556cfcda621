"""Making searchable: names beside the snapshot, documents by meaning in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from backend.graphs.copying import copy_rows
from backend.graphs.models import Document, Meaning, Version
from backend.graphs.search.building import build_lexicon
from backend.graphs.search.normal import normal
from backend.graphs.search.opening import folder_of
from backend.graphs.snapshots.opening import Snapshot
from backend.science.embedding import SAMPLE, Embedder, LocalEmbedder

Progress = Callable[[str, int, int], None]
COLUMNS = ("version_id", "entity", "embedding")
BATCH = 500


def index_version(version: Version, snapshot: Snapshot, *, progress: Progress) -> None:
    """Begins on nothing. progress(doing, done, all) may raise to stop."""
    build_lexicon(snapshot, folder_of(snapshot), progress)
    if entities := documented(snapshot):
        index_documents(version, snapshot, entities, progress)


def documented(snapshot: Snapshot) -> list[int]:
    """The entities that have a document."""
    offsets = snapshot.arrays.get("documents.offsets")
    found: list[int] = [] if offsets is None else np.flatnonzero(np.diff(offsets)).tolist()
    return found


def index_documents(
    version: Version, snapshot: Snapshot, entities: list[int], progress: Progress
) -> None:
    progress("learning from documents", 0, len(entities))
    some = entities[:: -(-len(entities) // SAMPLE)]
    embedder = LocalEmbedder.learnt_from([text_of(snapshot, entity) for entity in some])
    Meaning.objects.create(
        version=version,
        embedder=embedder.name,
        learnt=embedder.as_bytes(),
        documents=len(entities),
    )
    copy_rows(Document, COLUMNS, rows(version.pk, snapshot, entities, embedder, progress))


def rows(
    version: int, snapshot: Snapshot, entities: list[int], embedder: Embedder, progress: Progress
) -> Iterator[tuple[int, int, str]]:
    """A document without a word has no meaning, and no row."""
    for first in range(0, len(entities), BATCH):
        progress("indexing documents", first, len(entities))
        part = entities[first : first + BATCH]
        vectors = embedder.embed([text_of(snapshot, entity) for entity in part])
        for entity, vector in zip(part, vectors, strict=True):
            if vector.any():
                yield version, entity, f"[{','.join(map(str, vector.tolist()))}]"


def text_of(snapshot: Snapshot, entity: int) -> str:
    """What an embedder reads of an entity: its name and all sections, in the normal form."""
    sections = snapshot.document(entity)
    parts = [snapshot.entity(entity).name, *(part.text for part in sections)]
    return normal(" ".join(parts), longest=None)
