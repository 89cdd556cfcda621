"""R, N and S of the splits of one question's candidates, and the best of them.

All splits up to 5,000; above that those that win somewhere on a grid of weights. Where S comes from
whole rows, the search has a budget, counted in entries that are read and not in seconds, so that
the same question has the same answer on a busy machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.benchmarks.serendipity.basis import Basis, Longs
from backend.common.errors import DomainError
from backend.science.rns.candidates import Candidates
from backend.science.rns.divergence import Surprises
from backend.science.rns.grid import winners_on_grid
from backend.science.rns.measures import Measured, Weights, candidate_bars, measure_splits
from backend.science.rns.row_kernels import Rows
from backend.science.rns.search import (
    Among,
    Over,
    Partition,
    Source,
    best_partition,
    decide,
    score_splits,
    undecided,
)
from backend.science.rns.splits import EXACT_LIMIT, serendipity_size, split_count
from backend.science.stopping import Stop

BUDGET = 10**11  # entries of rows that are read for one question's search
MOST_CANDIDATES = 500


class TooCostly(DomainError):
    code = "too_costly"


@dataclass(frozen=True)
class Asked:
    """A question's candidates that are in the graph, in the order that decides ties: by the
    identifier of their entity."""

    file_id: str
    positions: tuple[int, ...]
    entities: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Scored:
    """What is known of one question. Places count `order`, which are positions.

    bars: RNS(A without c, {c}) of each candidate c. splits: all of them if `exact`, else those that
    win somewhere; `count` is the number of all. best: the serendipity set with the highest RNS.
    how: exact, greedy or stopped as `best_partition` says; open, if others are as good within the
    error of single precision, and there was no room for double.
    """

    file_id: str
    order: tuple[int, ...]
    size: int
    count: int
    exact: bool
    bars: Measured
    splits: Measured
    best: tuple[int, ...]
    how: str
    evaluated: int


def score_question(
    basis: Basis,
    asked: Asked,
    weights: Weights,
    *,
    size: int | None = None,
    over: Over | None = None,
) -> Scored:
    """over: whole rows of the candidates, if they are there already. Raises TooCostly."""
    candidates = basis.candidates(asked.entities)
    chosen = serendipity_size(candidates.count, size)
    source, budget = source_of(basis, candidates, asked.entities, over)
    singles = source.of(np.arange(candidates.count, dtype=np.int64)[:, None])
    bars = candidate_bars(candidates, novelty=basis.options.novelty, surprises=singles)
    search = Search(basis, asked, candidates, source, chosen, bars)
    count = split_count(candidates.count, chosen)
    if count <= EXACT_LIMIT and budget.affords(count):
        return search.exact(weights)
    return search.approximate(weights, budget)


@dataclass(frozen=True)
class Search:
    """One question with all that its splits are scored by."""

    basis: Basis
    asked: Asked
    candidates: Candidates
    source: Source
    size: int
    bars: Measured

    def exact(self, weights: Weights) -> Scored:
        splits = self.bars
        if self.size > 1:
            splits = score_splits(
                self.candidates,
                self.size,
                novelty=self.basis.options.novelty,
                source=self.source,
            )
        best, is_sure = decided(self.basis, self.candidates, self.asked.entities, splits, weights)
        return self.scored(splits, best, "exact" if is_sure else "open", len(splits.splits))

    def approximate(self, weights: Weights, budget: Budget) -> Scored:
        """The winners at points of a grid, with that of the weights among them; that alone where
        even 5,000 splits are more than the budget."""
        found = best_partition(
            self.candidates,
            weights,
            size=self.size,
            novelty=self.basis.options.novelty,
            source=self.source,
            stop=budget.spent,
        )
        best, is_sure = self.sure(found, weights)
        splits = np.array([best], np.int64)
        if split_count(self.candidates.count, self.size) > EXACT_LIMIT:
            splits = np.unique(np.concatenate([self.winners(budget), splits]), axis=0)
        measured = measure_splits(
            self.candidates,
            splits,
            novelty=self.basis.options.novelty,
            surprises=self.source.of(splits),
        )
        return self.scored(measured, best, found.how if is_sure else "open", found.evaluated)

    def sure(self, found: Partition, weights: Weights) -> tuple[tuple[int, ...], bool]:
        """The best of a search, also where the error of S left several open; see `decided`."""
        if not len(found.undecided):
            return found.serendipity, True
        left_open = measure_splits(
            self.candidates,
            found.undecided,
            novelty=self.basis.options.novelty,
            surprises=self.source.of(found.undecided),
        )
        return decided(self.basis, self.candidates, self.asked.entities, left_open, weights)

    def winners(self, budget: Budget) -> Longs:
        return winners_on_grid(
            self.candidates,
            size=self.size,
            novelty=self.basis.options.novelty,
            source=self.source,
            stop=budget.spent,
        ).measured.splits

    def scored(self, splits: Measured, best: tuple[int, ...], how: str, evaluated: int) -> Scored:
        count = split_count(self.candidates.count, self.size)
        asked = self.asked
        return Scored(
            asked.file_id,
            asked.positions,
            self.size,
            count,
            len(splits.splits) == count,
            self.bars,
            splits,
            best,
            how,
            evaluated,
        )


def decided(
    basis: Basis,
    candidates: Candidates,
    entities: Sequence[int],
    splits: Measured,
    weights: Weights,
) -> tuple[tuple[int, ...], bool]:
    """The best split; what float32 leaves open is found again in float64. False if that does not
    fit into memory: then it is the best that float32 tells."""
    still_open = undecided(splits, weights)
    can_tell = not len(still_open) or basis.options.support == "candidates"
    if not can_tell and basis.fits(2 * len(entities)):
        rows = basis.rows(entities, "float64")
        splits = measure_splits(
            candidates,
            still_open,
            novelty=basis.options.novelty,
            surprises=Over(rows).of(still_open),
        )
        can_tell = True
    return tuple(splits.splits[decide(splits, weights)].tolist()), can_tell


class Budget:
    """What a search may still read; it pulls a stop of its own when that is spent."""

    def __init__(self, price: int) -> None:
        self.price, self.left, self.spent = price, BUDGET, Stop()

    def affords(self, count: int) -> bool:
        return count * self.price <= BUDGET

    def spend(self, count: int) -> None:
        self.left -= count * self.price
        if self.left < 0:
            self.spent.pull()


@dataclass(frozen=True)
class Budgeted:
    """A source that takes what each split costs from a budget."""

    source: Source
    budget: Budget
    stop: Stop | None

    def of(self, splits: Longs) -> Surprises:
        if self.stop is not None:
            self.stop.check()
        self.budget.spend(len(splits))
        return self.source.of(splits)


def source_of(
    basis: Basis, candidates: Candidates, entities: Sequence[int], over: Over | None
) -> tuple[Source, Budget]:
    """Where S comes from, and what it may cost: among the candidates, nothing is dear."""
    if basis.options.support == "candidates":
        return Among(candidates), Budget(0)
    budget = Budget(basis.model.entity_count * len(entities))
    held = over or Over(held_rows(basis, entities), entry_error=basis.entry_error)
    return Budgeted(held, budget, basis.stop), budget


def held_rows(basis: Basis, entities: Sequence[int]) -> Rows:
    """All whole rows, without a copy where one block has them. Raises TooCostly."""
    if basis.passes(len(entities)) == 1:
        return next(basis.blocks(entities))[1]
    if not basis.fits(len(entities)):
        raise TooCostly(
            f"In a graph of this size, S over all entities of {len(entities)} entities is more "
            "than is computed. Ask with fewer, or with support=candidates."
        )
    return basis.rows(entities)
