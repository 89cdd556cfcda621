"""The pool, its order and its bounds against a slow oracle, ir-measures and known truth."""

from __future__ import annotations

from itertools import combinations
from math import exp, pi, sqrt

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Judged, Qrel, ScoredDoc
from scipy.stats import binom

from backend.science.answer_pools import (
    MAX_DEPTH,
    NO_ANSWER,
    UNRANKED,
    AnswerPool,
    answer_chances,
    depth_order,
    favourable_verdicts,
    judged_shares,
    judging_effects,
    judging_order,
    pool_answers,
)
from tests.science.pooling_worlds import (
    ENTRIES,
    IntArray,
    MicroF1,
    PoolingRun,
    PoolingWorld,
    run_world,
)

RUNS, RUNS_OF_F1 = 100, 25
ANSWERS = 6


@st.composite
def ranked_lists(draw: st.DrawFn) -> IntArray:
    """Of entries for items, without repetitions, some of them short or empty."""
    entries, items = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    depth = draw(st.integers(1, 4))
    one = st.lists(st.integers(0, ANSWERS - 1), max_size=depth, unique=True)
    rows = draw(st.lists(one, min_size=entries * items, max_size=entries * items))
    padded = [row + [NO_ANSWER] * (depth - len(row)) for row in rows]
    return np.array(padded, dtype=np.int64).reshape(entries, items, depth)


@st.composite
def label_sets(draw: st.DrawFn) -> IntArray:
    pairs = st.tuples(st.integers(0, 3), st.integers(0, ANSWERS - 1))
    return np.array(sorted(draw(st.sets(pairs))), dtype=np.int64).reshape(-1, 2)


def slow_pool(lists: IntArray, labels: IntArray) -> dict[tuple[int, int], list[int]]:
    known = set(map(tuple, labels.tolist()))
    ranks: dict[tuple[int, int], list[int]] = {}
    for entry, per_item in enumerate(lists.tolist()):
        for item, row in enumerate(per_item):
            for rank, answer in enumerate(row):
                if answer == NO_ANSWER or (item, answer) in known:
                    continue
                row_of = ranks.setdefault((item, answer), [UNRANKED] * len(lists))
                if row_of[entry] == UNRANKED:
                    row_of[entry] = rank
    return dict(sorted(ranks.items()))


@given(ranked_lists(), label_sets())
def test_a_pool_is_every_listed_answer_without_a_label(lists: IntArray, labels: IntArray) -> None:
    pool = pool_answers(lists, labels)
    keys = zip(pool.items.tolist(), pool.answers.tolist(), strict=True)
    fast = dict(zip(keys, pool.ranks.tolist(), strict=True))
    assert fast == slow_pool(lists, labels)
    assert list(fast) == sorted(fast)


def test_a_repeated_answer_has_its_first_rank() -> None:
    lists = np.array([[[4, 2, 4, 2]]])
    pool = pool_answers(lists, np.zeros((0, 2), dtype=np.int64))
    assert pool.answers.tolist() == [2, 4]
    assert pool.ranks.tolist() == [[1], [0]]


@given(ranked_lists(), label_sets())
def test_judged_shares_are_those_of_ir_measures(lists: IntArray, labels: IntArray) -> None:
    depth = lists.shape[2]
    judged = [Qrel(f"{item}", f"{answer}", answer % 2) for item, answer in labels.tolist()]
    for entry, share in enumerate(judged_shares(lists, labels)):
        run = [
            ScoredDoc(f"{item}", f"{answer}", float(depth - rank))
            for item, row in enumerate(lists[entry].tolist())
            for rank, answer in enumerate(row)
            if answer != NO_ANSWER
        ]
        if not run:
            assert np.isnan(share)
            continue
        # ir-measures leaves items without any label out; here they count as 0.
        listed = {one.query_id for one in run}
        unlabelled = [Qrel(item, "no answer of the run", 0) for item in listed]
        values = ir_measures.iter_calc([Judged @ depth], [*judged, *unlabelled], run)
        peers = [one.value for one in values if one.query_id in listed]
        assert share == pytest.approx(sum(peers) / len(listed))


def slow_effects(
    gains: list[list[float]], chances: list[float], values: list[float]
) -> list[float]:
    effects = [0.0] * len(chances)
    for one, other in combinations(range(len(values)), 2):
        mean, variance = values[one] - values[other], 0.0
        for row, chance in zip(gains, chances, strict=True):
            mean += chance * (row[one] - row[other])
            variance += chance * (1 - chance) * (row[one] - row[other]) ** 2
        if variance <= 1e-24:
            continue
        density = exp(-(mean**2) / (2 * variance)) / sqrt(2 * pi * variance)
        for at, (row, chance) in enumerate(zip(gains, chances, strict=True)):
            effects[at] += chance * abs(row[one] - row[other]) * density
    return effects


@given(st.integers(0, 10_000), st.integers(0, 5), st.integers(1, 4))
def test_effects_are_those_of_the_slow_sum(seed: int, answers: int, entries: int) -> None:
    rng = np.random.default_rng(seed)
    gains = rng.choice([0.0, 0.1, 0.25], size=(answers, entries))
    chances, values = rng.uniform(0.01, 0.99, answers), rng.uniform(size=entries)
    fast = judging_effects(gains, chances, values)
    slow = slow_effects(gains.tolist(), chances.tolist(), values.tolist())
    assert fast.tolist() == pytest.approx(slow)


