"""The lexicon of a snapshot, open: this process keeps those that are read."""

from __future__ import annotations

import threading
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from backend.common.errors import DomainError
from backend.graphs.search.building import build_lexicon
from backend.graphs.search.lexicon import Lexicon, open_lexicon
from backend.graphs.snapshots.format import MANIFEST
from backend.graphs.snapshots.opening import Snapshot

KEPT_OPEN = 16
AT_ONCE = 50_000  # entities whose names are indexed while somebody waits: about two seconds
_building = threading.Lock()


class NotIndexed(DomainError):
    """A machine that fetched a snapshot has not yet made what is searched of it."""

    code = "not_indexed"
    status = HTTPStatus.SERVICE_UNAVAILABLE


def folder_of(snapshot: Snapshot) -> Path:
    """Beside the snapshot, under a name that goes when the snapshot does."""
    return snapshot.path.with_name(f"{snapshot.path.name}.search")


def lexicon_of(snapshot: Snapshot) -> Lexicon:
    """Made first if it is missing and the graph is small; else raises NotIndexed."""
    folder = folder_of(snapshot)
    if not (folder / MANIFEST).exists():
        make_missing(snapshot, folder)
    changed = (folder / MANIFEST).stat().st_mtime_ns
    return _opened(folder, changed, snapshot.path.name, snapshot.entity_count)


@lru_cache(maxsize=KEPT_OPEN)
def _opened(folder: Path, changed: int, snapshot: str, entity_count: int) -> Lexicon:
    """`changed` tells one lexicon from another that took its place."""
    return open_lexicon(folder, snapshot, entity_count)


def make_missing(snapshot: Snapshot, folder: Path) -> None:
    if snapshot.entity_count > AT_ONCE:
        raise NotIndexed(
            "The names of this graph cannot be searched on this machine yet. An administrator "
            "can make them searchable with 'manage.py index_graph'."
        )
    with _building:
        if not (folder / MANIFEST).exists():
            build_lexicon(snapshot, folder, lambda *_: None)
