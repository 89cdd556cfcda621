"""The partition with the highest RNS: exact up to 5,000 splits, greedy from 30 starts above.

Ties are broken the same way everywhere: totals closer than 1e-12 are equal, and of equal splits the
first in lexicographic order of candidates wins. Clients that choose among splits must do the same.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.runtime.parallel import run_in_threads
from backend.science.rns.candidates import Candidates, Floats, Longs, NoveltyForm
from backend.science.rns.evaluated_splits import EvaluatedSplits
from backend.science.rns.greedy_swaps import TIE_TOLERANCE, climb_swaps
from backend.science.rns.jensen_shannon import SplitSurprises, canonical_splits, split_surprises
from backend.science.rns.measures import (
    EQUAL_WEIGHTS,
    RnsScore,
    SplitScores,
    Weights,
    score_given_splits,
    score_singles,
    surprise_of_splits,
)
from backend.science.rns.row_kernels import RowArray
from backend.science.rns.splits import EXACT_LIMIT, all_splits, serendipity_size, split_count
from backend.science.rns.swap_tables import build_tables

SearchMethod = Literal["exact", "greedy", "stopped"]
START_COUNT: Final = 30
BATCH_SIZE: Final = 64  # passes over whole rows between checks for cancellation
EXACT_TOLERANCE: Final = 1e-12  # S this accurate is not recomputed


class SurpriseSource(Protocol):
    """Computes S of splits."""

    def surprises_of(self, splits: Longs) -> SplitSurprises: ...


@dataclass(frozen=True, eq=False)
class CandidateSurprise:
    """support=candidates: S among the candidates."""

    candidates: Candidates

    def surprises_of(self, splits: Longs) -> SplitSurprises:
        return surprise_of_splits(self.candidates, splits)


@dataclass(frozen=True, eq=False)
class RowSurprise:
    """support=all: S from whole rows [V, c], one pass per batch of splits.

    columns: the question's candidates within a block that is shared with other questions.
    """

    rows: RowArray
    columns: Longs | None = None
    entry_error: float | None = None

    def surprises_of(self, splits: Longs) -> SplitSurprises:
        return split_surprises(
            self.rows, splits, columns=self.columns, entry_error=self.entry_error
        )


@dataclass(frozen=True, eq=False)
class BestPartition:
    """A serendipity set, its score, and how it was found.

    exact: the best of all splits. greedy: the best of 30 climbs. stopped: the best before
    cancellation. undecided_splits int64 [m, b]: the splits, including the chosen one, among which
    the error of S leaves the best open; empty if the choice is certain. Compute their S in float64
    and call `choose_split`. evaluated: number of evaluations of S.
    """

    serendipity: tuple[int, ...]
    existing: tuple[int, ...]
    score: RnsScore
    method: SearchMethod
    evaluated: int
    undecided_splits: Longs


def best_partition(
    candidates: Candidates,
    weights: Weights = EQUAL_WEIGHTS,
    *,
    size: int | None = None,
    novelty: NoveltyForm = "printed",
    source: SurpriseSource | None = None,
    stop: CancellationToken | None = None,
    seed: int = 0,
) -> BestPartition:
    """The serendipity set of b candidates with the highest RNS.

    b is max(1, floor(0.2 n)) unless `size` is given. S comes from `source`, by default among the
    candidates. Cancellation ends the search after at least one batch or one start.
    """
    chosen = serendipity_size(candidates.count, size)
    hunt = GreedySearch(
        candidates,
        weights,
        chosen,
        novelty,
        source or CandidateSurprise(candidates),
        stop or CancellationToken(),
        EvaluatedSplits(candidates.count, chosen),
    )
    if split_count(candidates.count, chosen) <= EXACT_LIMIT:
        return hunt.search_exact()
    return hunt.search_greedy(hunt.starting_sets(seed))


def score_all_splits(
    candidates: Candidates,
    size: int | None = None,
    *,
    novelty: NoveltyForm = "printed",
    source: SurpriseSource | None = None,
) -> SplitScores:
    """R, N and S of every split. Raises TooManySplits above 5,000."""
    splits = all_splits(candidates.count, serendipity_size(candidates.count, size))
    scores = (source or CandidateSurprise(candidates)).surprises_of(splits)
    return score_given_splits(candidates, splits, novelty=novelty, surprises=scores)


def choose_split(measured: SplitScores, weights: Weights) -> int:
    totals = measured.totals(weights)
    return int(np.flatnonzero(totals >= totals.max() - TIE_TOLERANCE)[0])


def open_margin(measured: SplitScores, weights: Weights) -> float:
    """A split closer to the best than this may be the one that exact S would choose."""
    return 2 * weights.surprise * measured.error + TIE_TOLERANCE


def find_undecided(measured: SplitScores, weights: Weights) -> Longs:
    """The splits that `choose_split` may choose with exact S, given its error; empty if only one.

    S is equal for a set and its complement of the same size, whatever its error, so the better of
    the two is known.
    """
    totals = measured.totals(weights)
    open_still = totals >= totals.max() - open_margin(measured, weights)
    _, pair = np.unique(
        canonical_splits(measured.splits, measured.candidate_count), axis=0, return_inverse=True
    )
    pair = pair.reshape(-1)  # some versions of numpy return two axes
    best = np.full(len(totals), -np.inf)
    np.maximum.at(best, pair, totals)
    open_still &= totals >= best[pair] - TIE_TOLERANCE
    none = measured.error <= EXACT_TOLERANCE or len(np.unique(pair[open_still])) < 2
    return measured.splits[:0] if none else measured.splits[open_still]


@dataclass(frozen=True, eq=False)
class GreedySearch:
    """One search. `evaluated` caches scores of splits, which do not depend on weights."""

    candidates: Candidates
    weights: Weights
    size: int
    novelty: NoveltyForm
    source: SurpriseSource
    stop: CancellationToken
    evaluated: EvaluatedSplits

    def search_exact(self) -> BestPartition:
        """Scores all splits, in batches."""
        splits = all_splits(self.candidates.count, self.size)
        at_once = EXACT_LIMIT if isinstance(self.source, CandidateSurprise) else BATCH_SIZE
        parts = self.until_cancelled(batch_splits(splits, at_once))
        scores = concatenate_scores([self.score(batch) for batch in parts])
        done = len(scores.splits) == len(splits)
        return self.build_partition(scores, "exact" if done else "stopped", len(scores.splits))

    def search_greedy(self, starts: Sequence[Longs]) -> BestPartition:
        """The best of the local optima; of equal ones the first."""
        if isinstance(self.source, CandidateSurprise):
            scores, evaluated, done = self.climb_with_tables(starts)
        else:
            scores, evaluated, done = self.climb_with_source(starts)
        return self.build_partition(scores, "greedy" if done else "stopped", evaluated)

    def starting_sets(self, seed: int, count: int = START_COUNT) -> list[Longs]:
        """The best single candidates, then random sets."""
        singles = self.source.surprises_of(all_splits(self.candidates.count, 1))
        bars = score_singles(self.candidates, novelty=self.novelty, surprises=singles)
        best_first = np.argsort(-bars.totals(self.weights), kind="stable")
        rng = np.random.default_rng(seed)
        orders = [rng.permutation(self.candidates.count) for _ in range(count - 1)]
        return [np.sort(order[: self.size]) for order in (best_first, *orders)]

    def climb_with_tables(self, starts: Sequence[Longs]) -> tuple[SplitScores, int, bool]:
        """The local optima, with S among the candidates, on all cores."""
        tables = build_tables(self.candidates, self.weights, self.novelty)

        def work(number: int, _last: int) -> tuple[Longs, int, bool] | None:
            if number and self.stop.is_cancelled:
                return None
            return climb_swaps(tables, starts[number], self.stop.flag)

        climbs = run_in_threads(work, [(number, number + 1) for number in range(len(starts))])
        ends, evaluated, finished = zip(*filter(None, climbs), strict=True)
        scores = self.score(np.unique(np.stack(ends), axis=0))
        return scores, sum(evaluated), sum(finished) == len(starts)

    def climb_with_source(self, starts: Sequence[Longs]) -> tuple[SplitScores, int, bool]:
        """Every split evaluated by the climbs, with S from any source."""
        before = len(self.evaluated)
        done = sum([self.climb_from(start) for start in self.until_cancelled(starts)])
        return self.evaluated.all_scores(), len(self.evaluated) - before, done == len(starts)

    def climb_from(self, start: Longs) -> bool:
        """Whether the climb converged."""
        current = start
        while True:
            now = float(self.evaluate(current[None, :]).totals(self.weights)[0])
            swapped = swap_neighbours(current, self.candidates.count)
            around = concatenate_scores(
                [
                    self.evaluate(one)
                    for one in self.until_cancelled(batch_splits(swapped, BATCH_SIZE))
                ]
            )
            totals = around.totals(self.weights)
            better = np.flatnonzero(totals > max(now + TIE_TOLERANCE, totals.max() - TIE_TOLERANCE))
            if self.stop.is_cancelled or not len(better):
                return not self.stop.is_cancelled
            current = around.splits[better[0]]

    def evaluate(self, splits: Longs) -> SplitScores:
        """R, N and S of splits, computed once each."""
        keys = [split.tobytes() for split in splits]
        new = {key: place for place, key in enumerate(keys) if key not in self.evaluated.rows}
        if new:
            self.evaluated.add([*new], self.score(splits[[*new.values()]]))
        return self.evaluated.select(keys)

    def score(self, splits: Longs) -> SplitScores:
        return score_given_splits(
            self.candidates,
            splits,
            novelty=self.novelty,
            surprises=self.source.surprises_of(splits),
        )

    def until_cancelled(self, parts: Iterable[Longs]) -> Iterator[Longs]:
        """The parts until cancellation, at least one."""
        for number, part in enumerate(parts):
            if number and self.stop.is_cancelled:
                return
            yield part

    def build_partition(
        self, scores: SplitScores, how: SearchMethod, evaluated: int
    ) -> BestPartition:
        scores = sort_splits(keep_contenders(scores, self.weights))
        place = choose_split(scores, self.weights)
        chosen = tuple(scores.splits[place].tolist())
        others = tuple(one for one in range(self.candidates.count) if one not in chosen)
        score = scores.score_of(place, self.weights, self.candidates.unembedded)
        return BestPartition(
            chosen, others, score, how, evaluated, find_undecided(scores, self.weights)
        )


def batch_splits(splits: Longs, size: int) -> Iterator[Longs]:
    for first in range(0, len(splits), size):
        yield splits[first : first + size]


def swap_neighbours(chosen: Longs, count: int) -> Longs:
    """Every set one swap away, ordered by leaving and then by entering candidate."""
    others = np.setdiff1d(np.arange(count), chosen)
    swapped = np.repeat(chosen[None, :], len(chosen) * len(others), axis=0)
    places = np.repeat(np.arange(len(chosen)), len(others))
    swapped[np.arange(len(swapped)), places] = np.tile(others, len(chosen))
    return np.sort(swapped, axis=1)


def keep_contenders(scores: SplitScores, weights: Weights) -> SplitScores:
    """The splits that may be chosen or that the error of S leaves open."""
    totals = scores.totals(weights)
    return select_splits(
        scores, np.flatnonzero(totals >= totals.max() - open_margin(scores, weights))
    )


def sort_splits(scores: SplitScores) -> SplitScores:
    """Distinct splits in lexicographic order."""
    _, places = np.unique(scores.splits, axis=0, return_index=True)
    return select_splits(scores, places)


def select_splits(scores: SplitScores, places: Longs) -> SplitScores:
    return SplitScores(
        scores.candidate_count,
        scores.splits[places],
        scores.relevance[places],
        scores.mutual_information[places],
        scores.surprise[places],
        scores.error,
    )


def concatenate_scores(parts: list[SplitScores]) -> SplitScores:
    def column(of: Callable[[SplitScores], Floats]) -> Floats:
        return np.concatenate([of(part) for part in parts])

    return SplitScores(
        parts[0].candidate_count,
        np.concatenate([part.splits for part in parts]),
        column(lambda part: part.relevance),
        column(lambda part: part.mutual_information),
        column(lambda part: part.surprise),
        max(part.error for part in parts),
    )
