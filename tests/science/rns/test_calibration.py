"""Planted weights are recovered, planted noise is not significant."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from backend.science.rns.calibration import Calibration, calibrate, p_value, prepare_choices
from backend.science.rns.conditional_logit import PENALTY, ChoiceData, build_choice_data, fit
from backend.science.rns.errors import SizeOutOfRange, UnknownSplit
from backend.science.rns.measures import Weights
from tests.science.rns.questions import studied

PLANTED = Weights(0.5, 0.2, 0.3)


def significances(calibration: Calibration) -> list[bool]:
    return [part.is_significant for part in calibration.parts]


def test_planted_weights_are_recovered() -> None:
    result = calibrate(studied(80, PLANTED, 1, strict=80), seed=1, draws=99)
    assert result.is_fitted and significances(result) == [True, True, True]
    assert result.weights.values == pytest.approx(PLANTED.values, abs=0.06)
    for part, planted in zip(result.parts, PLANTED.values, strict=True):
        assert part.low < planted < part.high
    assert (
        result.top_overlap.value is not None
        and result.top_overlap.value > result.equal_weights_overlap > 2 * result.chance_overlap
    )


def test_deterministic_experts_are_fitted() -> None:
    """Any weights in a small cone then explain every choice, and the likelihood has no maximum."""
    result = calibrate(studied(60, PLANTED, 2, strict=1e9), seed=2, draws=49)
    assert result.weights.values == pytest.approx(PLANTED.values, abs=0.04)
    assert result.top_overlap.value is not None and result.top_overlap.value > 0.95


def test_an_almost_constant_component_is_not_significant() -> None:
    planted = Weights(0.5, 0, 0.5)
    questions = studied(60, planted, 0, strict=40, novelty_spread=3e-5)
    result = calibrate(questions, seed=0, draws=99)
    novelty = result.parts[1]
    assert not novelty.is_significant and novelty.p > 0.05 and novelty.spread < 1e-5
    assert significances(result) == [True, False, True] and result.weights.novelty == 0
    assert result.weights.relevance == pytest.approx(0.5, abs=0.1)


def test_random_choices_give_no_weights() -> None:
    learned = []
    for seed in range(12):
        result = calibrate(studied(25, Weights(), seed, strict=0), folds=2, seed=seed, draws=39)
        learned.append(result.is_fitted)
        if not result.is_fitted:
            assert result.weights == Weights() and significances(result) == [False] * 3
            assert result.parts[0].p > 0.0125
    # At 5% one in twenty would be taken in; four of twelve has a chance below 1 in 400.
    assert sum(learned) < 4


def test_the_false_positive_rate_matches_the_level() -> None:
    """One in twenty, up to chance: six of forty has a chance below 1 in 100."""
    taken_in = 0
    for seed in range(40):
        questions = studied(30, Weights(0.6, 0, 0.4), seed, strict=40)
        choices, _ = prepare_choices(questions)
        rng = np.random.default_rng(seed)
        taken_in += p_value(choices, np.ones(3, bool), 1, 39, rng) <= 0.05
    assert taken_in < 6


def test_the_same_seed_gives_the_same_calibration() -> None:
    questions = studied(12, PLANTED, 5, strict=50)
    one, two = (calibrate(questions, folds=3, seed=4, draws=19) for _ in range(2))
    assert one == two


def test_the_overlap_of_chance_and_of_equal_weights_is_reported() -> None:
    questions = studied(10, PLANTED, 6, strict=50)
    result = calibrate(questions, folds=5, seed=0, draws=19)
    shares = [len(one.serendipity) / one.scores.candidate_count for one in questions]
    assert result.chance_overlap == pytest.approx(np.mean(shares))
    assert result.top_overlap.n == result.n == 10
    assert result.top_overlap.low is not None and result.top_overlap.high is not None
    assert result.top_overlap.low <= float(result.top_overlap.value or 0) <= result.top_overlap.high


def test_few_questions_have_no_interval_with_a_reason() -> None:
    result = calibrate(studied(4, PLANTED, 7, strict=50), folds=2, draws=19)
    assert (result.top_overlap.low, result.top_overlap.interval_reason) == (
        None,
        "too_few_questions",
    )


def test_the_fit_matches_scipys_optimizer() -> None:
    for seed in range(6):
        questions = studied(15, PLANTED, seed, strict=20 * seed)
        parts = [one.scores.parts for one in questions]
        choices, _ = build_choice_data(parts, [one.split_index for one in questions])
        result = fit(choices, np.ones(3, bool))

        expected = optimize.minimize(
            unlikeliness, np.ones(3), args=(choices,), bounds=[(0, None)] * 3, tol=1e-12
        )
        assert unlikeliness(result.theta, choices) <= expected.fun + 1e-6
        assert result.theta == pytest.approx(expected.x, abs=2e-2, rel=2e-2)


def unlikeliness(theta: np.ndarray[tuple[int], np.dtype[np.float64]], choices: ChoiceData) -> float:
    total = PENALTY * float((theta**2).sum()) / 2
    for first, last, chosen in zip(
        choices.offsets[:-1], choices.offsets[1:], choices.chosen, strict=True
    ):
        values = choices.parts[first:last] @ theta
        total += float(np.log(np.exp(values - values.max()).sum()) + values.max())
        total -= float(choices.parts[chosen] @ theta)
    return total


def test_invalid_calibrations_are_rejected() -> None:
    questions = studied(3, PLANTED, 8, strict=50)
    for folds in (1, 4):
        with pytest.raises(SizeOutOfRange):
            calibrate(questions, folds=folds)
    with pytest.raises(SizeOutOfRange):
        calibrate(questions, folds=2, draws=5)
    wrong = type(questions[0])(questions[0].scores, (0, 1, 2))
    with pytest.raises(UnknownSplit):
        calibrate([*questions, wrong], folds=2, draws=19)
