"""Positive, tie and negative rates of ratings from 1 to 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.tables import FloatArray, rating_array
from backend.science.judgements.two_way import DRAWS, ResampledStatistic, two_way_mean
from backend.science.optional_statistic import Statistic

Rate = Literal["positive", "tie", "negative", "non_negative"]
RATES: tuple[Rate, ...] = get_args(Rate)
LOWEST, MIDDLE, HIGHEST = 1, 3, 5


@dataclass(frozen=True)
class RatingRate:
    """A share of the ratings.

    of_ratings: with Wilson's interval, as if all ratings were independent: for comparison with
    printed tables. clustered: the same share with its interval over raters and items: to believe.
    """

    of_ratings: Statistic
    clustered: ResampledStatistic


def rating_rates(
    values: npt.ArrayLike, *, seed: int, draws: int = DRAWS
) -> Mapping[Rate, RatingRate]:
    """Rates of a table (raters, items) of whole ratings from 1 to 5, NaN for a gap.

    Positive 4 and 5, tie 3, negative 1 and 2; non_negative is positive or tie, the second figure of
    STaRK's Table 5. All rates have the same draws. n is the number of ratings; without any they are
    undefined (`too_few_items`). Raises ValueError for another shape or other values. Source: Wu et
    al., STaRK (NeurIPS 2024), section 2.5 and Table 5; intervals: `wilson_interval`,
    `two_way_mean`.
    """
    table = rating_array(values)
    if not np.isin(table[~np.isnan(table)], range(LOWEST, HIGHEST + 1)).all():
        raise ValueError(f"ratings are whole numbers from {LOWEST} to {HIGHEST}")
    gap = np.isnan(table)
    members: dict[Rate, npt.NDArray[np.bool_]] = {
        "positive": table > MIDDLE,
        "tie": table == MIDDLE,
        "negative": table < MIDDLE,
        "non_negative": table >= MIDDLE,
    }
    return {
        rate: _rate(np.where(gap, np.nan, members[rate]), seed=seed, draws=draws) for rate in RATES
    }


def _rate(values: FloatArray, *, seed: int, draws: int) -> RatingRate:
    clustered = two_way_mean(values, seed=seed, draws=draws, bounded=True)
    if clustered.value is None:
        return RatingRate(Statistic(None, 0, "too_few_items"), clustered)
    low, high = wilson_interval(round(clustered.value * clustered.n), clustered.n)
    return RatingRate(Statistic(clustered.value, clustered.n, low=low, high=high), clustered)
