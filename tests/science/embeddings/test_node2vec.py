"""Walks follow the probabilities that p and q give; groups are near; types bound what is drawn."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.science.embeddings.node2vec import (
    NegativePool,
    WalkSettings,
    draw_entity,
    node2vec,
    push_apart_or_together,
    walk_from,
    with_sorted_rows,
)
from tests.science.embeddings.graphs import planted, random_multigraph, whole
from tests.science.multigraphs import Multigraph

# 0 and 1 are linked to each other and to 2, which is linked to 3 as well; 4 has no links.
KITE = Multigraph((0, 0, 1, 1, 0), (False,), ((0, 0, 1), (0, 0, 2), (1, 0, 2), (2, 0, 3)))
SMALL = WalkSettings(dimensions=16, walks=8, steps=20, rate=0.05)


@pytest.mark.parametrize(("back", "away"), [(1.0, 1.0), (4.0, 0.5), (0.25, 2.0)])
def test_a_step_goes_back_stays_near_and_leaves_by_p_and_q(back: float, away: float) -> None:
    graph = with_sorted_rows(whole(KITE))
    state = np.array([7], np.uint64)
    settings = WalkSettings(steps=2, back=back, away=away)
    walks = walk_from(graph, np.zeros(40_000, np.int64), settings, state)
    through = walks[walks[:, 1] == 2]
    assert abs(len(through) / len(walks) - 0.5) < 0.015
    weights = np.array([1 / back, 1, 1 / away])  # to 0, from where it came; to 1, linked to 0; to 3
    counts = Counter(through[:, 2].tolist())
    shares = np.array([counts[0], counts[1], counts[3]]) / len(through)
    assert np.abs(shares - weights / weights.sum()).max() < 0.015


def test_every_step_of_a_walk_is_a_link() -> None:
    graph = random_multigraph(3)
    rows = with_sorted_rows(whole(graph))
    starts = np.flatnonzero(rows.degrees())
    settings = WalkSettings(steps=9, back=0.5, away=2.0)
    walks = walk_from(rows, starts, settings, np.array([1], np.uint64))
    links = {frozenset(edge[::2]) for edge in graph.edges}
    steps = {frozenset(pair) for walk in walks.tolist() for pair in pairwise(walk)}
    assert steps <= links and walks.shape == (len(starts), 10)


def test_entities_of_a_group_are_nearer_to_each_other_than_to_others() -> None:
    vectors = node2vec(whole(planted(5, groups=6, size=20)), SMALL).astype(np.float64)
    cosines, group = vectors @ vectors.T, np.arange(120) // 20
    alike = group[:, None] == group
    np.fill_diagonal(alike, False)
    others = group[:, None] != group
    assert cosines[alike].mean() > cosines[others].mean() + 0.3


def test_vectors_have_length_1_and_none_without_links_and_repeat_by_seed() -> None:
    graph = whole(random_multigraph(2))
    first = node2vec(graph, SMALL)
    lengths = np.linalg.norm(first, axis=1)
    assert np.allclose(lengths, graph.degrees() > 0, atol=1e-6)
    assert (lengths == 0).sum() >= 3
    assert node2vec(graph, SMALL).tobytes() == first.tobytes()
    other = WalkSettings(dimensions=16, walks=8, steps=20, rate=0.05, seed=1)
    assert not np.array_equal(node2vec(graph, other), first)
    types = np.array(random_multigraph(2).types)
    assert not np.array_equal(node2vec(graph, SMALL, types=types), first)


def test_replaced_entities_are_linked_of_the_type_and_drawn_by_their_degrees() -> None:
    graph = whole(KITE)
    state = np.array([3], np.uint64)
    weights = graph.degrees() ** 0.75
    for types, allowed in ((None, {0, 1, 2, 3}), (np.array(KITE.types), {2, 3})):
        pool = NegativePool.of(graph, types)
        drawn = Counter(draw_entity(pool, 3, state) for _ in range(20_000))
        assert {*drawn} == allowed
        total = sum(weights[one] for one in allowed)
        for one in allowed:
            assert abs(drawn[one] / 20_000 - weights[one] / total) < 0.015


@pytest.mark.parametrize("is_near", [True, False])
def test_a_step_is_the_slope_of_the_objective(is_near: bool) -> None:
    rng = np.random.default_rng(1)
    vector, context = rng.normal(size=(2, 8))

    def objective(u: np.ndarray, c: np.ndarray) -> float:
        sign = 1 if is_near else -1
        return -float(np.logaddexp(0, -sign * (u @ c)))

    change, moved = np.zeros(8, np.float32), context.astype(np.float32)
    push_apart_or_together(vector.astype(np.float32), moved, change, 0.5, is_near)
    for at, unit in enumerate(np.eye(8) * 1e-5):
        by_vector = objective(vector + unit, context) - objective(vector - unit, context)
        by_context = objective(vector, context + unit) - objective(vector, context - unit)
        assert change[at] == pytest.approx(0.5 * by_vector / 2e-5, abs=1e-4)
        assert moved[at] - context[at] == pytest.approx(0.5 * by_context / 2e-5, abs=1e-4)


def test_a_large_graph_has_fewer_walks_and_a_cancelled_training_none() -> None:
    assert WalkSettings().walks_for(1_000) == 10
    assert WalkSettings().walks_for(100_000) == 5
    assert WalkSettings().walks_for(10_000_000) == 1
    stop = CancellationToken()
    stop.cancel()
    with pytest.raises(Cancelled):
        node2vec(whole(KITE), SMALL, stop=stop)
    assert not node2vec(whole(Multigraph((0, 0), (False,), ())), SMALL).any()


@pytest.mark.parametrize("name", ["walks", "steps", "window", "negatives", "back", "rate"])
def test_settings_without_walks_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"must|have"):
        WalkSettings(**{name: 0})
    with pytest.raises(ValueError, match="fours"):
        WalkSettings(dimensions=6)
