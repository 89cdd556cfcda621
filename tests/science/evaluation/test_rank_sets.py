from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from backend.science.evaluation import rank_sets as module
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.metrics import FloatArray, Metric, Ratio
from backend.science.evaluation.rank_sets import RankSets, rank_sets
from tests.science.evaluation.strategies import boards
from tests.science.evaluation.worlds import (
    F1,
    MEAN,
    RANK_BOARDS,
    confusion_sums,
    drawn_clusters,
    mean_sums,
    rank_set_coverage,
)

WORLDS = 200
LEAST_COVERAGE = 0.91  # 95% less 2.6 standard errors of 200 worlds
Pair = tuple[int, int]


def ranked(sums: FloatArray, metric: Metric = MEAN, *, higher_is_better: bool = True) -> RankSets:
    draws = ClusterDraws(sums.shape[1], seed=6, draws=300)
    return rank_sets(sums, metric, draws, higher_is_better=higher_is_better)


def ranges(sets: RankSets) -> list[Pair]:
    return list(zip(sets.best.tolist(), sets.worst.tolist(), strict=True))


def upper_quantile(values: list[float]) -> float:
    return sorted(values)[math.ceil(0.95 * (len(values) - 1))]


def student(z: float, df: int) -> float:
    return float(stats.t.ppf(stats.norm.cdf(z), df) * math.sqrt((df + 1) / df))


def naive_rank_sets(sums: FloatArray, metric: Metric, steps: int = 100) -> list[Pair]:
    """Algorithm 3.2 of Mogstad et al. over all ordered pairs, each step from scratch.

    The critical values are corrected for the number of clusters.
    """
    count, clusters, _ = sums.shape
    picked = drawn_clusters(ClusterDraws(clusters, seed=6, draws=300))
    point = [float(metric(entry.sum(axis=0))) for entry in sums]
    drawn = [[float(metric(entry[sample].sum(axis=0))) for entry in sums] for sample in picked]
    deviations: dict[Pair, list[float]] = {}
    spread: dict[Pair, float] = {}
    better: set[Pair] = set()
    for j, k in itertools.permutations(range(count), 2):
        differences = [values[j] - values[k] for values in drawn]
        spread[j, k] = float(np.std(differences))
        deviations[j, k] = [one - (point[j] - point[k]) for one in differences]
    pairs = {pair for pair in spread if spread[pair] > 1e-12}
    for j, k in spread.keys() - pairs:
        if point[j] - point[k] > 1e-12:
            better.add((j, k))
    contributing = [any(entry[c].any() for entry in sums) for c in range(clusters)]
    df = sum(contributing) - 1
    for _ in range(steps):
        if not pairs:
            break
        maxima = [max(deviations[pair][b] / spread[pair] for pair in pairs) for b in range(300)]
        critical = student(upper_quantile(maxima), df)
        rejected = {(j, k) for j, k in pairs if (point[j] - point[k]) / spread[j, k] > critical}
        if not rejected:
            break
        better |= rejected
        pairs -= rejected
    best = [1 + sum((other, one) in better for other in range(count)) for one in range(count)]
    worst = [count - sum((one, other) in better for other in range(count)) for one in range(count)]
    return list(zip(best, worst, strict=True))


@pytest.mark.parametrize("entries", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rank_sets_equal_the_method_recomputed_naively(entries: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((entries, 80)) < np.linspace(0.3, 0.8, entries)[:, None]
    sums = mean_sums(rng.permutation(right).astype(np.float64))
    result = ranges(ranked(sums))
    assert result == naive_rank_sets(sums, MEAN)
    assert result != [(1, entries)] * entries


def test_rank_sets_of_f1_equal_the_method_recomputed_naively() -> None:
    sums = confusion_sums(5, 80, seed=4)
    sums[1, :, 1] += 1
    sums[3, :, 0] = np.minimum(sums[3, :, 0], 1)
    result = ranges(ranked(sums, F1))
    assert result == naive_rank_sets(sums, F1)
    assert result != [(1, 5)] * 5


@settings(max_examples=20, deadline=None)
@given(boards(entries=(3, 5)))
def test_random_boards_equal_the_method_recomputed_naively(sums: FloatArray) -> None:
    assert ranges(ranked(sums)) == naive_rank_sets(sums, MEAN)


def test_later_steps_separate_entries_that_the_first_does_not() -> None:
    rng = np.random.default_rng(1)
    right = rng.random((5, 80)) < np.array([[0.9], [0.55], [0.45], [0.3], [0.2]])
    sums = mean_sums(right.astype(np.float64))
    assert naive_rank_sets(sums, MEAN, steps=1)[3:] == [(3, 5), (4, 5)]
    assert ranges(ranked(sums))[3:] == naive_rank_sets(sums, MEAN)[3:] == [(3, 4), (5, 5)]


def test_entries_without_variance_between_them_are_ordered_by_sign() -> None:
    values = np.random.default_rng(1).random(60)
    sums = mean_sums(np.stack([values, values + 1e-3, values, values - 1e-3]))
    sets = ranked(sums)
    assert ranges(sets) == [(2, 3), (1, 1), (2, 3), (4, 4)]
    assert sets.order.tolist() == [1, 0, 2, 3]
    assert sets.separated.tolist() == [True, False, True]
    assert sets.separated_share == pytest.approx(2 / 3)


def test_constant_entries_are_ordered_and_equal_ones_tie() -> None:
    sums = mean_sums(np.repeat([[0.0], [1.0], [0.0]], 60, axis=1))
    assert ranges(ranked(sums)) == [(2, 3), (1, 1), (2, 3)]


def test_where_lower_is_better_the_ranks_are_reversed() -> None:
    sums = mean_sums(np.random.default_rng(1).random((4, 60)) + np.arange(4)[:, None] / 3)
    up, down = ranked(sums), ranked(sums, higher_is_better=False)
    assert ranges(down) == [(5 - worst, 5 - best) for best, worst in ranges(up)]
    assert ranges(up)[3][0] == 1 and ranges(down)[0][0] == 1


@settings(max_examples=30, deadline=None)
@given(boards(entries=(2, 6)), st.data())
def test_permuting_the_entries_permutes_their_ranks(sums: FloatArray, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(sums))))
    there, back = ranges(ranked(sums)), ranges(ranked(sums[list(order)]))
    assert [there[one] for one in order] == back


