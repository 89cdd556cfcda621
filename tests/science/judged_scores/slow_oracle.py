"""The corrected mean by its definition, one claim after another, and its variance by derivatives.

The variance is the infinitesimal jackknife: the squared derivative of the estimate by the weight of
each cluster, taken by a complex step, which has no rounding of differences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from backend.science.judged_scores.claims import JudgedClaims

STEP = 1e-30


def definition(
    claims: JudgedClaims, lambdas: Sequence[float], factors: Sequence[complex]
) -> complex:
    """Σ_s W_s (λ_s mean(judge over compared) + mean(people - λ_s judge over verified))."""
    total, result = 0j, 0j
    for stratum, power in enumerate(lambdas):
        members = [i for i in range(len(claims.judge)) if claims.strata[i] == stratum]
        weight = {i: claims.weights[i] * factors[claims.clusters[i]] for i in members}
        verified = [i for i in members if not math.isnan(claims.people[i])]
        rest = [i for i in members if i not in set(verified)]
        chance = {
            i: 1.0 if claims.propensities is None else float(claims.propensities[i])
            for i in verified
        }
        people = weighted_mean([(weight[i] / chance[i], float(claims.people[i])) for i in verified])
        judged = weighted_mean([(weight[i] / chance[i], float(claims.judge[i])) for i in verified])
        compared = members if claims.propensities is not None else rest
        other = weighted_mean([(weight[i], float(claims.judge[i])) for i in compared] or [(1, 0)])
        mean = people + (power * (other - judged) if rest else 0)
        total += sum(weight.values())
        result += sum(weight.values()) * mean
    return result / total


def weighted_mean(pairs: Sequence[tuple[complex, float]]) -> complex:
    return sum(weight * value for weight, value in pairs) / sum(weight for weight, _ in pairs)


def value_and_variance(claims: JudgedClaims, lambdas: Sequence[float]) -> tuple[float, float]:
    count = int(claims.clusters.max()) + 1
    variance = 0.0
    for cluster in range(count):
        factors = [complex(1, STEP if one == cluster else 0) for one in range(count)]
        variance += (definition(claims, lambdas, factors).imag / STEP) ** 2
    return definition(claims, lambdas, [1] * count).real, variance
