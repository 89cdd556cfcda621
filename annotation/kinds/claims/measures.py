"""Agreement between experts who verified the same claims."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from uuid import UUID

import numpy as np

from annotation.kinds.base import Payload
from annotation.kinds.item_measures import mean_of
from annotation.kinds.measures import Measure, measure_of
from backend.science.judgements.alpha import krippendorff_alpha
from backend.science.judgements.kappa import chance_corrected_agreement
from backend.science.judgements.tables import FloatArray, JudgementTable

MEASURED = ("supported", "contradicted", "not_enough")
CATEGORIES = tuple(map(float, range(len(MEASURED))))
SAME_VERDICT = ("same_verdict", "Same verdict")


def measure_claims(claims: Sequence[Mapping[UUID, Payload]], *, seed: int) -> list[Measure]:
    """Nominal measures over claims, of verdicts by rater, with intervals over raters and claims."""
    values = _table(claims)
    percent, ac1 = (
        chance_corrected_agreement(values, coefficient, seed=seed, categories=CATEGORIES)
        for coefficient in ("percent", "gwet")
    )
    alpha = krippendorff_alpha(values, level="nominal", seed=seed)
    return [
        measure_of(*SAME_VERDICT, percent),
        measure_of("alpha", "Krippendorff's alpha", alpha),
        measure_of("ac1", "Gwet's AC1", ac1),
    ]


def list_claim_measures(answers: Sequence[Payload]) -> list[Measure]:
    """The share of pairs of experts with the same verdict."""
    pairs = combinations([one["verdict"] for one in answers], 2)
    share = mean_of([one == two for one, two in pairs], lack="no_overlap")
    return [measure_of(*SAME_VERDICT, share)]


def _table(claims: Sequence[Mapping[UUID, Payload]]) -> FloatArray:
    """(raters, claims) of places in MEASURED."""
    judgements = [
        (f"{at:09}", rater.hex, float(MEASURED.index(one["verdict"])))
        for at, by_rater in enumerate(claims)
        for rater, one in by_rater.items()
    ]
    return JudgementTable.of(judgements).values if judgements else np.full((0, 0), np.nan)
