"""Exact ranks of held-out links among all entities, beside those by degrees alone.

AUCs against sampled negatives overstate what a search among all entities finds (D. Shi et al.,
ICDE 2025). For each held-out pair one end is fixed, as in `evaluation`; the other is ranked among
all entities that are not linked to the first anywhere in the graph, the first itself left out too.
"""

from dataclasses import dataclass

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.science.adjacency import Adjacency
from backend.science.embeddings.evaluation import LinkTrial
from backend.science.embeddings.exact_ranks import (
    Known,
    RankSummary,
    Vectors,
    exact_ranks,
)
from backend.science.embeddings.undirected_graph import Longs

MAX_SCORES = 2**35  # of a pair and an entity: about two minutes on two cores


@dataclass(frozen=True, slots=True)
class LinkRanks:
    """Both on the same pairs."""

    embedding: RankSummary
    degree_product: RankSummary


def rank_held_out(
    trial: LinkTrial,
    forward: Adjacency,
    reverse: Adjacency,
    vectors: Vectors,
    stop: CancellationToken | None = None,
) -> LinkRanks:
    """vectors [V, d], of length 1 or 0: products are in the order of the scores of `evaluate`.

    Of a graph so large that all pairs would need more than `MAX_SCORES` scores, the first pairs
    are ranked, whose order is random. Raises Cancelled.
    """
    pairs = trial.pairs[: max(1, MAX_SCORES // max(len(vectors), 1))]
    fixed, answers = pairs.T
    known = linked_entities(fixed, forward, reverse)
    degrees = trial.degrees.astype(np.float32)[:, None]
    ranked = (
        exact_ranks(table[fixed], answers, known, table, stop=stop) for table in (vectors, degrees)
    )
    return LinkRanks(*(RankSummary.of(spans) for spans in ranked))


def linked_entities(fixed: Longs, forward: Adjacency, reverse: Adjacency) -> Known:
    """Those linked to each entity in any direction, and itself."""
    once = np.unique(fixed)
    entities, keys = [once], [once]
    for side in (forward, reverse):
        for entity in once.tolist():
            linked = side.neighbours[side.offsets[entity] : side.offsets[entity + 1]]
            entities.append(linked.astype(np.int64))
            keys.append(np.full(len(linked), entity))
    return Known.of_keys(fixed, np.concatenate(keys), np.concatenate(entities))
