"""What the items of a release resolve: resolution floor and stability of the first place."""

from __future__ import annotations

import hashlib
import math

import numpy as np
from scipy.special import stdtrit

from backend.science.evaluation.cluster_sums import validated
from backend.science.evaluation.draws import BoardSums
from backend.science.evaluation.jackknife import leave_one_out
from backend.science.evaluation.metrics import FloatArray, Metric

POWER, TWO_SIDED_LEVEL = 0.8, 0.05
HALF_SPLITS = 50


def resolution_floor(sums: FloatArray, metric: Metric, cluster_sizes: FloatArray) -> float | None:
    """Smallest difference of the metric that a paired test at 5% detects with power 0.8.

    (t_(G-1, 0.975) + t_(G-1, 0.8)) s over the G clusters with items, s² the mean paired variance of
    a difference over all pairs of the E entries (sums (E, C, k)), by the jackknife: with x_e the
    centred values of entry e without each cluster, s² = (G-1)/G (E Σ|x_e|² - |Σ x_e|²) / (E choose
    2). Equal entries count once, or duplicates would lower the floor.

    Before there are two different entries: the worst case of a 0/1 metric, two entries of which
    exactly one is right in each cluster, s² = Σ w², w being the shares of `cluster_sizes` (C,), the
    items of each cluster. None for fewer than two clusters with items.

    Source: the usual sample-size formula for a paired difference, Cohen, Statistical Power Analysis
    for the Behavioral Sciences (1988), chapter 2; Card et al., With Little Power Comes Great
    Responsibility, EMNLP 2020.
    """
    used = cluster_sizes > 0
    clusters = int(used.sum())
    if clusters < 2:
        return None
    df = clusters - 1
    factor = float(stdtrit(df, 1 - TWO_SIDED_LEVEL / 2) + stdtrit(df, POWER))
    count, squares = 0, 0.0
    origin = total = np.zeros(clusters)
    known: set[bytes] = set()
    for entry in sums:
        values = leave_one_out(validated(entry, axes=2)[used], metric)
        digest = hashlib.sha256(values.tobytes()).digest()
        if digest in known:
            continue
        known.add(digest)
        values = values - values.mean()
        origin = origin if count else values  # distances from the first lose fewer digits
        squares += float(np.sum((values - origin) ** 2))
        total = total + (values - origin)
        count += 1
    if count < 2:
        shares = cluster_sizes / cluster_sizes.sum()
        return factor * math.sqrt(float(np.sum(shares**2)))
    paired = max(count * squares - float(np.sum(total**2)), 0.0) / (count * (count - 1) / 2)
    return factor * math.sqrt(df / clusters * paired)


def count_stable_half_splits(
    sums: FloatArray, metric: Metric, *, seed: int, higher_is_better: bool = True
) -> tuple[int, int]:
    """In how many of how many random half-splits of the clusters the first entry leads both halves.

    Of 50, or of 0 for fewer than two clusters.

    sums: cluster sums (E, C, k). The first entry has the best value over all clusters, of equal
    ones the first in the order given; it leads a half if none has a better value there. One half
    has ⌊C/2⌋ clusters. Raises ValueError for no entry.
    """
    entries, clusters, _ = sums.shape
    if entries == 0:
        raise ValueError("half-splits need an entry")
    if clusters < 2:
        return 0, 0
    rng = np.random.default_rng(seed)
    halves = np.zeros((HALF_SPLITS, clusters), dtype=np.float32)
    for half in halves:
        half[rng.permutation(clusters)[: clusters // 2]] = 1
    board = BoardSums.of(sums)
    totals, drawn = board.totals(), board.weighted(halves)
    sign = 1.0 if higher_is_better else -1.0
    first = int(np.argmax(sign * metric(totals)))
    leads = np.ones(HALF_SPLITS, dtype=np.bool_)
    for part in (drawn, totals - drawn):
        values = sign * metric(part)
        leads &= values[:, first] == values.max(axis=1)
    return int(leads.sum()), HALF_SPLITS
