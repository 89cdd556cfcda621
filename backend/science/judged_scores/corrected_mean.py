"""Prediction-powered means: a judge's mean, corrected by people's verdicts, with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtri, stdtrit

from backend.science.judged_scores.claims import FloatArray, JudgedClaims
from backend.science.judged_scores.contributions import (
    cluster_influence,
    contributions,
    sum_of_squares,
    tuned_lambdas,
)

Bounds = tuple[float, float]
Method = Literal["normal", "student", "few_events"]
MissingReason = Literal["no_verdicts", "stratum_without_verdicts", "too_few_clusters"]

LEVEL = 0.95
MIN_CLUSTERS, MIN_NORMAL_CLUSTERS = 5, 50
MIN_EVENTS, ADDED_CLAIMS = 5, 2
UNIT: Bounds = (0.0, 1.0)


@dataclass(frozen=True)
class IntervalEstimate:
    """A mean with its 95% interval, both bounds or neither."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class CorrectedMean:
    """A corrected mean beside the judge's own.

    value: None without verdicts, and then `reason` is set. low, high, method: None where there is
    no interval, and then `reason` is set too. raw: the judge's mean over all claims, whose interval
    knows nothing of the judge's errors. people: the mean of the verdicts alone. lambdas: λ of each
    stratum, how far the judge is used. standard_error: that of the interval. verified,
    verified_clusters: claims with a verdict, and clusters with such a claim. effective_verdicts:
    verdicts that would give the same variance without the judge, chosen the same way: verified
    times the ratio of the variances.
    """

    value: float | None
    low: float | None
    high: float | None
    method: Method | None
    reason: MissingReason | None
    raw: IntervalEstimate
    people: IntervalEstimate | None
    lambdas: tuple[float, ...]
    standard_error: float | None
    effective_verdicts: float | None
    claims: int
    verified: int
    verified_clusters: int

    @property
    def approximate(self) -> bool:
        return self.method in ("student", "few_events")

    @property
    def can_be_planned(self) -> bool:
        """Whether `plan_verdicts` holds, whose interval is normal: one by few disagreements is much
        wider."""
        return self.method in ("normal", "student")


def corrected_mean(
    claims: JudgedClaims,
    *,
    lambdas: FloatArray | None = None,
    bounds: Bounds | None = UNIT,
    level: float = LEVEL,
) -> CorrectedMean:
    """PPI++: λ mean(judge over unverified) + mean(people - λ judge over verified).

    Means are weighted by w, over verified claims by w / propensity, and divided by the sum of their
    weights. With propensities the first mean is over all claims. With strata this is done in each,
    and averaged by the strata's weights. λ in [0, 1] makes the estimated variance smallest
    (`tuned_lambdas`) unless `lambdas` are given. The variance is the sum over clusters of their
    squared influence, so claims of one cluster may depend on each other in any way, and the strata
    may have claims of the same clusters. Claims are chosen independently, or a fixed number of
    them; or whole clusters are.

    Interval, by G, the effective number (Σ a)² / Σ a² of verified clusters, a the weight of each:

    - fewer than 5 verified clusters: none, `too_few_clusters`; likewise for a stratum with fewer
      than two.
    - G < 50: variance times G/(G-1), Student's t with G less the number of strata degrees of
      freedom, at least 1; approximate.
    - Otherwise: value ± 1.96 standard errors, as the paper has it.
    - If judge and people differ in fewer than 5 clusters, or fewer than 5 have a verdict of one
      kind: the variance is that with two more verified claims, on which people and λ judge differ
      by the whole scale. Without them an excellent judge has an interval of almost no width: people
      who agree with it 20 times may yet disagree once in 10. Verdicts between the ends of the scale
      count in proportion. Approximate; only with bounds.

    Value and interval are clipped to `bounds`; None for an unbounded scale. A constant judge has
    λ = 0, the mean of people alone; so has a stratum of which all claims are verified. Ties need no
    rule. Raises ValueError for another number of lambdas than strata, or a level outside (0, 1).

    Source: Angelopoulos, Duchi and Zrnic, PPI++ (2023), arXiv 2311.01453, sections 2 and 6; active
    choice: Zrnic and Candès, Active Statistical Inference (2024), arXiv 2403.03208, section 3;
    strata: Fisch et al., Stratified Prediction-Powered Inference (2024), arXiv 2406.04291.
    """
    if not 0 < level < 1:
        raise ValueError("a level lies between 0 and 1")
    raw = _judge_mean(claims, bounds, level)
    counts = np.bincount(claims.strata, claims.verified)
    if not counts.all():
        reason: MissingReason = "stratum_without_verdicts" if counts.any() else "no_verdicts"
        return _without_value(claims, raw, reason)
    parts = contributions(claims)
    tuned = tuned_lambdas(claims, parts) if lambdas is None else np.asarray(lambdas, float)
    if tuned.shape != counts.shape:
        raise ValueError("there is one λ for each stratum")
    value, influence = cluster_influence(claims, parts, tuned)
    people, people_influence = cluster_influence(claims, parts, np.zeros_like(tuned))
    verified = parts.verified * parts.shares[claims.strata]
    interval = _Interval.of(claims, verified, bounds, level)
    variance, alone = sum_of_squares(influence), sum_of_squares(people_influence)
    low, high = interval.around(value, variance)
    spread = interval.spread(variance)
    verdicts = int(claims.verified.sum())
    return CorrectedMean(
        value=_clipped(value, bounds),
        low=low,
        high=high,
        method=interval.method,
        reason=None if interval.method else "too_few_clusters",
        raw=raw,
        people=IntervalEstimate(_clipped(people, bounds), *interval.around(people, alone)),
        lambdas=tuple(float(one) for one in tuned),
        standard_error=math.sqrt(spread),
        effective_verdicts=verdicts * (interval.spread(alone) / spread if spread > 0 else 1.0),
        claims=claims.judge.size,
        verified=verdicts,
        verified_clusters=len(np.unique(claims.clusters[claims.verified])),
    )


