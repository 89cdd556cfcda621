"""The pairs of a graph that an edge joins, each with the year in which it was first seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.common.errors import DomainError
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.importance.dated_links import DatedLinks, Longs, dated_links


@dataclass(frozen=True)
class DatedPairs:
    """links: of dated edges. first_edges int64 [L]: number of each one's first edge. directed
    int64 [L, 2]: its source and target.

    undated int64, sorted: pairs with an undated edge, which may be older than it is known, as
    smaller number · V + larger number.
    """

    links: DatedLinks
    first_edges: Longs
    directed: Longs
    undated: Longs

    def is_undated(self, pairs: Longs) -> NDArray[np.bool_]:
        return np.isin(pair_keys(pairs, self.links.count), self.undated)


def read_dated_pairs(graph: Snapshot) -> DatedPairs:
    """Raises DomainError unless edges have years."""
    dates = get_edge_dates(graph)
    if dates is None or dates.unit != "year":
        message = "Links are dated by years. The edges of this graph have none."
        raise DomainError(message, code="no_years")
    count = graph.entity_count
    sources = np.repeat(np.arange(count, dtype=np.int64), np.diff(graph.forward.offsets))
    pairs = np.column_stack([sources, graph.forward.neighbours.astype(np.int64)])
    years = np.asarray(dates.values, dtype=np.int64)
    is_dated = (years > 0) & (pairs[:, 0] != pairs[:, 1])
    undated = np.unique(pair_keys(pairs[years == 0], count))
    edges, pairs, years = np.flatnonzero(is_dated), pairs[is_dated], years[is_dated]
    keys = pair_keys(pairs, count)
    order = np.lexsort((years, keys))
    _, first = np.unique(keys[order], return_index=True)
    first = order[first]
    return DatedPairs(dated_links(pairs, years, count), edges[first], pairs[first], undated)


def pair_keys(pairs: Longs, count: int) -> Longs:
    """Of pairs [n, 2] in either order: smaller number · count + larger number."""
    ordered = np.sort(pairs, axis=1)
    keys: Longs = ordered[:, 0] * count + ordered[:, 1]
    return keys
