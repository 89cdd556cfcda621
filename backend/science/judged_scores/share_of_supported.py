"""Groundedness of an entry: the mean over rationales of the share of supported claims."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.science.evaluation.metrics import Ratio
from backend.science.judged_scores.claims import numbered

SHARE = Ratio((1, 0), (0, 1))


def mean_groundedness(
    shares: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    draws: int = 10_000,
) -> Estimate | None:
    """Mean of shares (n,), NaN for a rationale without claims, with its interval over clusters.

    Rationales without claims have no groundedness and are left out. None where all are. Each
    rationale weighs alike, however many claims it has. Raises ValueError for shares outside [0, 1].
    Source: TruthHypo, section 4.2, table 3.
    """
    values = np.asarray(shares, dtype=np.float64)
    defined = ~np.isnan(values)
    if not ((values[defined] >= 0) & (values[defined] <= 1)).all():
        raise ValueError("groundedness is between 0 and 1, or NaN")
    if not defined.any():
        return None
    labels = np.arange(values.size) if clusters is None else np.asarray(clusters)
    numbers = numbered(labels[defined], int(defined.sum()))
    count = int(numbers.max()) + 1
    components = np.stack([values[defined], np.ones(int(defined.sum()))], axis=1)
    sums = sum_by_cluster(components, numbers, count)[None]
    drawn = ClusterDraws(count, seed, draws)
    return estimate_metrics(sums, [int(defined.sum())], [SHARE], drawn)[0][0]