@dataclass(frozen=True)
class _Interval:
    """How an interval is made from an estimate and its variance."""

    method: Method | None
    quantile: float
    factor: float
    clusters: float
    bounds: Bounds | None

    @classmethod
    def of(
        cls, claims: JudgedClaims, verified: FloatArray, bounds: Bounds | None, level: float
    ) -> _Interval:
        sums = np.bincount(claims.clusters, verified)
        effective = float(sums.sum() ** 2) / sum_of_squares(sums)
        strata = int(claims.strata.max()) + 1
        if np.count_nonzero(sums) < MIN_CLUSTERS or _smallest_stratum(claims) < min(strata, 2):
            return cls(None, math.nan, 1.0, effective, bounds)
        method: Method = "normal"
        quantile, factor = float(ndtri((1 + level) / 2)), 1.0
        if effective < MIN_NORMAL_CLUSTERS - 1e-6:
            method, factor = "student", effective / (effective - 1) if effective > 2 else 2.0
            quantile = float(stdtrit(max(effective - strata, 1.0), (1 + level) / 2))
        if bounds is not None and _fewest_events(claims, bounds) < MIN_EVENTS:
            method = "few_events"
        return cls(method, quantile, factor, effective, bounds)

    def around(self, value: float, variance: float) -> tuple[float | None, float | None]:
        if self.method is None:
            return None, None
        reach = self.quantile * math.sqrt(self.spread(variance))
        return _clipped(value - reach, self.bounds), _clipped(value + reach, self.bounds)

    def spread(self, variance: float) -> float:
        """The variance with the corrections for a small sample."""
        spread = self.factor * variance
        if self.method == "few_events" and self.bounds is not None:
            whole = (self.bounds[1] - self.bounds[0]) ** 2
            added = self.clusters + ADDED_CLAIMS
            spread = spread * (self.clusters / added) ** 2 + ADDED_CLAIMS * whole / added**2
        return spread


def _smallest_stratum(claims: JudgedClaims) -> int:
    """Fewest verified clusters of a stratum."""
    pairs = np.unique(np.stack([claims.strata, claims.clusters])[:, claims.verified], axis=1)
    return int(np.bincount(pairs[0], minlength=int(claims.strata.max()) + 1).min())


def _fewest_events(claims: JudgedClaims, bounds: Bounds) -> float:
    """The fewest clusters with a disagreement, with a verdict above, or with one below the end."""
    low, high = bounds
    chosen = claims.verified
    people, judge = claims.people[chosen], claims.judge[chosen]
    events = np.stack([np.abs(people - judge), people - low, high - people]) / (high - low)
    largest = np.zeros((3, int(claims.clusters.max()) + 1))
    for row, values in zip(largest, events, strict=True):
        np.maximum.at(row, claims.clusters[chosen], values)
    return float(largest.sum(axis=1).min())


def _judge_mean(claims: JudgedClaims, bounds: Bounds | None, level: float) -> IntervalEstimate:
    value = float(np.sum(claims.weights * claims.judge))
    influence = np.bincount(claims.clusters, claims.weights * (claims.judge - value))
    if len(influence) < MIN_CLUSTERS:
        return IntervalEstimate(value)
    size = len(influence)
    reach = math.sqrt(sum_of_squares(influence) * size / (size - 1))
    reach *= float(stdtrit(size - 1, (1 + level) / 2))
    return IntervalEstimate(value, _clipped(value - reach, bounds), _clipped(value + reach, bounds))


def _without_value(
    claims: JudgedClaims, raw: IntervalEstimate, reason: MissingReason
) -> CorrectedMean:
    verdicts = int(claims.verified.sum())
    clusters = len(np.unique(claims.clusters[claims.verified]))
    return CorrectedMean(
        *(None, None, None, None, reason, raw, None, (), None, None),
        claims=claims.judge.size,
        verified=verdicts,
        verified_clusters=clusters,
    )


def _clipped(value: float, bounds: Bounds | None) -> float:
    return value if bounds is None else min(max(value, bounds[0]), bounds[1])
