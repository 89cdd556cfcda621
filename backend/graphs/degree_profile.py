"""How the edges of a graph are spread over its entities and over time, computed once a version.

Dyport compares a curated network with a text-mined one by these (Figure 5), and shows the edges of
a graph by year (Figure 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.edge_phrases import EntityRef, entity_ref
from backend.graphs.graph_access import OpenGraph
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.lru_cache import LruCache

VERSIONS_IN_MEMORY = 64
MOST_HUBS = 15
MOST_YEARS = 10_000
CHUNK_EDGES = 1 << 22


@dataclass(frozen=True)
class DegreeBin:
    """Entities with a degree of low to high edges, both included."""

    low: int
    high: int
    entities: int


@dataclass(frozen=True)
class NewEdges:
    """edges: first seen in this year."""

    year: int
    edges: int


@dataclass(frozen=True)
class DegreeProfile:
    """A degree counts edges in both directions, parallel ones too; a loop counts twice.

    bins: by powers of two, without the `isolated` entities. hub_share: of all ends of edges, those
    at the hubs. years: of edges that have one; empty for a graph without years.
    """

    entities: int
    edges: int
    isolated: int
    mean: float
    median: float
    bins: Sequence[DegreeBin]
    hubs: Sequence[EntityRef]
    hub_share: float
    years: Sequence[NewEdges]
    undated: int


_cache: LruCache[DegreeProfile] = LruCache(VERSIONS_IN_MEMORY)


def get_degree_profile(opened: OpenGraph) -> DegreeProfile:
    """Of the whole version."""
    snapshot = opened.snapshot
    return _cache.get_or_create(opened.version.snapshot, lambda: measure_profile(snapshot))


def measure_profile(graph: Snapshot) -> DegreeProfile:
    degrees = graph.forward.degrees() + graph.reverse.degrees()
    hubs = np.argsort(-degrees, kind="stable")[:MOST_HUBS]
    hubs = hubs[degrees[hubs] > 0]
    years, undated = count_years(graph)
    return DegreeProfile(
        entities=graph.entity_count,
        edges=graph.edge_count,
        isolated=int(np.count_nonzero(degrees == 0)),
        mean=float(degrees.mean()) if len(degrees) else 0.0,
        median=float(np.median(degrees)) if len(degrees) else 0.0,
        bins=count_bins(degrees),
        hubs=[entity_ref(graph, number) for number in hubs.tolist()],
        hub_share=float(degrees[hubs].sum() / max(2 * graph.edge_count, 1)),
        years=years,
        undated=undated,
    )


def count_bins(degrees: NDArray[np.int64]) -> list[DegreeBin]:
    powers = np.frexp(degrees[degrees > 0].astype(np.float64))[1] - 1
    counts = np.bincount(powers).tolist()
    return [DegreeBin(2**at, 2 ** (at + 1) - 1, count) for at, count in enumerate(counts)]


def count_years(graph: Snapshot) -> tuple[list[NewEdges], int]:
    """Edges by the year in which they were first seen, and how many have none."""
    dates = get_edge_dates(graph)
    if dates is None or dates.unit != "year":
        return [], graph.edge_count
    counts = np.zeros(MOST_YEARS, np.int64)
    for first in range(0, len(dates.values), CHUNK_EDGES):
        chunk = dates.values[first : first + CHUNK_EDGES]
        counts += np.bincount(chunk, minlength=MOST_YEARS)
    years = np.flatnonzero(counts[1:]) + 1
    return [NewEdges(year, int(counts[year])) for year in years.tolist()], int(counts[0])
