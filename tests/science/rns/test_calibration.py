"""Planted weights are found again, planted noise is called noise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from backend.science.rns.calibration import Calibration, calibrate, noise_level, prepared
from backend.science.rns.choices import PENALTY, Choices, choices_of, fit
from backend.science.rns.errors import SizeOutOfRange, UnknownSplit
from backend.science.rns.measures import Weights
from tests.science.rns.questions import studied

PLANTED = Weights(0.5, 0.2, 0.3)


def told(found: Calibration) -> list[bool]:
    return [part.told for part in found.parts]


def test_planted_weights_are_found_again() -> None:
    found = calibrate(studied(80, PLANTED, 1, strict=80), seed=1, draws=99)
    assert found.learned and told(found) == [True, True, True]
    assert found.weights.values == pytest.approx(PLANTED.values, abs=0.06)
    for part, planted in zip(found.parts, PLANTED.values, strict=True):
        assert part.low < planted < part.high
    assert found.top_b.value is not None and found.top_b.value > found.equal > 2 * found.chance


def test_experts_who_follow_their_weights_without_fail_are_fitted_too() -> None:
    """Any weights in a small cone then explain every choice, and the likelihood has no maximum."""
    found = calibrate(studied(60, PLANTED, 2, strict=1e9), seed=2, draws=49)
    assert found.weights.values == pytest.approx(PLANTED.values, abs=0.04)
    assert found.top_b.value is not None and found.top_b.value > 0.95


def test_a_part_that_is_almost_constant_and_says_nothing_is_called_noise() -> None:
    planted = Weights(0.5, 0, 0.5)
    questions = studied(60, planted, 0, strict=40, novelty_spread=3e-5)
    found = calibrate(questions, seed=0, draws=99)
    novelty = found.parts[1]
    assert not novelty.told and novelty.p > 0.05 and novelty.spread < 1e-5
    assert told(found) == [True, False, True] and found.weights.novelty == 0
    assert found.weights.relevance == pytest.approx(0.5, abs=0.1)


def test_experts_who_choose_at_random_teach_no_weights() -> None:
    learned = []
    for seed in range(12):
        found = calibrate(studied(25, Weights(), seed, strict=0), folds=2, seed=seed, draws=39)
        learned.append(found.learned)
        if not found.learned:
            assert found.weights == Weights() and told(found) == [False] * 3
            assert found.parts[0].p > 0.0125
    # At 5% one in twenty would be taken in; four of twelve has a chance below 1 in 400.
    assert sum(learned) < 4


def test_noise_in_one_part_is_told_as_often_as_its_level_says() -> None:
    """One in twenty, up to chance: six of forty has a chance below 1 in 100."""
    taken_in = 0
    for seed in range(40):
        questions = studied(30, Weights(0.6, 0, 0.4), seed, strict=40)
        choices, _ = prepared(questions)
        chance = np.random.default_rng(seed)
        taken_in += noise_level(choices, np.ones(3, bool), 1, 39, chance) <= 0.05
    assert taken_in < 6


def test_the_same_seed_gives_the_same_calibration() -> None:
    questions = studied(12, PLANTED, 5, strict=50)
    one, two = (calibrate(questions, folds=3, seed=4, draws=19) for _ in range(2))
    assert one == two


def test_the_agreement_of_chance_and_of_equal_weights_stand_beside() -> None:
    questions = studied(10, PLANTED, 6, strict=50)
    found = calibrate(questions, folds=5, seed=0, draws=19)
    shares = [len(one.serendipity) / one.measured.count for one in questions]
    assert found.chance == pytest.approx(np.mean(shares))
    assert found.top_b.n == found.n == 10
    assert found.top_b.low is not None and found.top_b.high is not None
    assert found.top_b.low <= float(found.top_b.value or 0) <= found.top_b.high


def test_few_questions_have_no_interval_and_say_why() -> None:
    found = calibrate(studied(4, PLANTED, 7, strict=50), folds=2, draws=19)
    assert (found.top_b.low, found.top_b.interval_reason) == (None, "too_few_questions")


def test_the_fit_is_the_maximum_that_another_solver_finds() -> None:
    for seed in range(6):
        questions = studied(15, PLANTED, seed, strict=20 * seed)
        parts = [one.measured.parts for one in questions]
        choices, _ = choices_of(parts, [one.place for one in questions])
        found = fit(choices, np.ones(3, bool))

        wanted = optimize.minimize(
            unlikeliness, np.ones(3), args=(choices,), bounds=[(0, None)] * 3, tol=1e-12
        )
        assert unlikeliness(found.theta, choices) <= wanted.fun + 1e-6
        assert found.theta == pytest.approx(wanted.x, abs=2e-2, rel=2e-2)


def unlikeliness(theta: np.ndarray[tuple[int], np.dtype[np.float64]], choices: Choices) -> float:
    total = PENALTY * float((theta**2).sum()) / 2
    for first, last, chosen in zip(
        choices.offsets[:-1], choices.offsets[1:], choices.chosen, strict=True
    ):
        values = choices.parts[first:last] @ theta
        total += float(np.log(np.exp(values - values.max()).sum()) + values.max())
        total -= float(choices.parts[chosen] @ theta)
    return total


def test_what_cannot_be_calibrated_is_refused() -> None:
    questions = studied(3, PLANTED, 8, strict=50)
    for folds in (1, 4):
        with pytest.raises(SizeOutOfRange):
            calibrate(questions, folds=folds)
    with pytest.raises(SizeOutOfRange):
        calibrate(questions, folds=2, draws=5)
    wrong = type(questions[0])(questions[0].measured, (0, 1, 2))
    with pytest.raises(UnknownSplit):
        calibrate([*questions, wrong], folds=2, draws=19)
