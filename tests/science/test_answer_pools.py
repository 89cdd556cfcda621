"""The pool, its order and its bounds against a slow oracle, ir-measures and known truth."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import Judged, Qrel, ScoredDoc

from backend.science.answer_pools import (
    LARGEST_CHANCE,
    MAX_DEPTH,
    NO_ANSWER,
    UNRANKED,
    answer_chances,
    favourable_verdicts,
    judged_shares,
    pool_answers,
)
from backend.science.judging_order import order_judging
from tests.science.pooling_worlds import (
    ENTRIES,
    IntArray,
    MicroF1,
    PoolingRun,
    PoolingWorld,
    run_world,
)
from tests.thorough import IS_THOROUGH

RUNS = 100 if IS_THOROUGH else 25
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


def test_chances_fall_with_the_rank_and_rise_with_the_entries_that_have_the_answer() -> None:
    lists = np.array([[[0, 1, 2]], [[0, 3, 2]], [[4, 0, 2]]])
    none = np.zeros((0, 2), dtype=np.int64)
    pool = pool_answers(lists, none)
    by_answer = dict(zip(pool.answers.tolist(), answer_chances(pool, pool, none), strict=True))
    assert by_answer[0] > by_answer[4] >= by_answer[1] == by_answer[3]
    assert all(0 < chance < 1 for chance in by_answer.values())


@pytest.mark.parametrize("labelled", [0.05, 0.3, 1.0])
def test_chances_are_the_shares_of_true_answers_however_few_are_labelled(labelled: float) -> None:
    """Of answers that six entries agree on nine in ten are true, of those of one entry a tenth."""
    rng = np.random.default_rng(1)
    lists = np.full((6, 8_000, 1), NO_ANSWER)
    lists[:, :4_000, 0], lists[0, 4_000:, 0] = 0, 0
    is_true = rng.random(8_000) < np.where(np.arange(8_000) < 4_000, 0.9, 0.1)
    is_known = is_true & (rng.random(8_000) < labelled)
    labels = np.column_stack([np.flatnonzero(is_known), np.zeros(is_known.sum(), dtype=np.int64)])
    listed = pool_answers(lists, labels[:0])
    chances = answer_chances(listed, listed, labels)
    agreed, single = chances[:4_000], chances[4_000:]
    assert agreed == pytest.approx(LARGEST_CHANCE, abs=0.05)
    assert single == pytest.approx(np.full(4_000, 0.11), abs=0.03)


def test_a_pool_beyond_its_depth_is_refused() -> None:
    lists = np.zeros((1, 1, MAX_DEPTH + 1), dtype=np.int64)
    with pytest.raises(ValueError, match="at most"):
        pool_answers(lists, np.zeros((0, 2), dtype=np.int64))


def test_an_empty_pool_has_an_empty_order() -> None:
    lists = np.full((2, 3, 2), NO_ANSWER)
    pool = pool_answers(lists, np.zeros((0, 2), dtype=np.int64))
    chances = answer_chances(pool, pool, np.zeros((0, 2), dtype=np.int64))
    judging = order_judging(pool, np.zeros((0, 2)), chances, np.zeros(2))
    assert judging.order.tolist() == judging.effects.tolist() == []


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
    return [run_world(seed, MicroF1()) for seed in range(RUNS)]


def test_verdicts_in_the_order_of_effect_bring_the_board_nearer_to_the_truth_than_random_ones(
    runs: list[PoolingRun],
) -> None:
    """`make bench` counts a hundred others."""
    assert sum(one.is_nearer for one in runs) >= 0.95 * RUNS


def test_so_they_do_where_the_metric_is_no_mean_over_items(runs_of_f1: list[PoolingRun]) -> None:
    assert sum(one.is_nearer for one in runs_of_f1) >= 0.95 * RUNS


def test_the_bounds_of_no_world_leave_out_what_all_verdicts_lead_to(
    runs: list[PoolingRun], runs_of_f1: list[PoolingRun]
) -> None:
    assert [one.outside for one in (*runs, *runs_of_f1)] == [0] * 2 * RUNS


@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold_the_truth_before_and_after_judging(seed: int) -> None:
    world = PoolingWorld.draw(seed)
    true = world.true_board()
    for verdicts in (0, 300):
        pool = world.pool()
        judged = world.judge(pool, world.order(pool).order[:verdicts])
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
