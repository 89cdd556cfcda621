"""Documents by what they mean, nearest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from django.db import connection, transaction

from backend.graphs.models import Document, Meaning, Version
from backend.graphs.search.normal import normal
from backend.science.embedding import Embedder, LocalEmbedder

CLOSEST = 100
LEAST_ALIKE = 0.1  # cosine below which a document has nothing to do with the question
ALL_COMPARED = 20_000  # documents that are compared one by one: an index of many versions may miss
OPENERS: dict[str, Callable[[bytes], Embedder]] = {"local-1": LocalEmbedder.from_bytes}

NEAREST = """
    WITH near AS {materialized} (
        SELECT entity, embedding <=> %(asked)s::vector AS distance
        FROM {table} WHERE version_id = %(version)s {ordered}
    )
    SELECT entity, 1 - distance FROM near WHERE distance <= %(farthest)s
    ORDER BY distance, entity LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Near:
    """An entity whose document is near, and the cosine between it and the question."""

    entity: int
    alike: float


def near_documents(version: Version, asked: str, limit: int = CLOSEST) -> list[Near]:
    """None where there are no documents, or the question has no word that one of them has."""
    known = meaning_of(version.pk)
    if known is None:
        return []
    embedder, documents = known
    (vector,) = embedder.embed([normal(asked)])
    if not vector.any():
        return []
    values: dict[str, str | int | float] = {
        "asked": f"[{','.join(map(str, vector.tolist()))}]",
        "version": version.pk,
        "farthest": 1 - LEAST_ALIKE,
        "limit": limit,
    }
    return [Near(*row) for row in nearest(values, exact=documents <= ALL_COMPARED)]


def nearest(values: dict[str, str | int | float], *, exact: bool) -> list[tuple[int, float]]:
    """By comparing all of the version's, or through the index that all versions share.

    That index gives the nearest of all versions, so it has to go on until enough are of this one.
    """
    statement = NEAREST.format(
        materialized="MATERIALIZED",
        table=Document._meta.db_table,
        ordered="" if exact else "ORDER BY embedding <=> %(asked)s::vector LIMIT %(limit)s",
    )
    with transaction.atomic(), connection.cursor() as cursor:
        if not exact:
            cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            cursor.execute("SET LOCAL hnsw.ef_search = 200")
        cursor.execute(statement, values)
        found: list[tuple[int, float]] = cursor.fetchall()
    return found


def meaning_of(version: int) -> tuple[Embedder, int] | None:
    """What embeds questions to a version, and how many documents it has."""
    return _kept(version) if Meaning.objects.filter(version=version).exists() else None


@lru_cache(maxsize=8)
def _kept(version: int) -> tuple[Embedder, int]:
    """A version's vectors never change, and neither does what made them."""
    meaning = Meaning.objects.get(version=version)
    return OPENERS[meaning.embedder](bytes(meaning.learnt)), meaning.documents
