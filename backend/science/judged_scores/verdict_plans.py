"""How many more verdicts make the interval of a corrected mean as narrow as needed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from backend.science.judged_scores.claims import FloatArray, JudgedClaims
from backend.science.judged_scores.contributions import (
    cluster_influence,
    contributions,
    sum_of_squares,
    tuned_lambdas,
)
from backend.science.judged_scores.verdict_sampling import POOL_RATE, verdict_propensities

LEVEL = 0.95
REFINEMENTS = 20


@dataclass(frozen=True)
class PrecisionPlan:
    """Variance of a corrected mean from n verdicts in total: base + slope / n.

    base: what no verdict changes, the spread of claims and rationales that the judge shows; it may
    be negative, for the variance at n = most is that of people's mean over all claims.
    verdicts: those at hand. most: all claims.
    """

    base: float
    slope: float
    verdicts: int
    most: int

    def half_width(self, verdicts: int, *, level: float = LEVEL) -> float:
        """Of the normal interval from so many verdicts in total."""
        variance = max(self.base + self.slope / min(verdicts, self.most), 0.0)
        return float(ndtri((1 + level) / 2)) * math.sqrt(variance)

    def verdicts_for(self, half_width: float, *, level: float = LEVEL) -> int | None:
        """Fewest verdicts in total, ⌈slope / (half_width² / z² - base)⌉.

        None if even verdicts on all claims leave it wider: then only more rationales help. Raises
        ValueError unless the half width is above 0.
        """
        if not half_width > 0:
            raise ValueError("a half width is above 0")
        variance = (half_width / float(ndtri((1 + level) / 2))) ** 2
        if variance <= self.base:
            return None
        # The width of a whole number of verdicts needs that number, in spite of rounding.
        needed = max(1, math.ceil(self.slope / (variance - self.base) * (1 - 1e-12)))
        return needed if needed <= self.most else None

    def more_to_halve(self) -> int | None:
        """Verdicts beside those at hand that halve the interval.

        None as in `verdicts_for`, and where the verdicts at hand show no variance to plan with.
        """
        width = self.half_width(self.verdicts)
        needed = self.verdicts_for(width / 2) if width > 0 else None
        return None if needed is None else max(0, needed - self.verdicts)


def assumed_plan(
    share: float,
    correlation: float,
    *,
    claims: int,
    verdicts: int,
    design_effect: float = 1.0,
) -> PrecisionPlan:
    """The plan before there is a verdict: σ²/n (1 - r² (N - n)/N), σ² = p (1 - p).

    share p: supported claims. correlation r: of judge and people. N claims, n of them verified at
    random. design_effect: 1 + (claims of a rationale - 1) times the intraclass correlation of the
    verdicts; it adds (design_effect - 1) σ²/N. Raises ValueError for a share outside [0, 1], a
    correlation outside [-1, 1], or fewer than one claim. A judge whose correlation is negative is
    not used. Source: PPI++ (2023), section 6, at the best λ.
    """
    if not (0 <= share <= 1 and -1 <= correlation <= 1 and claims >= 1):
        raise ValueError("a plan needs a share, a correlation and at least one claim")
    spread, explained = share * (1 - share), max(correlation, 0.0) ** 2
    base = spread / claims * (explained + design_effect - 1)
    return PrecisionPlan(base, spread * (1 - explained), verdicts, claims)


def plan_verdicts(
    claims: JudgedClaims, *, scores: npt.ArrayLike | None = None, uniform: bool = False
) -> PrecisionPlan:
    """The plan for single claims, from the verdicts at hand.

    With w the weights, e = people - λ judge, centred in its stratum, and C the variance if all
    claims were verified, propensities π give C + Σ w² e² (1/π - 1). Sums over all claims are
    estimated from verified ones by the propensities p at which they were chosen: a = w/p, C is the
    estimated variance less Σ a² e² (1 - p), and where π = n g it is

        base = C - Σ a² e² p,  slope = Σ a² e² p / g

    Without more arguments g continues the present design: the same propensities, or shares of the
    strata. uniform: g = 1/N. scores: the propensities of `choose_claims`; for more than a quarter
    of the claims they depend on n, so g is that of the needed n, and the plan holds near the width
    that halves the present one. Of whole rationales see `plan_rationales`.

    Raises ValueError unless every stratum has a verdict, or for what `verdict_propensities`
    rejects.
    """
    pilot = _Pilot.of(claims)
    squares = pilot.residuals**2
    inner = float(np.sum(squares * pilot.propensities))
    base = pilot.census - inner
    count, verdicts = claims.judge.size, len(squares)
    if scores is None and not uniform:
        return PrecisionPlan(base, verdicts * float(squares.sum()), verdicts, count)
    if scores is None:
        return PrecisionPlan(base, count * inner, verdicts, count)
    values, needed = np.asarray(scores, dtype=np.float64), 0
    for _ in range(REFINEMENTS):
        budget = min(count, max(needed, verdicts, math.ceil(POOL_RATE * count)))
        shape = verdict_propensities(values, budget)[claims.verified] / budget
        slope = float(np.sum(squares * pilot.propensities / shape))
        plan = PrecisionPlan(base, slope, verdicts, count)
        target = verdicts + (plan.more_to_halve() or 0)
        if target <= budget:
            break
        needed = target
    return plan


def plan_rationales(claims: JudgedClaims) -> PrecisionPlan:
    """The plan for whole clusters: numbers of verdicts are numbers of clusters.

    C + Q (R/k - 1) for k of R clusters, Q = Σ_c (Σ w e)². From verdicts on single claims the
    products of two claims of a cluster are weighted by both propensities, from verdicts on whole
    clusters by one. Assumes clusters chosen at random. Raises what `plan_verdicts` raises.
    """
    pilot = _Pilot.of(claims)
    total = int(claims.clusters.max()) + 1
    labels = claims.clusters[claims.verified]
    if pilot.whole:
        sums = np.bincount(labels, pilot.residuals)
        shares = np.bincount(labels, pilot.propensities)
        sizes = np.maximum(np.bincount(labels), 1)
        inner = float(np.sum(sums**2 * shares / sizes))
    else:
        squares = pilot.residuals**2
        sums = np.bincount(labels, pilot.residuals)
        inner = float(np.sum(squares * (pilot.propensities - 1))) + sum_of_squares(sums)
    inner = max(inner, 0.0)
    return PrecisionPlan(pilot.census - inner, total * inner, len(np.unique(labels)), total)


@dataclass(frozen=True)
class _Pilot:
    """residuals: a e of verified claims. propensities: p of each. census: C. whole: of clusters."""

    residuals: FloatArray
    propensities: FloatArray
    census: float
    whole: bool

    @classmethod
    def of(cls, claims: JudgedClaims) -> _Pilot:
        strata, verified = claims.strata, claims.verified
        if not np.bincount(strata, verified).all():
            raise ValueError("a plan from verdicts needs one in every stratum")
        parts = contributions(claims)
        lambdas = tuned_lambdas(claims, parts)
        _, influence = cluster_influence(claims, parts, lambdas)
        scaled = _over_all_claims(claims, lambdas)
        outcome = np.where(verified, claims.people, 0.0) - scaled[strata] * claims.judge
        means = np.bincount(strata, parts.verified * outcome)
        residuals = parts.verified * parts.shares[strata] * (outcome - means[strata])
        propensities = _inclusion(claims)
        whole = _whole_clusters(claims)
        chosen = residuals[verified]
        if whole:
            sums = np.bincount(claims.clusters[verified], chosen)
            spread = np.bincount(claims.clusters[verified], chosen * propensities)
            sampled = float(np.sum(sums * (sums - spread)))
        else:
            sampled = float(np.sum(chosen**2 * (1 - propensities)))
        return cls(chosen, propensities, sum_of_squares(influence) - sampled, whole)


def _over_all_claims(claims: JudgedClaims, lambdas: FloatArray) -> FloatArray:
    """λ of a comparison with all claims, which does not depend on the number of verdicts."""
    if claims.propensities is not None:
        return lambdas
    shares = np.bincount(claims.strata, claims.weights)
    rest = np.bincount(claims.strata, np.where(claims.verified, 0.0, claims.weights)) / shares
    return np.asarray(np.divide(lambdas, rest, out=np.zeros_like(lambdas), where=rest > 1e-12))


def _inclusion(claims: JudgedClaims) -> FloatArray:
    """Probabilities of inclusion of the verified claims, whose inverses add up to all claims."""
    strata = claims.strata[claims.verified]
    relative = np.ones(len(strata))
    if claims.propensities is not None:
        relative = claims.propensities[claims.verified]
    scale = np.bincount(strata, 1 / relative) / np.bincount(claims.strata)
    return np.minimum(relative * scale[strata], 1.0)


def _whole_clusters(claims: JudgedClaims) -> bool:
    if claims.own_clusters or claims.propensities is not None:
        return False
    sizes = np.bincount(claims.clusters)
    verified = np.bincount(claims.clusters, claims.verified)
    return bool(((verified == 0) | (verified == sizes)).all())
