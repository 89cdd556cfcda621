"""Partitions from rankings (SerenQA §4.2), and how far two partitions agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.agreement import tau_b
from backend.science.rankings import Groups, mid_ranks
from backend.science.rns.candidates import check_sets
from backend.science.rns.errors import InvalidNumbers
from backend.science.rns.splits import serendipity_size
from backend.science.statistic import Statistic


@dataclass(frozen=True)
class RankedPartition:
    """The top b of a ranking.

    tied: candidates whose place in or out only the order of candidates decided, because they are
    as good as the last that is in; empty when the ranking itself decided.
    """

    serendipity: tuple[int, ...]
    existing: tuple[int, ...]
    tied: tuple[int, ...]


@dataclass(frozen=True)
class PartitionAgreement:
    """How far two serendipity sets of the same n candidates agree.

    overlap: |A & B| / max(|A|, |B|); for sets of b each the share of the top b that both name.
    chance: what two random sets of the same sizes have on average, min(|A|, |B|) / n.
    tau_b: of the two orders 'serendipitous before existing'; 0 on average by chance.
    """

    overlap: float
    chance: float
    tau_b: Statistic


def partition_from_scores(scores: npt.ArrayLike, size: int | None = None) -> RankedPartition:
    """The b candidates with the highest scores, or the highest means over raters.

    scores: n numbers, or a table (m raters, n candidates) in which NaN stands for a rater who did
    not score a candidate. Means are compared to twelve digits, since 0.1, 0.2 and 0.3 add up to
    another number than 0.3, 0.2 and 0.1; ties by candidate order. Raises InvalidNumbers for a
    candidate that nobody scored.
    """
    table = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    given = ~np.isnan(table)
    if table.ndim != 2 or np.isinf(table).any() or not given.any(axis=0).all():
        raise InvalidNumbers("scores", "Each candidate needs a finite score of one rater or more.")
    means = np.where(given, table / given.sum(axis=0), 0).sum(axis=0)
    return _top(-np.array([_rounded(mean) for mean in means.tolist()]), size)


def _rounded(value: float) -> float:
    """To twelve digits: what is equal on paper is equal here."""
    return float(f"{value:.11e}")


def partition_from_ranking(
    groups: Groups, ids: Sequence[str], size: int | None = None
) -> RankedPartition:
    """The top b of a weak order, as of a consensus; ties by the order of `ids`.

    Raises InvalidRanking unless it ranks exactly these.
    """
    return _top(mid_ranks(groups, ids), size)


def agreement(count: int, one: Sequence[int], other: Sequence[int]) -> PartitionAgreement:
    """Of two serendipity sets, each a true part of n candidates."""
    for numbers in (one, other):
        rest = sorted(set(range(count)) - set(numbers))
        check_sets(count, rest, numbers)
    smaller, larger = sorted((len(one), len(other)))
    return PartitionAgreement(
        overlap=len(set(one) & set(other)) / larger,
        chance=smaller / count,
        tau_b=tau_b(_ranks(count, one), _ranks(count, other)),
    )


def _ranks(count: int, serendipity: Sequence[int]) -> list[int]:
    chosen = set(serendipity)
    return [1 if number in chosen else 2 for number in range(count)]


def _top(worse: npt.NDArray[np.float64], size: int | None) -> RankedPartition:
    chosen = serendipity_size(len(worse), size)
    order = np.argsort(worse, kind="stable")
    level = worse[order[chosen - 1]]
    equal = np.flatnonzero(worse == level)
    cut = worse[order[chosen]] == level
    return RankedPartition(
        tuple(sorted(order[:chosen].tolist())),
        tuple(sorted(order[chosen:].tolist())),
        tuple(equal.tolist()) if cut else (),
    )
