"""Which types each relation of a graph joins, counted once for each version."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.graphs.graph_access import OpenGraph
from backend.graphs.snapshots.dated_view import DatedView
from backend.runtime.lru_cache import LruCache
from backend.science.edge_kinds import count_edge_kinds

VERSIONS_IN_MEMORY = 64


@dataclass(frozen=True)
class EdgeKindCount:
    source: str
    relation: str
    target: str
    count: int


_cache: LruCache[Sequence[EdgeKindCount]] = LruCache(VERSIONS_IN_MEMORY)


def list_edge_kinds(opened: OpenGraph) -> Sequence[EdgeKindCount]:
    """The commonest first, of the edges that the graph shows. Raises NoDates."""
    key = f"{opened.version.snapshot} {opened.until or ''}"
    return _cache.get_or_create(key, lambda: _count(opened))


def _count(opened: OpenGraph) -> list[EdgeKindCount]:
    snapshot, view = opened.snapshot, opened.view
    counted = view.admitted_mask() if isinstance(view, DatedView) else None
    counts = count_edge_kinds(snapshot.forward, snapshot.type_of, counted)
    kinds = [
        EdgeKindCount(
            snapshot.types[source], snapshot.relations[relation].name, snapshot.types[target], count
        )
        for (source, relation, target), count in counts.items()
    ]
    return sorted(kinds, key=lambda one: -one.count)
