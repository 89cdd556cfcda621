"""The best partition: exact, greedy, stopped; ties; errors of S; winners on a grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.science.rns.candidates import Candidates, Longs, NoveltyForm
from backend.science.rns.errors import SizeOutOfRange, TooManySplits, UnknownSplit
from backend.science.rns.greedy_swaps import evaluate_swaps
from backend.science.rns.jensen_shannon import SplitSurprises, split_surprises
from backend.science.rns.measures import Weights, score_singles
from backend.science.rns.search import (
    RowSurprise,
    best_partition,
    choose_split,
    score_all_splits,
    swap_neighbours,
)
from backend.science.rns.splits import all_splits, serendipity_size, split_index
from backend.science.rns.surprise_bound import curvature, fill_bounds
from backend.science.rns.swap_tables import SwapTotals, build_tables, mean_row
from backend.science.rns.weight_grid import weight_grid, winners_on_grid
from tests.science.rns import oracle
from tests.science.rns.definitions import score_sets
from tests.science.rns.questions import question, weights_drawn

FORMS: tuple[NoveltyForm, ...] = get_args(NoveltyForm)


@dataclass(frozen=True)
class FixedSurprise:
    """S given in advance, for all splits of one query."""

    surprises: SplitSurprises

    def surprises_of(self, splits: NDArray[np.int64]) -> SplitSurprises:
        assert np.array_equal(splits, self.surprises.splits)
        return self.surprises


def brute_force(
    candidates: Candidates, weights: Weights, size: int
) -> tuple[tuple[int, ...], float]:
    """Score every split alone."""
    best: tuple[tuple[int, ...], float] = ((), -math.inf)
    for chosen in combinations(range(candidates.count), size):
        others = [one for one in range(candidates.count) if one not in chosen]
        total = score_sets(candidates, others, chosen, weights).total
        if total > best[1] + 1e-12:
            best = (chosen, total)
    return best


@pytest.mark.parametrize("seed", range(20))
def test_the_exact_search_matches_brute_force(seed: int) -> None:
    some, weights = question(3 + seed % 8, seed), weights_drawn(seed)
    for size in range(1, min(4, some.count)):
        result = best_partition(some, weights, size=size)
        chosen, total = brute_force(some, weights, size)
        assert (result.serendipity, result.method) == (chosen, "exact")
        assert result.score.total == pytest.approx(total, abs=1e-12)
        assert result.evaluated == math.comb(some.count, size)
        assert sorted([*result.existing, *result.serendipity]) == list(range(some.count))


@pytest.mark.parametrize("seed", range(20))
def test_the_best_split_over_whole_rows_matches_plain_loops(seed: int) -> None:
    world, weights = oracle.random_world(seed), weights_drawn(seed)
    everyone = list(range(len(world.rows)))
    rows = oracle.columns_of(world, everyone)
    result = best_partition(
        oracle.candidates_of(world, everyone), weights, source=RowSurprise(rows)
    )
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
    assert result.score.total == pytest.approx(best, abs=1e-10)
    assert totals[result.serendipity] == pytest.approx(best, abs=1e-10)


@pytest.mark.parametrize("seed", range(25))
def test_thirty_climbs_reach_the_optimum_where_all_splits_can_be_tried(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    some, weights = question(8 + seed % 10, seed), weights_drawn(seed)
    exact = best_partition(some, weights)
    # A threshold between two ways of computing: both must give the same where both can run.
    monkeypatch.setattr("backend.science.rns.search.EXACT_LIMIT", 0)
    climbed = best_partition(some, weights)
    assert (exact.method, climbed.method) == ("exact", "greedy")
    assert climbed.serendipity == exact.serendipity
    over_rows = best_partition(some, weights, source=RowSurprise(some.restricted_rows.T.copy()))
    assert (over_rows.serendipity, over_rows.method) == (exact.serendipity, "greedy")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [17, 40])
def test_the_closed_form_of_a_swap_matches_rns(count: int, form: NoveltyForm) -> None:
    some, weights = question(count, count), weights_drawn(count)
    tables = build_tables(some, weights, form)._replace(bounded=False)
    members, others = np.arange(0, count, 5), np.setdiff1d(np.arange(count), np.arange(0, count, 5))
    swaps = blank(members, others)
    evaluate_swaps(tables, members, others, 0.0, swaps)
    for row, column in [(0, 0), (1, 3), (2, 5)]:
        chosen = [*np.delete(members, row).tolist(), int(others[column])]
        rest = [*np.delete(others, column).tolist(), int(members[row])]
        expected = score_sets(some, rest, chosen, weights, novelty=form).total
        assert swaps.total[row, column] == pytest.approx(expected, abs=1e-12)


def blank(members: Longs, others: Longs) -> SwapTotals:
    shape = (len(members), len(others))
    return SwapTotals(np.empty(shape), np.full(shape, np.inf), np.full(shape, -np.inf))


@pytest.mark.parametrize("seed", range(30))
def test_no_swap_exceeds_its_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 60))
    some = question(count, seed, dense=float(rng.uniform(0.05, 1)))
    members = np.sort(rng.permutation(count)[: int(rng.integers(1, count))])
    others = np.setdiff1d(np.arange(count), members)
    tables = build_tables(some, Weights(0.1, 0.1, 0.8), "printed")._replace(bounded=False)
    swaps = blank(members, others)
    evaluate_swaps(tables, members, others, 0.0, swaps)
    p, q = mean_row(tables, members), mean_row(tables, others)
    fill_bounds(tables, members, others, p, q, swaps)
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
def test_the_bound_does_not_change_the_result(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    some, weights = question(60, seed), weights_drawn(seed)
    bounded = best_partition(some, weights)
    # A threshold between two ways of computing: both must give the same where both can run.
    monkeypatch.setattr("backend.science.rns.swap_tables.MIN_CANDIDATES_FOR_BOUND", 1000)
    free = best_partition(some, weights)
    assert bounded.serendipity == free.serendipity and bounded.score == free.score
    assert bounded.evaluated < free.evaluated / 3


def test_a_climb_ends_in_a_local_optimum() -> None:
    some = question(40, 7)
    result = best_partition(some)
    swapped = swap_neighbours(np.array(result.serendipity), 40)
    assert len(np.unique(swapped, axis=0)) == 8 * 32
    for split in swapped.tolist():
        others = [one for one in range(40) if one not in split]
        assert score_sets(some, others, split).total <= result.score.total + 1e-12


def alike(count: int) -> Candidates:
    even = np.full((count, count), 0.5 / count)
    return Candidates(even, np.full(count, 1 / count), np.ones((count, 3)), np.ones(count, bool))


@pytest.mark.parametrize(("count", "how"), [(12, "exact"), (40, "greedy")])
def test_ties_go_to_the_first_candidates(count: int, how: str) -> None:
    result = best_partition(alike(count))
    assert result.method == how
    if how == "exact":
        assert result.serendipity == (0, 1)
    else:  # the first start is the best singles, which are the first
        assert result.serendipity == tuple(range(8))


def test_the_size_is_a_fifth_and_one_at_least() -> None:
    sizes = [serendipity_size(count) for count in (2, 4, 5, 9, 10, 15, 34, 35, 500)]
    assert sizes == [1, 1, 1, 1, 2, 3, 6, 7, 100]
    for count, size in ((1, None), (4, 0), (4, 4), (0, None)):
        with pytest.raises(SizeOutOfRange):
            serendipity_size(count, size)


def test_all_splits_come_in_order_and_only_to_five_thousand() -> None:
    assert all_splits(4, 2).tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert split_index(all_splits(4, 2), np.array([3, 1])) == 4
    with pytest.raises(UnknownSplit):
        split_index(all_splits(4, 2), np.array([1]))
    assert len(all_splits(20, 4)) == 4845
    with pytest.raises(TooManySplits, match="53130"):
        all_splits(25, 5)


@pytest.mark.parametrize(("count", "source"), [(18, "rows"), (40, "rows"), (40, "among")])
def test_a_cancelled_search_returns_its_best_so_far(count: int, source: str) -> None:
    some, stop = question(count, 1), CancellationToken()
    stop.cancel()
    rows = RowSurprise(some.restricted_rows.T.copy()) if source == "rows" else None
    result = best_partition(some, source=rows, stop=stop)
    assert result.method == "stopped" and len(result.serendipity) == serendipity_size(count)
    whole = best_partition(some, source=rows)
    assert result.evaluated < whole.evaluated
    assert result.score.total <= whole.score.total


def test_a_seed_gives_the_same_partition() -> None:
    some = question(45, 2)
    one, two = best_partition(some, seed=9), best_partition(some, seed=9)
    assert (one.serendipity, one.score) == (two.serendipity, two.score)


def test_splits_within_the_error_of_s_are_reported_as_undecided() -> None:
    """Two candidates with all but the same S: float32 cannot tell, and float64 can."""
    some = question(6, 5)
    exact = score_singles(some).surprise
    close = exact.copy()
    totals = score_singles(some).totals(Weights())
    first, second = np.argsort(-totals)[:2]
    close[second] += 3 * (totals[first] - totals[second]) - 1e-7
    splits = all_splits(6, 1)
    narrow = FixedSurprise(SplitSurprises(splits, close, 1e-6))
    result = best_partition(some, source=narrow)
    assert {(int(first),), (int(second),)} == {
        tuple(one) for one in result.undecided_splits.tolist()
    }
    assert result.score.error == 1e-6
    again = best_partition(some, source=FixedSurprise(SplitSurprises(splits, close, 1e-13)))
    assert not len(again.undecided_splits) and again.serendipity == (int(first),)


def test_a_set_and_its_complement_are_distinguished_without_s() -> None:
    """S is the same for both, so that its error leaves nothing open between them."""
    for count in (2, 4):
        some = question(count, 5)
        single = some.restricted_rows.T.astype(np.float32)
        splits = all_splits(count, count // 2)
        result = split_surprises(single, splits).values
        assert np.array_equal(result, result[::-1])  # the last is the first one's complement
    best = best_partition(
        question(2, 5), source=RowSurprise(question(2, 5).restricted_rows.T.astype("f4"))
    )
    assert best.score.error > 1e-7 and not len(best.undecided_splits)
    assert best.serendipity == best_partition(question(2, 5)).serendipity


def test_a_tie_within_the_error_of_s_is_undecided() -> None:
    """The exact totals tie, so that the first wins; with this S the last is ahead of it."""
    some, splits, error = alike(5), all_splits(5, 1), 1e-6
    values = np.full(5, 0.25)
    values[4] += 2 * error + 5e-13  # the most that two errors can do, and less than counts
    result = best_partition(
        some, Weights(0, 0, 1), source=FixedSurprise(SplitSurprises(splits, values, error))
    )
    assert result.serendipity == (4,)
    assert result.undecided_splits.ravel().tolist() == [0, 1, 2, 3, 4]
    exact = FixedSurprise(SplitSurprises(splits, np.full(5, 0.25), 1e-13))
    assert best_partition(some, Weights(0, 0, 1), source=exact).serendipity == (0,)


@pytest.mark.parametrize("seed", range(5))
def test_grid_winners_are_best_at_their_weights(seed: int) -> None:
    some = question(7, seed)
    result = winners_on_grid(some, steps=10)
    assert not result.is_approximate and len(result.grid) == len(result.winner) == 66
    for weights, place in zip(result.grid, result.winner.tolist(), strict=True):
        best = best_partition(some, weights)
        assert tuple(result.scores.splits[place].tolist()) == best.serendipity
    assert set(result.winner.tolist()) == set(range(len(result.scores.splits)))


def test_climbed_grid_winners_are_nearly_always_optimal() -> None:
    some = question(26, 4)
    result = winners_on_grid(some, steps=5)
    assert result.is_approximate and not result.is_cancelled
    short = []
    for weights, place in zip(result.grid, result.winner.tolist(), strict=True):
        best = best_partition(some, weights).score.total
        short.append(best - float(result.scores.totals(weights)[place]))
        assert place == choose_split(result.scores, weights)
    assert np.mean(np.array(short) < 1e-9) >= 0.9


@pytest.mark.parametrize(("count", "steps"), [(50, 4), (100, 2)])
def test_grid_winners_of_many_candidates_are_close_to_thirty_climbs(count: int, steps: int) -> None:
    some = question(count, 6)
    result = winners_on_grid(some, steps=steps)
    for weights, place in zip(result.grid, result.winner.tolist(), strict=True):
        best = best_partition(some, weights).score.total
        assert float(result.scores.totals(weights)[place]) > best - 1e-4


def test_climbs_do_not_depend_on_the_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    some = question(45, 3)
    many = best_partition(some)
    monkeypatch.setenv("PYTHON_CPU_COUNT", "1")
    one = best_partition(some)
    assert (one.serendipity, one.score, one.evaluated) == (
        many.serendipity,
        many.score,
        many.evaluated,
    )


def test_a_cancelled_grid_has_a_winner_at_every_point() -> None:
    stop = CancellationToken()
    stop.cancel()
    result = winners_on_grid(question(30, 4), steps=5, stop=stop)
    assert result.is_cancelled and len(result.winner) == len(weight_grid(5)) == 21


@pytest.mark.parametrize("seed", range(5))
def test_scores_of_all_splits_are_those_of_each(seed: int) -> None:
    some = question(7, seed)
    result = score_all_splits(some, 2, novelty="conditional")
    for place, split in enumerate(result.splits.tolist()):
        others = [one for one in range(7) if one not in split]
        one = score_sets(some, others, split, novelty="conditional")
        assert result.parts[place] == pytest.approx([one.relevance, one.novelty, one.surprise])
        assert result.score_of(place, Weights()).total == pytest.approx(one.total, abs=1e-12)
