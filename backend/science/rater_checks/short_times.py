"""Raters who take much less time than the others for the same items."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import bdtrc

from backend.science.rater_checks.answers import FloatArray, IntArray
from backend.science.rater_checks.rater_tests import RaterTest, adjust_tests

SHORT_SHARE = 1 / 3
MIN_OTHERS = 2
MIN_ANSWERS = 10


def check_short_times(raters: IntArray, items: IntArray, seconds: FloatArray) -> list[RaterTest]:
    """Whether a rater's typical time is below a third of the others' median for the same items.

    raters, items: (n,), numbered from 0. seconds: (n,), positive, NaN where unknown. value: the
    median over items of the rater's time divided by the median of at least two others; expected: 1.
    Sign test (Dixon and Mood, JASA 41, 1946) of the number of items below a third: p is exact for a
    rater whose ratios lie below a third as often as above it, and smaller for all who take longer.
    So a quick rater is not flagged. Raters with fewer than 10 such items are left out, and so are
    answers of 0 seconds: imports have them where the time is unknown.
    """
    ratios: dict[int, list[float]] = {}
    for places in _places_by_item(items, np.flatnonzero(seconds > 0)):  # NaN is not
        for place in places:
            others = places[raters[places] != raters[place]]
            if len(others) >= MIN_OTHERS:
                ratio = float(seconds[place] / np.median(seconds[others]))
                ratios.setdefault(int(raters[place]), []).append(ratio)
    enough = {rater: own for rater, own in sorted(ratios.items()) if len(own) >= MIN_ANSWERS}
    return adjust_tests([_test(rater, np.array(own)) for rater, own in enough.items()])


def _places_by_item(items: IntArray, places: IntArray) -> Iterator[IntArray]:
    ordered = places[np.argsort(items[places], kind="stable")]
    starts = np.flatnonzero(np.diff(items[ordered])) + 1
    yield from np.split(ordered, starts)


def _test(rater: int, ratios: FloatArray) -> RaterTest:
    count, short = len(ratios), int((ratios < SHORT_SHARE).sum())
    p = float(bdtrc(short - 1, count, 0.5)) if short else 1.0
    return RaterTest(rater, float(np.median(ratios)), 1.0, count, p)
