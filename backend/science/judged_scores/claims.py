"""Claims with a judge's score, some of which people verified."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MIN_PROPENSITY = 0.05


@dataclass(frozen=True)
class JudgedClaims:
    """Claims (n,), n at least 1.

    judge: the judge's scores. people: the raters' mean verdict of each claim, supported 1, else 0;
    NaN without a verdict. Both may be on another scale, such as 1 to 5, if it is the same one.
    clusters: number of each claim's cluster, 0 to clusters - 1. weights: above 0;
    they are divided by their sum. strata: number of each claim's stratum, all 0 without strata.
    propensities: the probability with which each verified claim was chosen, relative to the others;
    None if all were equally likely within their stratum. Unverified claims may have any.
    own_clusters: every claim is a cluster of its own, with the same weight.
    """

    judge: FloatArray
    people: FloatArray
    clusters: IntArray
    weights: FloatArray
    strata: IntArray
    propensities: FloatArray | None
    own_clusters: bool

    @classmethod
    def of(
        cls,
        judge: npt.ArrayLike,
        people: npt.ArrayLike,
        *,
        clusters: npt.ArrayLike | None = None,
        weights: npt.ArrayLike | None = None,
        strata: npt.ArrayLike | None = None,
        propensities: npt.ArrayLike | None = None,
    ) -> JudgedClaims:
        """Clusters and strata are any labels, numbered in sorted order.

        Without `clusters` each claim is one of its own. Raises ValueError for no claims, arrays of
        another length, scores that are not finite, weights that are not above 0, or
        propensities of verified claims below 0.05 or above 1.
        """
        scores = np.asarray(judge, dtype=np.float64)
        verdicts = np.asarray(people, dtype=np.float64)
        if scores.ndim != 1 or not scores.size or verdicts.shape != scores.shape:
            raise ValueError("claims have a score and a verdict or NaN each, and there is a claim")
        if not np.isfinite(scores).all() or np.isinf(verdicts).any():
            raise ValueError("scores are finite, verdicts finite or NaN")
        numbers = numbered(clusters, scores.size)
        shares = _normalised(weights, scores.size)
        known = None if propensities is None else np.asarray(propensities, dtype=np.float64)
        if known is not None:
            _check_propensities(known, verdicts)
        single = clusters is None or int(numbers.max()) + 1 == scores.size
        return cls(
            judge=scores,
            people=verdicts,
            clusters=np.arange(scores.size) if clusters is None else numbers,
            weights=shares,
            strata=numbered(strata, scores.size),
            propensities=known,
            own_clusters=single and bool(np.ptp(shares) <= 1e-12 * shares.max()),
        )

    @cached_property
    def verified(self) -> BoolArray:
        return ~np.isnan(self.people)

    @property
    def verified_weights(self) -> FloatArray:
        """Weight of each verified claim over its propensity, 0 for others; the sum is 1."""
        shares = np.where(self.verified, self.weights, 0.0)
        if self.propensities is not None:
            np.divide(shares, self.propensities, out=shares, where=shares > 0)
        total = shares.sum()
        return np.asarray(shares / total if total else shares)


def rationale_weights(rationales: npt.ArrayLike) -> FloatArray:
    """1/claims of its rationale for each claim (n,), over the number of rationales: the sum is 1.

    A rationale without claims has none here: its groundedness is undefined, and is counted apart.
    """
    numbers = numbered(rationales, len(np.asarray(rationales)))
    sizes = np.bincount(numbers)
    return np.asarray(1.0 / sizes[numbers] / len(sizes))


def numbered(labels: npt.ArrayLike | None, count: int) -> IntArray:
    """Positions of the labels (count,) among the sorted different ones; 0 without labels."""
    if labels is None:
        return np.zeros(count, dtype=np.int64)
    values = np.asarray(labels)
    if values.shape != (count,):
        raise ValueError("there is one label for each claim")
    return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.int64)


def _normalised(weights: npt.ArrayLike | None, count: int) -> FloatArray:
    if weights is None:
        return np.full(count, 1.0 / count)
    shares = np.asarray(weights, dtype=np.float64)
    if shares.shape != (count,) or not np.isfinite(shares).all():
        raise ValueError("there is one finite weight for each claim")
    if not (shares > 0).all():
        raise ValueError("weights are above 0")
    return np.asarray(shares / shares.sum())


def _check_propensities(propensities: FloatArray, people: FloatArray) -> None:
    if propensities.shape != people.shape:
        raise ValueError("there is one propensity for each claim")
    chosen = propensities[~np.isnan(people)]
    # Propensities are sums that were solved for: the bounds allow for their rounding.
    if not ((chosen >= MIN_PROPENSITY - 1e-9) & (chosen <= 1 + 1e-9)).all():
        raise ValueError(f"propensities of verified claims lie between {MIN_PROPENSITY} and 1")
