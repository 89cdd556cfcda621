"""Rankings with ties: weak orders given as ordered groups of ids.

`[["a"], ["b", "c"], ["d"]]` ranks a first, b and c tied next, d last. The order of ids inside a
group has no meaning. Ids are compared exactly: "Zinc" and "zinc " differ.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Groups = Sequence[Sequence[str]]


class InvalidRanking(ValueError):
    """Groups that are not a weak order over exactly the given ids; reports all errors at once.

    unknown: ranked ids that are not among the given ones, in the order ranked.
    missing: given ids that are not ranked, in the given order.
    repeated: ids ranked more than once, each reported once, in the order ranked.
    empty_groups: positions, from 0, of groups without ids.
    """

    def __init__(
        self,
        unknown: tuple[str, ...] = (),
        missing: tuple[str, ...] = (),
        repeated: tuple[str, ...] = (),
        empty_groups: tuple[int, ...] = (),
    ) -> None:
        # All four are passed to the base class, so that the error can be pickled between workers.
        super().__init__(unknown, missing, repeated, empty_groups)
        self.unknown = unknown
        self.missing = missing
        self.repeated = repeated
        self.empty_groups = empty_groups

    def __str__(self) -> str:
        faults = {
            "unknown": self.unknown,
            "missing": self.missing,
            "repeated": self.repeated,
            "empty groups at": self.empty_groups,
        }
        named = [f"{name} {list(ids)}" for name, ids in faults.items() if ids]
        return "not a weak order over the ids: " + "; ".join(named)


def validate_weak_order(groups: Groups, ids: Sequence[str]) -> None:
    """Raise unless every id is in exactly one group and no group is empty.

    The empty order over no ids is valid.

    Raises InvalidRanking with all errors; ValueError if `ids` has duplicates; TypeError if a group
    is a bare string, which would otherwise be read as a tie of its letters.
    """
    expected = set(ids)
    if len(expected) != len(ids):
        raise ValueError("the ids to rank must be distinct")
    ranked = _count_ranked(groups)
    unknown = tuple(item for item in ranked if item not in expected)
    missing = tuple(item for item in ids if item not in ranked)
    repeated = tuple(item for item, times in ranked.items() if times > 1)
    empty_groups = tuple(place for place, group in enumerate(groups) if not group)
    if unknown or missing or repeated or empty_groups:
        raise InvalidRanking(unknown, missing, repeated, empty_groups)


def ranked_ids(groups: Groups) -> list[str]:
    """The ids of a ranking, best first, ties in the given order.

    Raises InvalidRanking for repeated ids and empty groups, TypeError for a bare string.
    """
    ids = list(_count_ranked(groups))
    validate_weak_order(groups, ids)
    return ids


def mid_ranks(groups: Groups, ids: Sequence[str]) -> FloatArray:
    """Mid-ranks of `ids`, 1 for the best.

    Members of a group of k after b better ids share the mean of the ranks b+1 ... b+k, that is b +
    (k+1)/2. Hence the ranks of n ids always sum to n(n+1)/2.

    Returns an array of shape (n,) in the order of `ids`; shape (0,) for no ids. Raises what
    `validate_weak_order` raises. Source: Kendall and Gibbons, Rank Correlation Methods (5th ed.,
    1990), chapter 3.
    """
    validate_weak_order(groups, ids)
    rank_of: dict[str, float] = {}
    better = 0
    for group in groups:
        rank_of.update(dict.fromkeys(group, better + (len(group) + 1) / 2))
        better += len(group)
    return np.array([rank_of[item] for item in ids], dtype=np.float64)


def competition_ranks(groups: Groups) -> dict[str, int]:
    """Ranks for display: 1 + the number of strictly better ids, so 1, 2, 2, 4.

    The dict is ordered best first. Statistics use `mid_ranks`, whose sum does not depend on ties.
    Raises what `ranked_ids` raises.
    """
    ranked_ids(groups)
    ranks: dict[str, int] = {}
    for group in groups:
        ranks.update(dict.fromkeys(group, len(ranks) + 1))
    return ranks


def same_order(a: Groups, b: Groups) -> bool:
    """Whether two rankings are the same weak order: equal groups in the same order.

    Rankings of different ids are different. Raises what `ranked_ids` raises, for either.
    """
    ranked_ids(a)
    ranked_ids(b)
    return [frozenset(group) for group in a] == [frozenset(group) for group in b]


def _count_ranked(groups: Groups) -> Counter[str]:
    if any(isinstance(group, str) for group in groups):
        raise TypeError("a group is a sequence of ids, not a string")
    return Counter(chain.from_iterable(groups))
