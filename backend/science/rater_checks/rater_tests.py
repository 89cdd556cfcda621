"""One test of each rater, adjusted over the raters and the checks of a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from backend.science.judgements.study_level import LEVEL, adjust_over_study

DRAWS = 49_999
FIRST_DRAWS, MOST_AT_ONCE = 500, 5_000
ENOUGH = 20
EQUAL = 1e-9  # sums of the same numbers in another order

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RaterTest:
    """value: what the check measures. expected: its mean if there were nothing to see. n: answers.

    adjusted: the p-value over the raters that the check tested and the checks of a study.
    """

    rater: int | str
    value: float
    expected: float
    n: int
    p_value: float
    adjusted: float = 1.0

    @property
    def flagged(self) -> bool:
        return self.adjusted <= LEVEL


def adjust_tests(tests: Sequence[RaterTest]) -> list[RaterTest]:
    adjusted = adjust_over_study([test.p_value for test in tests])
    return [replace(test, adjusted=p) for test, p in zip(tests, adjusted, strict=True)]


def simulated_p(
    observed: float, draw: Callable[[int], FloatArray], *, draws: int
) -> tuple[float, float]:
    """P(draw >= observed), and the mean of the draws, from as few of them as are needed.

    draw: the statistic in so many draws under the null hypothesis. After the 20th that is at least
    as large, at draw l, p is 20 / l; else (1 + their number) / (1 + draws). Both are valid p-values
    at every level, and small ones have the precision that many raters and checks need. Source:
    Besag and Clifford, Biometrika 78 (1991).
    """
    done = reached = 0
    total, size = 0.0, min(FIRST_DRAWS, draws)
    while done < draws:
        values = draw(min(size, draws - done))
        total += float(values.sum())
        places = np.flatnonzero(values >= observed - EQUAL)
        if reached + len(places) >= ENOUGH:
            last = done + int(places[ENOUGH - reached - 1]) + 1
            return ENOUGH / last, total / (done + len(values))
        reached, done, size = reached + len(places), done + len(values), MOST_AT_ONCE
    return (1 + reached) / (1 + draws), total / draws