def test_an_answer_that_all_entries_gain_by_has_no_effect() -> None:
    gains = np.array([[0.2, 0.2, 0.2], [0.2, 0.0, 0.0]])
    effects = judging_effects(gains, np.array([0.5, 0.5]), np.array([0.3, 0.3, 0.3]))
    assert effects[0] == 0
    assert effects[1] > 0


def test_an_answer_that_separates_level_entries_comes_before_one_of_distant_entries() -> None:
    gains = np.array([[0.02, 0.0, 0.0], [0.0, 0.0, 0.02]])
    effects = judging_effects(gains, np.array([0.5, 0.5]), np.array([0.5, 0.5, 0.1]))
    assert effects[0] > effects[1]


def test_chances_fall_with_the_rank_and_rise_with_the_entries_that_have_the_answer() -> None:
    lists = np.array([[[0, 1, 2]], [[0, 3, 2]], [[4, 0, 2]]])
    none = np.zeros((0, 2), dtype=np.int64)
    pool = pool_answers(lists, none)
    by_answer = dict(zip(pool.answers.tolist(), answer_chances(pool, lists, none), strict=True))
    assert by_answer[0] > by_answer[4] >= by_answer[1] == by_answer[3]
    assert all(0 < chance < 1 for chance in by_answer.values())


def test_of_equal_effects_the_best_rank_and_then_most_entries_come_first() -> None:
    ranks = np.array([[2, UNRANKED], [0, UNRANKED], [0, 1]], dtype=np.int8)
    pool = AnswerPool(np.arange(3), np.arange(3), ranks)
    assert judging_order(pool, np.zeros(3)).tolist() == [2, 1, 0]
    assert judging_order(pool, np.array([1.0, 0.0, 0.0])).tolist() == [0, 2, 1]
    assert depth_order(pool).tolist() == [2, 1, 0]


def test_a_pool_beyond_its_depth_is_refused() -> None:
    lists = np.zeros((1, 1, MAX_DEPTH + 1), dtype=np.int64)
    with pytest.raises(ValueError, match="at most"):
        pool_answers(lists, np.zeros((0, 2), dtype=np.int64))


def test_an_empty_pool_has_an_empty_order() -> None:
    lists = np.full((2, 3, 2), NO_ANSWER)
    pool = pool_answers(lists, np.zeros((0, 2), dtype=np.int64))
    chances = answer_chances(pool, lists, np.zeros((0, 2), dtype=np.int64))
    effects = judging_effects(np.zeros((0, 2)), chances, np.zeros(2))
    assert judging_order(pool, effects).tolist() == []


def listed_pairs(lists: IntArray) -> IntArray:
    pairs = [
        (item, answer)
        for item, row in enumerate(lists.tolist())
        for answer in row
        if answer != NO_ANSWER
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@given(ranked_lists(), label_sets(), st.integers(1, 4))
def test_each_pooled_answer_is_true_in_one_of_the_two_bounds(
    lists: IntArray, labels: IntArray, depth: int
) -> None:
    pool = pool_answers(lists[:, :, :depth], labels)
    keys = list(zip(pool.items.tolist(), pool.answers.tolist(), strict=True))
    for entry in lists:
        high, low = favourable_verdicts(pool, listed_pairs(entry))
        assert (high ^ low).all()
        assert high.tolist() == [answer in entry[item].tolist() for item, answer in keys]


@pytest.fixture(scope="module")
def runs() -> list[PoolingRun]:
    return [run_world(seed) for seed in range(RUNS)]


@pytest.fixture(scope="module")
def runs_of_f1() -> list[PoolingRun]:
    return [run_world(seed, MicroF1()) for seed in range(RUNS_OF_F1)]


def test_verdicts_in_the_order_of_effect_bring_the_board_nearer_to_the_truth_than_random_ones(
    runs: list[PoolingRun],
) -> None:
    """`make bench` counts a hundred others."""
    assert sum(one.is_nearer for one in runs) >= 0.95 * RUNS


def test_so_they_do_where_the_metric_is_no_mean_over_items(runs_of_f1: list[PoolingRun]) -> None:
    """At a rate of 95 %, fewer come with a chance of less than 1 in 100; `make bench` runs 100."""
    least = int(binom.ppf(0.01, RUNS_OF_F1, 0.95))
    assert sum(one.is_nearer for one in runs_of_f1) >= least == 21


def test_the_bounds_of_no_world_leave_out_what_all_verdicts_lead_to(
    runs: list[PoolingRun], runs_of_f1: list[PoolingRun]
) -> None:
    assert [one.outside for one in (*runs, *runs_of_f1)] == [0] * (RUNS + RUNS_OF_F1)


@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold_the_truth_before_and_after_judging(seed: int) -> None:
    world = PoolingWorld.draw(seed)
    true = world.true_board()
    for verdicts in (0, 300):
        pool = world.pool()
        judged = world.judge(pool, world.order(pool)[:verdicts])
        left = judged.pool()
        for entry in range(ENTRIES):
            low, high = judged.bounds(left, entry)
            assert low <= true[entry] <= high


@pytest.mark.parametrize("depth", [1, 2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_bounds_hold_where_entries_list_more_than_is_pooled(seed: int, depth: int) -> None:
    world = PoolingWorld.draw(seed)
    pool = world.pool(depth)
    before, settled = world.board(), world.settle(pool)
    for entry in range(ENTRIES):
        low, high = world.bounds(pool, entry)
        assert low <= before[entry] <= high
        assert low <= settled[entry] <= high
