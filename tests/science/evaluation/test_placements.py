"""AUC and average precision as sums of components, beside scikit-learn and slow definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.metrics import roc_curve as peer_roc_curve

from backend.science.evaluation.metrics import BoolArray, FloatArray
from backend.science.evaluation.placements import (
    auc_components,
    matched_auc_components,
    precision_components,
    ranks_within,
    roc_curve,
)

World = tuple[FloatArray, BoolArray]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Scores with many ties, of at least one positive and one negative."""
    rows = draw(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), max_size=30))
    rows += [(draw(st.integers(-3, 3)), True), (draw(st.integers(-3, 3)), False)]
    scores, labels = zip(*rows, strict=True)
    return np.array(scores, dtype=np.float64), np.array(labels, dtype=np.bool_)


def slow_auc(scores: FloatArray, labels: BoolArray, tie: float) -> float:
    pairs = [(one, other) for one in scores[labels] for other in scores[~labels]]
    return sum(1 if one > other else tie * (one == other) for one, other in pairs) / len(pairs)


@given(worlds())
def test_components_of_auc_sum_to_that_of_scikit_learn(world: World) -> None:
    scores, labels = world
    value = auc_components(scores, labels, tie=0.5).sum() / labels.sum()
    assert value == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)
    strict = auc_components(scores, labels, tie=0).sum() / labels.sum()
    assert strict == pytest.approx(slow_auc(scores, labels, 0), abs=1e-12)


@given(worlds())
def test_components_of_average_precision_sum_to_that_of_scikit_learn(world: World) -> None:
    scores, labels = world
    value = precision_components(scores, labels).sum() / labels.sum()
    assert value == pytest.approx(average_precision_score(labels, scores), abs=1e-12)


@given(worlds())
def test_only_the_order_of_scores_counts(world: World) -> None:
    scores, labels = world
    moved = np.exp(scores) - 7
    for tie in (0, 0.5):
        assert (
            auc_components(scores, labels, tie=tie) == auc_components(moved, labels, tie=tie)
        ).all()
    assert (precision_components(scores, labels) == precision_components(moved, labels)).all()


@given(worlds(), st.integers(0, 31))
def test_a_component_is_the_derivative_by_the_weight_of_its_item(world: World, place: int) -> None:
    scores, labels = world
    at = place % len(scores)
    repeats = np.ones(len(scores), dtype=np.int64) * 2_000
    repeats[at] += 1  # the item counts 0.05 % more than others

    def change(measure: str) -> float:
        weights = repeats / 2_000
        if measure == "auc":
            more = roc_auc_score(labels, scores, sample_weight=weights)
            less = roc_auc_score(labels, scores)
        else:
            more = average_precision_score(labels, scores, sample_weight=weights)
            less = average_precision_score(labels, scores)
        return float((more * weights[labels].sum() - less * labels.sum()) * 2_000)

    auc = auc_components(scores, labels, tie=0.5)
    assert auc[at] == pytest.approx(change("auc"), abs=0.05)
    precision = precision_components(scores, labels)
    assert precision[at] == pytest.approx(change("precision"), abs=0.05)


@given(worlds(), st.data())
def test_matched_auc_is_the_mean_over_positives_of_their_stratum(
    world: World, data: st.DataObject
) -> None:
    scores, labels = world
    count = len(scores)
    strata = np.array(data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)))
    shares = []
    for one in np.flatnonzero(labels):
        others = scores[~labels & (strata == strata[one])]
        if len(others):
            shares.append(np.mean((others < scores[one]) + 0.5 * (others == scores[one])))
    components, counted = matched_auc_components(scores, labels, strata)
    assert counted.sum() == len(shares)
    assert components.sum() == pytest.approx(sum(shares), abs=1e-12)


def test_a_stratum_for_every_value_leaves_nothing_to_that_value() -> None:
    draw = np.random.default_rng(3)
    products, labels = draw.integers(0, 6, 400), draw.random(400) < 0.2
    components, counted = matched_auc_components(products.astype(float), labels, products)
    assert components.sum() / counted.sum() == 0.5


@pytest.mark.parametrize("tie", [0, 0.5])
def test_without_a_positive_or_a_negative_all_components_are_zero(tie: float) -> None:
    scores = np.array([1.0, 2.0])
    for labels in (np.zeros(2, dtype=np.bool_), np.ones(2, dtype=np.bool_)):
        assert not auc_components(scores, labels, tie=tie).any()


def test_resampled_sums_have_the_variance_of_resampled_scores() -> None:
    draw = np.random.default_rng(5)
    labels = np.repeat([True, False], [150, 1_500])
    scores = draw.normal(labels * 0.8, 1)
    components = auc_components(scores, labels, tie=0.5)
    exact, linear = [], []
    for _ in range(600):
        drawn = draw.integers(0, len(scores), len(scores))
        exact.append(roc_auc_score(labels[drawn], scores[drawn]))
        linear.append(components[drawn].sum() / labels[drawn].sum())
    assert np.std(linear) == pytest.approx(np.std(exact), rel=0.05)
    assert np.corrcoef(exact, linear)[0, 1] > 0.99


def test_ranks_are_among_the_negatives_of_the_group() -> None:
    scores = np.array([2.0, 3, 2, 1, 0, 5, 5, 5])
    labels = np.array([True, False, False, False, True, False, True, False])
    groups = np.array([0, 0, 0, 0, 1, 1, 2, 2])
    assert ranks_within(scores, labels, groups).tolist() == [2.5, 0, 0, 0, 2, 0, 1.5, 0]


@given(worlds())
def test_a_roc_curve_is_that_of_scikit_learn_and_its_area_the_auc(world: World) -> None:
    scores, labels = world
    x, y = roc_curve(scores, labels, most=1_000)
    expected_x, expected_y, _ = peer_roc_curve(labels, scores, drop_intermediate=False)
    assert x == pytest.approx(expected_x, abs=1e-12)
    assert y == pytest.approx(expected_y, abs=1e-12)
    assert np.trapezoid(y, x) == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)


@given(st.integers(0, 2**31), st.integers(2, 60))
def test_a_thinned_roc_curve_has_points_of_the_whole_one_from_end_to_end(
    seed: int, most: int
) -> None:
    draw = np.random.default_rng(seed)
    labels = draw.random(500) < draw.choice([0.02, 0.5, 0.98])
    labels[:2] = True, False
    scores = draw.normal(size=500) + labels * draw.choice([0, 2, 20])
    whole = {*zip(*map(np.ndarray.tolist, roc_curve(scores, labels, most=501)), strict=True)}
    x, y = roc_curve(scores, labels, most=most)
    assert 2 <= len(x) <= most
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert {*zip(x.tolist(), y.tolist(), strict=True)} <= whole
    widest = 2 / (most - 1) + 1 / min(labels.sum(), (~labels).sum())
    assert (np.diff(x + y) <= widest + 1e-9).all()


@pytest.mark.parametrize(("labels", "most"), [([True, True], 9), ([False], 9), ([True, False], 1)])
def test_a_roc_curve_needs_both_kinds_and_two_points(labels: list[bool], most: int) -> None:
    with pytest.raises(ValueError, match="needs positives, negatives and two points"):
        roc_curve(np.zeros(len(labels)), np.array(labels), most=most)
