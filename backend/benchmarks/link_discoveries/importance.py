"""The components of importance: those of a graph with years, and those of counts from files."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from backend.benchmarks.link_discoveries.yearly_counts import YearlyCounts
from backend.science.embeddings.node2vec import WalkSettings, node2vec
from backend.science.embeddings.undirected_graph import UndirectedGraph
from backend.science.importance.betweenness import edge_betweenness
from backend.science.importance.combined import Importance, combine
from backend.science.importance.dated_links import DatedLinks, Floats, Longs
from backend.science.importance.eigenvector import eigenvector_change
from backend.science.importance.integrated_gradients import integrated_gradients
from backend.science.importance.jaccard import second_order_jaccard
from backend.science.importance.network_training import NetworkSettings, train_network

FIRST_COUNTED = {"mentions": None, "citations": 0}  # the year before; None: the test year
MOST_SOURCES = 1_000  # of shortest paths; more are sampled


def measure_importance(
    links: DatedLinks,
    chosen: Longs,
    *,
    train: int,
    test: int,
    later: int,
    seed: int,
    counts: Mapping[str, YearlyCounts],
) -> Importance:
    """Of the links with the numbers `chosen`, first seen after `train` and until `test`.

    Jaccard's index is that of the training graph; betweenness that of the test year between the
    ends of links first seen after it and until `later`; the change of centrality is between these
    two years; integrated gradients are of the links of the test year, by a network that is trained
    on them, for the score of those later links. Without such links Jaccard's index is alone of the
    graph. counts: `mentions`, summed over the years after `test` and until `later` where there
    are any, and `citations`, over all years until then (Dyport, section 5.7.5, and its authors'
    columns).
    """
    pairs = links.pairs[chosen]
    components = {"jaccard": second_order_jaccard(links.until(train), pairs)}
    for name, first in FIRST_COUNTED.items():
        since = test if first is None else first
        if name in counts and since < later:
            total = counts[name].total(len(links.pairs), after=since, until=later)
            components[name] = total[chosen]
    future = links.pairs[(links.years > test) & (links.years <= later)]
    ends = np.unique(future)
    if len(ends):
        sample = MOST_SOURCES if len(ends) > MOST_SOURCES else None
        rows, count = links.until(test), len(links.pairs)
        paths = edge_betweenness(rows, count, ends, sample=sample, seed=seed)
        before, after = links.matrix(test), links.matrix(later)
        components |= {
            "eigenvector_change": eigenvector_change(before, after, pairs),
            "betweenness": paths.values[chosen],
        }
        gradients = attribute_links(links, future, year=test, seed=seed)
        if gradients is not None:
            components["integrated_gradients"] = gradients[chosen]
    return combine(components)


def attribute_links(links: DatedLinks, future: Longs, *, year: int, seed: int) -> Floats | None:
    """[L]: what each link until the year contributes to the score of the future links [n, 2]
    between entities that have links until then; NaN for later links. None without such ones.

    Features are node2vec's vectors of the graph until the year, in place of the paper's vectors of
    words; links have no weights.
    """
    is_old = links.years <= year
    matrix = links.matrix(year)
    linked = np.flatnonzero(np.diff(matrix.indptr))
    places = np.full(links.count, -1, dtype=np.int64)
    places[linked] = np.arange(len(linked))
    targets = places[future]
    targets = targets[(targets >= 0).all(axis=1)]
    if not len(targets):
        return None
    part = matrix[linked][:, linked]
    graph = UndirectedGraph(part.indptr.astype(np.int64), part.indices.astype(np.int32))
    features = node2vec(graph, WalkSettings(seed=seed)).astype(np.float64)
    network = train_network(part, features, NetworkSettings(seed=seed))
    values = np.full(len(links.pairs), np.nan)
    values[is_old] = integrated_gradients(network, targets, places[links.pairs[is_old]]).values
    return values
