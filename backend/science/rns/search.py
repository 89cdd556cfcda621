"""The partition with the highest RNS: exact to 5,000 splits, greedy from 30 starts above.

One order of choice everywhere: totals closer than 1e-12 are equal, and of equal splits the first in
lexicographic order of candidates wins. Whoever chooses among shipped splits must do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np

from backend.science.rns.candidates import Candidates, Floats, Longs, Novelty
from backend.science.rns.divergence import Surprises, halves, split_surprises
from backend.science.rns.errors import UnknownSplit
from backend.science.rns.measures import (
    EQUAL,
    Measured,
    Score,
    Weights,
    candidate_bars,
    measure_splits,
    surprises_among,
)
from backend.science.rns.row_kernels import Rows
from backend.science.rns.seen import Seen
from backend.science.rns.splits import EXACT_LIMIT, all_splits, serendipity_size, split_count
from backend.science.rns.swap_tables import tables_of
from backend.science.rns.swaps import GAIN, climb
from backend.science.stopping import Stop
from backend.science.threads import in_threads

How = Literal["exact", "greedy", "stopped"]
STARTS: Final = 30
BATCH: Final = 64  # passes over whole rows between two looks at the clock
EXACT_ERROR: Final = 1e-12  # S as near as this is not found again


class Source(Protocol):
    """Where S of splits comes from."""

    def of(self, splits: Longs) -> Surprises: ...


@dataclass(frozen=True, eq=False)
class Among:
    """support=candidates: S among the candidates."""

    candidates: Candidates

    def of(self, splits: Longs) -> Surprises:
        return surprises_among(self.candidates, splits)


@dataclass(frozen=True, eq=False)
class Over:
    """support=all: S from whole rows [V, c], one pass for each batch of splits.

    columns: where the question's candidates are among them, when others share the block.
    """

    rows: Rows
    columns: Longs | None = None
    entry_error: float | None = None

    def of(self, splits: Longs) -> Surprises:
        return split_surprises(
            self.rows, splits, columns=self.columns, entry_error=self.entry_error
        )


@dataclass(frozen=True, eq=False)
class Known:
    """S that was found before, as `single_surprises` finds it; of other splits there is none."""

    surprises: Surprises

    def of(self, splits: Longs) -> Surprises:
        known = self.surprises
        if np.array_equal(splits, known.splits):
            return known
        place = {tuple(split): number for number, split in enumerate(known.splits.tolist())}
        try:
            chosen = [place[tuple(split)] for split in splits.tolist()]
        except KeyError as missing:
            raise UnknownSplit("splits", f"S of {missing.args[0]} was not found.") from None
        return Surprises(splits, known.values[chosen], known.error)


@dataclass(frozen=True, eq=False)
class Partition:
    """A serendipity set, its score, and how it was found.

    exact: of all splits the best. greedy: the best of 30 climbs. stopped: the best so far.
    undecided int64 [m, b]: where S has an error, the splits among which it leaves the best open,
    the chosen one with them; none when the choice is sure. Find their S in float64, and `decide`.
    evaluated: how often S of a split was found.
    """

    serendipity: tuple[int, ...]
    existing: tuple[int, ...]
    score: Score
    how: How
    evaluated: int
    undecided: Longs


def best_partition(
    candidates: Candidates,
    weights: Weights = EQUAL,
    *,
    size: int | None = None,
    novelty: Novelty = "printed",
    source: Source | None = None,
    stop: Stop | None = None,
    seed: int = 0,
) -> Partition:
    """The serendipity set of b candidates with the highest RNS.

    b is max(1, floor(0.2 n)) unless `size` is given. S comes from `source`; without one it is among
    the candidates. A pulled `stop` ends the search, after one batch or one start at least.
    """
    chosen = serendipity_size(candidates.count, size)
    hunt = Hunt(
        candidates,
        weights,
        chosen,
        novelty,
        source or Among(candidates),
        stop or Stop(),
        Seen(candidates.count, chosen),
    )
    if split_count(candidates.count, chosen) <= EXACT_LIMIT:
        return hunt.exact()
    return hunt.greedy(hunt.starts(seed))


def score_splits(
    candidates: Candidates,
    size: int | None = None,
    *,
    novelty: Novelty = "printed",
    source: Source | None = None,
) -> Measured:
    """R, N and S of every split. Raises TooManySplits above 5,000."""
    splits = all_splits(candidates.count, serendipity_size(candidates.count, size))
    found = (source or Among(candidates)).of(splits)
    return measure_splits(candidates, splits, novelty=novelty, surprises=found)


def decide(measured: Measured, weights: Weights) -> int:
    """The place of the best split."""
    totals = measured.totals(weights)
    return int(np.flatnonzero(totals >= totals.max() - GAIN)[0])


def slack(measured: Measured, weights: Weights) -> float:
    """How far below the best a split may stand and still be the one that exact S would choose."""
    return 2 * weights.surprise * measured.error + GAIN


def undecided(measured: Measured, weights: Weights) -> Longs:
    """The splits that `decide` may choose of exact S, given its error; none if it is only one.

    Of a set and its complement of the same size S is equal, whatever its error: the better of the
    two is known.
    """
    totals = measured.totals(weights)
    open_still = totals >= totals.max() - slack(measured, weights)
    _, pair = np.unique(halves(measured.splits, measured.count), axis=0, return_inverse=True)
    pair = pair.reshape(-1)  # some versions of numpy give it two axes
    best = np.full(len(totals), -np.inf)
    np.maximum.at(best, pair, totals)
    open_still &= totals >= best[pair] - GAIN
    none = measured.error <= EXACT_ERROR or len(np.unique(pair[open_still])) < 2
    return measured.splits[:0] if none else measured.splits[open_still]


@dataclass(frozen=True, eq=False)
class Hunt:
    """One search. `seen` keeps what was found of splits, which no weights change."""

    candidates: Candidates
    weights: Weights
    size: int
    novelty: Novelty
    source: Source
    stop: Stop
    seen: Seen

    def exact(self) -> Partition:
        """All splits, in batches."""
        splits = all_splits(self.candidates.count, self.size)
        at_once = EXACT_LIMIT if isinstance(self.source, Among) else BATCH
        parts = self.while_going(batches(splits, at_once))
        found = joined([self.measured(batch) for batch in parts])
        done = len(found.splits) == len(splits)
        return self.partition(found, "exact" if done else "stopped", len(found.splits))

    def greedy(self, starts: Sequence[Longs]) -> Partition:
        """The best of where the climbs ended; of equal ones the first."""
        if isinstance(self.source, Among):
            found, evaluated, done = self.climb_among(starts)
        else:
            found, evaluated, done = self.climb_over(starts)
        return self.partition(found, "greedy" if done else "stopped", evaluated)

    def starts(self, seed: int, count: int = STARTS) -> list[Longs]:
        """The best singles, then random sets."""
        singles = self.source.of(all_splits(self.candidates.count, 1))
        bars = candidate_bars(self.candidates, novelty=self.novelty, surprises=singles)
        best_first = np.argsort(-bars.totals(self.weights), kind="stable")
        chance = np.random.default_rng(seed)
        orders = [chance.permutation(self.candidates.count) for _ in range(count - 1)]
        return [np.sort(order[: self.size]) for order in (best_first, *orders)]

    def climb_among(self, starts: Sequence[Longs]) -> tuple[Measured, int, bool]:
        """Where each climb ends, with S among the candidates: on all cores."""
        tables = tables_of(self.candidates, self.weights, self.novelty)

        def work(number: int, _last: int) -> tuple[Longs, int, bool] | None:
            if number and self.stop.pulled:
                return None
            return climb(tables, starts[number], self.stop.flag)

        climbs = in_threads(work, [(number, number + 1) for number in range(len(starts))])
        ends, evaluated, finished = zip(*filter(None, climbs), strict=True)
        found = self.measured(np.unique(np.stack(ends), axis=0))
        return found, sum(evaluated), sum(finished) == len(starts)

    def climb_over(self, starts: Sequence[Longs]) -> tuple[Measured, int, bool]:
        """Every split that the climbs looked at, with S of any other kind."""
        before = len(self.seen)
        done = sum([self.climb_from(start) for start in self.while_going(starts)])
        return self.seen.every(), len(self.seen) - before, done == len(starts)

    def climb_from(self, start: Longs) -> bool:
        """Whether it came to its end."""
        here = start
        while True:
            now = float(self.look(here[None, :]).totals(self.weights)[0])
            swapped = neighbours(here, self.candidates.count)
            around = joined([self.look(one) for one in self.while_going(batches(swapped, BATCH))])
            totals = around.totals(self.weights)
            better = np.flatnonzero(totals > max(now + GAIN, totals.max() - GAIN))
            if self.stop.pulled or not len(better):
                return not self.stop.pulled
            here = around.splits[better[0]]

    def look(self, splits: Longs) -> Measured:
        """R, N and S, found once for each split."""
        keys = [split.tobytes() for split in splits]
        new = {key: place for place, key in enumerate(keys) if key not in self.seen.rows}
        if new:
            self.seen.add([*new], self.measured(splits[[*new.values()]]))
        return self.seen.of(keys)

    def measured(self, splits: Longs) -> Measured:
        return measure_splits(
            self.candidates, splits, novelty=self.novelty, surprises=self.source.of(splits)
        )

    def while_going(self, parts: Iterable[Longs]) -> Iterator[Longs]:
        """The parts until the stop is pulled, and one at least."""
        for number, part in enumerate(parts):
            if number and self.stop.pulled:
                return
            yield part

    def partition(self, found: Measured, how: How, evaluated: int) -> Partition:
        found = in_order(contenders(found, self.weights))
        place = decide(found, self.weights)
        chosen = tuple(found.splits[place].tolist())
        others = tuple(one for one in range(self.candidates.count) if one not in chosen)
        score = found.score(place, self.weights, self.candidates.unembedded)
        return Partition(chosen, others, score, how, evaluated, undecided(found, self.weights))


def batches(splits: Longs, size: int) -> Iterator[Longs]:
    for first in range(0, len(splits), size):
        yield splits[first : first + size]


def neighbours(chosen: Longs, count: int) -> Longs:
    """Every set that one swap leads to, by who leaves and then by who comes."""
    others = np.setdiff1d(np.arange(count), chosen)
    swapped = np.repeat(chosen[None, :], len(chosen) * len(others), axis=0)
    places = np.repeat(np.arange(len(chosen)), len(others))
    swapped[np.arange(len(swapped)), places] = np.tile(others, len(chosen))
    return np.sort(swapped, axis=1)


def contenders(found: Measured, weights: Weights) -> Measured:
    """Those that may be chosen, or that the error of S leaves open: a few of many thousands."""
    totals = found.totals(weights)
    return select(found, np.flatnonzero(totals >= totals.max() - slack(found, weights)))


def in_order(found: Measured) -> Measured:
    """Each split once, in lexicographic order."""
    _, places = np.unique(found.splits, axis=0, return_index=True)
    return select(found, places)


def select(found: Measured, places: Longs) -> Measured:
    return Measured(
        found.count,
        found.splits[places],
        found.relevance[places],
        found.mutual_information[places],
        found.surprise[places],
        found.error,
    )


def joined(parts: list[Measured]) -> Measured:
    def column(of: Callable[[Measured], Floats]) -> Floats:
        return np.concatenate([of(part) for part in parts])

    return Measured(
        parts[0].count,
        np.concatenate([part.splits for part in parts]),
        column(lambda part: part.relevance),
        column(lambda part: part.mutual_information),
        column(lambda part: part.surprise),
        max(part.error for part in parts),
    )
