"""The index of a collection, in files: words of titles and abstracts, PMIDs and dates."""

import shutil
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus

import numpy as np

from backend.common.errors import DomainError
from backend.graphs.literature.cutoff import PaperDates, paper_day
from backend.graphs.literature.paper_records import PaperRecord
from backend.graphs.models import Collection, Paper
from backend.runtime.array_store.artifacts import artifact_writer, open_artifact
from backend.runtime.lru_cache import LruCache
from backend.runtime.normal_form import normalize
from backend.science.bm25.index_builder import Progress, build_index, ignore_progress
from backend.science.bm25.tokenizer import split_words
from backend.science.bm25.word_index import WordIndex, open_index

BATCH = 5_000
INDEXED_IN_REQUEST = 50_000
WORDS, DATES = "words", "dates"
MAX_OPEN = 16


@dataclass(frozen=True)
class CollectionIndex:
    """Papers have the numbers that they have in the collection."""

    words: WordIndex
    dates: PaperDates


_open: LruCache[CollectionIndex] = LruCache(MAX_OPEN)
_build_lock = threading.Lock()


def query_words(texts: Sequence[str]) -> list[list[str]]:
    """Words of the normal form: 'β-blocker' is found by 'beta blocker'."""
    return split_words([normalize(text, longest=None) for text in texts])


def write_index(
    collection: Collection,
    batches: Iterable[Sequence[PaperRecord]],
    progress: Progress = ignore_progress,
) -> None:
    """Index papers in the order of their numbers."""
    folder, source = collection.folder, str(collection.pk)
    pmids: list[np.ndarray[tuple[int], np.dtype[np.uint32]]] = []
    days: list[np.ndarray[tuple[int], np.dtype[np.int32]]] = []

    def read() -> Iterator[list[list[str]]]:
        for batch in batches:
            pmids.append(np.array([it.pmid or 0 for it in batch], np.uint32))
            days.append(np.array([paper_day(it) for it in batch], np.int32))
            yield query_words([f"{it.title}\n{it.abstract}" for it in batch])

    build_index(folder / WORDS, read(), source=source, progress=progress)
    with artifact_writer(folder / DATES, DATES, source, {}) as writer:
        writer.add("pmids", np.concatenate([*pmids, np.zeros(0, np.uint32)]))
        writer.add("days", np.concatenate([*days, np.zeros(0, np.int32)]))


def get_index(collection: Collection) -> CollectionIndex:
    """Open the index; where this machine lacks it, build it first if the collection is small.

    Raises DomainError for a large collection.
    """
    return _open.get_or_create(collection.pk, lambda: _open_index(collection))


def has_index(collection: Collection) -> bool:
    """The dates are written last."""
    return (collection.folder / DATES).is_dir()


def _open_index(collection: Collection) -> CollectionIndex:
    if not has_index(collection):
        _build_missing(collection)
    arrays = open_artifact(
        collection.folder / DATES, kind=DATES, source=str(collection.pk), checksums=False
    ).arrays
    words = open_index(collection.folder / WORDS, source=str(collection.pk))
    return CollectionIndex(words, PaperDates(arrays["pmids"], arrays["days"]))


def _build_missing(collection: Collection) -> None:
    if collection.papers > INDEXED_IN_REQUEST:
        raise DomainError(
            "This collection is not indexed on this machine. An administrator can run "
            "'manage.py index_papers'.",
            code="not_indexed",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
        )
    with _build_lock:
        if not has_index(collection):
            index_collection(collection)


def index_collection(collection: Collection, progress: Progress = ignore_progress) -> None:
    """Index the papers that the database has."""
    write_index(collection, _stored_batches(collection), progress)


def _stored_batches(collection: Collection) -> Iterator[list[PaperRecord]]:
    for first in range(0, collection.papers, BATCH):
        rows = Paper.objects.filter(
            collection=collection, number__gte=first, number__lt=first + BATCH
        )
        yield [
            PaperRecord(it.key, it.date, it.title, it.abstract, it.note)
            for it in rows.order_by("number")
        ]


def delete_index(collection: Collection) -> None:
    shutil.rmtree(collection.folder, ignore_errors=True)
