"""Scores of the splits of one question's candidates, and the best split.

All splits are scored up to 5,000; above that, those that win on a grid of weights. With S over all
entities the search has a budget, in entries read and not in seconds, so that the result does not
depend on the machine. The scores of many questions are stored as arrays of one artifact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.models import Question
from backend.benchmarks.rns.scoring_context import Longs, ScoringContext
from backend.common.errors import DomainError
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.array_store.artifacts import Artifact
from backend.runtime.cancellation import CancellationToken
from backend.science.rns.candidates import Candidates
from backend.science.rns.jensen_shannon import SplitSurprises
from backend.science.rns.measures import SplitScores, Weights, score_given_splits, score_singles
from backend.science.rns.row_kernels import RowArray
from backend.science.rns.search import (
    BestPartition,
    CandidateSurprise,
    RowSurprise,
    SurpriseSource,
    best_partition,
    choose_split,
    find_undecided,
    score_all_splits,
)
from backend.science.rns.splits import EXACT_LIMIT, serendipity_size, split_count
from backend.science.rns.weight_grid import winners_on_grid

MAX_ENTRIES_READ = 10**11  # row entries, for one question
MAX_CANDIDATES = 500


class TooCostly(DomainError):
    code = "too_costly"


@dataclass(frozen=True)
class LinkedQuestion:
    """A question's candidates that are in the graph, sorted by entity identifier for ties."""

    file_id: str
    positions: tuple[int, ...]
    entities: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ScoredQuestion:
    """Scores of one question. Indices refer to `order`, which holds positions of candidates.

    bars: RNS(A without c, {c}) of each candidate c. splits: all of them if `exact`, else those that
    win on the grid; `count` is the total number. best: the serendipity set with the highest RNS.
    search_outcome: exact, greedy or stopped as in `best_partition`, or open if others are equal
    within single precision and there was no memory for double.
    """

    file_id: str
    order: tuple[int, ...]
    size: int
    count: int
    exact: bool
    bars: SplitScores
    splits: SplitScores
    best: tuple[int, ...]
    search_outcome: str
    evaluated: int


def link_question(
    question: Question, entities: Mapping[int, int], view: GraphView
) -> LinkedQuestion:
    """entities: by position. If two candidates are the same entity, only the first counts."""
    first: dict[int, int] = {}
    for position in sorted(entities):
        first.setdefault(entities[position], position)
    ordered = sorted(first, key=lambda number: view.entity(number).id)
    return LinkedQuestion(question.file_id, tuple(first[one] for one in ordered), tuple(ordered))


def score_question(
    basis: ScoringContext,
    question: LinkedQuestion,
    weights: Weights,
    *,
    size: int | None = None,
    rows: RowSurprise | None = None,
) -> ScoredQuestion:
    """rows: whole rows of the candidates, if already computed. Raises TooCostly."""
    candidates = basis.candidates(question.entities)
    chosen = serendipity_size(candidates.count, size)
    source, budget = build_source(basis, candidates, question.entities, rows)
    singles = source.surprises_of(np.arange(candidates.count, dtype=np.int64)[:, None])
    bars = score_singles(candidates, novelty=basis.options.novelty, surprises=singles)
    search = SplitSearch(basis, question, candidates, source, chosen, bars)
    count = split_count(candidates.count, chosen)
    if count <= EXACT_LIMIT and budget.affords(count):
        return search.exact(weights)
    return search.approximate(weights, budget)


