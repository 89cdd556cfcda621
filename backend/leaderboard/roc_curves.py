"""ROC curves of the best entries, where everybody may read which links are true.

A curve and one's own scores reveal which items are true, so there is none of hidden answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.benchmarks.models import Release
from backend.leaderboard.discoveries import Forecaster, public_split_or_raise, standing_entries
from backend.science.evaluation.metrics import BoolArray, FloatArray
from backend.science.evaluation.placements import auc_components, roc_curve
from backend.tracks.dyport.scoring import PLACES, UNKNOWN

MOST_CURVES = 5
MOST_POINTS = 101


@dataclass(frozen=True)
class RocCurve:
    """auc: equal scores count one half. points: false and true positive rate, from (0, 0)."""

    auc: float
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class EntryCurve:
    entry: Forecaster
    curve: RocCurve


@dataclass(frozen=True)
class RocCurves:
    """positives, negatives: pairs of the split. degrees: of the product of both entities' degrees
    alone, over the pairs that have them; None without such pairs of both kinds."""

    split: str
    positives: int
    negatives: int
    degrees: RocCurve | None
    results: Sequence[EntryCurve]


def list_roc_curves(release: Release) -> RocCurves:
    """Of at most MOST_CURVES entries, the best first. Raises NotFound where answers are hidden."""
    split = public_split_or_raise(release)
    entries = standing_entries(release, split, MOST_CURVES)
    curves, labels, products = [], np.zeros(0, np.bool_), np.zeros(0)
    for entry, components in entries:
        labels = components[:, PLACES["positives"]] > 0
        products = components[:, PLACES["degree_product"]]
        curve = measure_curve(components[:, PLACES["score"]], labels)
        if curve is not None:
            curves.append(EntryCurve(entry, curve))
    known = products != UNKNOWN
    hits = int(labels.sum())
    degrees = measure_curve(products[known], labels[known])
    return RocCurves(split, hits, len(labels) - hits, degrees, curves)


def measure_curve(scores: FloatArray, is_positive: BoolArray) -> RocCurve | None:
    """None unless there are pairs of both kinds."""
    hits = int(is_positive.sum())
    if not 0 < hits < len(scores):
        return None
    x, y = roc_curve(scores, is_positive, most=MOST_POINTS)
    auc = auc_components(scores, is_positive, tie=0.5).sum() / hits
    return RocCurve(float(auc), list(zip(x.tolist(), y.tolist(), strict=True)))
