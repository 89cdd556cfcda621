"""Rankings with ties: weak orders given as ordered groups of ids.

`[["a"], ["b", "c"], ["d"]]` puts a first, b and c together behind it, d last. The order of
ids inside a group means nothing. Nothing here changes an id: "Zinc" and "zinc " differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Groups = Sequence[Sequence[str]]


class InvalidRanking(ValueError):
    """Groups that are not a weak order over exactly the given ids; names every fault at once.

    unknown: ranked ids that were not asked for, in the order ranked.
    missing: ids asked for that are not ranked, in the order asked for.
    repeated: ids ranked more than once, each named once, in the order ranked.
    empty_groups: positions, counted from 0, of groups that hold no id.
    """

    def __init__(
        self,
        unknown: tuple[str, ...] = (),
        missing: tuple[str, ...] = (),
        repeated: tuple[str, ...] = (),
        empty_groups: tuple[int, ...] = (),
    ) -> None:
        # All four go to the base class, so that the error survives pickling between workers.
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
        named = [f"{name} {list(found)}" for name, found in faults.items() if found]
        return "not a weak order over the ids: " + "; ".join(named)


def validate_weak_order(groups: Groups, ids: Sequence[str]) -> None:
    """Raise unless every id stands in exactly one group and no group is empty.

    The empty order over no ids is valid.

    Raises InvalidRanking with all faults; ValueError if `ids` repeats itself; TypeError if a
    group is a bare string, which would otherwise be read as a tie of its letters.
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
    """The ids of a ranking, best first, ties in the order given.

    Raises InvalidRanking for repeated ids and empty groups, TypeError for a bare string.
    """
    ids = list(_count_ranked(groups))
    validate_weak_order(groups, ids)
    return ids


def mid_ranks(groups: Groups, ids: Sequence[str]) -> FloatArray:
    """Mid-ranks of `ids`, 1 for the best.

    Members of a group of k that stands behind b better ids share the mean of the places
    b+1 ... b+k, that is b + (k+1)/2. Hence the ranks of n ids always add up to n(n+1)/2.

    Returns an array of shape (n,) in the order of `ids`; shape (0,) for no ids.
    Raises what `validate_weak_order` raises.
    Source: Kendall and Gibbons, Rank Correlation Methods (5th ed., 1990), chapter 3.
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

    The dict runs best first. Statistics use `mid_ranks` instead, whose sum ties do not change.
    Raises what `ranked_ids` raises.
    """
    ranked_ids(groups)
    ranks: dict[str, int] = {}
    for group in groups:
        ranks.update(dict.fromkeys(group, len(ranks) + 1))
    return ranks


def same_order(a: Groups, b: Groups) -> bool:
    """Whether two rankings are the same weak order: equal groups in equal places.

    Rankings of different ids are different. Raises what `ranked_ids` raises, for either.
    """
    ranked_ids(a)
    ranked_ids(b)
    return [frozenset(group) for group in a] == [frozenset(group) for group in b]


def _count_ranked(groups: Groups) -> Counter[str]:
    if any(isinstance(group, str) for group in groups):
        raise TypeError("a group is a sequence of ids, not a string")
    return Counter(chain.from_iterable(groups))
