"""The best partition: exact, greedy, stopped; ties; errors of S; winners on a grid."""

from __future__ import annotations

import math
from itertools import combinations
from typing import get_args

import numpy as np
import pytest

from backend.science.rns.bounds import curvature, find_bounds
from backend.science.rns.candidates import Candidates, Longs, Novelty
from backend.science.rns.divergence import Surprises, single_surprises, split_surprises
from backend.science.rns.errors import SizeOutOfRange, TooManySplits, UnknownSplit
from backend.science.rns.grid import weight_grid, winners_on_grid
from backend.science.rns.measures import Weights, candidate_bars, score
from backend.science.rns.search import (
    Known,
    Over,
    best_partition,
    decide,
    neighbours,
    score_splits,
)
from backend.science.rns.splits import all_splits, place_of, serendipity_size
from backend.science.rns.swap_tables import Swaps, mean_row, tables_of
from backend.science.rns.swaps import find_totals
from backend.science.stopping import Stop
from tests.science.rns import oracle
from tests.science.rns.questions import question, weights_drawn

FORMS: tuple[Novelty, ...] = get_args(Novelty)


def brute_force(
    candidates: Candidates, weights: Weights, size: int
) -> tuple[tuple[int, ...], float]:
    """Score every split alone."""
    best: tuple[tuple[int, ...], float] = ((), -math.inf)
    for chosen in combinations(range(candidates.count), size):
        others = [one for one in range(candidates.count) if one not in chosen]
        total = score(candidates, others, chosen, weights).total
        if total > best[1] + 1e-12:
            best = (chosen, total)
    return best


@pytest.mark.parametrize("seed", range(20))
def test_the_exact_search_finds_what_scoring_every_split_finds(seed: int) -> None:
    some, weights = question(3 + seed % 8, seed), weights_drawn(seed)
    for size in range(1, min(4, some.count)):
        found = best_partition(some, weights, size=size)
        chosen, total = brute_force(some, weights, size)
        assert (found.serendipity, found.how) == (chosen, "exact")
        assert found.score.total == pytest.approx(total, abs=1e-12)
        assert found.evaluated == math.comb(some.count, size)
        assert sorted([*found.existing, *found.serendipity]) == list(range(some.count))


@pytest.mark.parametrize("seed", range(20))
def test_over_whole_rows_the_best_is_that_of_plain_loops(seed: int) -> None:
    world, weights = oracle.random_world(seed), weights_drawn(seed)
    everyone = list(range(len(world.rows)))
    rows = oracle.columns_of(world, everyone)
    found = best_partition(oracle.candidates_of(world, everyone), weights, source=Over(rows))
    totals = {}
    for chosen in combinations(everyone, serendipity_size(len(everyone))):
        others = [one for one in everyone if one not in chosen]
        alpha, beta, gamma = weights.values
        totals[chosen] = (
            alpha * oracle.relevance(world, others, chosen)
            + beta * (1 - oracle.information(world, others, chosen, "printed"))
            + gamma * oracle.surprise(world, others, chosen, "all")
        )
    best = max(totals.values())
    assert found.score.total == pytest.approx(best, abs=1e-10)
    assert totals[found.serendipity] == pytest.approx(best, abs=1e-10)


@pytest.mark.parametrize("seed", range(25))
def test_thirty_climbs_reach_the_optimum_where_all_splits_can_be_tried(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    some, weights = question(8 + seed % 10, seed), weights_drawn(seed)
    exact = best_partition(some, weights)
    monkeypatch.setattr("backend.science.rns.search.EXACT_LIMIT", 0)
    climbed = best_partition(some, weights)
    assert (exact.how, climbed.how) == ("exact", "greedy")
    assert climbed.serendipity == exact.serendipity
    over_rows = best_partition(some, weights, source=Over(some.rows_among.T.copy()))
    assert (over_rows.serendipity, over_rows.how) == (exact.serendipity, "greedy")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [17, 40])
def test_a_swap_changes_rns_by_what_the_closed_form_says(count: int, form: Novelty) -> None:
    some, weights = question(count, count), weights_drawn(count)
    tables = tables_of(some, weights, form)._replace(bounded=False)
    members, others = np.arange(0, count, 5), np.setdiff1d(np.arange(count), np.arange(0, count, 5))
    swaps = blank(members, others)
    find_totals(tables, members, others, 0.0, swaps)
    for row, column in [(0, 0), (1, 3), (2, 5)]:
        chosen = [*np.delete(members, row).tolist(), int(others[column])]
        rest = [*np.delete(others, column).tolist(), int(members[row])]
        wanted = score(some, rest, chosen, weights, novelty=form).total
        assert swaps.total[row, column] == pytest.approx(wanted, abs=1e-12)


def blank(members: Longs, others: Longs) -> Swaps:
    shape = (len(members), len(others))
    return Swaps(np.empty(shape), np.full(shape, np.inf), np.full(shape, -np.inf))


