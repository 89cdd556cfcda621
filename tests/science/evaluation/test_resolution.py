from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from backend.science.evaluation.metrics import FloatArray
from backend.science.evaluation.resolution import count_stable_half_splits, resolution_floor
from tests.science.evaluation.strategies import boards
from tests.science.evaluation.worlds import F1, MEAN, confusion_sums, mean_sums


def test_the_floor_of_means_comes_from_their_paired_variances() -> None:
    values = np.random.default_rng(0).random((4, 120))
    variances = [np.var(a - b, ddof=1) / 120 for a, b in itertools.combinations(values, 2)]
    factor = stats.t.ppf(0.975, 119) + stats.t.ppf(0.8, 119)
    floor = resolution_floor(mean_sums(values), MEAN, np.ones(120))
    assert floor == pytest.approx(factor * np.mean(variances) ** 0.5, rel=1e-9)


def test_before_two_entries_exist_the_floor_is_the_worst_case_of_a_0_1_metric() -> None:
    factor = stats.t.ppf(0.975, 99) + stats.t.ppf(0.8, 99)
    empty = np.empty((0, 100, 2))
    assert resolution_floor(empty, MEAN, np.ones(100)) == pytest.approx(factor / 10)
    one = mean_sums(np.random.default_rng(0).random((1, 100)))
    assert resolution_floor(one, MEAN, np.ones(100)) == pytest.approx(factor / 10)
    sizes = np.array([3.0] * 50 + [1.0] * 50)
    assert resolution_floor(empty, MEAN, sizes) == pytest.approx(factor * 500**0.5 / 200)


def test_the_worst_case_is_that_of_two_entries_of_which_one_is_always_right() -> None:
    first = (np.arange(100) % 2).astype(np.float64)
    floor = resolution_floor(mean_sums(np.stack([first, 1 - first])), MEAN, np.ones(100))
    worst = resolution_floor(np.empty((0, 100, 2)), MEAN, np.ones(100))
    assert floor == pytest.approx(worst, rel=0.01)


def test_a_difference_of_the_floor_is_detected_8_times_in_10() -> None:
    rng = np.random.default_rng(2)
    base = rng.normal(size=(2, 100))
    floor = resolution_floor(mean_sums(base), MEAN, np.ones(100))
    assert floor is not None
    spread = np.std(base[0] - base[1], ddof=1)
    worlds = rng.normal(floor, spread, (2_000, 100))
    assert np.mean(stats.ttest_1samp(worlds, 0, axis=1).pvalue <= 0.05) == pytest.approx(
        0.8, abs=0.03
    )


@settings(max_examples=30, deadline=None)
@given(boards(entries=(2, 5)))
def test_duplicates_and_the_order_of_entries_do_not_move_the_floor(sums: FloatArray) -> None:
    sizes = sums[0, :, 1]
    floor = resolution_floor(sums, MEAN, sizes)
    assert resolution_floor(np.concatenate([sums, sums])[::-1], MEAN, sizes) == pytest.approx(floor)


def test_one_cluster_resolves_nothing() -> None:
    assert resolution_floor(np.ones((2, 3, 2)), MEAN, np.array([5.0, 0, 0])) is None


def naive_stable_splits(sums: FloatArray, seed: int) -> int:
    rng = np.random.default_rng(seed)
    clusters = sums.shape[1]
    first = int(np.argmax([float(F1(entry.sum(axis=0))) for entry in sums]))
    stable = 0
    for _ in range(50):
        order = rng.permutation(clusters)
        leads = True
        for part in (order[: clusters // 2], order[clusters // 2 :]):
            values = [float(F1(entry[part].sum(axis=0))) for entry in sums]
            leads = leads and values[first] == max(values)
        stable += leads
    return stable


@pytest.mark.parametrize("seed", range(3))
def test_half_splits_equal_naive_loops(seed: int) -> None:
    sums = confusion_sums(3, 41, seed)
    stable, splits = count_stable_half_splits(sums, F1, seed=seed)
    assert splits == 50
    assert stable == naive_stable_splits(sums, seed)
    assert 0 < stable < 50


def test_a_clear_leader_leads_all_halves_whichever_direction_is_better() -> None:
    sums = mean_sums(np.repeat([[0.2], [0.9], [0.9], [0.1]], 20, axis=1))
    assert count_stable_half_splits(sums, MEAN, seed=0) == (50, 50)
    lower = count_stable_half_splits(sums, MEAN, seed=0, higher_is_better=False)
    assert lower == (50, 50)


def test_half_splits_need_entries_and_two_clusters() -> None:
    with pytest.raises(ValueError, match="half-splits"):
        count_stable_half_splits(np.ones((0, 5, 2)), MEAN, seed=0)
    assert count_stable_half_splits(np.ones((2, 1, 2)), MEAN, seed=0) == (0, 0)
