"""The order of judging against the definition, differentiated numerically."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from backend.science.answer_pools import UNRANKED, AnswerPool, FloatArray, depth_order
from backend.science.judging_order import (
    LARGEST_SHARE,
    LOOKAHEAD,
    BoardForecast,
    order_judging,
)

STEP = 1e-4


def expected_pairs(
    gains: FloatArray, chances: FloatArray, values: FloatArray, weights: FloatArray
) -> float:
    """Pairs of entries that a board with these shares of verdicts is expected to have as they
    end."""
    spread = chances * (1 - chances)
    total = 0.0
    for one, other in combinations(range(len(values)), 2):
        change = gains[:, one] - gains[:, other]
        start = values[one] - values[other]
        means = [start + np.sum(share * chances * change) for share in (weights, 1.0)]
        shown, final = (np.sum(share * spread * change**2) for share in (weights, 1.0))
        normal = multivariate_normal(cov=[[shown, shown], [shown, final]])
        total += float(normal.cdf(means) + normal.cdf([-one for one in means]))
    return total


@pytest.mark.parametrize("seed", range(3))
def test_effects_are_the_slopes_of_the_expected_number_of_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gains, chances = rng.uniform(0, 0.2, (30, 4)), rng.uniform(0.05, 0.95, 30)
    values = rng.uniform(0, 0.5, 4)
    is_judged = np.arange(30) < 5
    weights = np.where(is_judged, 1.0, LARGEST_SHARE)
    effects = BoardForecast.of(gains, chances, values).effects(is_judged)
    for at in range(5, 30, 4):
        more, less = weights.copy(), weights.copy()
        more[at] += STEP
        less[at] -= STEP
        slope = (
            expected_pairs(gains, chances, values, more)
            - expected_pairs(gains, chances, values, less)
        ) / (2 * STEP)
        assert effects[at] == pytest.approx(slope, rel=0.02, abs=1e-3)


def pool_of(ranks: list[list[int]]) -> AnswerPool:
    every = np.arange(len(ranks))
    return AnswerPool(every, every, np.array(ranks, dtype=np.int8))


def test_an_answer_that_all_entries_gain_by_has_no_effect() -> None:
    gains = np.array([[0.2, 0.2, 0.2], [0.2, 0.0, 0.0]])
    judging = order_judging(pool_of([[0, 0, 0]] * 2), gains, np.full(2, 0.5), np.full(3, 0.3))
    assert judging.effects[0] == pytest.approx(0, abs=1e-12)
    assert judging.effects[1] > 0
    assert judging.order.tolist() == [1, 0]


def test_an_answer_that_separates_level_entries_comes_before_one_of_distant_entries() -> None:
    gains = np.array([[0.02, 0.0, 0.0], [0.0, 0.0, 0.02]])
    values = np.array([0.5, 0.5, 0.1])
    judging = order_judging(pool_of([[0, 0, 0]] * 2), gains, np.full(2, 0.5), values)
    assert judging.order.tolist() == [0, 1]


def test_likely_answers_of_an_entry_that_labels_neglect_come_first() -> None:
    """Once all is judged the second entry leads; the board does not show it before."""
    gains = np.array([[0.01, 0.0], [0.0, 0.01]] * 20)
    chances = np.array([0.2, 0.9] * 20)
    judging = order_judging(pool_of([[0, 0]] * 40), gains, chances, np.array([0.05, 0.0]))
    assert {*judging.order[:20].tolist()} == {*range(1, 40, 2)}


def test_of_equal_effects_the_best_rank_and_then_most_entries_come_first() -> None:
    pool = pool_of([[2, UNRANKED], [0, UNRANKED], [0, 1]])
    judging = order_judging(pool, np.zeros((3, 2)), np.full(3, 0.5), np.zeros(2))
    assert judging.order.tolist() == [2, 1, 0] == depth_order(pool).tolist()
    assert judging.effects.tolist() == [0, 0, 0]


def test_every_answer_has_one_place_in_the_order_and_effects_fall() -> None:
    rng = np.random.default_rng(4)
    count = 2 * LOOKAHEAD + 7
    pool = pool_of(rng.integers(UNRANKED, 5, (count, 6)).tolist())
    gains = rng.uniform(0, 0.01, (count, 6)) * pool.is_ranked
    judging = order_judging(pool, gains, rng.uniform(0, 0.9, count), rng.uniform(0, 0.3, 6))
    assert sorted(judging.order.tolist()) == list(range(count))
    in_order = judging.effects[judging.order]
    assert (np.diff(in_order) <= 0).all()
    assert (in_order >= 0).all()