@settings(max_examples=30, deadline=None)
@given(boards(entries=(2, 5)), st.sampled_from([0.25, 2, 1024]))
def test_scaling_the_metric_changes_no_rank(sums: FloatArray, scale: float) -> None:
    unbounded = Ratio((1, 0), (0, 1), bounded=False)
    assert ranges(ranked(sums)) == ranges(ranked(sums * [scale, 1], unbounded))


@settings(max_examples=30, deadline=None)
@given(boards(entries=(1, 5)))
def test_duplicates_have_the_same_ranks(sums: FloatArray) -> None:
    result = ranges(ranked(np.concatenate([sums, sums])))
    assert result[: len(sums)] == result[len(sums) :]
    assert all(best < worst for best, worst in result)


@settings(max_examples=30, deadline=None)
@given(boards(entries=(1, 6), clusters=(1, 70)))
def test_ranks_hold_the_place_in_the_order_of_values(sums: FloatArray) -> None:
    sets = ranked(sums)
    places = np.empty(len(sums))
    places[sets.order] = np.arange(1, len(sums) + 1)
    assert (sets.best <= places).all() and (places <= sets.worst).all()


def test_the_same_seed_gives_the_same_ranks_and_one_entry_is_first() -> None:
    sums = confusion_sums(5, 60, seed=4)
    assert ranges(ranked(sums, F1)) == ranges(ranked(sums.copy(), F1))
    only = ranked(sums[:1], F1)
    assert (ranges(only), only.separated_share) == ([(1, 1)], None)
    assert ranges(ranked(sums[:0], F1)) == []


def test_fewer_than_five_clusters_exclude_no_rank() -> None:
    sums = mean_sums(np.array([[1.0] * 4, [0.0] * 4]))
    assert ranges(ranked(sums)) == [(1, 2), (1, 2)]


def board_of(truth: FloatArray, clusters: int, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    return mean_sums((rng.random((len(truth), clusters)) < truth[:, None]).astype(np.float64))


def test_above_300_entries_one_range_of_deviations_decides() -> None:
    sums = board_of(np.linspace(0.2, 0.8, 301), 100, seed=2)
    picked = drawn_clusters(ClusterDraws(100, seed=6, draws=300))
    point = sums[:, :, 0].mean(axis=1)
    drawn = np.stack([sums[:, sample, 0].mean(axis=1) - point for sample in picked])
    critical = upper_quantile((drawn.max(axis=1) - drawn.min(axis=1)).tolist())
    z = stats.norm.ppf(1 - 0.05 / (301 * 300))
    critical *= student(z, 99) / z
    expected = [
        (1 + int((point - one > critical).sum()), 301 - int((one - point > critical).sum()))
        for one in point
    ]
    sets = ranked(sums)
    assert ranges(sets) == expected
    assert (sets.best > 1).any()
    ordered = point[sets.order]
    assert sets.separated.tolist() == [bool(gap > critical) for gap in ordered[:-1] - ordered[1:]]


def test_the_ranks_of_many_entries_are_reversed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STUDENTISED", 2)
    sums = board_of(np.array([0.1, 0.5, 0.5, 0.9]), 100, seed=3)
    assert ranges(ranked(sums)) == [(4, 4), (2, 3), (2, 3), (1, 1)]
    assert ranges(ranked(sums, higher_is_better=False)) == [(1, 1), (2, 3), (2, 3), (4, 4)]


@pytest.mark.parametrize("name", RANK_BOARDS)
def test_all_rank_sets_hold_together_about_95_percent_of_the_time(name: str) -> None:
    covered = rank_set_coverage(RANK_BOARDS[name], WORLDS, seed=20_261_122, draws=1_000)
    assert covered >= LEAST_COVERAGE


@pytest.mark.parametrize("clusters", [10, 30])
def test_rank_sets_over_few_clusters_hold_together_about_as_often(clusters: int) -> None:
    equal = RANK_BOARDS["ten equal entries"]
    assert rank_set_coverage(equal, WORLDS, seed=3, draws=500, items=clusters) >= LEAST_COVERAGE


def test_rank_sets_of_a_large_board_hold_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STUDENTISED", 2)
    covered = rank_set_coverage(RANK_BOARDS["pairs a step apart"], WORLDS, seed=7, draws=1_000)
    assert covered >= LEAST_COVERAGE
