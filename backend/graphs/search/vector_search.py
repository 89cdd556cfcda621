from collections.abc import Callable
from functools import lru_cache

from django.db import connection, transaction

from backend.graphs.models import DocumentEmbedder, DocumentVector, Version
from backend.graphs.search.normalization import normalize
from backend.graphs.search.text_embedding import Embedder, LocalEmbedder

MAX_NEIGHBOURS = 100
MIN_COSINE = 0.1  # documents below this cosine are irrelevant
MAX_EXACT_DOCUMENTS = (
    20_000  # up to this many documents are compared exactly: the shared index may miss some
)
EMBEDDER_LOADERS: dict[str, Callable[[bytes], Embedder]] = {"local-1": LocalEmbedder.from_bytes}

NEAREST_SQL = """
    WITH near AS {materialized} (
        SELECT entity, embedding <=> %(vector)s::vector AS distance
        FROM {table} WHERE version_id = %(version)s {ordered}
    )
    SELECT entity FROM near WHERE distance <= %(farthest)s
    ORDER BY distance, entity LIMIT %(limit)s
"""


def find_similar_documents(
    version: Version, query: str, *, max_exact: int = MAX_EXACT_DOCUMENTS
) -> list[int]:
    """The entities of the documents nearest to the query.

    Empty if there are no documents, or if no word of the query occurs in one.
    """
    version_id = version.documents_version_id
    known = get_embedder(version_id)
    if known is None:
        return []
    embedder, documents = known
    (vector,) = embedder.embed([normalize(query)])
    if not vector.any():
        return []
    values: dict[str, str | int | float] = {
        "vector": f"[{','.join(map(str, vector.tolist()))}]",
        "version": version_id,
        "farthest": 1 - MIN_COSINE,
        "limit": MAX_NEIGHBOURS,
    }
    return query_nearest(values, exact=documents <= max_exact)


def query_nearest(values: dict[str, str | int | float], *, exact: bool) -> list[int]:
    """Compare all documents of the version, or use the index shared by all versions.

    That index returns the nearest of all versions, so it is scanned until enough belong to this
    one.
    """
    statement = NEAREST_SQL.format(
        materialized="MATERIALIZED",
        table=DocumentVector._meta.db_table,
        ordered="" if exact else "ORDER BY embedding <=> %(vector)s::vector LIMIT %(limit)s",
    )
    with transaction.atomic(), connection.cursor() as cursor:
        if not exact:
            cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            cursor.execute("SET LOCAL hnsw.ef_search = 200")
        cursor.execute(statement, values)
        return [entity for (entity,) in cursor.fetchall()]


def get_embedder(version: int) -> tuple[Embedder, int] | None:
    """The embedder of a version's documents and the number of documents; None without documents."""
    return (
        _load_embedder(version)
        if DocumentEmbedder.objects.filter(version=version).exists()
        else None
    )


@lru_cache(maxsize=8)
def _load_embedder(version: int) -> tuple[Embedder, int]:
    """Cached: the vectors of a version never change, nor does their embedder."""
    row = DocumentEmbedder.objects.get(version=version)
    return EMBEDDER_LOADERS[row.embedder](bytes(row.parameters)), row.documents
