"""Expected information of one more judgement of a pair about the models that it compares."""

from collections.abc import Sequence

import numpy as np

from annotation.kinds.base import Payload
from annotation.kinds.hypothesis_pairs.measures import verdict_of
from backend.benchmarks.models import Question
from backend.science.judgements.bradley_terry import LEFT, RIGHT, TIE, Comparisons
from backend.science.judgements.comparison_gain import comparison_gain

OUTCOMES = {"a": LEFT, "tie": TIE, "b": RIGHT}
MIN_MODELS = 3  # of two models, every pair has the same


def model_information(
    questions: Sequence[Question], answers: Sequence[Sequence[Payload]]
) -> list[float] | None:
    """About the strengths of the models; None unless each pair compares two of three or more.

    The answers are to the pairs as listed. 'both bad' prefers neither, and compares nothing.
    """
    pairs = [[one["model"] for one in each.payload["hypotheses"]] for each in questions]
    models = sorted({name for pair in pairs for name in pair})
    if len(models) < MIN_MODELS or any(not all(pair) or pair[0] == pair[1] for pair in pairs):
        return None
    left, right = (np.array([models.index(pair[side]) for pair in pairs]) for side in (0, 1))
    rows = [
        (place, OUTCOMES[verdict])
        for place, several in enumerate(answers)
        for verdict in (verdict_of(one["choice"]) for one in several)
        if verdict in OUTCOMES
    ]
    places, outcomes = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    judged = (
        Comparisons(
            left[places], right[places], outcomes, np.zeros_like(places), len(models), places
        )
        if rows
        else None
    )
    gains: list[float] = comparison_gain(judged, left, right, len(models)).tolist()
    return gains
