"""Partitions from rankings (SerenQA §4.2), and agreement between two partitions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.agreement import tau_b
from backend.science.optional_statistic import Statistic
from backend.science.rankings import Groups, mid_ranks
from backend.science.rns.candidates import check_sets
from backend.science.rns.splits import serendipity_size


@dataclass(frozen=True)
class RankedPartition:
    """The top b of a ranking.

    tied: candidates whose membership was decided by candidate order alone, because they rank equal
    to the last member; empty if the ranking decided.
    """

    serendipity: tuple[int, ...]
    existing: tuple[int, ...]
    tied: tuple[int, ...]


@dataclass(frozen=True)
class PartitionAgreement:
    """Agreement of two serendipity sets of the same n candidates.

    overlap: |A & B| / max(|A|, |B|); for sets of b each the share of the top b in both.
    chance: expected overlap of two random sets of these sizes, min(|A|, |B|) / n.
    tau_b: of the two weak orders 'serendipitous before existing'; 0 on average by chance.
    """

    overlap: float
    chance: float
    tau_b: Statistic


def partition_from_ranking(
    groups: Groups, ids: Sequence[str], size: int | None = None
) -> RankedPartition:
    """The top b of a weak order, such as a consensus; ties by the order of `ids`.

    Raises InvalidRanking unless it ranks exactly these ids.
    """
    return _top_partition(mid_ranks(groups, ids), size)


def partition_agreement(count: int, one: Sequence[int], other: Sequence[int]) -> PartitionAgreement:
    """Agreement of two serendipity sets, each a proper subset of n candidates."""
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


def _top_partition(worse: npt.NDArray[np.float64], size: int | None) -> RankedPartition:
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
