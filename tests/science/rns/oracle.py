"""RNS by plain loops over dense P_k of a networkx graph: slow, and written from the definition.

Shares no code with the product: dictionaries instead of arrays, math.log2, explicit sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from backend.science.rns.candidates import Candidates, NoveltyForm

Row = dict[int, float]


@dataclass(frozen=True)
class World:
    """A small multigraph with its P_k, marginal and embeddings (None where there is none)."""

    graph: nx.MultiDiGraph
    rows: list[Row]
    marginal: list[float]
    vectors: list[list[float] | None]


def one_hop(graph: nx.MultiDiGraph, node: int, direction: str, dangling: str) -> Row:
    counts = dict.fromkeys(graph, 0.0)
    for source, target in graph.edges():
        if source == node:
            counts[target] += 1
        elif direction == "both" and target == node:
            counts[source] += 1
    links = sum(counts.values())
    if links:
        return {other: count / links for other, count in counts.items()}
    if dangling == "self":
        return {other: float(other == node) for other in graph}
    return dict.fromkeys(graph, 1 / len(graph))


def many_hops(graph: nx.MultiDiGraph, hops: int, direction: str, dangling: str) -> list[Row]:
    step = [one_hop(graph, node, direction, dangling) for node in graph]
    result = []
    for node in graph:
        current = {other: float(other == node) for other in graph}
        mixed = dict.fromkeys(graph, 0.0)
        for hop in range(1, hops + 1):
            current = {b: sum(current[a] * step[a][b] for a in graph) for b in graph}
            for other in graph:
                mixed[other] += current[other] * hop / (hops * (hops + 1) / 2)
        result.append(mixed)
    return result


def marginal_of(rows: list[Row], damping: float = 0.85) -> list[float]:
    count = len(rows)
    result = [1 / count] * count
    while True:
        new = [
            damping * sum(result[a] * rows[a][b] for a in range(count)) + (1 - damping) / count
            for b in range(count)
        ]
        if sum(abs(a - b) for a, b in zip(result, new, strict=True)) < 1e-14:
            return new
        result = new


def random_world(
    seed: int, *, hops: int = 3, direction: str = "both", dangling: str = "self"
) -> World:
    """Isolated and dangling entities, self-loops, parallel links and parts that do not touch."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(5, 14))
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(count))
    for _ in range(int(rng.integers(1, 3 * count))):
        source, target = rng.integers(0, max(2, count - 2), 2).tolist()
        graph.add_edges_from([(source, target)] * int(rng.integers(1, 3)))
    rows = many_hops(graph, hops, direction, dangling)
    vectors = [
        None if rng.random() < 0.15 else (rng.normal(size=4) * 3).tolist() for _ in range(count)
    ]
    return World(graph, rows, marginal_of(rows), vectors)


def candidates_of(world: World, numbers: Sequence[int]) -> Candidates:
    """What the product is given for these entities."""
    return Candidates(
        np.array([[world.rows[i][j] for j in numbers] for i in numbers]),
        np.array([world.marginal[i] for i in numbers]),
        np.array([world.vectors[i] or [0.0] * 4 for i in numbers]),
        np.array([world.vectors[i] is not None for i in numbers]),
    )


def columns_of(
    world: World, numbers: Sequence[int]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Whole rows, one column a candidate."""
    return np.array([[world.rows[i][j] for i in numbers] for j in range(len(world.rows))])


def distance(one: list[float] | None, other: list[float] | None) -> float:
    if one is None or other is None:
        return math.sqrt(0.5)
    a, b = math.hypot(*one), math.hypot(*other)
    return math.sqrt(sum((x / a - y / b) ** 2 for x, y in zip(one, other, strict=True))) / 2


def relevance(world: World, existing: Sequence[int], new: Sequence[int]) -> float:
    total = sum(distance(world.vectors[i], world.vectors[j]) for i in new for j in existing)
    return -total / (len(new) * len(existing))


def information(
    world: World, existing: Sequence[int], new: Sequence[int], novelty: NoveltyForm
) -> float:
    mass = sum(world.marginal[i] for i in existing) if novelty == "conditional" else 1.0
    total = 0.0
    for i in existing:
        for j in new:
            rng = world.rows[i][j]
            if rng > 0:
                total += world.marginal[i] / mass * rng * math.log2(rng / world.marginal[j])
    return total


def mean_row(world: World, numbers: Sequence[int]) -> Row:
    every = range(len(world.rows))
    return {k: sum(world.rows[i][k] for i in numbers) / len(numbers) for k in every}


def mean_row_among(world: World, numbers: Sequence[int], support: Sequence[int]) -> Row:
    result = dict.fromkeys(support, 0.0)
    for i in numbers:
        mass = sum(world.rows[i][k] for k in support)
        for k in support:
            share = world.rows[i][k] / mass if mass > 0 else 1 / len(support)
            result[k] += share / len(numbers)
    return result


def divergence(p: Row, q: Row) -> float:
    total = 0.0
    for k in p:
        middle = (p[k] + q[k]) / 2
        total += p[k] / 2 * math.log2(p[k] / middle) if p[k] > 0 else 0
        total += q[k] / 2 * math.log2(q[k] / middle) if q[k] > 0 else 0
    return total


def surprise(world: World, existing: Sequence[int], new: Sequence[int], support: str) -> float:
    if support == "all":
        return divergence(mean_row(world, new), mean_row(world, existing))
    among = [*new, *existing]
    return divergence(mean_row_among(world, new, among), mean_row_among(world, existing, among))