@pytest.mark.parametrize("seed", range(30))
def test_no_swap_makes_more_than_its_bound(seed: int) -> None:
    chance = np.random.default_rng(seed)
    count = int(chance.integers(3, 60))
    some = question(count, seed, dense=float(chance.uniform(0.05, 1)))
    members = np.sort(chance.permutation(count)[: int(chance.integers(1, count))])
    others = np.setdiff1d(np.arange(count), members)
    tables = tables_of(some, Weights(0.1, 0.1, 0.8), "printed")._replace(bounded=False)
    swaps = blank(members, others)
    find_totals(tables, members, others, 0.0, swaps)
    p, q = mean_row(tables, members), mean_row(tables, others)
    find_bounds(tables, members, others, p, q, swaps)
    assert (swaps.bound >= swaps.total - 1e-12).all()


@pytest.mark.parametrize("away", [-0.9, -0.01, -1.1e-3, -9e-4, 1e-8, 9e-4, 1.1e-3, 0.01, 0.9, 1.0])
def test_the_curvature_of_the_bound_is_its_formula_also_close_to_one(away: float) -> None:
    """2 (t ln t - t + 1) / (1 - t)^2 is twice the sum of (1 - t)^n / ((n + 1)(n + 2))."""
    if abs(away) == 1:
        expected = 2.0
    else:
        expected = 2 * math.fsum(away**n / ((n + 1) * (n + 2)) for n in range(2000))
    assert curvature(1 - away) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_changes_nothing_but_the_work(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    some, weights = question(60, seed), weights_drawn(seed)
    bounded = best_partition(some, weights)
    monkeypatch.setattr("backend.science.rns.swap_tables.BOUNDED", 1000)
    free = best_partition(some, weights)
    assert bounded.serendipity == free.serendipity and bounded.score == free.score
    assert bounded.evaluated < free.evaluated / 3


def test_no_swap_gains_where_the_climb_ended() -> None:
    some = question(40, 7)
    found = best_partition(some)
    swapped = neighbours(np.array(found.serendipity), 40)
    assert len(np.unique(swapped, axis=0)) == 8 * 32
    for split in swapped.tolist():
        others = [one for one in range(40) if one not in split]
        assert score(some, others, split).total <= found.score.total + 1e-12


def alike(count: int) -> Candidates:
    even = np.full((count, count), 0.5 / count)
    return Candidates(even, np.full(count, 1 / count), np.ones((count, 3)), np.ones(count, bool))


@pytest.mark.parametrize(("count", "how"), [(12, "exact"), (40, "greedy")])
def test_ties_go_to_the_first_candidates(count: int, how: str) -> None:
    found = best_partition(alike(count))
    assert found.how == how
    if how == "exact":
        assert found.serendipity == (0, 1)
    else:  # the first start is the best singles, which are the first
        assert found.serendipity == tuple(range(8))


def test_the_size_is_a_fifth_and_one_at_least() -> None:
    sizes = [serendipity_size(count) for count in (2, 4, 5, 9, 10, 15, 34, 35, 500)]
    assert sizes == [1, 1, 1, 1, 2, 3, 6, 7, 100]
    for count, size in ((1, None), (4, 0), (4, 4), (0, None)):
        with pytest.raises(SizeOutOfRange):
            serendipity_size(count, size)


def test_all_splits_come_in_order_and_only_to_five_thousand() -> None:
    assert all_splits(4, 2).tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert place_of(all_splits(4, 2), np.array([3, 1])) == 4
    with pytest.raises(UnknownSplit):
        place_of(all_splits(4, 2), np.array([1]))
    assert len(all_splits(20, 4)) == 4845
    with pytest.raises(TooManySplits, match="53130"):
        all_splits(25, 5)


@pytest.mark.parametrize(("count", "source"), [(18, "rows"), (40, "rows"), (40, "among")])
def test_a_search_that_is_stopped_says_so_and_still_answers(count: int, source: str) -> None:
    some, stop = question(count, 1), Stop()
    stop.pull()
    rows = Over(some.rows_among.T.copy()) if source == "rows" else None
    found = best_partition(some, source=rows, stop=stop)
    assert found.how == "stopped" and len(found.serendipity) == serendipity_size(count)
    whole = best_partition(some, source=rows)
    assert found.evaluated < whole.evaluated
    assert found.score.total <= whole.score.total


def test_a_seed_gives_the_same_partition() -> None:
    some = question(45, 2)
    one, two = best_partition(some, seed=9), best_partition(some, seed=9)
    assert (one.serendipity, one.score) == (two.serendipity, two.score)


def test_splits_that_the_error_of_s_leaves_open_are_named() -> None:
    """Two candidates with all but the same S: float32 cannot tell, and float64 can."""
    some = question(6, 5)
    exact = candidate_bars(some).surprise
    close = exact.copy()
    totals = candidate_bars(some).totals(Weights())
    first, second = np.argsort(-totals)[:2]
    close[second] += 3 * (totals[first] - totals[second]) - 1e-7
    splits = all_splits(6, 1)
    narrow = Known(Surprises(splits, close, 1e-6))
    found = best_partition(some, source=narrow)
    assert {(int(first),), (int(second),)} == {tuple(one) for one in found.undecided.tolist()}
    assert found.score.error == 1e-6
    again = best_partition(some, source=Known(Surprises(splits, close, 1e-13)))
    assert not len(again.undecided) and again.serendipity == (int(first),)


def test_a_set_and_its_complement_are_told_apart_without_s() -> None:
    """S is the same for both, so that its error leaves nothing open between them."""
    for count in (2, 4):
        some = question(count, 5)
        single = some.rows_among.T.astype(np.float32)
        splits = all_splits(count, count // 2)
        found = split_surprises(single, splits).values
        assert np.array_equal(found, found[::-1])  # the last is the first one's complement
    best = best_partition(question(2, 5), source=Over(question(2, 5).rows_among.T.astype("f4")))
    assert best.score.error > 1e-7 and not len(best.undecided)
    assert best.serendipity == best_partition(question(2, 5)).serendipity


def test_a_tie_that_the_error_of_s_hides_is_left_open() -> None:
    """The exact totals tie, so that the first wins; with this S the last is ahead of it."""
    some, splits, error = alike(5), all_splits(5, 1), 1e-6
    values = np.full(5, 0.25)
    values[4] += 2 * error + 5e-13  # the most that two errors can do, and less than counts
    found = best_partition(some, Weights(0, 0, 1), source=Known(Surprises(splits, values, error)))
    assert found.serendipity == (4,)
    assert found.undecided.ravel().tolist() == [0, 1, 2, 3, 4]
    exact = Known(Surprises(splits, np.full(5, 0.25), 1e-13))
    assert best_partition(some, Weights(0, 0, 1), source=exact).serendipity == (0,)


def test_known_surprises_serve_any_of_their_splits_and_no_other() -> None:
    rows = question(5, 3).rows_among.T.copy()
    known = Known(single_surprises(lambda: [(np.arange(5), rows)], 5))
    some = np.array([[4], [1]])
    assert known.of(some).values.tolist() == known.surprises.values[[4, 1]].tolist()
    with pytest.raises(UnknownSplit):
        known.of(np.array([[0, 1]]))


@pytest.mark.parametrize("seed", range(5))
def test_winners_of_all_splits_win_at_their_weights(seed: int) -> None:
    some = question(7, seed)
    found = winners_on_grid(some, steps=10)
    assert not found.approximate and len(found.grid) == len(found.winner) == 66
    for weights, place in zip(found.grid, found.winner.tolist(), strict=True):
        best = best_partition(some, weights)
        assert tuple(found.measured.splits[place].tolist()) == best.serendipity
    assert set(found.winner.tolist()) == set(range(len(found.measured.splits)))


def test_winners_of_climbs_are_as_good_as_the_best_partition_nearly_everywhere() -> None:
    some = question(26, 4)
    found = winners_on_grid(some, steps=5)
    assert found.approximate and not found.stopped
    short = []
    for weights, place in zip(found.grid, found.winner.tolist(), strict=True):
        best = best_partition(some, weights).score.total
        short.append(best - float(found.measured.totals(weights)[place]))
        assert place == decide(found.measured, weights)
    assert np.mean(np.array(short) < 1e-9) >= 0.9


@pytest.mark.parametrize(("count", "steps"), [(50, 4), (100, 2)])
def test_winners_among_many_candidates_are_hardly_worse_than_thirty_climbs(
    count: int, steps: int
) -> None:
    some = question(count, 6)
    found = winners_on_grid(some, steps=steps)
    for weights, place in zip(found.grid, found.winner.tolist(), strict=True):
        best = best_partition(some, weights).score.total
        assert float(found.measured.totals(weights)[place]) > best - 1e-4


def test_the_number_of_cores_changes_no_climb(monkeypatch: pytest.MonkeyPatch) -> None:
    some = question(45, 3)
    many = best_partition(some)
    monkeypatch.setattr("backend.science.threads.core_count", lambda: 1)
    one = best_partition(some)
    assert (one.serendipity, one.score, one.evaluated) == (
        many.serendipity,
        many.score,
        many.evaluated,
    )


def test_a_stopped_grid_answers_at_every_point() -> None:
    stop = Stop()
    stop.pull()
    found = winners_on_grid(question(30, 4), steps=5, stop=stop)
    assert found.stopped and len(found.winner) == len(weight_grid(5)) == 21


@pytest.mark.parametrize("seed", range(5))
def test_scores_of_all_splits_are_those_of_each(seed: int) -> None:
    some = question(7, seed)
    found = score_splits(some, 2, novelty="conditional")
    for place, split in enumerate(found.splits.tolist()):
        others = [one for one in range(7) if one not in split]
        one = score(some, others, split, novelty="conditional")
        assert found.parts[place] == pytest.approx([one.relevance, one.novelty, one.surprise])
        assert found.score(place, Weights()).total == pytest.approx(one.total, abs=1e-12)
