"""Vectors of the papers of a collection, beside its index and deleted with it.

There is one folder for each embedder. A search by words and meaning fuses both rankings.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.common.errors import DomainError
from backend.graphs.literature.cutoff import Cutoff
from backend.graphs.literature.paper_index import get_index
from backend.graphs.literature.paper_search import load_papers, search_papers
from backend.graphs.models import Collection, Paper
from backend.runtime.array_store.artifacts import artifact_writer, open_artifact
from backend.runtime.array_store.errors import InvalidArrayStore
from backend.tracks.stark_baselines import fuse_rankings
from backend.tracks.text_vectors import TextEmbedder, Vectors

KIND = "paper-vectors"
BATCH = 64
MOST_IN_A_RUN = 20_000  # papers whose vectors are computed when they are read first
DEPTH = 100  # of each of the two rankings
ProgressCallback = Callable[[str, float], None]  # may raise to cancel


def ignore_progress(_phase: str, _share: float) -> None:
    pass


def vectors_folder(collection: Collection, embedder: str) -> Path:
    return collection.folder / f"vectors-{embedder}"


def load_vectors_or_none(collection: Collection, embedder: str) -> Vectors | None:
    """None if they were not computed, or are altered or of another collection."""
    try:
        stored = open_artifact(
            vectors_folder(collection, embedder),
            kind=KIND,
            source=str(collection.pk),
            parameters=vectors_parameters(embedder),
        )
    except (InvalidArrayStore, OSError):
        return None
    vectors = stored.arrays.get("vectors")
    return vectors if vectors is not None and len(vectors) == collection.papers else None


def vectors_parameters(embedder: str) -> dict[str, Any]:
    return {"embedder": embedder, "text": "title and abstract"}


def compute_vectors(
    collection: Collection, embedder: TextEmbedder, progress: ProgressCallback = ignore_progress
) -> Vectors:
    """Those that are stored, or new ones: [n, d], of length 1 or 0, in the order of the papers."""
    stored = load_vectors_or_none(collection, embedder.name)
    if stored is not None:
        return stored
    folder, parameters = (
        vectors_folder(collection, embedder.name),
        vectors_parameters(embedder.name),
    )
    collection.folder.mkdir(parents=True, exist_ok=True)  # this machine may lack the index
    with artifact_writer(folder, KIND, str(collection.pk), parameters) as writer:
        width = embedder.embed(["width"]).shape[1]
        rows = writer.open_array("vectors", (collection.papers, width), "<f4")
        for first in range(0, collection.papers, BATCH):
            progress("computing vectors of papers", first / collection.papers)
            rows.write(embedder.embed([*map(paper_text, read_batch(collection, first))]))
    computed = load_vectors_or_none(collection, embedder.name)
    if computed is None:
        raise InvalidArrayStore(folder, "it was removed meanwhile")
    return computed


def read_batch(collection: Collection, first: int) -> Sequence[Paper]:
    rows = Paper.objects.filter(collection=collection, number__gte=first, number__lt=first + BATCH)
    return [*rows.order_by("number")]


def paper_text(paper: Paper) -> str:
    return f"{paper.title}\n{paper.abstract}"


def require_vectors(collection: Collection, embedder: TextEmbedder) -> Vectors:
    """Raises DomainError for a large collection without them."""
    stored = load_vectors_or_none(collection, embedder.name)
    if stored is None and collection.papers > MOST_IN_A_RUN:
        message = "This collection has no vectors yet. An administrator can run 'embed_papers'."
        raise DomainError(message, code="no_vectors")
    return stored if stored is not None else compute_vectors(collection, embedder)


def search_by_meaning(
    collection: Collection,
    query: str,
    limit: int,
    embedder: TextEmbedder,
    cutoff: Cutoff | None = None,
) -> list[Paper]:
    """By reciprocal rank fusion of BM25 and the cosine, each of the papers known at the cut-off.

    Of equal cosines, the earlier paper of the collection; of equal sums, too.
    """
    vectors = require_vectors(collection, embedder)
    cosines = (vectors @ embedder.embed([query])[0]).astype(np.float64)
    numbers = np.arange(len(cosines))
    if cutoff is not None:
        numbers = numbers[get_index(collection).dates.admitted(cutoff, numbers)]
    by_meaning = numbers[np.argsort(-cosines[numbers], kind="stable")][:DEPTH]
    ranked = search_papers(collection, query, DEPTH, cutoff).papers
    by_words = np.array([one.paper.number for one in ranked], dtype=np.int64)
    return load_papers(collection, fuse_rankings([by_words, by_meaning])[:limit])
