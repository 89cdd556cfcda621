"""Judgements as a dense table of raters and items, with gaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

Judgement = tuple[str, str, float]
"""Item, rater, value; NaN where the rater gave none."""


@dataclass(frozen=True)
class JudgementTable:
    """values: float64 (raters, items), NaN where a rater did not judge an item.

    Values are numbers of categories, grades or measurements. Raises ValueError for another shape,
    infinite values, or names that are not unique.
    """

    values: FloatArray
    raters: tuple[str, ...]
    items: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.raters), len(self.items)):
            raise ValueError("a table has a row for each rater and a column for each item")
        if np.isinf(self.values).any():
            raise ValueError("judgements must be finite, or NaN where there is none")
        if len({*self.raters}) < len(self.raters) or len({*self.items}) < len(self.items):
            raise ValueError("raters and items have unique names")

    @classmethod
    def of(cls, judgements: Iterable[Judgement]) -> JudgementTable:
        """Table of records in any order; raters and items are sorted by name.

        Raises ValueError if a rater judged an item twice: the caller decides which one counts.
        """
        rows = list(judgements)
        items = {name: index for index, name in enumerate(sorted({row[0] for row in rows}))}
        raters = {name: index for index, name in enumerate(sorted({row[1] for row in rows}))}
        values = np.full((len(raters), len(items)), np.nan)
        places = set()
        for item, rater, value in rows:
            if (item, rater) in places:
                raise ValueError(f"rater {rater} judged item {item} twice")
            places.add((item, rater))
            values[raters[rater], items[item]] = value
        return cls(values, tuple(raters), tuple(items))

    def judgements(self) -> list[Judgement]:
        """The records of the table, by rater and then item, without gaps."""
        return [
            (self.items[item], self.raters[rater], float(self.values[rater, item]))
            for rater, item in np.argwhere(~np.isnan(self.values)).tolist()
        ]


@dataclass(frozen=True)
class Cells:
    """The judgements of a table one by one, with values replaced by positions in `categories`.

    rater, item, category: int64 (judgements,). shape: (raters, items).
    """

    rater: IntArray
    item: IntArray
    category: IntArray
    categories: FloatArray
    shape: tuple[int, int]

    @classmethod
    def of(cls, values: npt.ArrayLike, categories: Sequence[float] | None = None) -> Cells:
        """Cells of values (raters, items); categories are those that occur unless listed.

        Raises ValueError for another number of axes, infinite values, or values not listed.
        """
        table = rating_array(values)
        rater, item = np.nonzero(~np.isnan(table))
        present = table[rater, item]
        levels = np.unique(present if categories is None else np.asarray(categories, float))
        if not np.isin(present, levels).all():
            raise ValueError("a value is not among the categories")
        shape = (table.shape[0], table.shape[1])
        return cls(rater, item, np.searchsorted(levels, present), levels, shape)

    def item_counts(self, weights: FloatArray) -> FloatArray:
        """Weights (raters,) summed by item and category: (items, categories)."""
        count = len(self.categories)
        places = self.item * count + self.category
        sums = sum_by_place(places, weights[self.rater], self.shape[1] * count)
        return sums.reshape(self.shape[1], count)

    def item_totals(self, weights: FloatArray) -> FloatArray:
        """Weights (raters,) of those who judged each item: (items,)."""
        return sum_by_place(self.item, weights[self.rater], self.shape[1])


def sum_by_place(places: IntArray, weights: FloatArray, size: int) -> FloatArray:
    """Sums (size,) of the weights by place, 0 where there are none."""
    return np.bincount(places, weights, size).astype(np.float64)


def rating_array(values: npt.ArrayLike) -> FloatArray:
    """The values as float64 (raters, items). Raises ValueError for other axes or infinite ones."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("judgements are (raters, items), finite or NaN where there is none")
    return table
