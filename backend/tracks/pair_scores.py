"""Scores of pairs of entities by the links of a graph, for baselines that foresee links.

No score sees an edge between the entities of a hidden pair.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import diags_array

from backend.runtime.cancellation import CancellationToken
from backend.tracks.baseline_tasks import BaselineGraph, Links, Numbers
from backend.tracks.metrics import Floats


@dataclass(frozen=True, slots=True)
class ScoreRun:
    """checkpoint: a folder, from which an interrupted training goes on."""

    seed: int
    checkpoint: Path | None = None
    stop: CancellationToken | None = None


# Of the graph, pairs [n, 2], hidden pairs and how it runs: [n].
PairScore = Callable[[BaselineGraph, Numbers, Numbers, ScoreRun], Floats]
PAIRS_AT_ONCE = 4_096  # the links of all ends of a chunk are in memory


def count_common_neighbours(links: Links, pairs: Numbers) -> Floats:
    """|N(x) ∩ N(y)| for each pair."""
    return sum_rows(links[pairs[:, 0]].multiply(links[pairs[:, 1]]))


def adamic_adar(links: Links, pairs: Numbers) -> Floats:
    """Σ 1 / ln |N(z)| over the common neighbours z. Adamic and Adar (2003)."""
    degrees = sum_rows(links)
    # A common neighbour of two entities has at least two.
    weights = np.divide(1, np.log(np.maximum(degrees, 2)))
    weighted = links[pairs[:, 0]] @ diags_array(weights)
    return sum_rows(weighted.multiply(links[pairs[:, 1]]))


def degree_product(links: Links, pairs: Numbers) -> Floats:
    """|N(x)| · |N(y)|, preferential attachment."""
    degrees = sum_rows(links)
    product: Floats = degrees[pairs[:, 0]] * degrees[pairs[:, 1]]
    return product


def sum_rows(matrix: Links) -> Floats:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64)


def score_by_links(formula: Callable[[Links, Numbers], Floats]) -> PairScore:
    def score(graph: BaselineGraph, pairs: Numbers, hidden: Numbers, _run: ScoreRun) -> Floats:
        links = graph.links_without(hidden)
        chunks = range(0, len(pairs), PAIRS_AT_ONCE)
        scores = [formula(links, pairs[start : start + PAIRS_AT_ONCE]) for start in chunks]
        return np.concatenate([np.zeros(0), *scores])

    return score


def score_by_propagation(
    graph: BaselineGraph, pairs: Numbers, hidden: Numbers, run: ScoreRun
) -> Floats:
    """Cosine of the propagation vectors."""
    given = graph.propagation_vectors(hidden, run.seed, run.stop, run.checkpoint)
    vectors = given.astype(np.float64)
    cosines: Floats = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(axis=1)
    return cosines


PAIR_SCORES: Mapping[str, PairScore] = {
    "common-neighbours": score_by_links(count_common_neighbours),
    "adamic-adar": score_by_links(adamic_adar),
    "degree-product": score_by_links(degree_product),
    "propagation": score_by_propagation,
}
