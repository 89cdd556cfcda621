"""Answers of raters to items, and how far they agree with those of other raters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Answers:
    """n answers, each rater's in the order in which they were given: three arrays (n,).

    A rater answers an item once. Raises ValueError otherwise, or for negative numbers.
    """

    raters: IntArray
    items: IntArray
    choices: IntArray

    def __post_init__(self) -> None:
        arrays = (self.raters, self.items, self.choices)
        if any(one.ndim != 1 or len(one) != len(self.raters) for one in arrays):
            raise ValueError("raters, items and choices are flat arrays of equal length")
        if any((one < 0).any() for one in arrays):
            raise ValueError("raters, items and choices are numbers from 0")
        pairs = np.stack([self.raters, self.items], axis=1)
        if len(np.unique(pairs, axis=0)) != len(pairs):
            raise ValueError("a rater answers an item once")

    @cached_property
    def counts(self) -> IntArray:
        """(items, choices): how many raters gave each choice."""
        shape = (self.items.max(initial=-1) + 1, self.choices.max(initial=-1) + 1)
        result = np.zeros(shape, dtype=np.int64)
        np.add.at(result, (self.items, self.choices), 1)
        return result

    @cached_property
    def compared(self) -> npt.NDArray[np.bool_]:
        """(n,): whether another rater answered the item too."""
        return np.asarray(self.counts.sum(axis=1)[self.items] > 1)

    def by_rater(self, least: int) -> Iterator[tuple[int, IntArray]]:
        """Each rater with at least `least` compared answers, and the positions of these."""
        for rater in np.unique(self.raters):
            own = np.flatnonzero((self.raters == rater) & self.compared)
            if len(own) >= least:
                yield int(rater), own


@dataclass(frozen=True)
class AgreementSeries:
    """Of one rater, in order of time: the agreement with the others, and the mean agreement of the
    item's other raters with theirs; two arrays (n,)."""

    rater: int | str
    own: FloatArray
    peers: FloatArray


def choice_agreement(answers: Answers) -> FloatArray:
    """(items, choices): share of an item's other raters who agree with one who gave the choice.

    0 where nobody gave the choice, or one rater answered the item.
    """
    counts = answers.counts
    others = np.maximum(counts.sum(axis=1, keepdims=True) - 1, 1)
    return np.asarray(np.maximum(counts - 1, 0) / others)


def agreement_with_others(answers: Answers) -> FloatArray:
    """(n,): share of the item's other raters who gave the same choice; NaN without others."""
    shares = choice_agreement(answers)[answers.items, answers.choices]
    return np.where(answers.compared, shares, np.nan)


def agreement_beyond_item(answers: Answers) -> FloatArray:
    """(n,): agreement with others, minus the mean of that of the item's other raters.

    So an item on which all disagree lowers nobody. NaN without others.
    """
    return agreement_with_others(answers) - agreement_of_peers(answers)


def agreement_of_peers(answers: Answers) -> FloatArray:
    """(n,): mean agreement of the item's other raters; NaN without others."""
    shares, counts = choice_agreement(answers), answers.counts
    own = shares[answers.items, answers.choices]
    total = (shares * counts).sum(axis=1)[answers.items]
    others = np.maximum(counts.sum(axis=1) - 1, 1)[answers.items]
    return np.where(answers.compared, (total - own) / others, np.nan)


def agreement_series(answers: Answers) -> list[AgreementSeries]:
    """Of each rater, over the compared answers."""
    own, peers = agreement_with_others(answers), agreement_of_peers(answers)
    return [
        AgreementSeries(rater, own[places], peers[places]) for rater, places in answers.by_rater(1)
    ]
