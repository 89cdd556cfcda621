"""SerenQA §3.2: provable axioms hold, the others have counterexamples."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.science.rns.candidates import Floats
from backend.science.rns.measures import SplitScores, Weights
from backend.science.rns.search import score_all_splits
from tests.science.rns import oracle
from tests.science.rns.definitions import score_sets, subset
from tests.science.rns.questions import question

SEEDS = st.integers(0, 10_000)
SHARES = st.tuples(*[st.floats(0.01, 1)] * 3)
Scaled = tuple[float, float, float]


def order(parts: Floats, weights: Scaled) -> list[int]:
    """Places of splits, best first, those within 1e-9 as equal."""
    return [int(place) for place in np.argsort(-np.round(parts @ np.array(weights), 9))]


def splits_of(seed: int) -> SplitScores:
    return score_all_splits(question(6, seed), 2)


@given(SEEDS, SHARES, st.floats(1e-3, 1e3))
def test_scaling_all_weights_does_not_change_the_best_split(
    seed: int, shares: Scaled, scale: float
) -> None:
    parts = splits_of(seed).parts
    totals = parts @ np.array(shares)
    scaled = parts @ (np.array(shares) * scale)
    assert totals[scaled.argmax()] == pytest.approx(totals.max(), abs=1e-9)


def parts_of(seed: int) -> Floats:
    return splits_of(seed).parts


def best_s(parts: Floats) -> int:
    return int(parts[:, 2].argmax())


def test_scaling_one_part_alone_may_change_the_best() -> None:
    parts = next(one for one in map(parts_of, range(100)) if one[:, 0].argmax() != best_s(one))
    by_relevance, by_surprise = parts[:, 0].argmax(), parts[:, 2].argmax()
    assert by_relevance != by_surprise
    assert (parts @ np.array([1, 1, 1e-6])).argmax() == by_relevance
    assert (parts @ np.array([1, 1, 1e6])).argmax() == by_surprise


@given(SEEDS, SHARES, st.integers(0, 2), st.floats(-5, 5))
def test_adding_a_constant_to_one_component_does_not_change_the_order(
    seed: int, shares: Scaled, part: int, constant: float
) -> None:
    parts = splits_of(seed).parts
    moved = parts.copy()
    moved[:, part] += constant
    before, after = parts @ np.array(shares), moved @ np.array(shares)
    assert after - after.mean() == pytest.approx(before - before.mean(), abs=1e-9)


@given(SEEDS, SEEDS)
def test_rns_does_not_depend_on_the_order_of_candidates(seed: int, shuffling: int) -> None:
    some = question(6, seed)
    shuffled = np.random.default_rng(shuffling).permutation(6)
    place = {int(old): new for new, old in enumerate(shuffled)}
    one = score_sets(some, [0, 1, 2, 3], [4, 5])
    moved = subset(some, shuffled.tolist())
    other = score_sets(moved, [place[n] for n in (3, 1, 0, 2)], [place[5], place[4]])
    assert other.total == pytest.approx(one.total, abs=1e-12)


def test_a_larger_set_may_score_lower_and_may_score_higher() -> None:
    some = question(6, 1)
    gains = []
    for one in range(6):
        for other in set(range(6)) - {one}:
            rest = sorted(set(range(6)) - {one, other})
            small = score_sets(some, [*rest, other], [one]).total
            gains.append(score_sets(some, rest, [one, other]).total - small)
    assert min(gains) < 0 < max(gains)


def chain(*, extra: bool) -> oracle.World:
    """Candidates 0 and 1 hang on 2, and 1 on 5 too; the extra edge ends three hops from 0."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(7))
    graph.add_edges_from([(0, 2), (1, 2), (1, 5), (2, 3)])
    if extra:
        graph.add_edge(3, 4)
    rows = oracle.many_hops(graph, 3, "both", "self")
    vectors: list[list[float] | None] = [[1.0, float(n), 0, 0] for n in range(7)]
    return oracle.World(graph, rows, oracle.marginal_of(rows), vectors)


def test_an_edge_three_hops_away_changes_rns() -> None:
    """The printed independence: 'no information from entities not seen in A can affect' it."""
    before, after = chain(extra=False), chain(extra=True)
    away = nx.shortest_path_length(after.graph.to_undirected(), 4)
    assert away[0] == away[1] == 3
    one, other = (
        score_sets(
            oracle.candidates_of(world, [0, 1]),
            [0],
            [1],
            surprise=oracle.surprise(world, [0], [1], "all"),
        )
        for world in (before, after)
    )
    assert one.relevance == other.relevance
    assert abs(one.surprise - other.surprise) > 1e-3
    assert abs(one.mutual_information - other.mutual_information) > 1e-4
    assert abs(one.total - other.total) > 1e-4


@given(SEEDS)
def test_rns_depends_on_the_graph_only_through_rows_marginals_and_embeddings(seed: int) -> None:
    """The same arrays from another graph score the same."""
    world = oracle.random_world(seed)
    wider = oracle.World(
        world.graph,
        [{**row, len(world.rows): 0.0} for row in world.rows],
        world.marginal,
        world.vectors,
    )
    existing, new = [0, 1], [2, 3]
    for support in ("all", "candidates"):
        before = oracle.surprise(world, existing, new, support)
        assert before == oracle.surprise(wider, existing, new, support)
    one, other = (
        score_sets(oracle.candidates_of(w, range(4)), existing, new) for w in (world, wider)
    )
    assert one == other


@given(SEEDS, SHARES)
def test_rns_is_a_weighted_mean_of_its_three_parts(seed: int, shares: Scaled) -> None:
    alpha, beta, gamma = (share / sum(shares) for share in shares)
    result = score_sets(question(5, seed), [0, 1, 2], [3, 4], Weights(alpha, beta, gamma))
    assert -1 <= result.relevance <= 0 <= result.surprise <= 1
    total = alpha * result.relevance + beta * result.novelty + gamma * result.surprise
    assert result.total == pytest.approx(total, abs=1e-12)


def test_the_order_of_splits_by_total_is_that_of_the_weighted_parts() -> None:
    measured = splits_of(8)
    weights = Weights(0.2, 0.3, 0.5)
    by_total = np.argsort(-np.round(measured.totals(weights), 9)).tolist()
    assert by_total == order(measured.parts, weights.values)
