"""Random walks and the edges among a set of entities."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from backend.science.induced_subgraph import induced_edges
from backend.science.random_walks import END_EDGE, RETURN_EDGE, RandomWalks, random_walks
from tests.science.multigraphs import Multigraph, multigraphs

SEEDS = st.integers(0, 2**64 - 1)


def walk(
    graph: Multigraph, starts: list[int], steps: int, seed: int, restart: float = 0
) -> RandomWalks:
    numbers = np.array(starts, np.int64)
    return random_walks(graph.links(), numbers, steps, seed=seed, restart=restart)


@settings(deadline=None)
@given(multigraphs(), SEEDS, st.sampled_from([0.0, 0.3, 1.0]))
def test_every_step_is_an_edge_a_return_or_after_the_end(
    graph: Multigraph, seed: int, restart: float
) -> None:
    result = walk(graph, list(range(len(graph.types))), 12, seed, restart)
    for start, (entities, edges, codes) in enumerate(
        zip(result.entities.tolist(), result.edges.tolist(), result.codes.tolist(), strict=True)
    ):
        assert entities[0] == start
        for step, edge in enumerate(edges):
            current, existing = entities[step : step + 2]
            if edge == RETURN_EDGE:
                assert restart and existing == start
            elif edge == END_EDGE:
                assert not restart and current == existing and graph.degree(current) == 0
            else:
                source, relation, target = graph.edges[edge]
                assert codes[step] >> 1 == relation
                expected = (target, source) if codes[step] & 1 else (source, target)
                assert (current, existing) == expected


@settings(deadline=None)
@given(multigraphs(), SEEDS)
def test_a_seed_gives_the_same_walks(graph: Multigraph, seed: int) -> None:
    starts = list(range(len(graph.types)))
    one, two = walk(graph, starts, 9, seed, 0.2), walk(graph, starts, 9, seed, 0.2)
    assert np.array_equal(one.entities, two.entities) and np.array_equal(one.edges, two.edges)
    first = walk(graph, starts[:1], 9, seed, 0.2)
    assert first.entities[0].tolist() == one.entities[0].tolist()


def test_each_entry_is_equally_likely() -> None:
    """Three parallel edges, one that comes in, and a self-loop, which has two entries."""
    graph = Multigraph((0,) * 3, (False,), ((0, 0, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1), (2, 0, 0)))
    result = walk(graph, [0] * 60_000, 1, seed=5)
    counts = Counter(result.edges[:, 0].tolist())
    expected = [20_000, 10_000, 10_000, 10_000, 10_000]
    assert stats.chisquare([counts[edge] for edge in range(5)], expected).pvalue > 1e-4


def test_restarts_have_the_given_frequency() -> None:
    ring = Multigraph((0,) * 5, (False,), tuple((one, 0, (one + 1) % 5) for one in range(5)))
    result = walk(ring, [0], 50_000, seed=6, restart=0.15)
    assert (result.edges == RETURN_EDGE).mean() == pytest.approx(0.15, abs=0.01)


def test_walks_are_independent() -> None:
    ring = Multigraph((0,) * 5, (False,), tuple((one, 0, (one + 1) % 5) for one in range(5)))
    result = walk(ring, [0] * 200, 64, seed=1)
    assert len({tuple(row) for row in result.entities.tolist()}) == 200


def test_invalid_walks_are_rejected() -> None:
    graph = Multigraph((0,) * 2, (False,), ((0, 0, 1),))
    with pytest.raises(IndexError):
        walk(graph, [2], 3, 0)
    for steps, restart in ((-1, 0.0), (1, 1.5), (1, -0.1), (1, float("nan"))):
        with pytest.raises(ValueError, match="restart must be"):
            walk(graph, [0], steps, 0, restart)
    assert walk(graph, [1], 0, 0).entities.tolist() == [[1]]


@settings(deadline=None)
@given(multigraphs(entities=10, edges=40), st.data())
def test_the_edges_among_a_set_are_those_with_both_ends_in_it(
    graph: Multigraph, data: st.DataObject
) -> None:
    chosen = data.draw(st.sets(st.integers(0, len(graph.types) - 1)))
    relations = data.draw(st.sets(st.integers(0, len(graph.symmetric) - 1)))
    limit = data.draw(st.integers(0, 50))
    allowed = np.isin(np.arange(len(graph.symmetric)), list(relations)).astype(np.uint8)
    expected = [
        number
        for number, (source, relation, target) in enumerate(graph.edges)
        if {source, target} <= chosen and relation in relations
    ]
    numbers = np.array(sorted(chosen), np.int32)
    result, total = induced_edges(graph.links(), numbers, allowed, limit=limit)
    assert total == len(expected)
    assert result.tolist() == expected[:limit]


def test_a_long_row_is_searched_for_a_small_set() -> None:
    """A hub's thousand neighbours, of whom two are asked about, twice linked to one of them."""
    edges = [(0, 0, leaf) for leaf in range(1, 1001)] + [(0, 1, 7), (0, 0, 9)]
    graph = Multigraph((0,) * 1001, (False, False), tuple(sorted(edges)))
    both = np.ones(2, np.uint8)
    result, total = induced_edges(graph.links(), np.array([0, 7, 9], np.int32), both, limit=10)
    expected = [n for n, edge in enumerate(graph.edges) if edge[2] in (7, 9)]
    assert (result.tolist(), total) == (expected, 4)


@settings(deadline=None)
@given(multigraphs(), SEEDS, st.sampled_from([0.0, 0.3]), st.data())
def test_a_walk_under_a_cutoff_is_one_in_the_graph_without_the_other_edges(
    graph: Multigraph, seed: int, restart: float, data: st.DataObject
) -> None:
    dates = [data.draw(st.sampled_from([0, 3, 5, 6])) for _ in graph.edges]
    admitted = [at for at, date in enumerate(dates) if 0 < date <= 5]
    if not dates:
        return
    starts = np.arange(len(graph.types), dtype=np.int64)
    under_cutoff = random_walks(graph.links(dates, 5), starts, 9, seed=seed, restart=restart)
    earlier = graph.selected(admitted)
    expected = random_walks(earlier.links(), starts, 9, seed=seed, restart=restart)
    assert np.array_equal(under_cutoff.entities, expected.entities)
    assert np.array_equal(under_cutoff.codes, expected.codes)
    edges = np.array([*admitted, RETURN_EDGE, END_EDGE])
    names = np.where(expected.edges < 0, len(admitted) - 1 - expected.edges, expected.edges)
    assert np.array_equal(under_cutoff.edges, edges[names])
