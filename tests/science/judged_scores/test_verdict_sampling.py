"""Propensities of an active choice of claims, and that claims are chosen with them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from backend.science.judged_scores.claims import MIN_PROPENSITY, FloatArray
from backend.science.judged_scores.verdict_sampling import (
    choose_claims,
    judge_uncertainty,
    verdict_propensities,
)

scores_strategy = st.lists(
    st.floats(0, 1e6) | st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60
)


def slow_propensities(scores: FloatArray, budget: int) -> FloatArray:
    """The factor by a search for the root of the sum."""

    def excess(log_factor: float) -> float:
        return float(np.clip(np.exp(log_factor) * scores, MIN_PROPENSITY, 1).sum()) - budget

    factor = np.exp(brentq(excess, -80, 80, xtol=1e-13))
    return np.asarray(np.clip(factor * scores, MIN_PROPENSITY, 1))


@given(scores_strategy, st.floats(0, 1))
@settings(max_examples=150, deadline=None)
def test_propensities_add_up_to_the_budget_between_their_bounds(
    scores: list[float], share: float
) -> None:
    least = int(np.ceil(MIN_PROPENSITY * len(scores)))
    budget = least + int(share * (len(scores) - least))
    propensities = verdict_propensities(scores, budget)
    assert propensities.sum() == pytest.approx(budget, abs=1e-8)
    assert propensities.min() >= MIN_PROPENSITY - 1e-12 and propensities.max() <= 1 + 1e-12
    order = np.argsort(scores)
    assert (np.diff(propensities[order]) >= -1e-12).all()


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=60), st.floats(0.06, 0.95))
@settings(max_examples=80, deadline=None)
def test_propensities_equal_those_of_a_search(scores: list[float], share: float) -> None:
    values = np.array(scores)
    least = int(np.ceil(MIN_PROPENSITY * len(scores)))
    budget = min(max(least + 1, int(share * len(scores))), len(scores) - 1)
    if budget > least:
        assert verdict_propensities(values, budget) == pytest.approx(
            slow_propensities(values, budget), abs=1e-9
        )


def test_a_hand_case() -> None:
    """Sum 2 of scores 1, 2, 4 and 0: c = 0.4, without a claim at 1; 0.05 for the last."""
    c = 1.95 / 7
    assert verdict_propensities([1, 2, 4, 0], 2) == pytest.approx([c, 2 * c, 1, 0.05], abs=0.12)
    # 4 c is above 1, so that claim is certain and the rest is shared by 1 and 2.
    assert verdict_propensities([1, 2, 4, 0], 2) == pytest.approx([0.95 / 3, 1.9 / 3, 1, 0.05])


def test_equal_scores_and_no_scores_are_a_random_sample() -> None:
    assert verdict_propensities([0, 0, 0, 0], 3) == pytest.approx([0.75] * 4)
    assert verdict_propensities([7, 7, 7, 7], 3) == pytest.approx([0.75] * 4)


def test_a_budget_beyond_the_claims_with_a_score_is_shared_by_the_others() -> None:
    assert verdict_propensities([1, 3, 0, 0], 3) == pytest.approx([1, 1, 0.5, 0.5])


@pytest.mark.parametrize(
    ("scores", "budget"),
    [([], 0), ([1, -1], 1), ([1, np.nan], 1), ([1, 1], 3), ([1] * 100, 4), ([[1, 1]], 1)],
)
def test_impossible_budgets_and_scores_are_rejected(scores: list[float], budget: int) -> None:
    with pytest.raises(ValueError, match=r"budget|scores"):
        verdict_propensities(scores, budget)


@pytest.mark.parametrize("sampling", ["fixed_size", "poisson"])
def test_claims_are_chosen_with_their_propensities(sampling: str) -> None:
    scores = np.random.default_rng(1).random(30) ** 2
    draws = 4_000
    samples = [
        choose_claims(
            scores, 9, seed=seed, sampling="poisson" if sampling == "poisson" else "fixed_size"
        )
        for seed in range(draws)
    ]
    expected = samples[0].propensities
    shares = np.mean([one.chosen for one in samples], axis=0)
    errors = np.sqrt(expected * (1 - expected) / draws)
    assert (np.abs(shares - expected) <= 4.5 * errors + 1e-12).all()
    sizes = {int(one.chosen.sum()) for one in samples}
    assert (sizes == {9}) is (sampling == "fixed_size")


@given(scores_strategy, st.integers(1, 60), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_a_fixed_size_is_exact_and_repeatable(scores: list[float], budget: int, seed: int) -> None:
    budget = min(budget, len(scores))
    one, other = (choose_claims(scores, budget, seed=seed) for _ in range(2))
    assert one.chosen.sum() == budget
    assert np.array_equal(one.chosen, other.chosen)
    assert not one.chosen[np.isnan(one.propensities)].any()
    assert np.nansum(one.propensities) == pytest.approx(budget)


@given(scores_strategy, st.integers(0, 2**32), st.data())
@settings(max_examples=100, deadline=None)
def test_a_larger_budget_of_independent_choices_only_adds_claims(
    scores: list[float], seed: int, data: st.DataObject
) -> None:
    small = data.draw(st.integers(1, len(scores)))
    large = data.draw(st.integers(small, len(scores)))
    first, second = (
        choose_claims(scores, budget, seed=seed, sampling="poisson") for budget in (small, large)
    )
    assert not (first.chosen & ~second.chosen).any()
    known = ~np.isnan(first.propensities)
    assert (second.propensities[known] >= first.propensities[known] - 1e-12).all()


def test_independent_choices_from_a_pool_number_the_budget_in_the_mean() -> None:
    scores = np.random.default_rng(4).random(2_000)
    sizes = [
        int(choose_claims(scores, 50, seed=seed, sampling="poisson").chosen.sum())
        for seed in range(400)
    ]
    assert np.mean(sizes) == pytest.approx(50, abs=1.5)


def test_a_small_budget_has_a_pool_with_propensities_of_at_least_the_limit() -> None:
    sample = choose_claims(np.random.default_rng(2).random(10_000), 40, seed=3)
    inside = sample.propensities[~np.isnan(sample.propensities)]
    assert len(inside) == 160 and inside.min() >= MIN_PROPENSITY
    assert sample.chosen.sum() == 40


def test_every_claim_is_in_the_pool_equally_often() -> None:
    hits = np.zeros(50)
    for seed in range(2_000):
        hits += ~np.isnan(choose_claims(np.arange(50), 5, seed=seed).propensities)
    assert np.abs(hits / 2_000 - 0.4).max() < 4.5 * np.sqrt(0.24 / 2_000)


def test_uncertainty_is_the_deviation_of_a_verdict() -> None:
    assert judge_uncertainty([0, 0.5, 0.9, 1]) == pytest.approx([0, 0.5, 0.3, 0])
    with pytest.raises(ValueError, match="probabilities"):
        judge_uncertainty([1.2])


def test_a_budget_of_no_verdict_is_rejected() -> None:
    with pytest.raises(ValueError, match="budget"):
        choose_claims([1, 1], 0, seed=1)
