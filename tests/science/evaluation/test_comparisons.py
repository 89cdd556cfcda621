from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from backend.science.evaluation.comparisons import Comparison, adjust_by_holm, compare_entries
from backend.science.evaluation.draws import BoardSums, ClusterDraws, drawn_values
from backend.science.evaluation.metrics import FloatArray, Metric
from tests.science.evaluation.strategies import boards
from tests.science.evaluation.worlds import F1, MEAN, confusion_sums, mean_sums


def compared(first: FloatArray, second: FloatArray, metric: Metric, seed: int = 0) -> Comparison:
    draws = ClusterDraws(len(first), seed, draws=400)
    return compare_entries(first[None], second[None], [len(first)], metric, draws)[0]


def naive_exact_p(first: FloatArray, second: FloatArray, metric: Metric) -> float:
    """Share of all exchanges of whole clusters with a difference as large."""
    observed = abs(float(metric(first.sum(axis=0)) - metric(second.sum(axis=0))))
    results = []
    for swaps in itertools.product([False, True], repeat=len(first)):
        mask = np.array(swaps)[:, None]
        one, other = np.where(mask, second, first), np.where(mask, first, second)
        difference = float(metric(one.sum(axis=0)) - metric(other.sum(axis=0)))
        results.append(abs(difference) >= observed - 1e-9)
    return float(np.mean(results))


@pytest.mark.parametrize("seed", range(4))
def test_few_clusters_are_exchanged_in_every_way(seed: int) -> None:
    first, second = confusion_sums(2, 9, seed)
    result = compared(first, second, F1)
    assert result.test == "exact"
    assert result.p_value == pytest.approx(naive_exact_p(first, second, F1), abs=1e-12)


def test_the_exact_test_of_means_equals_scipys_sign_flips() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 12))
    theirs = stats.permutation_test(
        (first, second),
        lambda x, y: np.mean(x) - np.mean(y),
        permutation_type="samples",
        n_resamples=10**6,
    )
    result = compared(mean_sums(first), mean_sums(second), MEAN)
    assert (result.test, result.differing_clusters) == ("exact", 12)
    assert result.p_value == pytest.approx(theirs.pvalue, abs=1e-12)


def test_only_clusters_that_differ_count_towards_the_exact_limit() -> None:
    first, second = confusion_sums(2, 10, seed=5)
    same = confusion_sums(1, 90, seed=6)[0]
    result = compared(np.concatenate([first, same]), np.concatenate([second, same]), F1)
    assert result.test == "exact" and result.differing_clusters <= 10


def test_many_clusters_are_sampled_close_to_the_exact_share() -> None:
    rng = np.random.default_rng(1)
    first = rng.integers(0, 6, 18).astype(np.float64)
    second = np.clip(first + rng.choice([-2, -1, 1, 1, 2], 18), 0, None)
    theirs = stats.permutation_test(
        (first, second),
        lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis),
        permutation_type="samples",
        n_resamples=10**6,
        vectorized=True,
    )
    result = compared(mean_sums(first), mean_sums(second), MEAN)
    assert result.test == "sampled"
    assert result.p_value == pytest.approx(theirs.pvalue, abs=0.015)


def test_a_sampled_p_value_is_never_zero() -> None:
    values = np.random.default_rng(0).random(200)
    result = compared(mean_sums(values + 5), mean_sums(values), MEAN)
    assert result.p_value == 1 / 20_001


@pytest.mark.parametrize(("gains", "losses"), [(1, 0), (9, 2), (30, 30), (400, 330)])
def test_a_0_1_metric_without_clusters_has_mcnemars_exact_test(gains: int, losses: int) -> None:
    first, second = np.zeros((2, 1_000))
    first[:gains], second[gains : gains + losses] = 1, 1
    result = compared(mean_sums(first), mean_sums(second), MEAN)
    theirs = stats.binomtest(gains, gains + losses).pvalue
    assert result.test == "mcnemar"
    assert result.p_value == pytest.approx(theirs, rel=1e-9)
    if gains + losses < 12:
        few = np.stack([first, second])[:, : gains + losses]
        naive = naive_exact_p(mean_sums(few[0]), mean_sums(few[1]), MEAN)
        assert result.p_value == pytest.approx(naive, abs=1e-12)


