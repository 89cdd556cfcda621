"""Whether a pinned judge has changed, against a frozen set of human verdicts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.comparisons import Comparison, adjust_by_holm, compare_entries
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.metrics import FloatArray, Ratio
from backend.science.judged_scores.claims import JudgedClaims, numbered
from backend.science.judged_scores.judge_agreement import THRESHOLD

SIGNIFICANCE, POWER = 0.05, 0.8
TESTS = 2  # agreement and support
EXPECTED_CHANGES = 9.075
"""Poisson mean of which seven or more come with probability 0.8: seven of seven have p = 0.016,
the first below half of 5%."""

SHARE = Ratio((1, 0), (0, 1))


@dataclass(frozen=True)
class JudgeDrift:
    """A judge's answers now (first) beside the stored ones, on the same claims.

    agreement: share of claims with people's verdict, now minus before. support: share that the
    judge supports, now minus before. p_values: of both, adjusted by Holm. drifted: whether one is
    at most 0.05. changed: share of claims whose verdict changed. smallest_drift: the smallest
    change of the agreement that this set would show with power 0.8. unanswered: claims without an
    answer now, which count as wrong and not supported.
    """

    agreement: Comparison
    support: Comparison
    p_values: tuple[float, float]
    drifted: bool
    changed: float
    smallest_drift: float
    claims: int
    unanswered: int


def judge_drift(
    people: npt.ArrayLike,
    before: npt.ArrayLike,
    now: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    draws: int = 10_000,
) -> JudgeDrift:
    """Paired test of the judge's scores now and before, (n,) each, against people's verdicts.

    A claim agrees by people's mean verdict if the judge supports it (score from 0.5), else by one
    less that. The test is that of `compare_entries`: McNemar's exact test for single claims of
    equal weight on which raters agree, else an exchange of both answers within random clusters.
    Support is tested too, since false and missed support may grow together and leave the agreement
    unchanged. A judge whose answers are all as before has p = 1.

    smallest_drift: 3.08 (2.24 + 0.84) standard errors of the paired difference, as the smaller of
    two p-values is doubled, but at least what gives seven differing clusters with probability 0.8,
    9.1 mean cluster shares: with fewer than seven no exact test at 2.5% rejects. At most 1.

    now: NaN for a claim without an answer. Raises ValueError for no claims, people or before that
    are not between 0 and 1, or arrays of other lengths. Source: McNemar, Psychometrika 12 (1947);
    see `compare_entries`; Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    frozen = JudgedClaims.of(before, people, clusters=clusters, weights=weights)
    present = np.asarray(now, dtype=np.float64)
    _check(frozen, present)
    answered = ~np.isnan(present)
    count = int(frozen.clusters.max()) + 1
    supports = [answered & (np.nan_to_num(present) >= THRESHOLD), frozen.judge >= THRESHOLD]
    agreements = [np.where(one, frozen.people, 1 - frozen.people) for one in supports]
    agreements[0] = np.where(answered, agreements[0], 0.0)
    scale = frozen.weights / frozen.weights.max()
    labels = numbered(frozen.clusters, frozen.judge.size)

    def sums(values: FloatArray) -> FloatArray:
        return sum_by_cluster(np.stack([scale * values, scale], axis=1), labels, count)

    agreed, supported = (
        np.stack([sums(np.asarray(row, dtype=np.float64)) for row in rows])
        for rows in (agreements, supports)
    )
    compared = compare_entries(
        np.stack([agreed[0], supported[0]]),
        np.stack([agreed[1], supported[1]]),
        [frozen.judge.size] * 2,
        SHARE,
        ClusterDraws(count, seed, draws),
    )
    first, second = adjust_by_holm([one.p_value for one in compared])
    return JudgeDrift(
        agreement=compared[0],
        support=compared[1],
        p_values=(first, second),
        drifted=min(first, second) <= SIGNIFICANCE,
        changed=float(frozen.weights[supports[0] != supports[1]].sum()),
        smallest_drift=_smallest_drift(agreed),
        claims=frozen.judge.size,
        unanswered=int((~answered).sum()),
    )


def _smallest_drift(agreed: FloatArray) -> float:
    """Of cluster sums (2, C, 2) now and before."""
    total = float(agreed[0, :, 1].sum())
    changes = agreed[0, :, 0] - agreed[1, :, 0]
    centred = changes - changes.sum() / total * agreed[0, :, 1]
    error = math.sqrt(float(np.sum(centred**2))) / total
    quantiles = float(ndtri(1 - SIGNIFICANCE / TESTS / 2) + ndtri(POWER))
    return float(min(max(quantiles * error, EXPECTED_CHANGES / agreed.shape[1]), 1.0))


def _check(frozen: JudgedClaims, now: FloatArray) -> None:
    values = np.concatenate([frozen.people, frozen.judge, now[~np.isnan(now)]])
    if now.shape != frozen.judge.shape or not ((values >= 0) & (values <= 1)).all():
        raise ValueError("verdicts and scores lie between 0 and 1, one of each for each claim")
