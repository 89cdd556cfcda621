"""Graphs whose embedding is known beforehand, and their matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.science.embeddings.undirected_graph import UndirectedGraph, undirected_graph
from tests.science.multigraphs import Multigraph


def random_multigraph(seed: int, entities: int = 60, edges: int = 200) -> Multigraph:
    """Self-loops, parallel links and, at the end, three entities without any."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, entities - 3, (edges, 2))
    triples = [(int(a), int(rng.integers(3)), int(b)) for a, b in ends]
    triples += [*triples[:10], (4, 0, 4), (4, 1, 4)]
    types = rng.integers(0, 3, entities).tolist()
    return Multigraph(tuple(types), (False,) * 3, tuple(sorted(triples)))


def planted(seed: int, groups: int = 16, size: int = 40, inside: float = 0.4) -> Multigraph:
    """Groups whose entities are linked to each other, and rarely to others."""
    rng = np.random.default_rng(seed)
    count = groups * size
    group = np.arange(count) // size
    odds = np.where(group[:, None] == group, inside, 0.05 / size)
    linked = np.argwhere(np.triu(rng.random((count, count)) < odds, 1))
    triples = sorted((int(a), 0, int(b)) for a, b in linked)
    types = tuple(int(one) for one in np.arange(count) % 2)
    return Multigraph(types, (False,), tuple(triples))


def whole(graph: Multigraph) -> UndirectedGraph:
    return undirected_graph(*graph.sides())


def matrix(graph: Multigraph, without: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Links counted either way, a self-loop once, edge by edge."""
    hidden = set() if without is None else {frozenset(pair) for pair in without.tolist()}
    result = np.zeros((len(graph.types),) * 2)
    for source, _, target in graph.edges:
        if frozenset((source, target)) in hidden:
            continue
        result[source, target] += 1
        if source != target:
            result[target, source] += 1
    return result