@pytest.mark.parametrize(("both", "gains", "losses"), [(133, 27, 10), (110, 30, 12)])
def test_220_items_differ_by_the_paired_test_alone(both: int, gains: int, losses: int) -> None:
    """lm-evaluation-harness's pull request 3868 states p = 0.080 unpaired and 0.008 paired.

    It does not state the counts: of the accuracies between 0.5 and 0.8, these have both values.
    """
    first, second = np.zeros((2, 220))
    first[: both + gains], second[:both], second[-losses:] = 1, 1, 1
    result = compared(mean_sums(first), mean_sums(second), MEAN)
    error = np.hypot(stats.sem(first), stats.sem(second))
    unpaired = 2 * stats.norm.sf((first.mean() - second.mean()) / error)
    assert (round(unpaired, 3), round(result.p_value, 3)) == (0.080, 0.008)
    assert (result.test, result.differing_clusters) == ("mcnemar", gains + losses)


@pytest.mark.parametrize("metric", [MEAN, F1])
def test_equal_entries_have_no_difference_and_p_1(metric: Metric) -> None:
    sums = mean_sums(np.random.default_rng(0).random(60))
    sums = np.concatenate([sums, sums], axis=1) if metric is F1 else sums
    result = compared(sums, sums.copy(), metric)
    assert (result.difference.low, result.difference.value, result.difference.high) == (0, 0, 0)
    assert (result.p_value, result.differing_clusters) == (1.0, 0)


def test_the_interval_of_the_difference_comes_from_the_common_draws() -> None:
    first, second = confusion_sums(2, 90, seed=2)
    draws = ClusterDraws(90, seed=0, draws=400)
    one, other = drawn_values(BoardSums.of(np.stack([first, second])), [F1], draws)[0]
    result = compared(first, second, F1)
    bounds = (result.difference.low, result.difference.high)
    assert bounds == pytest.approx(tuple(np.quantile(one - other, [0.025, 0.975])), abs=1e-14)


@settings(max_examples=30, deadline=None)
@given(boards(entries=(2, 2), clusters=(5, 70)))
def test_exchanging_the_entries_negates_the_difference_and_nothing_else(sums: FloatArray) -> None:
    there, back = compared(sums[0], sums[1], MEAN), compared(sums[1], sums[0], MEAN)
    assert there.difference.value == -back.difference.value
    assert there.p_value == back.p_value
    if there.difference.low is not None and back.difference.high is not None:
        assert there.difference.low == pytest.approx(-back.difference.high, abs=1e-12)


def test_slices_are_compared_with_the_same_draws_as_alone() -> None:
    first, second = confusion_sums(2, 60, seed=1), confusion_sums(2, 60, seed=2)
    draws = ClusterDraws(60, seed=3, draws=300)
    together = compare_entries(first, second, [5, 6], F1, draws)
    alone = [
        compare_entries(first[one : one + 1], second[one : one + 1], [5 + one], F1, draws)[0]
        for one in range(2)
    ]
    assert together == alone


def test_entries_of_other_clusters_are_rejected() -> None:
    with pytest.raises(ValueError, match="same clusters"):
        compared(np.ones((6, 2)), np.ones((7, 2)), MEAN)


def test_the_test_rejects_equal_entries_about_5_percent_of_the_time() -> None:
    rng = np.random.default_rng(11)
    p_values = [
        compared(mean_sums(first), mean_sums(second), MEAN).p_value
        for first, second in rng.normal(size=(200, 2, 12))
    ]
    assert 0.01 <= np.mean(np.array(p_values) <= 0.05) <= 0.095


def test_holm_of_a_hand_case() -> None:
    assert adjust_by_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_by_holm([]) == []
    with_ones = adjust_by_holm([0.01, 0.04, 0.03, 0.005, 1, 1, 1])
    assert adjust_by_holm([0.01, 0.04, 0.03, 0.005], 7) == with_ones[:4]
    with pytest.raises(ValueError, match="all of its tests"):
        adjust_by_holm([0.5, 0.5], 1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_equals_its_definition(p_values: list[float]) -> None:
    ordered = sorted(p_values)
    for p_value, adjusted in zip(p_values, adjust_by_holm(p_values), strict=True):
        candidates = [(len(ordered) - i) * p for i, p in enumerate(ordered) if p <= p_value]
        assert adjusted == pytest.approx(min(1.0, max(candidates)), abs=1e-12)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_holm_rejects_what_is_no_probability(value: float) -> None:
    with pytest.raises(ValueError, match="p-values"):
        adjust_by_holm([0.5, value])
