"""The components of importance that a graph with years has by itself."""

from __future__ import annotations

import numpy as np

from backend.science.importance.betweenness import edge_betweenness
from backend.science.importance.combined import Importance, combine
from backend.science.importance.dated_links import DatedLinks, Longs
from backend.science.importance.eigenvector import eigenvector_change
from backend.science.importance.jaccard import second_order_jaccard

MOST_SOURCES = 1_000  # of shortest paths; more are sampled


def measure_importance(
    links: DatedLinks, chosen: Longs, *, train: int, test: int, later: int, seed: int
) -> Importance:
    """Of the links with the numbers `chosen`, first seen after `train` and until `test`.

    Jaccard's index is that of the training graph; betweenness that of the test year between the
    ends of links first seen after it and until `later`; the change of centrality is between these
    two years. Without such links Jaccard's index stands alone.
    """
    pairs = links.pairs[chosen]
    components = {"jaccard": second_order_jaccard(links.until(train), pairs)}
    ends = np.unique(links.pairs[(links.years > test) & (links.years <= later)])
    if len(ends):
        sample = MOST_SOURCES if len(ends) > MOST_SOURCES else None
        rows, count = links.until(test), len(links.pairs)
        paths = edge_betweenness(rows, count, ends, sample=sample, seed=seed)
        before, after = links.matrix(test), links.matrix(later)
        components |= {
            "eigenvector_change": eigenvector_change(before, after, pairs),
            "betweenness": paths.values[chosen],
        }
    return combine(components)
