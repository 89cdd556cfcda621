"""Ranks and highlights in leaderboard tables.

Values that print the same are equal, so that readers can verify a rank from the table. Highlights
refer to entries, not to labels or row numbers, so two entries of one name stay distinct.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import accumulate
from math import isfinite
from typing import Literal

Direction = Literal["higher", "lower"]

MAX_DECIMALS = 20

# Wide enough for every float at MAX_DECIMALS: 309 digits before the point and 20 after it.
_EXACT = Context(prec=340)


@dataclass(frozen=True)
class Column:
    """One metric of a table: values by entry id, in the printed unit.

    None is a missing value. `direction` states which values are better.
    """

    values: Mapping[str, float | None]
    direction: Direction
    decimals: int


@dataclass(frozen=True)
class Highlights:
    """Ids of the entries to mark as best and as second in one column."""

    best: frozenset[str]
    second: frozenset[str]


def round_displayed(value: float, decimals: int) -> Decimal:
    """`value` as it is printed with `decimals` places.

    Rounds the float's exact binary value, halves away from zero: the rule of JavaScript's
    `toFixed`, which the page uses. Other formatters differ at halves: Python's `round` turns 0.125
    into 0.12 (here 0.13), and browsers' `Intl.NumberFormat`, which rounds the shortest decimal,
    turns 1.005 into 1.01 (here 1.00). Minus zero equals zero.

    Raises ValueError for a value that is not finite, or decimals outside 0 ... MAX_DECIMALS.
    """
    if not isfinite(value):
        raise ValueError(f"only finite values can be printed, not {value}")
    if not 0 <= decimals <= MAX_DECIMALS:
        raise ValueError(f"decimals must be between 0 and {MAX_DECIMALS}, not {decimals}")
    step = Decimal(1).scaleb(-decimals)
    return Decimal(value).quantize(step, rounding=ROUND_HALF_UP, context=_EXACT)


def competition_places(column: Column) -> dict[str, int | None]:
    """Rank of each entry: 1 + the number of entries that print strictly better, so 1, 2, 2, 4.

    Entries keep the order of the column. A missing value has no rank (None) and does not change the
    rank of any other entry.

    Raises what `round_displayed` raises; a NaN is an error of the caller, not a missing value.
    """
    printed = {
        entry: round_displayed(value, column.decimals)
        for entry, value in column.values.items()
        if value is not None
    }
    tallies = Counter(printed.values())
    best_first = sorted(tallies, reverse=column.direction == "higher")
    first_places = accumulate((tallies[value] for value in best_first), initial=1)
    place_of = dict(zip(best_first, first_places, strict=False))
    return {
        entry: place_of[printed[entry]] if entry in printed else None for entry in column.values
    }


def highlight(column: Column) -> Highlights:
    """Entries of rank 1 (best) and rank 2 (second), by `competition_places`.

    Entries that print the same share the mark. If several are best, the next rank is 3 or lower, so
    there is no second: marks always agree with the printed ranks. A column without values has no
    marks; one with a single value marks that entry as best.

    Raises what `round_displayed` raises.
    """
    places = competition_places(column)
    best = frozenset(entry for entry, place in places.items() if place == 1)
    second = frozenset(entry for entry, place in places.items() if place == 2)
    return Highlights(best, second)
