"""Accuracy by groundedness and the best of n, beside the arithmetic of planted skill."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science.judged_scores.claims import FloatArray
from backend.science.judged_scores.groundedness_figures import (
    AccuracyByGroundedness,
    SelectionFigures,
    accuracy_by_groundedness,
    best_of_n,
)

DRAWS = 200


def grouped(correct: FloatArray, groundedness: FloatArray) -> AccuracyByGroundedness:
    return accuracy_by_groundedness(correct, groundedness, seed=1, draws=DRAWS)


@given(st.integers(0, 2**32), st.integers(1, 150))
@settings(max_examples=60, deadline=None)
def test_groups_hold_all_hypotheses_and_at_least_ten_each(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 8, count)
    scores = rng.integers(0, sizes + 1) / sizes
    scores[rng.random(count) < 0.1] = np.nan
    correct = rng.integers(0, 2, count).astype(np.float64)
    figure = grouped(correct, scores)
    defined = ~np.isnan(scores)
    counts = [one.accuracy.items for one in figure.groups]
    assert sum(counts) == defined.sum()
    assert all(one >= 10 for one in counts) or len(counts) == 1
    assert [one.high for one in figure.groups[:-1]] == [one.low for one in figure.groups[1:]]
    for one in figure.groups:
        inside = defined & (scores >= one.low - 1e-9) & (scores < one.high - 1e-9)
        if one is figure.groups[-1]:
            inside |= defined & (scores >= one.high - 1e-9)
        assert one.accuracy.items == inside.sum()
        assert one.accuracy.value == pytest.approx(correct[inside].mean())
        assert one.groundedness == pytest.approx(scores[inside].mean())
    assert (figure.undefined.items if figure.undefined else 0) == (~defined).sum()
    assert figure.overall.value == pytest.approx(correct.mean())


def test_planted_skill_shows_in_the_groups() -> None:
    """Correct with probability 0.3 + 0.5 g."""
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 6, 30_000) / 5
    figure = grouped((rng.random(30_000) < 0.3 + 0.5 * scores).astype(np.float64), scores)
    assert [one.groundedness for one in figure.groups] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    for one in figure.groups:
        assert one.accuracy.low is not None and one.accuracy.high is not None
        assert one.accuracy.value == pytest.approx(0.3 + 0.5 * one.groundedness, abs=0.03)
        assert one.accuracy.low < one.accuracy.value < one.accuracy.high


def test_a_tenth_that_is_written_as_a_sum_is_that_tenth() -> None:
    figure = grouped(np.ones(20), np.array([0.1 + 0.2] * 10 + [0.7] * 10))
    assert [(one.low, one.high) for one in figure.groups] == [(0.0, 0.4), (0.4, 1.0)]


def test_hypotheses_without_claims_alone_leave_no_group() -> None:
    figure = grouped(np.array([1.0, 0.0]), np.array([np.nan, np.nan]))
    assert figure.groups == ()
    assert figure.undefined is not None and (figure.undefined.items, figure.undefined.value) == (
        2,
        0.5,
    )


def slow_selection(
    correct: FloatArray, groundedness: FloatArray, labels: np.ndarray
) -> tuple[Fraction, Fraction]:
    """Accuracy by groundedness and by majority, with ties as shares."""
    grounded, majority = Fraction(0), Fraction(0)
    for right, scores, votes in zip(correct, groundedness, labels, strict=True):
        values = [-1.0 if np.isnan(score) else score for score in scores]
        best = [i for i, value in enumerate(values) if value == max(values)]
        grounded += Fraction(sum(int(right[i]) for i in best), len(best))
        counts = [0 if vote < 0 else list(votes).count(vote) for vote in votes]
        first = [i for i, count in enumerate(counts) if count == max(counts)]
        majority += Fraction(sum(int(right[i]) for i in first), len(first))
    return grounded / len(correct), majority / len(correct)


@given(st.integers(0, 2**32), st.integers(1, 25), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_selections_equal_their_definition(seed: int, items: int, candidates: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(-1, 3, (items, candidates))
    correct = (labels == rng.integers(0, 3, (items, 1))).astype(np.float64)
    scores = rng.integers(0, 4, labels.shape) / 3
    scores[rng.random(labels.shape) < 0.2] = np.nan
    figure = best_of_n(correct, scores, labels, correct[:, 0], seed=1, draws=DRAWS)
    grounded, majority = slow_selection(correct, scores, labels)
    assert figure.accuracy["groundedness"].value == pytest.approx(float(grounded))
    assert figure.accuracy["majority"].value == pytest.approx(float(majority))
    assert figure.accuracy["random"].value == pytest.approx(correct.mean())
    assert figure.accuracy["any"].value == pytest.approx(correct.max(axis=1).mean())
    assert figure.differences["majority"].difference.value == pytest.approx(
        float(grounded - majority)
    )
    assert figure.undefined == np.isnan(scores).all(axis=1).sum()


def planted(seed: int, gap: float) -> SelectionFigures:
    """Five candidates right with 0.4 each; right ones are more grounded by `gap`."""
    rng = np.random.default_rng(seed)
    correct = (rng.random((400, 5)) < 0.4).astype(np.float64)
    scores = np.clip(rng.random((400, 5)) * (1 - gap) + gap * correct, 0, 1)
    labels = np.where(correct > 0, 0, rng.integers(1, 6, correct.shape))
    greedy = (rng.random(400) < 0.4).astype(np.float64)
    return best_of_n(correct, scores, labels, greedy, seed=1, draws=DRAWS)


def test_groundedness_that_shows_the_truth_reaches_what_any_candidate_reaches() -> None:
    figure = planted(1, gap=0.6)
    assert figure.accuracy["groundedness"].value == figure.accuracy["any"].value
    assert figure.accuracy["any"].value == pytest.approx(1 - 0.6**5, abs=0.03)
    assert figure.differences["greedy"].p_value < 0.001
    assert figure.differences["any"].p_value == 1


def test_groundedness_without_meaning_is_a_random_candidate() -> None:
    values = [planted(seed, gap=0.0) for seed in range(12)]
    mean = float(np.mean([one.accuracy["groundedness"].value for one in values]))
    assert mean == pytest.approx(0.4, abs=0.03)
    assert sum(one.differences["random"].p_value <= 0.05 for one in values) <= 3


def test_ties_do_not_depend_on_the_order_of_candidates() -> None:
    correct = np.array([[1.0, 0.0, 0.0, 0.0]])
    forward = best_of_n(correct, np.ones((1, 4)), [[0, 1, 2, 3]], [1], seed=1)
    reverse = best_of_n(correct[:, ::-1], np.ones((1, 4)), [[3, 2, 1, 0]], [1], seed=1)
    assert forward.accuracy["groundedness"].value == reverse.accuracy["groundedness"].value == 0.25
    assert forward.tied == reverse.tied == 1


def test_few_items_have_no_interval() -> None:
    figure = best_of_n([[1, 0]] * 3, [[1, 0]] * 3, [[0, 1]] * 3, [1] * 3, seed=1)
    assert figure.accuracy["groundedness"].reason == "too_few_clusters"


@pytest.mark.parametrize(
    ("correct", "groundedness"), [([], []), ([1], [1.2]), ([0.5], [1]), ([1, 0], [1])]
)
def test_other_values_are_rejected(correct: list[float], groundedness: list[float]) -> None:
    with pytest.raises(ValueError, match=r"correct|hypothesis"):
        accuracy_by_groundedness(correct, groundedness, seed=1)


def test_arrays_of_other_shapes_are_rejected() -> None:
    with pytest.raises(ValueError, match="hypothesis"):
        accuracy_by_groundedness([[1.0]], [[1.0]], seed=1)
    with pytest.raises(ValueError, match="candidates"):
        best_of_n([[1, 0]], [[1, 0]], [[1]], [1], seed=1)
    with pytest.raises(ValueError, match="correct"):
        best_of_n([[1, 0]], [[1, 0]], [[1, 0]], [0.5], seed=1)
