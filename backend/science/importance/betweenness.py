"""Shortest paths over each link between entities that future links join, exact or sampled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.runtime.jit import jit_compile
from backend.runtime.parallel import parts_between, run_in_threads
from backend.science.importance.dated_links import Floats, Longs, Rows

MAX_PARTS = 8  # each has two sums for every link


@dataclass(frozen=True)
class Betweenness:
    """values [L]; errors [L]: standard errors, 0 where all sources were taken."""

    values: Floats
    errors: Floats
    sources: int


def edge_betweenness(
    rows: Rows,
    link_count: int,
    ends: Longs,
    *,
    sample: int | None = None,
    seed: int = 0,
    stop: CancellationToken | None = None,
) -> Betweenness:
    """C(e) = Σ over unordered pairs {s, t} of `ends` of n_st(e) ÷ n_st.

    n_st counts shortest paths, n_st(e) those over link e; links outside the rows have 0. ends: the
    different entities that future links join. sample: how many of them are sources, drawn without
    replacement; the estimate is unbiased, and its error has the finite population correction. All
    without it. The same input gives the same bytes on any number of threads. Raises ValueError for
    a sample below 2, IndexError for unknown entities, Cancelled.
    Source: Dyport, equation 3; Brandes, Social Networks 30 (2008), algorithms 2 and 5.
    """
    sources = np.unique(ends)
    if len(sources) and not 0 <= sources[0] <= sources[-1] < rows.entity_count:
        raise IndexError(f"entities are numbered from 0 to {rows.entity_count - 1}")
    is_target = np.zeros(rows.entity_count, dtype=np.bool_)
    is_target[sources] = True
    total = len(sources)
    if sample is not None and sample < total:
        if sample < 2:
            raise ValueError("an error needs at least two sources")
        chosen = np.random.default_rng(seed).choice(total, size=sample, replace=False)
        sources = sources[np.sort(chosen)]
    used = len(sources)
    sums, squares = sum_over_sources(rows, link_count, sources, is_target, stop)
    values = sums * (total / max(used, 1)) / 2
    if used == total:
        return Betweenness(values, np.zeros(link_count), used)
    variance = np.maximum(squares - sums**2 / used, 0) / (used - 1)
    errors = total / 2 * np.sqrt(variance / used * (1 - used / total))
    return Betweenness(values, errors, used)


def sum_over_sources(
    rows: Rows,
    link_count: int,
    sources: Longs,
    is_target: NDArray[np.bool_],
    stop: CancellationToken | None,
) -> tuple[Floats, Floats]:
    """[L] each: sums over the sources of what each adds to a link, and of its square."""
    cuts = np.linspace(0, len(sources), min(MAX_PARTS, len(sources)) + 1).astype(int).tolist()

    def add(first: int, last: int) -> tuple[Floats, Floats]:
        sums, squares = np.zeros(link_count), np.zeros(link_count)
        add_paths(rows, sources[first:last], is_target, sums, squares)
        return sums, squares

    sums, squares = np.zeros(link_count), np.zeros(link_count)
    for one, other in run_in_threads(add, parts_between(cuts), stop):
        sums += one
        squares += other
    return sums, squares


@jit_compile
def add_paths(
    rows: Rows, sources: Longs, is_target: NDArray[np.bool_], sums: Floats, squares: Floats
) -> None:
    count = len(rows.starts)
    distance = np.full(count, -1, np.int64)
    paths, carried = np.zeros(count), np.zeros(count)
    order = np.empty(count, np.int64)
    for source in sources:
        reached = search_from(rows, source, distance, paths, order)
        for at in range(reached - 1, 0, -1):
            entity = order[at]
            share = (carried[entity] + is_target[entity]) / paths[entity]
            for place in range(rows.starts[entity], rows.ends[entity]):
                before = rows.neighbours[place]
                if distance[before] == distance[entity] - 1:
                    value = paths[before] * share
                    sums[rows.links[place]] += value
                    squares[rows.links[place]] += value * value
                    carried[before] += value
        for at in range(reached):
            entity = order[at]
            distance[entity], paths[entity], carried[entity] = -1, 0.0, 0.0


@jit_compile
def search_from(
    rows: Rows, source: int, distance: NDArray[np.int64], paths: Floats, order: NDArray[np.int64]
) -> int:
    """Breadth first: distances, numbers of shortest paths, and the order; how many are reached."""
    distance[source], paths[source], order[0] = 0, 1.0, source
    reached, at = 1, 0
    while at < reached:
        entity = order[at]
        at += 1
        for place in range(rows.starts[entity], rows.ends[entity]):
            other = rows.neighbours[place]
            if distance[other] < 0:
                distance[other] = distance[entity] + 1
                order[reached] = other
                reached += 1
            if distance[other] == distance[entity] + 1:
                paths[other] += paths[entity]
    return reached
