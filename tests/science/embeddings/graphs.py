"""Graphs whose embedding is known beforehand, and their matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.embeddings.undirected import Undirected, undirected
from tests.science.multigraphs import Multigraph


def random_multigraph(seed: int, entities: int = 60, edges: int = 200) -> Multigraph:
    """Self-loops, parallel links and, at the end, three entities without any."""
    chance = np.random.default_rng(seed)
    ends = chance.integers(0, entities - 3, (edges, 2))
    triples = [(int(a), int(chance.integers(3)), int(b)) for a, b in ends]
    triples += [*triples[:10], (4, 0, 4), (4, 1, 4)]
    types = chance.integers(0, 3, entities).tolist()
    return Multigraph(tuple(types), (False,) * 3, tuple(sorted(triples)))


def planted(seed: int, groups: int = 16, size: int = 40, inside: float = 0.4) -> Multigraph:
    """Groups whose entities are linked to each other, and rarely to others."""
    chance = np.random.default_rng(seed)
    count = groups * size
    group = np.arange(count) // size
    odds = np.where(group[:, None] == group, inside, 0.05 / size)
    linked = np.argwhere(np.triu(chance.random((count, count)) < odds, 1))
    triples = sorted((int(a), 0, int(b)) for a, b in linked)
    types = tuple(int(one) for one in np.arange(count) % 2)
    return Multigraph(types, (False,), tuple(triples))


def whole(graph: Multigraph) -> Undirected:
    return undirected(*graph.sides())


def matrix(graph: Multigraph, without: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Links counted either way, a self-loop once, edge by edge."""
    hidden = set() if without is None else {frozenset(pair) for pair in without.tolist()}
    found = np.zeros((len(graph.types),) * 2)
    for source, _, target in graph.edges:
        if frozenset((source, target)) in hidden:
            continue
        found[source, target] += 1
        if source != target:
            found[target, source] += 1
    return found
