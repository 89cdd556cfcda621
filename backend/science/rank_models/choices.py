"""Rankings as choices: the group of each rank, chosen from the candidates not ranked above it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from backend.science.rankings import FloatArray, Groups, ranked_ids

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MAX_SUBSETS = 4096  # all subsets of 12 candidates
MAX_CELLS = 2**24


@dataclass(frozen=True)
class RatedQuestion:
    """Rankings of one question: raters[i] ranked as rankings[i], a weak order of some of `ids`.

    A candidate that a rater did not rank was not offered to that rater. A rater may have several
    rankings.
    """

    ids: Sequence[str]
    raters: Sequence[str]
    rankings: Sequence[Groups]

    def __post_init__(self) -> None:
        if len(self.raters) != len(self.rankings):
            raise ValueError("each ranking needs its rater")
        if len(set(self.ids)) != len(self.ids):
            raise ValueError("the ids to rank must be distinct")
        for groups in self.rankings:
            if not set(ranked_ids(groups)) <= set(self.ids):
                raise ValueError("a ranking may only have ids of its question")


@dataclass(frozen=True)
class Choices:
    """The choices of one question: M subsets, of which each of R rows can choose some.

    A row is a rater and a set of candidates; a cell is a row and a subset of its set. Cells are
    ordered by row.

    members: (M, n), 1/|T| for the members of subset T, so that `members @ x` has their means.
    sizes: (M,), position of |T| in the list of group sizes.
    row_raters, row_starts: (R,), the rater and the first cell of each row.
    cell_rows, cell_subsets: (C,). chosen: (K,), the cells that were chosen, with repeats.
    """

    members: FloatArray
    sizes: IntArray
    row_raters: IntArray
    row_starts: IntArray
    cell_rows: IntArray
    cell_subsets: IntArray
    chosen: IntArray

    def counts(self, rater_weights: FloatArray) -> FloatArray:
        """How often each cell was chosen, (C,), times the rater's weight."""
        weights = rater_weights[self.row_raters[self.cell_rows[self.chosen]]]
        return np.bincount(self.chosen, weights, len(self.cell_rows)).astype(np.float64)


def group_sizes(questions: Sequence[RatedQuestion]) -> list[int]:
    """The sizes of groups that occur, ascending, and 1."""
    rankings = (groups for question in questions for groups in question.rankings)
    return sorted({1, *(len(group) for groups in rankings for group in groups)})


def choices_of(
    question: RatedQuestion, rater_index: dict[str, int], sizes: Sequence[int]
) -> Choices:
    """Raises ValueError if the subsets are more than all those of 12 candidates."""
    subsets = _subsets(len(question.ids), sizes)
    numbers = {subset: number for number, subset in enumerate(subsets)}
    choices = list(_choices(question, rater_index))
    rows = {row: number for number, row in enumerate(dict.fromkeys(row for row, _ in choices))}
    if len(rows) * len(subsets) > MAX_CELLS:
        raise ValueError("there are too many rankings of one question")
    members = np.zeros((len(subsets), len(question.ids)))
    for number, subset in enumerate(subsets):
        members[number, list(subset)] = 1 / len(subset)
    absent = np.ones((len(rows), len(question.ids)))
    for (_, available), number in rows.items():
        absent[number, list(available)] = 0
    cell_rows, cell_subsets = np.nonzero(absent @ members.T == 0)
    chosen = [rows[row] * len(subsets) + numbers[subset] for row, subset in choices]
    return Choices(
        members,
        np.array([sizes.index(len(subset)) for subset in subsets], dtype=np.int64),
        np.array([rater for rater, _ in rows], dtype=np.int64),
        np.searchsorted(cell_rows, np.arange(len(rows))),
        cell_rows,
        cell_subsets,
        np.searchsorted(cell_rows * len(subsets) + cell_subsets, np.array(chosen, dtype=np.int64)),
    )


def _choices(
    question: RatedQuestion, rater_index: dict[str, int]
) -> Iterator[tuple[tuple[int, tuple[int, ...]], tuple[int, ...]]]:
    """((rater, available candidates), chosen ones); a choice of one from one is left out."""
    place = {candidate: number for number, candidate in enumerate(question.ids)}
    for rater, groups in zip(question.raters, question.rankings, strict=True):
        available = sorted(place[candidate] for group in groups for candidate in group)
        for group in groups:
            if len(available) < 2:
                break
            chosen = sorted(place[candidate] for candidate in group)
            yield (rater_index[rater], tuple(available)), tuple(chosen)
            available = [number for number in available if number not in chosen]


def _subsets(count: int, sizes: Sequence[int]) -> list[tuple[int, ...]]:
    subsets: list[tuple[int, ...]] = []
    for size in sizes:
        for subset in combinations(range(count), size):
            subsets.append(subset)
            if len(subsets) > MAX_SUBSETS:
                raise ValueError("groups of this size need at most 12 candidates in a question")
    return subsets
