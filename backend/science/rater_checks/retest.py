"""Agreement of a rater with earlier answers to the same items: the ceiling of all agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.agreement import tau_b
from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.science.evaluation.metrics import BoolArray, FloatArray, Ratio
from backend.science.judgements.kappa import beyond_chance
from backend.science.rankings import Groups, mid_ranks, ranked_ids

MEAN = Ratio((1, 0), (0, 1), bounded=False)


@dataclass(frozen=True)
class _ChanceCorrected:
    """Scott's pi of components: same choice, 1, then how often each choice was given."""

    bounded: bool = False

    def __call__(self, sums: FloatArray) -> FloatArray:
        pairs = np.where(sums[..., 1] == 0, 1.0, sums[..., 1])
        shares = sums[..., 2:] / (2 * pairs[..., None])
        return np.nan_to_num(beyond_chance(sums[..., 0] / pairs, np.sum(shares**2, axis=-1)))

    def contributes(self, sums: FloatArray) -> BoolArray:
        return np.asarray(sums[..., 1] != 0)


def retest_choices(
    items: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, *, seed: int
) -> tuple[Estimate, Estimate]:
    """Share of repeated items with the same choice twice, and that corrected for chance.

    Flat arrays of equal length, one row for each repetition; choices are numbers from 0. The
    correction is Scott's pi, with one distribution of choices for both occasions, as both are of
    the same raters; where one choice was given alone it is 0/0, and 0 here. Intervals by items:
    several raters who repeat one item are one cluster.

    Raises ValueError for no rows or negative choices. Source: Scott, Public Opinion Quarterly 19
    (1955).
    """
    one, other = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    if one.ndim != 1 or one.shape != other.shape or not one.size or min(one.min(), other.min()) < 0:
        raise ValueError("a retest needs two choices, numbers from 0, for at least one item")
    width = int(max(one.max(), other.max())) + 1
    rows = np.arange(len(one))
    given = np.zeros((len(one), width))
    np.add.at(given, (rows, one), 1)
    np.add.at(given, (rows, other), 1)
    components = np.column_stack([one == other, np.ones(len(one)), given])
    share = _estimate(items, components[:, :2], Ratio((1, 0), (0, 1)), seed)
    return share, _estimate(items, components, _ChanceCorrected(), seed)


def retest_rankings(
    items: npt.ArrayLike, pairs: Sequence[tuple[Groups, Groups]], *, seed: int
) -> Estimate | None:
    """Mean tau-b of the two rankings that a rater gave of one item, with its interval by items.

    None if no pair has a tau-b. Pairs where one ranking ties all are left out.
    """
    values = []
    for first, second in pairs:
        ids = ranked_ids(first)
        value = tau_b(mid_ranks(first, ids), mid_ranks(second, ids)).value
        values.append(np.nan if value is None else value)
    taus = np.array(values, dtype=np.float64)
    used = ~np.isnan(taus)
    if not used.any():
        return None
    components = np.column_stack([taus[used], np.ones(int(used.sum()))])
    return _estimate(np.asarray(items)[used], components, MEAN, seed)


def _estimate(
    items: npt.ArrayLike,
    components: FloatArray,
    metric: Ratio | _ChanceCorrected,
    seed: int,
) -> Estimate:
    clusters = np.unique(np.asarray(items), return_inverse=True)[1]
    count = int(clusters.max(initial=-1)) + 1
    sums = sum_by_cluster(components, clusters, count)
    draws = ClusterDraws(count, seed)
    ((estimate,),) = estimate_metrics(sums[None], [len(components)], [metric], draws)
    return estimate
