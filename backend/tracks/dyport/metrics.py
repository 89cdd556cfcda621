"""Metrics of Dyport. All values lie between 0 and 1."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from backend.science.evaluation.metrics import FloatArray, Ratio
from backend.tracks.dyport.scoring import COMPONENTS, PLACES
from backend.tracks.metrics import UNITS, EvaluatedMetric, ratio


class ClippedRatio(Ratio):
    """Components to first order: a resampled AUC near 1 may exceed it by a little."""

    def __call__(self, sums: FloatArray) -> FloatArray:
        return np.clip(super().__call__(sums), 0, 1)


def metric(
    id_: str,
    label: str,
    value: str,
    description: str,
    *,
    over: str = "positives",
    ties: str = "A positive and a negative with equal scores count as one half.",
    missing: str = "A positive comes last, a negative first.",
    is_mean: bool = True,
) -> EvaluatedMetric:
    plain = ratio([PLACES[value]], [PLACES[over]], len(COMPONENTS))
    return EvaluatedMetric(
        id=id_,
        label=label,
        direction="higher",
        unit=UNITS["fraction"],
        description=description,
        section="Dyport, section 6.2.1",
        formula=ClippedRatio(plain.numerator, plain.denominator),
        counted=PLACES[over],
        is_mean=is_mean,
        ties=ties,
        missing=missing,
    )


of_pairs = partial(metric, ties="Half the negatives with an equal score come before the positive.")
METRICS: Sequence[EvaluatedMetric] = (
    metric(
        "roc_auc",
        "ROC AUC",
        "roc_auc",
        "Chance that a true link is scored above a random one; 0.5 is guessing.",
    ),
    metric(
        "roc_auc_strict",
        "ROC AUC as printed",
        "roc_auc_strict",
        "Equation 10 of the paper, where equal scores count as wrong.",
        ties="A positive and a negative with equal scores count as 0.",
    ),
    metric(
        "degree_product_auc",
        "AUC of degrees",
        "degree_auc",
        "ROC AUC of the product of both entities' degrees in the training graph.",
        over="with_degrees",
        missing="It depends on no prediction.",
    ),
    metric(
        "degree_matched_auc",
        "Degree-matched AUC",
        "matched_auc",
        "ROC AUC against negatives whose degree product lies between the same powers of two.",
        over="matched",
    ),
    metric(
        "average_precision",
        "Average precision",
        "precision",
        "Mean precision at the scores of the true links, over all pairs.",
        ties="Pairs with equal scores are retrieved together.",
        is_mean=False,
    ),
    of_pairs(
        "own_negatives_mrr",
        "MRR among own negatives",
        "reciprocal_rank",
        "Mean of 1 ÷ the rank of a true link among its own negatives.",
    ),
    of_pairs(
        "own_negatives_hit1",
        "Hit@1 among own negatives",
        "first",
        "Share of true links that come before all of their own negatives.",
    ),
    of_pairs(
        "own_negatives_hit3",
        "Hit@3 among own negatives",
        "first_three",
        "Share of true links among the first three beside their own negatives.",
    ),
)
