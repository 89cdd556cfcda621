"""Accuracy by groundedness, and the most grounded of several hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.comparisons import Comparison, compare_entries
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import Estimate, estimate_metrics
from backend.science.evaluation.metrics import BoolArray, FloatArray, Ratio
from backend.science.judged_scores.claims import IntArray, numbered

Selection = Literal["groundedness", "greedy", "majority", "random", "any"]

SMALLEST_GROUP, LEVELS = 10, 10
SHARE = Ratio((1, 0), (0, 1))
MISSING_LABEL = -1


@dataclass(frozen=True)
class AccuracyGroup:
    """Hypotheses with a groundedness in [low, high), the last group with its end."""

    low: float
    high: float
    groundedness: float
    accuracy: Estimate


@dataclass(frozen=True)
class AccuracyByGroundedness:
    """groups: in ascending order. undefined: accuracy of the hypotheses without a claim, if any.

    overall: accuracy of all hypotheses, those without a claim too.
    """

    groups: tuple[AccuracyGroup, ...]
    undefined: Estimate | None
    overall: Estimate


@dataclass(frozen=True)
class SelectionFigures:
    """accuracy: by way of selection. differences: groundedness minus each of the others.

    items: all. undefined: items none of whose candidates has a claim. tied: items in which the
    highest groundedness has several candidates.
    """

    accuracy: dict[Selection, Estimate]
    differences: dict[Selection, Comparison]
    items: int
    undefined: int
    tied: int


def accuracy_by_groundedness(
    correct: npt.ArrayLike,
    groundedness: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    smallest: int = SMALLEST_GROUP,
    draws: int = 10_000,
) -> AccuracyByGroundedness:
    """Mean of correct (n,), 0 or 1, in groups of groundedness (n,), NaN for one without claims.

    Tenths of [0, 1], merged with the next until a group has `smallest` hypotheses; a rest below
    that joins the last group. With fewer in total there is one group. The paper leaves small groups
    out. Equal groundedness is in one group; a value within 1e-9 below a tenth counts as that.
    Intervals are those of `estimate_metrics` over clusters, each hypothesis by itself without them.

    Raises ValueError for no hypotheses, arrays of other lengths, correct other than 0 and 1, or
    groundedness outside [0, 1]. Source: TruthHypo, section 4.3, figure 3.
    """
    right, scores = np.asarray(correct, dtype=np.float64), np.asarray(groundedness, np.float64)
    _check(right, scores)
    if right.ndim != 1:
        raise ValueError("accuracy by groundedness has one value for each hypothesis")
    labels = np.arange(right.size) if clusters is None else numbered(clusters, right.size)
    defined = ~np.isnan(scores)
    tenths = np.where(defined, np.minimum(np.nan_to_num(scores) * LEVELS + 1e-9, LEVELS - 1), -1)
    edges = _merged_edges(np.bincount(tenths[defined].astype(np.int64), minlength=LEVELS), smallest)
    spans = list(pairwise(edges))
    masks = [(tenths >= low) & (tenths < high) for low, high in spans]
    masks = [*masks, ~defined, np.ones(right.size, dtype=np.bool_)]
    estimates = _estimates(right, labels, masks, seed, draws)
    groups = tuple(
        AccuracyGroup(low / LEVELS, high / LEVELS, float(scores[mask].mean()), estimate)
        for (low, high), mask, estimate in zip(spans, masks, estimates, strict=False)
    )
    return AccuracyByGroundedness(groups, estimates[-2] if masks[-2].any() else None, estimates[-1])


def best_of_n(
    correct: npt.ArrayLike,
    groundedness: npt.ArrayLike,
    labels: npt.ArrayLike,
    greedy: npt.ArrayLike,
    *,
    seed: int,
    clusters: npt.ArrayLike | None = None,
    draws: int = 10_000,
) -> SelectionFigures:
    """Accuracy of the most grounded of n candidates, beside greedy, majority, random and any.

    correct, groundedness (NaN without claims), labels (-1 without one): (items, n). greedy:
    (items,) 0 or 1, of the hypothesis decoded greedily. groundedness: the candidate of the highest
    value; of t tied ones each counts 1/t, so their order has no influence. Candidates without
    claims lose against all others, and tie if there are no others. majority: the commonest label,
    ties alike; no label loses against all others. random: the mean of the candidates. any: 1 if one
    is correct, what the best selection would reach.

    Intervals and tests are those of `estimate_metrics` and `compare_entries` over clusters, each
    item by itself without them. Raises ValueError for no items, arrays of other shapes, correct
    other than 0 and 1, or groundedness outside [0, 1]. Source: TruthHypo, section 4.4, figure 4;
    majority: Wang et al., Self-Consistency (2022).
    """
    right, scores = np.asarray(correct, dtype=np.float64), np.asarray(groundedness, np.float64)
    votes, single = np.asarray(labels), np.asarray(greedy, dtype=np.float64)
    _check(right, scores)
    if right.ndim != 2 or votes.shape != right.shape or single.shape != right.shape[:1]:
        raise ValueError("candidates are (items, n) and greedy is (items,)")
    _check(single, np.zeros_like(single))
    grounded = _shares_of_largest(np.where(np.isnan(scores), -1.0, scores))
    values: dict[Selection, FloatArray] = {
        "groundedness": (grounded * right).sum(axis=1),
        "greedy": single,
        "majority": (_shares_of_largest(_vote_counts(votes)) * right).sum(axis=1),
        "random": right.mean(axis=1),
        "any": right.max(axis=1),
    }
    numbers = np.arange(len(right)) if clusters is None else numbered(clusters, len(right))
    drawn = ClusterDraws(int(numbers.max()) + 1, seed, draws)
    sums = np.stack([_item_sums(one, numbers, drawn.clusters) for one in values.values()])
    estimates = estimate_metrics(sums, [len(right)] * len(sums), [SHARE], drawn)
    first = np.repeat(sums[:1], len(sums) - 1, axis=0)
    compared = compare_entries(first, sums[1:], [len(right)] * len(first), SHARE, drawn)
    empty = np.isnan(scores).all(axis=1)
    return SelectionFigures(
        accuracy={name: row[0] for name, row in zip(values, estimates, strict=True)},
        differences=dict(zip(list(values)[1:], compared, strict=True)),
        items=len(right),
        undefined=int(empty.sum()),
        tied=int((((grounded > 0).sum(axis=1) > 1) & ~empty).sum()),
    )


def _merged_edges(counts: IntArray, smallest: int) -> list[int]:
    """Ends of groups of levels that have at least `smallest` each, from counts (levels,)."""
    if not counts.any():
        return []
    edges, size = [0], 0
    for level, count in enumerate(counts.tolist(), start=1):
        size += count
        if size >= smallest:
            edges, size = [*edges, level], 0
    return [*edges[: max(len(edges) - 1, 1)], len(counts)]


def _shares_of_largest(values: FloatArray) -> FloatArray:
    """1/t for each of the t largest values of a row, else 0."""
    largest = values >= values.max(axis=1, keepdims=True) - 1e-12
    return np.asarray(largest / largest.sum(axis=1, keepdims=True))


def _vote_counts(labels: npt.NDArray[np.generic]) -> FloatArray:
    """For each candidate how many of its item have its label; 0 without a label."""
    counts = (labels[:, :, None] == labels[:, None, :]).sum(axis=2)
    return np.where(labels == MISSING_LABEL, 0, counts).astype(np.float64)


def _item_sums(values: FloatArray, clusters: IntArray, count: int) -> FloatArray:
    return sum_by_cluster(np.stack([values, np.ones_like(values)], axis=1), clusters, count)


def _estimates(
    values: FloatArray, clusters: IntArray, masks: Sequence[BoolArray], seed: int, draws: int
) -> list[Estimate]:
    count = int(clusters.max()) + 1
    components = np.stack([values, np.ones_like(values)], axis=1)
    sums = np.stack([sum_by_cluster(components, clusters, count, mask) for mask in masks])
    items = [int(mask.sum()) for mask in masks]
    rows = estimate_metrics(sums, items, [SHARE], ClusterDraws(count, seed, draws))
    return [row[0] for row in rows]


def _check(correct: FloatArray, groundedness: FloatArray) -> None:
    if not correct.size or correct.shape != groundedness.shape:
        raise ValueError("each hypothesis is correct or not, and has a groundedness or NaN")
    defined = groundedness[~np.isnan(groundedness)]
    if not np.isin(correct, (0, 1)).all() or not ((defined >= 0) & (defined <= 1)).all():
        raise ValueError("correct is 0 or 1, groundedness between 0 and 1 or NaN")