@dataclass(frozen=True)
class SplitSearch:
    basis: ScoringContext
    question: LinkedQuestion
    candidates: Candidates
    source: SurpriseSource
    size: int
    bars: SplitScores

    def exact(self, weights: Weights) -> ScoredQuestion:
        splits = self.bars
        if self.size > 1:
            splits = score_all_splits(
                self.candidates, self.size, novelty=self.basis.options.novelty, source=self.source
            )
        best, is_sure = self.decide(splits, weights)
        return self.build_result(splits, best, "exact" if is_sure else "open", len(splits.splits))

    def approximate(self, weights: Weights, budget: ReadBudget) -> ScoredQuestion:
        """Winners on the grid and for the given weights; the latter alone if the budget is too
        small for 5,000 splits.
        """
        result = best_partition(
            self.candidates,
            weights,
            size=self.size,
            novelty=self.basis.options.novelty,
            source=self.source,
            stop=budget.exhausted,
        )
        best, is_sure = self.resolve_open(result, weights)
        splits = np.array([best], np.int64)
        if split_count(self.candidates.count, self.size) > EXACT_LIMIT:
            splits = np.unique(np.concatenate([self.winners(budget), splits]), axis=0)
        outcome = result.method if is_sure else "open"
        return self.build_result(self.score(splits), best, outcome, result.evaluated)

    def score(self, splits: Longs) -> SplitScores:
        surprises = self.source.surprises_of(splits)
        novelty = self.basis.options.novelty
        return score_given_splits(self.candidates, splits, novelty=novelty, surprises=surprises)

    def resolve_open(self, result: BestPartition, weights: Weights) -> tuple[tuple[int, ...], bool]:
        """The best split, also if the error of S leaves several open; see `decide_in_double`."""
        if not len(result.undecided_splits):
            return result.serendipity, True
        return self.decide(self.score(result.undecided_splits), weights)

    def decide(self, splits: SplitScores, weights: Weights) -> tuple[tuple[int, ...], bool]:
        return decide_in_double(
            self.basis, self.candidates, self.question.entities, splits, weights
        )

    def winners(self, budget: ReadBudget) -> Longs:
        return winners_on_grid(
            self.candidates,
            size=self.size,
            novelty=self.basis.options.novelty,
            source=self.source,
            stop=budget.exhausted,
        ).scores.splits

    def build_result(
        self, splits: SplitScores, best: tuple[int, ...], outcome: str, evaluated: int
    ) -> ScoredQuestion:
        count = split_count(self.candidates.count, self.size)
        query = self.question
        return ScoredQuestion(
            query.file_id,
            query.positions,
            self.size,
            count,
            len(splits.splits) == count,
            self.bars,
            splits,
            best,
            outcome,
            evaluated,
        )


def decide_in_double(
    basis: ScoringContext,
    candidates: Candidates,
    entities: Sequence[int],
    splits: SplitScores,
    weights: Weights,
) -> tuple[tuple[int, ...], bool]:
    """The best split; splits that float32 cannot separate are computed again in float64.

    The second value is False if that does not fit in memory; then the choice is that of float32.
    """
    still_open = find_undecided(splits, weights)
    is_decided = not len(still_open) or basis.options.support == "candidates"
    if not is_decided and basis.fits_in_memory(2 * len(entities)):
        rows = basis.rows(entities, "float64")
        splits = score_given_splits(
            candidates,
            still_open,
            novelty=basis.options.novelty,
            surprises=RowSurprise(rows).surprises_of(still_open),
        )
        is_decided = True
    return tuple(splits.splits[choose_split(splits, weights)].tolist()), is_decided


class ReadBudget:
    """Entries that a search may still read. `exhausted` is set when they are used up."""

    def __init__(self, price: int) -> None:
        self.entries_per_split, self.remaining = price, MAX_ENTRIES_READ
        self.exhausted = CancellationToken()

    def affords(self, count: int) -> bool:
        return count * self.entries_per_split <= MAX_ENTRIES_READ

    def spend(self, count: int) -> None:
        self.remaining -= count * self.entries_per_split
        if self.remaining < 0:
            self.exhausted.cancel()


@dataclass(frozen=True)
class BudgetedSource:
    source: SurpriseSource
    budget: ReadBudget
    stop: CancellationToken | None

    def surprises_of(self, splits: Longs) -> SplitSurprises:
        if self.stop is not None:
            self.stop.raise_if_cancelled()
        self.budget.spend(len(splits))
        return self.source.surprises_of(splits)


def build_source(
    basis: ScoringContext, candidates: Candidates, entities: Sequence[int], rows: RowSurprise | None
) -> tuple[SurpriseSource, ReadBudget]:
    """The source of S and its budget. S among the candidates is free."""
    if basis.options.support == "candidates":
        return CandidateSurprise(candidates), ReadBudget(0)
    budget = ReadBudget(basis.model.entity_count * len(entities))
    surprise = rows or RowSurprise(load_rows(basis, entities), entry_error=basis.entry_error)
    return BudgetedSource(surprise, budget, basis.stop), budget


