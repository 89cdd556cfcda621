"""Networks side by side: how links are spread, which entities have the most, and what is shared.

Dyport compares a text-mined network with its curated one so (section 7.2.1, Figure 5): the former
has a few entities of very many links, all of them general ones such as 'Patients', which give a
model shortcuts. A network here is simple and undirected: relations, directions, parallel edges and
edges of an entity with itself do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from backend.common.errors import DomainError
from backend.graphs.degree_profile import DegreeBin, count_bins
from backend.graphs.graph_access import OpenGraph
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.format import string_array
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.lru_cache import LruCache
from backend.science.importance.combined import correlate

LEAST_NETWORKS, MOST_NETWORKS = 2, 4
MOST_EDGES, MOST_ENTITIES = 20_000_000, 2_000_000  # links are sorted in memory
MOST_HUBS = 15
FEW = 0.01  # of the entities: those whose share of links is stated
COMPARISONS_IN_MEMORY = 32
# Of the text-mined network in Figure 5: 'all of them appear to be very general'.
PRINTED_HUBS = frozenset(
    {
        "patients",
        "therapeutic procedure",
        "cells",
        "disease",
        "rattus norvegicus",
        "mus",
        "child",
        "proteins",
        "woman",
        "pharmaceutical preparations",
        "population group",
        "neoplasms",
        "body tissue",
        "individual",
        "genes",
    }
)
Longs = NDArray[np.int64]


@dataclass(frozen=True)
class NetworkHub:
    """degrees: links in each network of the comparison, in its order; None where it lacks the
    entity. is_printed: Figure 5 has its name among the hubs of the text-mined network."""

    id: str
    name: str
    type: str
    degrees: Sequence[int | None]
    is_printed: bool


@dataclass(frozen=True)
class LinksUntil:
    """links: first seen until this year."""

    year: int
    links: int


@dataclass(frozen=True)
class NetworkFigures:
    """entities: those with links. few_share: of all ends of links, those at the 1 % of entities
    (at least one) that have the most. years: empty without years."""

    slug: str
    name: str
    snapshot: str
    entities: int
    links: int
    mean: float
    median: float
    few_share: float
    bins: Sequence[DegreeBin]
    hubs: Sequence[NetworkHub]
    years: Sequence[LinksUntil]
    undated: int


@dataclass(frozen=True)
class SharedLinks:
    """one, other: slugs. entities: linked in both networks, by identifier. links: in both.
    of_one, of_other: their share of each network's links. correlation: Spearman's of the degrees of
    the shared entities; None below two of them, or where one of them is constant."""

    one: str
    other: str
    entities: int
    links: int
    of_one: float | None
    of_other: float | None
    correlation: float | None


@dataclass(frozen=True)
class NetworkComparison:
    networks: Sequence[NetworkFigures]
    shared: Sequence[SharedLinks]


@dataclass(frozen=True)
class SimpleNetwork:
    """keys int64 [L], sorted: smaller number of an entity · V + larger. degrees int64 [V]."""

    opened: OpenGraph
    keys: Longs
    degrees: Longs

    @property
    def graph(self) -> Snapshot:
        return self.opened.snapshot

    @property
    def slug(self) -> str:
        return self.opened.graph.slug


_cache: LruCache[NetworkComparison] = LruCache(COMPARISONS_IN_MEMORY)


def compare_networks(opened: Sequence[OpenGraph]) -> NetworkComparison:
    """Of whole versions. Raises DomainError for too few, too many, equal or too large ones."""
    check_networks(opened)
    # With what names the graph: the same files may be another graph, of somebody else.
    key = repr([(one.graph.slug, one.graph.name, one.version.snapshot) for one in opened])
    return _cache.get_or_create(key, lambda: measure_networks([*map(read_network, opened)]))


def check_networks(opened: Sequence[OpenGraph]) -> None:
    slugs = {one.graph.slug for one in opened}
    if len(slugs) < len(opened) or not LEAST_NETWORKS <= len(opened) <= MOST_NETWORKS:
        message = f"Choose {LEAST_NETWORKS} to {MOST_NETWORKS} different graphs."
        raise DomainError(message, code="networks")
    for one in opened:
        graph = one.snapshot
        if graph.edge_count > MOST_EDGES or graph.entity_count > MOST_ENTITIES:
            message = f"{one.graph.name} is too large to compare. Choose a smaller graph."
            raise DomainError(message, code="too_large")


def read_network(opened: OpenGraph) -> SimpleNetwork:
    graph = opened.snapshot
    keys = link_keys(graph)
    keys = np.unique(keys[keys >= 0])
    ends = np.concatenate([keys // max(graph.entity_count, 1), keys % max(graph.entity_count, 1)])
    return SimpleNetwork(opened, keys, np.bincount(ends, minlength=graph.entity_count))


def link_keys(graph: Snapshot) -> Longs:
    """Of each edge; -1 of an edge of an entity with itself."""
    count = graph.entity_count
    sources = np.repeat(np.arange(count, dtype=np.int64), np.diff(graph.forward.offsets))
    targets = graph.forward.neighbours.astype(np.int64)
    keys = np.minimum(sources, targets) * count + np.maximum(sources, targets)
    return np.where(sources == targets, -1, keys)


def measure_networks(networks: Sequence[SimpleNetwork]) -> NetworkComparison:
    return NetworkComparison(
        [measure_network(one, networks) for one in networks],
        [measure_shared(one, other) for one, other in combinations(networks, 2)],
    )


def measure_network(network: SimpleNetwork, all_: Sequence[SimpleNetwork]) -> NetworkFigures:
    degrees = network.degrees
    linked = np.sort(degrees[degrees > 0])[::-1]
    few = max(1, round(len(linked) * FEW))
    hubs = np.argsort(-degrees, kind="stable")[:MOST_HUBS]
    years, undated = count_links_until(network)
    return NetworkFigures(
        slug=network.slug,
        name=network.opened.graph.name,
        snapshot=network.opened.version.snapshot,
        entities=len(linked),
        links=len(network.keys),
        mean=float(linked.mean()) if len(linked) else 0.0,
        median=float(np.median(linked)) if len(linked) else 0.0,
        few_share=float(linked[:few].sum() / max(linked.sum(), 1)),
        bins=count_bins(degrees),
        hubs=[describe_hub(network, int(one), all_) for one in hubs if degrees[one]],
        years=years,
        undated=undated,
    )


def describe_hub(network: SimpleNetwork, number: int, all_: Sequence[SimpleNetwork]) -> NetworkHub:
    entity = network.graph.entity_summary(number)
    places = [one.graph.find_number(entity.id) for one in all_]
    degrees = [
        None if at is None else int(one.degrees[at]) for at, one in zip(places, all_, strict=True)
    ]
    is_printed = entity.name.casefold() in PRINTED_HUBS
    return NetworkHub(entity.id, entity.name, entity.type, degrees, is_printed)


def count_links_until(network: SimpleNetwork) -> tuple[list[LinksUntil], int]:
    """Links by their first year, added up (Figure 2), and how many have none."""
    dates = get_edge_dates(network.graph)
    if dates is None or dates.unit != "year":
        return [], len(network.keys)
    keys, years = link_keys(network.graph), dates.values.astype(np.int64)
    is_dated = (keys >= 0) & (years > 0)
    keys, years = keys[is_dated], years[is_dated]
    order = np.lexsort((years, keys))
    dated, first = np.unique(keys[order], return_index=True)
    discovered, counts = np.unique(years[order][first], return_counts=True)
    until = zip(discovered.tolist(), np.cumsum(counts).tolist(), strict=True)
    return [LinksUntil(year, links) for year, links in until], len(network.keys) - len(dated)


def measure_shared(one: SimpleNetwork, other: SimpleNetwork) -> SharedLinks:
    places = other.graph.find_numbers(identifiers_of(one.graph))
    is_both = (places >= 0) & (one.degrees > 0)
    is_both[is_both] &= other.degrees[places[is_both]] > 0
    count = max(one.graph.entity_count, 1)
    ends = np.sort(places[np.column_stack([one.keys // count, one.keys % count])], axis=1)
    moved = ends[(ends >= 0).all(axis=1)] @ np.array([other.graph.entity_count, 1], np.int64)
    links = int(np.isin(moved, other.keys, assume_unique=True).sum())
    correlation = correlate(
        one.degrees[is_both].astype(np.float64),
        other.degrees[places[is_both]].astype(np.float64),
    )
    return SharedLinks(
        one.slug,
        other.slug,
        int(is_both.sum()),
        links,
        links / len(one.keys) if len(one.keys) else None,
        links / len(other.keys) if len(other.keys) else None,
        None if np.isnan(correlation) else correlation,
    )


def identifiers_of(graph: Snapshot) -> list[str]:
    texts = string_array(graph.arrays, "ids")
    if texts is None:
        return []
    return [texts[at].decode(errors="surrogatepass") for at in range(graph.entity_count)]
