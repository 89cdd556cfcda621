"""Whether a judge's scores are probabilities: reliability diagram and calibration error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.science.evaluation.metrics import FloatArray, Ratio
from backend.science.judged_scores.claims import IntArray, JudgedClaims, numbered

BINS, SIGN_DRAWS = 10, 2_000
SIGN_STREAM = 2  # apart from the draws of clusters from the same seed
OBSERVED = Ratio((1, 0), (0, 1))


@dataclass(frozen=True)
class ReliabilityBin:
    """Verified claims with a score in [low, high), the last bin with its end.

    share: their weight among all verified claims. score: their mean score. observed: the share of
    them that people support, with its interval.
    """

    low: float
    high: float
    verdicts: int
    share: float
    score: float
    observed: Estimate


@dataclass(frozen=True)
class Reliability:
    """bins: those with a verified claim. verdicts: verified claims.

    error: the expected calibration error, Σ share |observed - score|. error_by_chance: what it
    would be in the mean if the judge were calibrated, from the spread of verdicts alone; it is
    never 0, and is the bias of the error of a calibrated judge. error_beyond_chance: the error less
    that, at least 0. p_value: of 'the judge is calibrated', share of draws whose error is at least
    the error. All None without verdicts; the last three also with fewer than two clusters.
    """

    bins: tuple[ReliabilityBin, ...]
    verdicts: int
    error: float | None
    error_by_chance: float | None
    error_beyond_chance: float | None
    p_value: float | None


def reliability(
    claims: JudgedClaims, *, seed: int, bins: int = BINS, draws: int = 10_000
) -> Reliability:
    """The reliability diagram of verified claims, in `bins` bins of equal width over [0, 1].

    Claims weigh w / propensity. Intervals are those of `estimate_metrics` over clusters. The error
    by chance multiplies verdict less score, summed by cluster and bin, by random signs, one for
    each cluster: 2,000 draws of Σ share |mean|. So dependence inside clusters is in it; for a judge
    that is far from calibrated it is somewhat too large. A judge that gives 0 and 1 alone has two
    bins, those of its two errors. Scores within 1e-9 below an edge are in the bin above it.

    Raises ValueError for scores or verdicts outside [0, 1], or fewer than one bin. Source: Naeini,
    Cooper and Hauskrecht, AAAI (2015), for the error; its bias: Bröcker, Climate Dynamics 39
    (2012); signs: Cameron, Gelbach and Miller, Review of Economics and Statistics 90 (2008).
    """
    verified = claims.verified
    judge, people = claims.judge[verified], claims.people[verified]
    if bins < 1 or not _in_unit(judge) or not _in_unit(people):
        raise ValueError("reliability needs scores and verdicts between 0 and 1, and a bin")
    if not judge.size:
        return Reliability((), 0, None, None, None, None)
    places = np.minimum((judge * bins + 1e-9).astype(np.int64), bins - 1)
    weights = claims.verified_weights[verified]
    clusters = numbered(claims.clusters[verified], judge.size)
    shares = np.bincount(places, weights, bins)
    scores, observed = (
        np.bincount(places, weights * values, bins) / np.where(shares > 0, shares, 1.0)
        for values in (judge, people)
    )
    estimates = _observed(places, people, weights * judge.size, clusters, seed, draws)
    counts = np.bincount(places, minlength=bins)
    diagram = tuple(
        ReliabilityBin(
            *(one / bins, (one + 1) / bins, int(counts[one])),
            share=float(shares[one]),
            score=float(scores[one]),
            observed=estimate,
        )
        for one, estimate in zip(np.flatnonzero(counts).tolist(), estimates, strict=True)
    )
    error = float(shares @ np.abs(observed - scores))
    deviations = weights * (people - judge)
    drawn = _errors_by_chance(deviations, clusters, places, seed)
    if drawn is None:
        return Reliability(diagram, judge.size, error, None, None, None)
    chance = float(drawn.mean())
    p_value = (1 + int((drawn >= error).sum())) / (1 + len(drawn))
    return Reliability(diagram, judge.size, error, chance, max(error - chance, 0.0), p_value)


def _observed(
    places: IntArray,
    people: FloatArray,
    weights: FloatArray,
    clusters: IntArray,
    seed: int,
    draws: int,
) -> list[Estimate]:
    count = int(clusters.max()) + 1
    components = np.stack([weights * people, weights], axis=1)
    masks = [places == one for one in np.unique(places)]
    sums = np.stack([sum_by_cluster(components, clusters, count, mask) for mask in masks])
    items = [int(mask.sum()) for mask in masks]
    rows = estimate_metrics(sums, items, [OBSERVED], ClusterDraws(count, seed, draws))
    return [row[0] for row in rows]


def _errors_by_chance(
    deviations: FloatArray, clusters: IntArray, places: IntArray, seed: int
) -> FloatArray | None:
    count, bins = int(clusters.max()) + 1, int(places.max()) + 1
    if count < 2:
        return None
    sums = np.bincount(clusters * bins + places, deviations, count * bins).reshape(count, bins)
    rng = np.random.default_rng([seed, SIGN_STREAM])
    signs = 2.0 * rng.integers(0, 2, (SIGN_DRAWS, count), dtype=np.int8) - 1.0
    return np.asarray(np.abs(signs @ sums).sum(axis=1))


def _in_unit(values: FloatArray) -> bool:
    return bool(((values >= 0) & (values <= 1)).all())
