"""RNS of entities that are added alone to one set, beside the score of each split by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from backend.science.rns.added_candidates import score_added
from backend.science.rns.candidates import Candidates
from backend.science.rns.errors import SizeOutOfRange
from backend.science.rns.measures import Weights, score_given_splits
from tests.science.rns.questions import question, weights_drawn


def alone(candidates: Candidates, existing: int, weights: Weights) -> list[float]:
    """Of each added one: the candidates without all other added ones, split into A_e and it."""
    result = []
    for added in range(existing, candidates.count):
        chosen = np.array([*range(existing), added])
        few = Candidates(
            candidates.transition[np.ix_(chosen, chosen)],
            candidates.marginal[chosen],
            candidates.vectors[chosen],
            candidates.has_embedding[chosen],
        )
        scores = score_given_splits(few, np.array([[existing]], np.int64))
        result.append(float(scores.totals(weights)[0]))
    return result


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("existing", [1, 2, 7])
def test_scores_are_those_of_single_splits(existing: int, seed: int) -> None:
    candidates, weights = question(existing + 9, seed), weights_drawn(seed)
    scores = score_added(candidates, existing, weights)
    assert scores == pytest.approx(alone(candidates, existing, weights), abs=1e-12)


def test_rows_without_mass_are_uniform() -> None:
    candidates = question(6, 1)
    transition = candidates.transition.copy()
    transition[[0, 4]] = 0
    transition[:, 5] = 0
    transition[5] = 0
    candidates = replace(candidates, transition=transition)
    scores = score_added(candidates, 2, Weights(0, 0, 1))
    assert scores == pytest.approx(alone(candidates, 2, Weights(0, 0, 1)), abs=1e-12)


def test_nothing_added_gives_no_scores_and_an_empty_set_is_refused() -> None:
    assert len(score_added(question(3, 0), 3)) == 0
    for existing in (0, 4):
        with pytest.raises(SizeOutOfRange):
            score_added(question(3, 0), existing)
