import threading
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from django.conf import settings

from backend.common.errors import DomainError
from backend.graphs.search.index_builder import build_term_index
from backend.graphs.search.term_index import TermIndex, open_term_index
from backend.graphs.snapshots.format import MANIFEST
from backend.graphs.snapshots.snapshot import Snapshot

MAX_OPEN_INDEXES = 16
_build_lock = threading.Lock()


def index_folder(snapshot: Snapshot) -> Path:
    """Beside the snapshot; the name is removed together with the snapshot."""
    return snapshot.path.with_name(f"{snapshot.path.name}.search")


def get_term_index(snapshot: Snapshot) -> TermIndex:
    """Open the term index; build it first if it is missing and the graph is small.

    Raises DomainError for a large graph without an index, as after the download of a snapshot.
    """
    folder = index_folder(snapshot)
    if not (folder / MANIFEST).exists():
        build_missing(snapshot, folder)
    changed = (folder / MANIFEST).stat().st_mtime_ns
    return _open_cached(folder, changed, snapshot.path.name, snapshot.entity_count)


@lru_cache(maxsize=MAX_OPEN_INDEXES)
def _open_cached(folder: Path, changed: int, snapshot: str, entity_count: int) -> TermIndex:
    """`changed` distinguishes an index from a later one in the same folder."""
    return open_term_index(folder, snapshot, entity_count)


def build_missing(snapshot: Snapshot, folder: Path) -> None:
    if snapshot.entity_count > settings.NAMES_INDEXED_IN_REQUEST:
        raise DomainError(
            "Names of this graph are not indexed on this machine yet. An administrator "
            "can index them with 'manage.py index_graph'.",
            code="not_indexed",
            status=HTTPStatus.SERVICE_UNAVAILABLE,
        )
    with _build_lock:
        if not (folder / MANIFEST).exists():
            build_term_index(snapshot, folder, lambda *_: None)
