"""Adaptive allocation, its propensities, and what it must not be used for."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import dirichlet, entropy

from backend.science.allocation import (
    allocate_item,
    information_gain,
)
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.davidson_luce import fit_davidson_luce

score_lists = st.lists(st.floats(-5, 5), min_size=1, max_size=8)


@pytest.mark.parametrize("counts", [[0, 0], [3, 1, 0], [10, 10, 10], [0, 40]])
def test_the_gain_is_the_mutual_information_of_sampled_shares(counts: list[int]) -> None:
    shares = dirichlet.rvs(np.array(counts) + 0.5, size=200_000, random_state=1)
    expected = entropy(shares.mean(axis=0)) - entropy(shares, axis=1).mean()
    assert information_gain([counts])[0] == pytest.approx(expected, abs=2e-3)


def test_fewer_judgements_and_more_disagreement_are_worth_more() -> None:
    fresh, disputed, settled = information_gain([[0, 0], [3, 3], [6, 0]])
    assert fresh > disputed > settled > 0
    assert information_gain([[3, 0]]) > information_gain([[30, 0]])


@given(score_lists, st.floats(0.2, 1), st.integers(0, 1000))
def test_an_allocated_item_has_the_probability_that_is_stored(
    scores: list[float], share: float, seed: int
) -> None:
    result = allocate_item(scores, np.random.default_rng(seed), random_share=share)
    best = [i for i, score in enumerate(scores) if score >= max(scores) - 1e-12]
    expected = share / len(scores) + (1 - share) * (result.index in best) / len(best)
    assert result.propensity == pytest.approx(expected)
    assert result.random or result.index in best


def test_frequencies_are_the_propensities() -> None:
    rng, scores = np.random.default_rng(0), [1.0, 3.0, 3.0, 0.0]
    draws = [allocate_item(scores, rng, random_share=0.4) for _ in range(20_000)]
    share = np.bincount([one.index for one in draws]) / len(draws)
    assert share == pytest.approx([0.1, 0.4, 0.4, 0.1], abs=0.015)
    assert np.mean([one.random for one in draws]) == pytest.approx(0.4, abs=0.015)


@pytest.mark.parametrize("share", [0.0, 0.19, 1.01])
def test_a_random_share_below_a_fifth_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="random share"):
        allocate_item([1.0], np.random.default_rng(0), random_share=share)


def test_without_items_nothing_is_allocated() -> None:
    with pytest.raises(ValueError, match="finite scores"):
        allocate_item([], np.random.default_rng(0))


Pair = tuple[int, int]
ITEMS, ROUNDS = 20, 12


def scores_of(wins: list[Pair]) -> np.ndarray:
    """Bradley-Terry scores, the model of rankings of two."""
    ids = [str(i) for i in range(ITEMS)]
    rankings = [[[ids[winner]], [ids[loser]]] for winner, loser in wins]
    fitted = fit_davidson_luce([RatedQuestion(ids, ["r"] * len(wins), rankings)])
    return np.array(list(fitted.log_worths[0].values()))


def toss_coins(seed: int, random_share: float) -> tuple[list[Pair], list[Pair]]:
    """(adaptive, random) results of rounds in which each item meets one that has a close score."""
    rng, scores = np.random.default_rng(seed), np.zeros(ITEMS)
    adaptive: list[Pair] = []
    random: list[Pair] = []
    for _ in range(ROUNDS):
        free = set(range(ITEMS))
        while free:
            pairs = list(combinations(sorted(free), 2))
            closeness = [-abs(scores[one] - scores[other]) for one, other in pairs]
            chosen = allocate_item(closeness, rng, random_share=random_share)
            pair = pairs[chosen.index]
            free -= set(pair)
            result = pair if rng.random() < 0.5 else pair[::-1]
            (random if chosen.random else adaptive).append(result)
        if random_share < 1:
            scores = scores_of(adaptive + random)
    return adaptive, random


def separation_reliability(wins: list[Pair]) -> float:
    """1 - mean squared error / variance of the scores, as adaptive comparative judgement prints."""
    scores = scores_of(wins)
    information = np.zeros((ITEMS, ITEMS))
    for winner, loser in wins:
        chance = 1 / (1 + np.exp(scores[loser] - scores[winner]))
        contrast = np.zeros(ITEMS)
        contrast[[winner, loser]] = 1, -1
        information += chance * (1 - chance) * np.outer(contrast, contrast)
    errors = np.linalg.pinv(information).diagonal()
    return float(1 - errors.mean() / scores.var())


def test_coin_tosses_look_reliable_in_the_adaptive_part_and_not_in_random_designs() -> None:
    inflated, honest = [], []
    for seed in range(5):
        adaptive, _ = toss_coins(seed, 0.2)
        inflated.append(separation_reliability(adaptive))
        honest.append(separation_reliability(toss_coins(seed, 1.0)[1]))
    assert np.mean(inflated) > 0.6
    assert np.mean(honest) < 0.2
