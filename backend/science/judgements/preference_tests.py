"""Whether raters prefer one of two arms: the exact sign test, the printed z-test, Wilcoxon's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import bdtr, ndtr

from backend.science.value_ranks import rank_values

TestName = Literal["sign_test", "two_proportion_z", "signed_rank"]
Fault = Literal["one_sample_counted_twice", "one_sided"]

MOST_EXACT_RANKS = 300
Z_FAULTS: tuple[Fault, ...] = ("one_sample_counted_twice", "one_sided")
Z_EXPLANATION = (
    "The two shares are complements of one sample of pairs, not two samples, so this z is √2 too "
    "large; and p is one-sided. The exact sign test is valid."
)


@dataclass(frozen=True)
class PreferenceTest:
    """p_value: None without an observation. n: observations that count, without ties.

    statistic: pairs for the first arm of the sign test, z, or the sum of the ranks for the first.
    believable: whether p is a valid test of 'no preference'; if not, `faults` and `explanation`
    state why.
    """

    name: TestName
    p_value: float | None
    statistic: float | None
    n: int
    two_sided: bool
    believable: bool = True
    faults: tuple[Fault, ...] = ()
    explanation: str = ""


def sign_test(first: int, second: int) -> PreferenceTest:
    """Exact two-sided binomial test of numbers of pairs for each arm; ties are left out before.

    p = min(1, 2 P(X <= min(first, second))), X ~ Binomial(first + second, 1/2). Raises ValueError
    for negative numbers. Source: Conover, Practical Nonparametric Statistics (3rd ed., 1999),
    section 3.4.
    """
    n = _total(first, second)
    if n == 0:
        return PreferenceTest("sign_test", None, None, 0, two_sided=True)
    p_value = min(1.0, 2 * float(bdtr(min(first, second), n, 0.5)))
    return PreferenceTest("sign_test", p_value, float(first), n, two_sided=True)


def two_proportion_z(first: int, second: int) -> PreferenceTest:
    """The one-sided test of TruthHypo's Table 4, printed beside the sign test and not believable.

    z = (p - q) / √(2 m (1 - m) / n) with n = first + second, p = first / n, q = second / n and m
    their mean, as if each share came from n pairs of its own; p-value 1 - Φ(z). Since q = 1 - p is
    the same sample, the variance of p - q is 4 p q / n and not 2 m (1 - m) / n: z is √2 too large.
    33 against 21 of 54 gives 0.01046, 32 against 22 gives 0.02715; the sign test 0.1337 and 0.2203.

    Raises ValueError for negative numbers. Source: Xiong et al., Toward Reliable Biomedical
    Hypothesis Generation (2025), Table 4; recomputed from its shares.
    """
    n = _total(first, second)
    z = (first - second) / n / math.sqrt(0.5 / n) if n else None
    return PreferenceTest(
        "two_proportion_z",
        None if z is None else float(ndtr(-z)),
        z,
        n,
        two_sided=False,
        believable=False,
        faults=Z_FAULTS,
        explanation=Z_EXPLANATION,
    )


def signed_rank_test(grades: Sequence[float]) -> PreferenceTest:
    """Wilcoxon's two-sided signed-rank test of grades, one for each pair, above 0 for the first.

    Zeros are left out; equal sizes share their mean rank. Exact given the ranks, by counting the
    signs (2^n of them, summed by dynamic programming), up to 300 grades; above, the normal
    approximation with the correction for ties. Raises ValueError for grades that are not finite.
    Source: Wilcoxon, Biometrics Bulletin 1 (1945); Pratt and Gibbons, Concepts of Nonparametric
    Theory (1981), chapter 3, for ties.
    """
    values = np.asarray(grades, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("grades are a flat sequence of finite numbers")
    values = values[values != 0]
    if values.size == 0:
        return PreferenceTest("signed_rank", None, None, 0, two_sided=True)
    ranks = rank_values(np.abs(values))
    positive = float(ranks[values > 0].sum())
    is_exact = values.size <= MOST_EXACT_RANKS
    p_value = (_exact_rank_p if is_exact else _approximate_rank_p)(ranks, positive)
    return PreferenceTest("signed_rank", p_value, positive, int(values.size), two_sided=True)


def _exact_rank_p(ranks: np.ndarray, positive: float) -> float:
    doubled = np.rint(2 * ranks).astype(int)  # mean ranks are halves
    chances = np.zeros(doubled.sum() + 1)
    chances[0] = 1.0
    for rank in doubled.tolist():
        chances[rank:] = (chances[rank:] + chances[:-rank]) / 2
        chances[:rank] /= 2
    total = round(2 * positive)
    tail = min(chances[: total + 1].sum(), chances[total:].sum())
    return min(1.0, 2 * float(tail))


def _approximate_rank_p(ranks: np.ndarray, positive: float) -> float:
    # Each rank counts or not with probability 1/2, which includes the correction for ties.
    z = (positive - ranks.sum() / 2) / math.sqrt(float(ranks @ ranks) / 4)
    return float(2 * ndtr(-abs(z)))


def _total(first: int, second: int) -> int:
    if first < 0 or second < 0:
        raise ValueError("numbers of pairs are not negative")
    return first + second
