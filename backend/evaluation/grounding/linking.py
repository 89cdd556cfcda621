"""Opens the linkers of a version of a graph. Their indexes are built once and cached."""

import threading
from pathlib import Path
from typing import Literal

from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.mentions.bm25_linker import Bm25Linker, build_mention_index
from backend.graphs.mentions.linked_mentions import LinkedMention, Linker
from backend.graphs.mentions.name_linker import NameLinker
from backend.graphs.mentions.name_table import NameTable
from backend.graphs.models import Version
from backend.graphs.search.index_cache import get_term_index
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.lru_cache import LruCache
from backend.science.bm25.word_index import WordIndex, open_index

__all__ = ["LinkedMention", "Linker", "LinkerName", "open_linker"]

LinkerName = Literal["search", "bm25"]
GRAPHS_AT_ONCE = 2
_tables: LruCache[NameTable] = LruCache(GRAPHS_AT_ONCE)
_indexes: LruCache[WordIndex] = LruCache(GRAPHS_AT_ONCE)
_build_lock = threading.Lock()


def open_linker(version: Version, name: LinkerName = "search") -> Linker:
    """`search`: names, synonyms and typos. `bm25`: KnowHD's, for which the first use of a version
    indexes all its names. Raises DomainError if the snapshot cannot be read or its names are not
    indexed.
    """
    snapshot = open_version_snapshot(version)
    key = version.snapshot
    if name == "bm25":
        return Bm25Linker(snapshot, _indexes.get_or_create(key, lambda: _open_mentions(snapshot)))
    return NameLinker(_tables.get_or_create(key, lambda: _make_table(snapshot)))


def _make_table(snapshot: Snapshot) -> NameTable:
    return NameTable.of(snapshot, get_term_index(snapshot))


def _open_mentions(snapshot: Snapshot) -> WordIndex:
    folder = mention_folder(snapshot)
    with _build_lock:
        if not folder.is_dir():
            build_mention_index(snapshot, folder)
    return open_index(folder, source=snapshot.path.name)


def mention_folder(snapshot: Snapshot) -> Path:
    """In a folder beside the snapshot, whose name is removed together with the snapshot."""
    return snapshot.path.with_name(f"{snapshot.path.name}.mentions") / "words"
