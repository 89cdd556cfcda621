"""Simulated entries of known truth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import estimate_metrics
from backend.science.evaluation.metrics import Difference, FloatArray, Metric, Ratio
from backend.science.evaluation.placements import auc_components
from backend.science.evaluation.rank_sets import RankSets, rank_sets

MEAN = Ratio((1, 0), (0, 1))  # components: value, 1
PRECISION = Ratio((1, 0, 0, 0), (1, 1, 0, 0))  # components: TP, FP, FN, TN
RECALL = Ratio((1, 0, 0, 0), (1, 0, 1, 0))
F1 = Ratio((2, 0, 0, 0), (2, 1, 1, 0))
ACCURACY = Ratio((1, 0, 0, 1), (1, 1, 1, 1))


class World(NamedTuple):
    """Cluster sums (worlds, C, k) of independent worlds, a metric and its true value."""

    sums: FloatArray
    metric: Metric
    truth: float


def drawn_clusters(draws: ClusterDraws) -> npt.NDArray[np.int32]:
    """The clusters of each draw, (draws, clusters), segment by segment."""
    size = max(1, 2**19 // draws.clusters)
    segments = []
    for number, start in enumerate(range(0, draws.draws, size)):
        shape = (min(size, draws.draws - start), draws.clusters)
        rng = np.random.default_rng([draws.seed, number])
        segments.append(rng.integers(0, draws.clusters, size=shape, dtype=np.int32))
    return np.concatenate(segments)


def mean_sums(values: FloatArray) -> FloatArray:
    """Cluster sums (..., C, 2) for MEAN of values (..., C), each item a cluster."""
    return np.stack([values, np.ones_like(values)], axis=-1)


def confusion_sums(worlds: int, clusters: int, seed: int) -> FloatArray:
    """One to four pairs a cluster, half of them linked, predicted right with q_c ~ Beta(4, 2)."""
    rng = np.random.default_rng(seed)
    quality = rng.beta(4, 2, (worlds, clusters))
    linked = rng.binomial(rng.integers(0, 3, quality.shape), 0.5) + rng.integers(
        0, 2, quality.shape
    )
    others = rng.binomial(linked + 1, 0.5)
    positives, negatives = rng.binomial(linked, quality), rng.binomial(others, quality)
    parts = [positives, others - negatives, linked - positives, negatives]
    return np.stack(parts, axis=-1).astype(np.float64)


def f1_worlds(worlds: int, clusters: int, seed: int) -> World:
    # Linked pairs: 1 a cluster; others: half of 1 + that, so 1 too. With q = 2/3, TP = 2/3 and
    # FP = FN = 1/3.
    return World(confusion_sums(worlds, clusters, seed), F1, 2 / 3)


def precision_worlds(worlds: int, clusters: int, seed: int) -> World:
    return World(confusion_sums(worlds, clusters, seed), PRECISION, 2 / 3)


def reciprocal_rank_worlds(worlds: int, clusters: int, seed: int) -> World:
    ranks = np.random.default_rng(seed).geometric(0.3, (worlds, clusters))
    truth = -0.3 * np.log(0.3) / 0.7
    return World(mean_sums(1 / ranks), MEAN, truth)


def difference_worlds(worlds: int, clusters: int, seed: int) -> World:
    """Two entries, right with 0.6 and 0.5 on queries of shared difficulty."""
    rng = np.random.default_rng(seed)
    difficulty = rng.uniform(-0.3, 0.3, (worlds, clusters))
    both = [rng.random(difficulty.shape) < right + difficulty for right in (0.6, 0.5)]
    sums = np.concatenate([mean_sums(one.astype(np.float64)) for one in both], axis=-1)
    return World(sums, Difference(MEAN), 0.1)


def share_worlds(worlds: int, clusters: int, seed: int) -> World:
    hits = np.random.default_rng(seed).random((worlds, clusters)) < 0.3
    return World(mean_sums(hits.astype(np.float64)), MEAN, 0.3)


def auc_worlds(worlds: int, clusters: int, seed: int) -> World:
    """Subjects of one to three positives with ten negatives each; each has an effect on its scores.

    AUC = Φ(0.8 / √(2 · 1.25)), but for 1 / clusters of the pairs, which share their subject.
    """
    rng = np.random.default_rng(seed)
    sums = np.zeros((worlds, clusters, 2))
    for world in sums:
        subjects = np.repeat(np.arange(clusters), 11 * rng.integers(1, 4, clusters))
        is_positive = np.arange(len(subjects)) % 11 == 0
        scores = 0.5 * rng.normal(size=clusters)[subjects] + rng.normal(0.8 * is_positive)
        components = auc_components(scores, is_positive, tie=0.5)
        world[:, 0] = np.bincount(subjects, components)
        world[:, 1] = np.bincount(subjects[is_positive])
    return World(sums, MEAN, float(ndtr(0.8 / np.sqrt(2.5))))


INTERVAL_WORLDS = {
    "AUC": auc_worlds,
    "F1": f1_worlds,
    "precision": precision_worlds,
    "mean reciprocal rank": reciprocal_rank_worlds,
    "difference of shares": difference_worlds,
    "share (Wilson)": share_worlds,
}


def coverage(world: World, seed: int, draws: int = 10_000) -> float:
    """Share of the worlds whose interval holds the truth."""
    worlds, clusters, _ = world.sums.shape
    rows = estimate_metrics(
        world.sums, [clusters] * worlds, [world.metric], ClusterDraws(clusters, seed, draws)
    )
    inside = [
        one.low is not None and one.high is not None and one.low <= world.truth <= one.high
        for (one,) in rows
    ]
    return float(np.mean(inside))


RANK_BOARDS = {
    "ten equal entries": [0.5] * 10,
    "pairs a step apart": [0.4, 0.4, 0.47, 0.47, 0.54, 0.54, 0.61, 0.61],
    "one leader": [0.6, *[0.5] * 7],
}


def rank_set_coverage(
    truth: list[float], worlds: int, seed: int, draws: int, items: int = 400
) -> float:
    """Share of boards on which every entry's rank set holds its true ranks."""
    inside = []
    for world in range(worlds):
        rng = np.random.default_rng([seed, world])
        difficulty = rng.uniform(-0.3, 0.3, items)
        right = rng.random((len(truth), items)) < np.array(truth)[:, None] + difficulty
        sums = mean_sums(right.astype(np.float64))
        sets = rank_sets(sums, MEAN, ClusterDraws(items, world, draws))
        inside.append(holds_true_ranks(sets, truth))
    return float(np.mean(inside))


def holds_true_ranks(sets: RankSets, truth: list[float]) -> bool:
    """Equal entries share all ranks of their group."""
    best = [1 + sum(other > one for other in truth) for one in truth]
    worst = [len(truth) - sum(other < one for other in truth) for one in truth]
    return bool((sets.best <= best).all() and (sets.worst >= worst).all())
