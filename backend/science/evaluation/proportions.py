"""Intervals of a proportion."""

from __future__ import annotations

import math

from scipy.special import ndtri


def wilson_interval(successes: float, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion, without continuity correction.

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), p = successes / trials. Its lower bound is
    exactly 0 for no success, its upper exactly 1 for successes alone. Raises ValueError unless
    0 <= successes <= trials and trials >= 1. Source: Wilson, JASA 22 (1927).
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError("a proportion needs trials, and successes among them")
    share = successes / trials
    z2 = float(ndtri((1 + level) / 2)) ** 2 / trials
    reach = math.sqrt(z2 * share * (1 - share) + z2**2 / 4)
    low, high = (share + z2 / 2 - reach) / (1 + z2), (share + z2 / 2 + reach) / (1 + z2)
    return (0.0 if successes == 0 else low), (1.0 if successes == trials else high)
