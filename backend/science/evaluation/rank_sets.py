"""Simultaneous confidence sets of ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from backend.runtime.parallel import run_in_threads
from backend.science.evaluation.draws import BoardSums, ClusterDraws, drawn_values
from backend.science.evaluation.estimates import LEVEL, MIN_CLUSTERS
from backend.science.evaluation.metrics import BoolArray, FloatArray, Metric

IntArray = npt.NDArray[np.int64]

MAX_STUDENTISED = 300
RELATIVE_ERROR = 1e-10  # smaller standard deviations, relative to the values, are rounding
CACHED_VALUES = 2**15


@dataclass(frozen=True)
class RankSets:
    """Ranks of the E entries of a board, in the order given.

    best: 1 + the number of entries that are significantly better; this is the rank.
    worst: E - the number of entries that are significantly worse.
    order: the entries, best value first; equal values stay in the order given.
    separated: (E-1,) whether order[i] is significantly better than order[i+1].
    """

    best: IntArray
    worst: IntArray
    order: IntArray
    separated: BoolArray

    @property
    def separated_share(self) -> float | None:
        """Share of adjacent entries that are significantly different; None for one entry."""
        return float(self.separated.mean()) if self.separated.size else None


def rank_sets(
    sums: FloatArray, metric: Metric, draws: ClusterDraws, *, higher_is_better: bool = True
) -> RankSets:
    """Best and worst rank of each entry that cannot be excluded, all at once with 95% confidence.

    sums: cluster sums (E, C, k), a missing prediction at its worst. With values θ, each ordered
    pair has the hypothesis that j is not better than k, rejected if T_jk = (θ_j - θ_k) / s_jk > c.
    s_jk is the standard deviation of θ*_j - θ*_k over the draws; c the 95% quantile over the draws
    of max ((θ*_j - θ*_k) - (θ_j - θ_k)) / s_jk over the hypotheses not rejected so far, step by
    step until none more is rejected. So the probability of any false rejection is at most 5%, and
    the rank sets hold together.

    A pair without variance is ordered by its sign, and equal if it has none. Above 300 entries, for
    memory and time, one step without s_jk: c is the quantile of max_j - min_j of θ*_j - θ_j.
    The draws miss that s_jk is itself estimated from G clusters, those that contribute to some
    entry's value: ten equal entries hold together on 91% of boards with 60 items. So c is replaced
    by Student's quantile, G-1 degrees of freedom, at the normal tail of c, times √(G/(G-1)); above
    300 entries it is multiplied by the ratio of the two quantiles at the Bonferroni level. Then 93%
    hold with 60 items, 94% with 400; below 50 clusters it is approximate. With G < 5 no rank is
    excluded.

    Takes 32 bytes for each entry and draw up to 300 entries, a block of draws above, beside
    `BoardSums`, and raises what that raises. Source: Mogstad, Romano, Shaikh and Wilhelm, Inference
    for Ranks, Review of Economic Studies 91 (2024), section 3 and algorithm 3.2; Romano and Wolf,
    Econometrica 73 (2005) for the steps.
    """
    board = BoardSums.of(np.asarray(sums, dtype=np.float64))
    sign = 1.0 if higher_is_better else -1.0
    values = sign * metric(board.totals())
    clusters = count_contributing_clusters(sums, metric)
    if len(values) > MAX_STUDENTISED and clusters >= MIN_CLUSTERS:
        order = np.argsort(-values, kind="stable")
        z = float(ndtri(1 - (1 - LEVEL) / (len(values) * (len(values) - 1))))
        critical = _range_quantile(board, metric, draws, sign) * _student(z, clusters) / z
        return _sets_by_distance(values, order, critical)
    if len(values) < 2 or clusters < MIN_CLUSTERS:
        return rank_sets_of_draws(values, values[:, None], clusters)
    return rank_sets_of_draws(values, sign * drawn_values(board, [metric], draws)[0], clusters)


def count_contributing_clusters(sums: FloatArray, metric: Metric) -> int:
    """Clusters of sums (E, C, k) that contribute to the value of an entry or more."""
    return int(np.any([metric.contributes(entry) for entry in sums], axis=0).sum())


def rank_sets_of_draws(values: FloatArray, drawn: FloatArray, clusters: int) -> RankSets:
    """The studentised rank sets of `rank_sets`, from values (E,) and drawn values (E, draws).

    For values that are not a metric of summed components, such as strengths that are fitted
    together. Higher is better; clusters: the number G of clusters that were drawn.
    """
    order = np.argsort(-values, kind="stable")
    if len(values) < 2 or clusters < MIN_CLUSTERS:
        return _sets_of(np.zeros((len(values), len(values)), dtype=np.bool_), order)
    centred = drawn - values[:, None]
    return _sets_of(_step_down(values[order], centred[order], clusters), order)


def _sets_of(better: BoolArray, order: IntArray) -> RankSets:
    """Rank sets where better[i, j] means that order[i] is significantly better than order[j]."""
    count = len(order)
    best, worst = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    best[order] = 1 + better.sum(axis=0)
    worst[order] = count - better.sum(axis=1)
    return RankSets(best, worst, order, better.diagonal(1).copy())


def _sets_by_distance(values: FloatArray, order: IntArray, critical: float) -> RankSets:
    """Rank sets where entries further apart than `critical` differ significantly."""
    ascending = values[order[::-1]]
    best = 1 + len(values) - np.searchsorted(ascending, values + critical, side="right")
    worst = len(values) - np.searchsorted(ascending, values - critical, side="left")
    return RankSets(best, worst, order, -np.diff(values[order]) > critical)


def _range_quantile(board: BoardSums, metric: Metric, draws: ClusterDraws, sign: float) -> float:
    """The 95% quantile over the draws of the largest minus the smallest deviation."""
    values = metric(board.totals())
    ranges = [np.ptp(metric(sums) - values, axis=1) for sums in board.drawn(draws)]
    return _upper_quantile(np.concatenate(ranges))


def _upper_quantile(maxima: FloatArray) -> float:
    return float(np.quantile(maxima, LEVEL, method="higher"))


def _student(z: float, clusters: int) -> float:
    """Student's quantile at the tail of a normal one, for a variance that divides by G."""
    quantile = float(stdtrit(clusters - 1, ndtr(-z)))  # the lower tail keeps its digits
    return -math.sqrt(clusters / (clusters - 1)) * quantile