def load_rows(basis: ScoringContext, entities: Sequence[int]) -> RowArray:
    """All whole rows, without a copy if one block holds them. Raises TooCostly."""
    if basis.pass_count(len(entities)) == 1:
        return next(basis.blocks(entities))[1]
    if not basis.fits_in_memory(len(entities)):
        raise TooCostly(
            f"In a graph of this size, S over all entities of {len(entities)} entities is more "
            "than is computed. Use fewer, or support=candidates."
        )
    return basis.rows(entities)


Arrays = dict[str, NDArray[Any]]
Reasons = Mapping[str, str]  # by the file's id: why a question has no score


def pack_scores(
    questions: Sequence[ScoredQuestion], left_out: Reasons
) -> tuple[Arrays, dict[str, Any]]:
    """The arrays, and facts about each question in the order given."""
    arrays: Arrays = {
        "order": _concatenate([np.array(one.order, np.int32) for one in questions], np.int32),
        "bars": _concatenate([_value_columns(one.bars) for one in questions], np.float64, 3),
        "sets": _concatenate([one.splits.splits.ravel() for one in questions], np.int16),
        "values": _concatenate([_value_columns(one.splits) for one in questions], np.float64, 3),
    }
    summary = [
        {
            "id": one.file_id,
            "candidates": len(one.order),
            "size": one.size,
            "count": one.count,
            "exact": one.exact,
            "splits": len(one.splits.splits),
            "errors": [one.bars.error, one.splits.error],
            "best": list(one.best),
            "how": one.search_outcome,
            "evaluated": one.evaluated,
        }
        for one in questions
    ]
    return arrays, {"questions": summary, "left_out": dict(left_out)}


def unpack_scores(artefact: Artifact, only: str | None = None) -> dict[str, ScoredQuestion]:
    """By the file's id, in their order; or one of them alone, if it exists."""
    summary, arrays = artefact.facts["questions"], artefact.arrays
    per_question = _slices([one["candidates"] for one in summary])
    per_set = _slices([one["splits"] * one["size"] for one in summary])
    per_split = _slices([one["splits"] for one in summary])
    result = {}
    for one, some, sets, splits in zip(summary, per_question, per_set, per_split, strict=True):
        if only is not None and one["id"] != only:
            continue
        count, errors = one["candidates"], one["errors"]
        singles = np.arange(count, dtype=np.int64)[:, None]
        chosen = arrays["sets"][sets].astype(np.int64).reshape(-1, one["size"])
        result[one["id"]] = ScoredQuestion(
            one["id"],
            tuple(arrays["order"][some].tolist()),
            one["size"],
            one["count"],
            one["exact"],
            _build_measured(count, singles, arrays["bars"][some], errors[0]),
            _build_measured(count, chosen, arrays["values"][splits], errors[1]),
            tuple(one["best"]),
            one["how"],
            one["evaluated"],
        )
    return result


def _value_columns(measured: SplitScores) -> NDArray[np.float64]:
    return np.stack([measured.relevance, measured.mutual_information, measured.surprise], axis=1)


def _build_measured(
    count: int, splits: NDArray[np.int64], values: NDArray[np.float64], error: float
) -> SplitScores:
    relevance, information, surprise = (np.ascontiguousarray(values[:, n]) for n in range(3))
    return SplitScores(count, splits, relevance, information, surprise, error)


def _concatenate(
    parts: Sequence[NDArray[Any]], kind: type[np.generic], width: int | None = None
) -> NDArray[Any]:
    shape = (0,) if width is None else (0, width)
    return np.concatenate([np.empty(shape, kind), *parts]).astype(kind)


def _slices(counts: Sequence[int]) -> list[slice]:
    ends = np.concatenate([[0], np.cumsum(counts)]).astype(int).tolist()
    return [slice(first, last) for first, last in pairwise(ends)]
