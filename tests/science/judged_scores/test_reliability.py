"""Reliability diagrams, and how much of the calibration error is chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from backend.science.judged_scores.claims import FloatArray, JudgedClaims
from backend.science.judged_scores.reliability import Reliability, reliability

DRAWS, WORLDS = 5, 120


def calibrated(seed: int, count: int, *, shift: float = 0.0) -> Reliability:
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.05, 0.9, count)
    people = (rng.random(count) < np.clip(scores + shift, 0, 1)).astype(np.float64)
    return reliability(JudgedClaims.of(scores, people), seed=1, draws=DRAWS)


def slow_error(scores: FloatArray, people: FloatArray, weights: FloatArray, bins: int) -> float:
    total = 0.0
    for one in range(bins):
        places = [i for i, p in enumerate(scores) if min(int(p * bins + 1e-9), bins - 1) == one]
        gap = sum(weights[i] * (people[i] - scores[i]) for i in places)
        total += abs(gap)
    return total / float(sum(weights))


@given(st.integers(0, 2**32), st.integers(1, 15))
@settings(max_examples=40, deadline=None)
def test_the_error_equals_its_definition(seed: int, bins: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 40))
    scores, people = np.round(rng.random(count), 1), rng.integers(0, 2, count).astype(np.float64)
    weights, chances = rng.uniform(0.1, 1, count), rng.uniform(0.05, 1, count)
    claims = JudgedClaims.of(scores, people, weights=weights, propensities=chances)
    diagram = reliability(claims, seed=1, bins=bins, draws=DRAWS)
    expected = slow_error(scores, people, weights / chances, bins)
    assert diagram.error == pytest.approx(expected, abs=1e-9)
    assert sum(one.verdicts for one in diagram.bins) == diagram.verdicts == count
    assert sum(one.share for one in diagram.bins) == pytest.approx(1)
    for one in diagram.bins:
        assert one.low - 1e-9 <= one.score <= one.high + 1e-9


def test_bins_equal_those_of_scikit_learn() -> None:
    rng = np.random.default_rng(3)
    scores = rng.random(500)
    people = (rng.random(500) < scores**2).astype(np.float64)
    diagram = reliability(JudgedClaims.of(scores, people), seed=1, draws=DRAWS)
    observed, predicted = calibration_curve(people, scores, n_bins=10)
    assert [one.observed.value for one in diagram.bins] == pytest.approx(observed.tolist())
    assert [one.score for one in diagram.bins] == pytest.approx(predicted.tolist())


def test_the_error_of_a_calibrated_judge_is_what_chance_gives() -> None:
    diagrams = [calibrated(seed, 150) for seed in range(WORLDS)]
    errors = [one.error or 0 for one in diagrams]
    chance = [one.error_by_chance or 0 for one in diagrams]
    assert np.mean(errors) > 0.05  # it looks like an error, and is none
    assert np.mean(chance) == pytest.approx(np.mean(errors), rel=0.06)
    assert np.mean([(one.p_value or 0) <= 0.05 for one in diagrams]) <= 0.09


def test_dependence_inside_rationales_is_part_of_the_chance() -> None:
    """Verdicts of a rationale are one coin; taken as single claims the error would look real."""
    small, single = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rates = rng.uniform(0.05, 0.95, 80)
        people = np.repeat(rng.random(80) < rates, 5).astype(np.float64)
        scores, clusters = np.repeat(rates, 5), np.repeat(np.arange(80), 5)
        claims = JudgedClaims.of(scores, people, clusters=clusters)
        small.append((reliability(claims, seed=1, draws=1).p_value or 0) <= 0.05)
        alone = reliability(JudgedClaims.of(scores, people), seed=1, draws=1)
        single.append((alone.p_value or 0) <= 0.05)
    assert np.mean(small) <= 0.15 < 0.5 < np.mean(single)


def test_a_judge_that_is_too_sure_has_an_error_beyond_chance() -> None:
    diagram = calibrated(5, 2_000, shift=0.1)
    assert diagram.error == pytest.approx(0.1, abs=0.02)
    assert diagram.error_beyond_chance is not None and diagram.p_value is not None
    assert diagram.error_beyond_chance > 0.06 and diagram.p_value < 0.01


def test_a_judge_of_two_scores_has_two_bins() -> None:
    people = [1.0] * 8 + [0.0] * 2 + [0.0] * 9 + [1.0]
    diagram = reliability(JudgedClaims.of([1.0] * 10 + [0.0] * 10, people), seed=1, draws=DRAWS)
    assert [one.observed.value for one in diagram.bins] == [0.1, 0.8]
    assert diagram.error == pytest.approx((0.2 + 0.1) / 2)


def test_edges_belong_to_the_upper_bin_and_one_to_the_last() -> None:
    diagram = reliability(JudgedClaims.of([0.1 * 3, 0.3, 1.0], [1, 0, 1]), seed=1, draws=DRAWS)
    assert [(one.low, one.verdicts) for one in diagram.bins] == [(0.3, 2), (0.9, 1)]


def test_no_verdicts_and_one_cluster_have_no_figures() -> None:
    nothing = reliability(JudgedClaims.of([0.5], [np.nan]), seed=1)
    assert (nothing.bins, nothing.error, nothing.verdicts) == ((), None, 0)
    one = reliability(JudgedClaims.of([0.5, 0.6], [1, 0], clusters=[0, 0]), seed=1, draws=DRAWS)
    assert one.error is not None and (one.error_by_chance, one.p_value) == (None, None)


def test_other_scales_are_rejected() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        reliability(JudgedClaims.of([3], [4]), seed=1)
    with pytest.raises(ValueError, match="bin"):
        reliability(JudgedClaims.of([1], [1]), seed=1, bins=0)