def _step_down(values: FloatArray, centred: FloatArray, clusters: int) -> BoolArray:
    """better[i, j] for values in descending order and their centred draws (E, draws).

    Of a pair i < j only 'i is not better than j' can be rejected, as T_ij >= 0 >= T_ji. The
    hypotheses of the other direction stay to the end, and so does the maximum over them.
    """
    better = np.zeros((len(values), len(values)), dtype=np.bool_)
    scale = np.abs(values)
    gaps = values[:, None] - values[None, :]
    noise = RELATIVE_ERROR * np.maximum(scale[:, None], scale[None, :])
    spread = _standard_deviations(centred)
    fixed = spread <= noise
    better[fixed] = (gaps > noise)[fixed]
    remaining = np.triu(~fixed, 1)
    inverse = np.divide(1.0, spread, out=np.zeros_like(spread), where=~fixed)
    statistics = gaps * inverse
    forward, reverse = _pair_maxima(centred, inverse, remaining)
    while remaining.any():
        critical = _student(_upper_quantile(np.maximum(forward, reverse)), clusters)
        rejected = remaining & (statistics > critical)
        if not rejected.any():
            break
        better |= rejected
        remaining &= ~rejected
        forward, _ = _pair_maxima(centred, inverse, remaining)
    return better


def _standard_deviations(centred: FloatArray) -> FloatArray:
    """Standard deviation of the difference of each pair over the draws: (E, E).

    From the differences themselves: products would not be exactly zero for equal entries.
    """
    count, draws = centred.shape

    def squares(first: int, last: int) -> FloatArray:
        block = np.ascontiguousarray(centred[:, first:last])
        sums = np.zeros((count, count))
        for one in range(count - 1):
            change = block[one] - block[one + 1 :]
            sums[one, one + 1 :] = np.einsum("ij,ij->i", change, change)
        return sums

    means = centred.mean(axis=1)
    total = sum(run_in_threads(squares, _parts_of_draws(centred)), np.zeros((count, count)))
    variances = total / draws - np.triu(means[:, None] - means[None, :], 1) ** 2
    upper = np.sqrt(np.maximum(variances, 0.0))
    return np.asarray(upper + upper.T)


def _pair_maxima(
    centred: FloatArray, inverse: FloatArray, pairs: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Largest studentised difference i - j, and j - i, of the given pairs in each draw."""
    rows = [(int(one), np.flatnonzero(pairs[one])) for one in np.flatnonzero(pairs.any(axis=1))]
    result = np.full((2, centred.shape[1]), -np.inf)

    def maxima(first: int, last: int) -> None:
        block = np.ascontiguousarray(centred[:, first:last])
        forward, reverse = result[:, first:last]
        for one, others in rows:
            change = block[one] - block[others]
            change *= inverse[one, others, None]
            np.maximum(forward, change.max(axis=0), out=forward)
            np.maximum(reverse, -change.min(axis=0), out=reverse)

    run_in_threads(maxima, _parts_of_draws(centred))
    return result[0], result[1]


def _parts_of_draws(centred: FloatArray) -> list[tuple[int, int]]:
    """Ranges of draws whose values fit the cache."""
    count, draws = centred.shape
    return list(pairwise([*range(0, draws, max(1, CACHED_VALUES // count)), draws]))
