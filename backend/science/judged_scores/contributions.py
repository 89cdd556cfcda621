"""The prediction-powered mean as a sum over claims, from which tuning and variance follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.judged_scores.claims import FloatArray, IntArray, JudgedClaims


@dataclass(frozen=True)
class Contributions:
    """Influence of each claim on the means of its stratum: (n,) each, centred.

    people: a (y - mean a y), for the mean of people's verdicts. judge: that of the mean of the
    judge over the compared claims minus that over the verified ones. verified: a, sum 1 in each
    stratum. people_means, judge_gaps: (strata,), the means themselves. shares: (strata,), weights
    of the strata. factors: (strata,), what the judge's part must be multiplied by so that its λ is
    that of a comparison with the unverified claims.
    """

    people: FloatArray
    judge: FloatArray
    verified: FloatArray
    people_means: FloatArray
    judge_gaps: FloatArray
    shares: FloatArray
    factors: FloatArray


def contributions(claims: JudgedClaims) -> Contributions:
    """Contributions of claims, of which every stratum has a verified one.

    Claims that are clusters of their own, equally likely to be verified, are compared as the paper
    does: unverified with verified. All others: all claims with verified ones, which is the same
    estimator with λ times the unverified share, but keeps the covariance inside clusters.
    """
    strata, verified = claims.strata, claims.verified
    shares = _by_stratum(claims.weights, strata)
    a = np.where(verified, claims.weights, 0.0)
    unverified_share = 1 - _by_stratum(a, strata) / shares
    if claims.propensities is not None:
        np.divide(a, claims.propensities, out=a, where=verified)
    a = a / _by_stratum(a, strata)[strata]
    paper = claims.own_clusters and claims.propensities is None
    compared = np.where(verified & paper, 0.0, claims.weights)
    totals = _by_stratum(compared, strata)
    compared = compared / np.where(totals > 0, totals, 1.0)[strata]

    y = np.where(verified, claims.people, 0.0)
    people_means = _by_stratum(a * y, strata)
    judge_verified = _by_stratum(a * claims.judge, strata)
    judge_compared = _by_stratum(compared * claims.judge, strata)
    judge = compared * (claims.judge - judge_compared[strata])
    judge = judge - a * (claims.judge - judge_verified[strata])
    # A stratum that is verified in full compares nothing: the judge has no part in it.
    partly = unverified_share > 1e-12
    factors = np.ones(len(shares))
    if claims.propensities is None and not paper:
        np.divide(1.0, unverified_share, out=factors, where=partly)
    return Contributions(
        people=a * (y - people_means[strata]),
        judge=np.where(partly[strata], judge, 0.0),
        verified=a,
        people_means=people_means,
        judge_gaps=np.where(partly, judge_compared - judge_verified, 0.0),
        shares=shares,
        factors=factors,
    )


def tuned_lambdas(claims: JudgedClaims, parts: Contributions) -> FloatArray:
    """λ (strata,) of smallest estimated variance, in [0, 1]; 0 where the judge has no variance.

    - Σ_c A_c B_c / Σ_c B_c², A and B the contributions of people and judge summed by cluster. In
    the paper's case Σ B² is (1/n + 1/N) times the variance of the judge over all claims of the
    stratum, divisor one less than their number, as in `ppi-python`.
    """
    count = len(parts.shares)
    cells = numbered_pairs(claims.clusters, claims.strata)
    stratum = np.zeros(int(cells.max()) + 1, dtype=np.int64)
    stratum[cells] = claims.strata
    people = np.bincount(cells, parts.people)
    judge = np.bincount(cells, parts.judge * parts.factors[claims.strata])
    covariance = np.bincount(stratum, people * judge, count)
    spread: FloatArray = np.asarray(np.bincount(stratum, judge * judge, count), dtype=np.float64)
    if claims.own_clusters and claims.propensities is None:
        variance = _pooled_variances(claims, count)
    else:
        variance = spread
    lambdas = np.zeros(count)
    tiny = (1e-12 * np.abs(claims.judge).max()) ** 2
    np.divide(-covariance, variance, out=lambdas, where=(variance > tiny) & (spread > 0))
    return np.clip(lambdas, 0.0, 1.0)


def cluster_influence(
    claims: JudgedClaims, parts: Contributions, lambdas: FloatArray
) -> tuple[float, FloatArray]:
    """The estimate for given λ (strata,), and the influence of each cluster on it.

    Σ_s W_s θ_s, θ_s = mean of people + λ_s (judge over compared - judge over verified). The weights
    W_s of the strata are of the sample, so a claim has w (θ_s - θ) beside W_s times its part.
    """
    scaled = lambdas * parts.factors
    means = parts.people_means + scaled * parts.judge_gaps
    value = float(parts.shares @ means)
    own = parts.people + scaled[claims.strata] * parts.judge
    by_claim = parts.shares[claims.strata] * own + claims.weights * (means - value)[claims.strata]
    return value, np.asarray(np.bincount(claims.clusters, by_claim), dtype=np.float64)


def sum_of_squares(values: npt.ArrayLike) -> float:
    """Without BLAS, whose number of threads changes the last digits."""
    numbers = np.asarray(values, dtype=np.float64)
    return float(np.sum(numbers * numbers))


def numbered_pairs(first: IntArray, second: IntArray) -> IntArray:
    """Positions (n,) of the pairs of two labels among the different ones."""
    if not second.any():
        return first
    pairs = first * (int(second.max()) + 1) + second
    return np.asarray(np.unique(pairs, return_inverse=True)[1], dtype=np.int64)


def _by_stratum(values: FloatArray, strata: IntArray) -> FloatArray:
    return np.asarray(np.bincount(strata, values))


def _pooled_variances(claims: JudgedClaims, count: int) -> FloatArray:
    """(1/n + 1/N) var(judge) of each stratum; 0 where all claims are verified."""
    sizes = np.bincount(claims.strata, minlength=count)
    verified = np.bincount(claims.strata, claims.verified, count)
    means = np.bincount(claims.strata, claims.judge, count) / sizes
    squares = np.bincount(claims.strata, (claims.judge - means[claims.strata]) ** 2, count)
    rest = sizes - verified
    variance = np.zeros(count)
    inverse = 1 / np.maximum(verified, 1) + 1 / np.maximum(rest, 1)
    np.divide(squares * inverse, sizes - 1, out=variance, where=rest > 0)
    return variance
