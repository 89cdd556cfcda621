"""Betweenness, eigenvector change, Jaccard and mentions beside networkx, sets and counting."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import rankdata, spearmanr

from backend.science.importance.betweenness import edge_betweenness
from backend.science.importance.combined import (
    COMPONENTS,
    combine,
    percentile_ranks,
    spearman_matrix,
)
from backend.science.importance.eigenvector import (
    DENSE,
    edge_difference,
    eigenvector_centrality,
    eigenvector_change,
)
from backend.science.importance.jaccard import second_order_jaccard
from tests.science.importance.dated_worlds import DatedWorld, dated_worlds, random_world

YEAR = 2005
NO_PAIRS = np.empty((0, 2), np.int64)


def expected_betweenness(world: DatedWorld, ends: list[int]) -> list[float]:
    """By listing all shortest paths. networkx's own function for subsets divides what passes an
    entity outside the subset by its predecessors, not by their paths."""
    graph = world.graph(YEAR)
    values: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for one, other in combinations(ends, 2):
        if nx.has_path(graph, one, other):
            paths = [*nx.all_shortest_paths(graph, one, other)]
            for path in paths:
                for edge in pairwise(path):
                    values[tuple(sorted(edge))] += 1 / len(paths)
    return [values[tuple(pair)] for pair in world.links.pairs.tolist()]


@given(dated_worlds(), st.data())
def test_betweenness_is_that_of_all_shortest_paths(world: DatedWorld, data: st.DataObject) -> None:
    ends = data.draw(st.lists(st.integers(0, world.count - 1), unique=True))
    rows, count = world.links.until(YEAR), len(world.links.pairs)
    result = edge_betweenness(rows, count, np.array(ends, dtype=np.int64))
    assert result.values == pytest.approx(expected_betweenness(world, ends), abs=1e-9)
    assert not result.errors.any()


def test_between_all_entities_of_a_larger_graph_it_is_that_of_networkx() -> None:
    world = random_world(300, 900, 1)
    rows, count = world.links.until(YEAR), len(world.links.pairs)
    peer = nx.edge_betweenness_centrality(world.graph(YEAR), normalized=False)
    either = {tuple(sorted(edge)): value for edge, value in peer.items()}
    expected = [either.get(tuple(pair), 0.0) for pair in world.links.pairs.tolist()]
    result = edge_betweenness(rows, count, np.arange(300))
    assert result.values == pytest.approx(expected, rel=1e-9, abs=1e-9)
    some = edge_betweenness(rows, count, np.arange(0, 300, 5))
    expected = expected_betweenness(world, [*range(0, 300, 5)])
    assert some.values == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_sampled_betweenness_is_unbiased_and_its_error_is_right() -> None:
    world = random_world(120, 300, 2)
    rows, count, ends = world.links.until(YEAR), len(world.links.pairs), np.arange(80)
    exact = edge_betweenness(rows, count, ends).values
    runs = [edge_betweenness(rows, count, ends, sample=30, seed=seed) for seed in range(200)]
    values, errors = (
        np.array([getattr(one, name) for one in runs]) for name in ("values", "errors")
    )
    used = exact > 5
    assert values.mean(axis=0)[used] == pytest.approx(exact[used], rel=0.1)
    stated = np.sqrt((errors**2).mean(axis=0))[used]
    assert np.median(stated / values.std(axis=0)[used]) == pytest.approx(1, abs=0.1)


def test_a_sample_of_all_is_exact_and_of_one_is_refused() -> None:
    world = random_world(40, 90, 3)
    rows, count, ends = world.links.until(YEAR), len(world.links.pairs), np.arange(20)
    exact = edge_betweenness(rows, count, ends)
    assert (edge_betweenness(rows, count, ends, sample=20).values == exact.values).all()
    with pytest.raises(ValueError, match="at least two"):
        edge_betweenness(rows, count, ends, sample=1)


@given(dated_worlds())
def test_second_order_jaccard_is_that_of_sets(world: DatedWorld) -> None:
    graph = world.graph(YEAR)
    second = {
        entity: {end for middle in graph[entity] for end in graph[middle]} for entity in graph
    }
    pairs = [(one, other) for one in graph for other in graph]
    expected = []
    for one, other in pairs:
        union = second[one] | second[other]
        expected.append(len(second[one] & second[other]) / len(union) if union else 0)
    given_pairs = np.array(pairs[::-1], dtype=np.int64)
    values = second_order_jaccard(world.links.until(YEAR), given_pairs)
    assert values == pytest.approx(expected[::-1], abs=1e-9)
    assert len(second_order_jaccard(world.links.until(YEAR), NO_PAIRS)) == 0


@pytest.mark.parametrize("count", [40, DENSE + 100])
@pytest.mark.parametrize("seed", range(3))
def test_eigenvector_centrality_is_that_of_networkx(count: int, seed: int) -> None:
    world = random_world(count, 4 * count, seed)
    draw = np.random.default_rng(seed)
    weights = draw.integers(1, 9, len(world.links.pairs)).astype(float)
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    for (one, other), weight in zip(world.links.pairs.tolist(), weights, strict=True):
        graph.add_edge(one, other, weight=weight)
    linked = max(nx.connected_components(graph), key=len)
    peer = nx.eigenvector_centrality_numpy(graph.subgraph(linked), weight="weight")
    expected = np.array([peer.get(entity, 0.0) for entity in range(count)])
    values = eigenvector_centrality(world.links.matrix(2010, weights))
    assert values == pytest.approx(expected, abs=1e-9)


def test_equal_components_of_a_graph_have_equal_centralities() -> None:
    world = DatedWorld(5, ((0, 1, 2001), (2, 3, 2001)))
    values = eigenvector_centrality(world.links.matrix(YEAR))
    assert values == pytest.approx([0.5, 0.5, 0.5, 0.5, 0])
    assert not eigenvector_centrality(world.links.matrix(1990)).any()


def test_the_change_is_the_later_difference_less_the_earlier_one() -> None:
    world = random_world(60, 240, 4)
    before, after = world.links.matrix(YEAR), world.links.matrix(2010)
    pairs = world.links.pairs
    differences = [edge_difference(eigenvector_centrality(one), pairs) for one in (before, after)]
    change = eigenvector_change(before, after, pairs)
    assert change == pytest.approx(differences[1] - differences[0], abs=1e-12)
    assert not eigenvector_change(before, before, pairs).any()


VALUES = hnp.arrays(np.float64, 9, elements=st.sampled_from([-2.0, 0, 0.5, 3, np.nan]))


@given(st.dictionaries(st.sampled_from(COMPONENTS), VALUES, min_size=1))
def test_importance_is_a_mean_of_percentile_ranks(components: dict[str, np.ndarray]) -> None:
    result = combine(components)
    assert {*result.ranks} | {*result.missing} == {*COMPONENTS}
    known = ~np.isnan(result.values)
    assert (known == ~np.isnan([*components.values()]).all(axis=0)).all()
    assert ((result.values[known] > 0) & (result.values[known] <= 1)).all()
    for name, values in components.items():
        there = ~np.isnan(values)
        if there.any():
            signed = -values if name == "jaccard" else values
            expected = rankdata(signed[there]) / there.sum()
            assert result.ranks[name][there] == pytest.approx(expected)
    table = np.array([*result.ranks.values()])[:, known]
    assert result.values[known] == pytest.approx(np.nanmean(table, axis=0))


def test_correlations_are_those_of_scipy_and_none_of_a_constant() -> None:
    draw = np.random.default_rng(6)
    table = {name: percentile_ranks(draw.integers(0, 5, 50).astype(float)) for name in "abc"}
    matrix = spearman_matrix(table)
    expected = spearmanr(np.column_stack([*table.values()])).statistic
    assert matrix == pytest.approx(expected, abs=1e-9)
    constant = spearman_matrix({"a": table["a"], "b": np.ones(50)})
    assert np.isnan(constant[0, 1]) and np.isnan(constant[1, 1])


def test_unknown_components_and_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown"):
        combine({"fame": np.zeros(2)})
    with pytest.raises(ValueError, match="equally many"):
        combine({"mentions": np.zeros(2), "citations": np.zeros(3)})
