"""Places and highlights in leaderboard tables.

Two rules hold everywhere. Values that print the same are equal: a reader must be able to check
a place against the table. Highlights belong to entries, never to labels or row numbers, so two
entries of one name cannot take each other's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import accumulate
from math import isfinite
from typing import Literal

Direction = Literal["higher", "lower"]

MAX_DECIMALS = 20

# Wide enough for every float at MAX_DECIMALS: 309 digits before the point and 20 behind it.
_EXACT = Context(prec=340)


@dataclass(frozen=True)
class Column:
    """One metric of a table: values by entry id, in the unit in which they are printed.

    None is a missing value. `direction` says which values are better.
    """

    values: Mapping[str, float | None]
    direction: Direction
    decimals: int


@dataclass(frozen=True)
class Highlights:
    """Ids of the entries to mark as best and as second in one column."""

    best: frozenset[str]
    second: frozenset[str]


def displayed(value: float, decimals: int) -> Decimal:
    """`value` as it is printed with `decimals` places.

    Rounds the float's exact binary value, halves away from zero: the rule of JavaScript's
    `toFixed`, with which the page must print. Other printers differ at halves: Python's `round`
    makes 0.125 into 0.12 (here 0.13), and browsers' `Intl.NumberFormat`, which rounds the
    shortest decimal, makes 1.005 into 1.01 (here 1.00). Minus zero equals zero.

    Raises ValueError for a value that is not finite, or decimals outside 0 ... MAX_DECIMALS.
    """
    if not isfinite(value):
        raise ValueError(f"only finite values can be printed, not {value}")
    if not 0 <= decimals <= MAX_DECIMALS:
        raise ValueError(f"decimals must be between 0 and {MAX_DECIMALS}, not {decimals}")
    step = Decimal(1).scaleb(-decimals)
    return Decimal(value).quantize(step, rounding=ROUND_HALF_UP, context=_EXACT)


def competition_places(column: Column) -> dict[str, int | None]:
    """Place of each entry: 1 + the number of entries that print strictly better, so 1, 2, 2, 4.

    Entries are in the order of the column. A missing value has no place (None) and costs no
    other entry its place, in either direction.

    Raises what `displayed` raises; a NaN is a fault of whoever stored it, not a missing value.
    """
    printed = {
        entry: displayed(value, column.decimals)
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
    """Entries in place 1 (best) and in place 2 (second), by `competition_places`.

    Entries that print the same share the mark. When several are best the next one is third or
    lower, so nobody is second: a mark always agrees with the place printed beside it. A column
    without values marks nobody; one with a single value marks that entry as best.

    Raises what `displayed` raises.
    """
    places = competition_places(column)
    best = frozenset(entry for entry, place in places.items() if place == 1)
    second = frozenset(entry for entry, place in places.items() if place == 2)
    return Highlights(best, second)
