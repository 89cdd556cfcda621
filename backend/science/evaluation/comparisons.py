"""Paired comparison of two entries, and tests of several at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import bdtr

from backend.science.evaluation.cluster_sums import validated
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.science.evaluation.metrics import Difference, FloatArray, Metric, Ratio, weighted_sum

Test = Literal["mcnemar", "exact", "sampled"]

EXACT_CLUSTERS = 15
SAMPLED_SWAPS = 20_000
SWAP_STREAM = 1  # apart from the draws of clusters from the same seed
RELATIVE_ERROR = 1e-10  # differences that are closer, relative to the values, are equal
BLOCK_CELLS = 2**21


@dataclass(frozen=True)
class Comparison:
    """Two entries on the same items.

    difference: first minus second, with its paired interval.
    p_value: two-sided, of the hypothesis that the entries are exchangeable within clusters.
    differing_clusters: clusters in which their sums differ.
    """

    difference: Estimate
    p_value: float
    test: Test
    differing_clusters: int


def compare_entries(
    first: FloatArray,
    second: FloatArray,
    items: Sequence[int],
    metric: Metric,
    draws: ClusterDraws,
) -> list[Comparison]:
    """Compare two entries by their cluster sums (rows, C, k); rows are slices, or pairs of entries.

    items: number of items of each row. The interval is that of `estimate_metrics` for the
    difference, on the board's draws; Wilson does not apply, so a difference that is the same in
    every cluster has an interval of no width.

    The test exchanges the two entries' predictions within a random set of clusters and recomputes
    the metric from the sums: p is the share of sets whose |difference| is at least that observed.
    Only the D clusters with differing sums count; D = 0 gives p = 1. All 2^D sets are taken for
    D <= 15, else 20,000 random ones from the seed of `draws`, with p = (1 + as large) / (1 + sets).
    For a mean this is the sign flip of cluster differences. Where the entries differ by one success
    in each of the D clusters, and not in the denominator, as two entries do on a 0/1 metric without
    clusters, the share has a closed form, McNemar's exact test. Differences within 1e-10 of each
    other, relative to the two values, count as equal.

    Raises ValueError for unequal shapes, draws of another number of clusters, sums that are not
    finite. Source: Noreen, Computer-Intensive Methods for Testing Hypotheses (1989), approximate
    randomization; Phipson and Smyth, SAGMB 9 (2010) for the 1; McNemar, Psychometrika 12 (1947).
    """
    if first.shape != second.shape:
        raise ValueError("two entries are compared on the same clusters and components")
    one, other = validated(first, axes=3), validated(second, axes=3)
    joined = np.concatenate([one, other], axis=2)
    result = []
    for row, [difference] in enumerate(
        estimate_metrics(joined, items, [Difference(metric)], draws)
    ):
        changes = other[row] - one[row]
        changes = changes[(changes != 0).any(axis=1)]
        totals = np.stack([one[row].sum(axis=0), other[row].sum(axis=0)])
        p_value, test = _swap_test(totals, changes, metric, draws.seed)
        result.append(Comparison(difference, p_value, test, len(changes)))
    return result


def adjust_by_holm(p_values: Sequence[float], family: int | None = None) -> list[float]:
    """Holm's adjusted p-values of one table of tests, in the order given.

    The i-th smallest of m becomes the largest of (m - j + 1) p_j over j <= i, at most 1. family: m,
    where there are more tests than these, all with p = 1. Raises ValueError unless all lie between
    0 and 1, and for a smaller family. Source: Holm, Scand. J. Statist. 6 (1979).
    """
    values = np.asarray(p_values, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("p-values lie between 0 and 1")
    order = np.argsort(values, kind="stable")
    adjusted = np.empty_like(values)
    most = values.size if family is None else family
    if most < values.size:
        raise ValueError("a family has all of its tests")
    steps = np.arange(most, most - values.size, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps * values[order]), 1.0)
    return [float(value) for value in adjusted]


def _swap_test(
    totals: FloatArray, changes: FloatArray, metric: Metric, seed: int
) -> tuple[float, Test]:
    """p of totals (2, k) and the second minus the first entry's sums (D, k)."""
    closed_form = _mcnemar(changes, metric)
    if closed_form is not None:
        return closed_form, "mcnemar"
    values = metric(totals)
    tolerance = RELATIVE_ERROR * float(np.abs(values).max())
    observed = abs(float(values[0] - values[1])) - tolerance
    exact = len(changes) <= EXACT_CLUSTERS
    as_large = sets = 0
    for swapped in _swaps(len(changes), seed, exact=exact):
        moved = swapped.astype(np.float64) @ changes
        differences = metric(totals[0] + moved) - metric(totals[1] - moved)
        as_large += int((np.abs(differences) >= observed).sum())
        sets += len(swapped)
    if exact:
        return as_large / sets, "exact"
    return (1 + as_large) / (1 + sets), "sampled"


def _mcnemar(changes: FloatArray, metric: Metric) -> float | None:
    if not isinstance(metric, Ratio) or weighted_sum(changes, metric.denominator).any():
        return None
    gains = weighted_sum(changes, metric.numerator)
    if not np.isin(gains, (-1, 0, 1)).all():
        return None
    up, down = int((gains > 0).sum()), int((gains < 0).sum())
    return min(1.0, 2 * float(bdtr(min(up, down), up + down, 0.5))) if up + down else 1.0


def _swaps(clusters: int, seed: int, *, exact: bool) -> Iterator[np.ndarray]:
    """Blocks (sets, clusters) of 0 and 1: every set, or SAMPLED_SWAPS random ones."""
    bits = max(1, -(-clusters // 8))
    if exact:
        codes = np.arange(2**clusters, dtype="<u2").view(np.uint8).reshape(-1, 2)
        yield np.unpackbits(codes, axis=1, count=clusters, bitorder="little")
        return
    rng = np.random.default_rng([seed, SWAP_STREAM])
    rows = max(1, BLOCK_CELLS // clusters)
    for start in range(0, SAMPLED_SWAPS, rows):
        size = (min(rows, SAMPLED_SWAPS - start), bits)
        yield np.unpackbits(rng.integers(0, 256, size, dtype=np.uint8), axis=1, count=clusters)
