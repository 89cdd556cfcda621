"""Indexing of a version: names beside the snapshot, document vectors in the database."""

from collections.abc import Callable, Iterator

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from psycopg import sql

from backend.graphs.bulk_copy import copy_rows
from backend.graphs.models import DocumentEmbedder, DocumentVector, Version
from backend.graphs.search.index_builder import build_term_index
from backend.graphs.search.index_cache import index_folder
from backend.graphs.search.normalization import normalize
from backend.graphs.search.text_embedding import SAMPLE_SIZE, Embedder, LocalEmbedder
from backend.graphs.snapshots.snapshot import Snapshot

Progress = Callable[[str, int, int], None]
COLUMNS = ("version_id", "entity", "embedding")
BATCH_SIZE = 500


def index_version(version: Version, snapshot: Snapshot, *, progress: Progress) -> None:
    """Build all indexes from scratch. progress(phase, done, total) may raise to cancel."""
    build_term_index(snapshot, index_folder(snapshot), progress)
    if entities := find_documented_entities(snapshot):
        index_documents(version, snapshot, entities, progress)


def find_documented_entities(snapshot: Snapshot) -> list[int]:
    offsets = snapshot.arrays.get("documents.offsets")
    result: list[int] = [] if offsets is None else np.flatnonzero(np.diff(offsets)).tolist()
    return result


def index_documents(
    version: Version, snapshot: Snapshot, entities: list[int], progress: Progress
) -> None:
    progress("fitting the text embedder", 0, len(entities))
    some = entities[:: -(-len(entities) // SAMPLE_SIZE)]
    embedder = LocalEmbedder.fit([document_text(snapshot, entity) for entity in some])
    DocumentEmbedder.objects.create(
        version=version,
        embedder=embedder.name,
        parameters=embedder.as_bytes(),
        documents=len(entities),
    )
    copy_rows(
        DocumentVector, COLUMNS, document_rows(version.pk, snapshot, entities, embedder, progress)
    )


def copy_document_index(
    origin: int, version: Version, before: NDArray[np.int32], after: NDArray[np.int32]
) -> None:
    """The document vectors of a version with the same entities under other numbers.

    origin: primary key of that version. before, after: both numbers of each entity, in one order.
    """
    known = DocumentEmbedder.objects.filter(version=origin).first()
    if known is None:
        return
    DocumentEmbedder.objects.create(
        version=version,
        embedder=known.embedder,
        parameters=known.parameters,
        documents=known.documents,
    )
    statement = sql.SQL(
        "INSERT INTO {table} (version_id, entity, embedding) "
        "SELECT %s, number.after, vector.embedding FROM {table} vector "
        "JOIN unnest(%s::int[], %s::int[]) AS number(before, after) "
        "ON number.before = vector.entity WHERE vector.version_id = %s"
    ).format(table=sql.Identifier(DocumentVector._meta.db_table))
    with connection.cursor() as cursor:
        cursor.execute(statement, [version.pk, before.tolist(), after.tolist(), origin])


def document_rows(
    version: int, snapshot: Snapshot, entities: list[int], embedder: Embedder, progress: Progress
) -> Iterator[tuple[int, int, str]]:
    """Rows of document vectors. A document without words has no vector and no row."""
    for first in range(0, len(entities), BATCH_SIZE):
        progress("indexing documents", first, len(entities))
        part = entities[first : first + BATCH_SIZE]
        vectors = embedder.embed([document_text(snapshot, entity) for entity in part])
        for entity, vector in zip(part, vectors, strict=True):
            if vector.any():
                yield version, entity, f"[{','.join(map(str, vector.tolist()))}]"


def document_text(snapshot: Snapshot, entity: int) -> str:
    """Input of the embedder: name and all sections, normalized."""
    sections = snapshot.document(entity)
    parts = [snapshot.entity(entity).name, *(part.text for part in sections)]
    return normalize(" ".join(parts), longest=None)
