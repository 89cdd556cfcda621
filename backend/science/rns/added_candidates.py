"""RNS(A_e, {c}) of many entities c, each added alone to the same existing set A_e.

For each c the candidates are A_e and c. Relevance and novelty are as in `measures`; surprise is
over these candidates (`support=candidates`): rows are restricted to them and scaled to sum to 1,
uniform if without mass.
"""

import numpy as np

from backend.science.rns.candidates import Candidates, Floats
from backend.science.rns.errors import SizeOutOfRange
from backend.science.rns.measures import EQUAL_WEIGHTS, Weights


def score_added(candidates: Candidates, existing: int, weights: Weights = EQUAL_WEIGHTS) -> Floats:
    """RNS of each candidate after the first `existing` ones, which are A_e: float64 [n - existing].

    Raises SizeOutOfRange unless A_e has a candidate.
    """
    if not 0 < existing <= candidates.count:
        raise SizeOutOfRange("existing", f"From 1 to {candidates.count} candidates can be known.")
    relevance = -candidates.distances[:existing, existing:].mean(axis=0)
    novelty = 1 - candidates.information[:existing, existing:].sum(axis=0)
    alpha, beta, gamma = weights.values
    surprise = surprise_of_added(candidates.transition, existing)
    return np.asarray(alpha * relevance + beta * novelty + gamma * surprise)


def surprise_of_added(transition: Floats, existing: int) -> Floats:
    """The Jensen-Shannon divergence (base 2) of the mean row of A_e and the row of c."""
    known, to_added = transition[:existing, :existing], transition[:existing, existing:]
    mass = known.sum(axis=1)[:, None] + to_added
    even = 1 / (existing + 1)
    inverse = np.divide(1.0, mass, out=np.zeros_like(mass), where=mass > 0)
    without_mass = (mass == 0).sum(axis=0)[:, None] * even
    inside = inverse.T @ known
    last = (inverse * to_added).sum(axis=0)[:, None]
    mean = (np.hstack([inside, last]) + without_mass) / existing
    own = np.hstack([transition[existing:, :existing], np.diag(transition)[existing:, None]])
    total = own.sum(axis=1, keepdims=True)
    rows = np.divide(own, total, out=np.full_like(own, even), where=total > 0)
    middle = (mean + rows) / 2
    return np.asarray((divergence(mean, middle) + divergence(rows, middle)) / 2)


def divergence(rows: Floats, middle: Floats) -> Floats:
    """Σ p log2(p / m) of each row; 0 where p is 0."""
    quotient = np.divide(rows, middle, out=np.ones_like(rows), where=rows > 0)
    return np.asarray((rows * np.log2(quotient)).sum(axis=1))
