"""Components of Dyport: raw values of each pair, and what follows from all pairs of a slice."""

from collections.abc import Sequence

import numpy as np

from backend.science.evaluation.metrics import BoolArray
from backend.science.evaluation.placements import (
    auc_components,
    matched_auc_components,
    precision_components,
    ranks_within,
)
from backend.tracks.dyport.rows import LinkAnswer, LinkItem, ScorePrediction
from backend.tracks.metrics import Floats

RAW = ("score", "positives", "group", "degree_product")
DERIVED = (
    "roc_auc",
    "roc_auc_strict",
    "degree_auc",
    "with_degrees",
    "matched_auc",
    "matched",
    "precision",
    "reciprocal_rank",
    "first",
    "first_three",
)
COMPONENTS = (*RAW, *DERIVED)
PLACES = {name: at for at, name in enumerate(COMPONENTS)}
UNKNOWN = -1.0


def raw_components(
    items: Sequence[LinkItem],
    answers: Sequence[LinkAnswer],
    predictions: Sequence[ScorePrediction | None],
) -> Floats:
    """A missing score is infinite, on the wrong side of all others."""
    result = np.zeros((len(items), len(COMPONENTS)))
    for row, item, answer, prediction in zip(result, items, answers, predictions, strict=True):
        worst = -np.inf if answer.is_positive else np.inf
        score = worst if prediction is None else prediction.score
        row[: len(RAW)] = (score, answer.is_positive, answer.group, degree_product(item))
    return result


def degree_product(item: LinkItem) -> float:
    if item.subject_degree is None or item.object_degree is None:
        return UNKNOWN
    return float(item.subject_degree * item.object_degree)


def complete_components(raw: Floats) -> Floats:
    """Scores become whole numbers in the same order, since components are finite and summed."""
    score = PLACES["score"]
    raw[:, score] = np.unique(raw[:, score], return_inverse=True)[1].reshape(-1)
    return derive(raw, np.ones(len(raw), dtype=np.bool_))


def derive(components: Floats, mask: BoolArray) -> Floats:
    """A copy whose derived columns are of the pairs of the mask beside each other."""
    result = components.copy()
    result[:, len(RAW) :] = 0
    rows = components[mask]
    scores, products = rows[:, PLACES["score"]], rows[:, PLACES["degree_product"]]
    is_positive = rows[:, PLACES["positives"]] > 0
    ranks = ranks_within(scores, is_positive, rows[:, PLACES["group"]].astype(np.int64))
    known = products != UNKNOWN
    columns = {
        "roc_auc": auc_components(scores, is_positive, tie=0.5),
        "roc_auc_strict": auc_components(scores, is_positive, tie=0),
        "with_degrees": known & is_positive,
        "precision": precision_components(scores, is_positive),
        "reciprocal_rank": np.divide(1, ranks, out=np.zeros_like(ranks), where=ranks > 0),
        "first": (ranks > 0) & (ranks <= 1),
        "first_three": (ranks > 0) & (ranks <= 3),
    }
    for name, values in columns.items():
        result[mask, PLACES[name]] = values
    places = np.flatnonzero(mask)[known]
    result[places, PLACES["degree_auc"]] = auc_components(
        products[known], is_positive[known], tie=0.5
    )
    matched, counted = matched_auc_components(
        scores[known], is_positive[known], np.log2(1 + products[known]).astype(np.int64)
    )
    result[places, PLACES["matched_auc"]] = matched
    result[places, PLACES["matched"]] = counted
    return result


def placed_shares(components: Floats) -> Floats:
    """Of each pair, the share of the pairs of the other class that are placed rightly beside it.

    It is V of `auc_components`, from the components of all pairs of a split.
    """
    is_positive = components[:, PLACES["positives"]] > 0
    shares = components[:, PLACES["roc_auc"]].copy()
    if is_positive.any():
        ratio = (~is_positive).sum() / is_positive.sum()
        shares[~is_positive] = shares[~is_positive] * ratio + shares[is_positive].mean()
    return shares
