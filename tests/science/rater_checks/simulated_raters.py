"""Raters of categorical items, some of whom are planted to be noticed."""

from __future__ import annotations

import numpy as np

from backend.science.rater_checks.answers import Answers, FloatArray

CHOICES = 4
ACCURACY = 0.9
DRIFTING, STRAIGHT, IGNORANT = 3, 8, 15


def simulate_answers(
    seed: int,
    *,
    raters: int = 20,
    items: int = 60,
    overlap: int | None = None,
    planted: bool = True,
) -> Answers:
    """Each rater answers the items, or `overlap` raters each item, in an order of their own.

    Planted: one guesses from the middle on, one gives choice 0 always, one guesses always.
    """
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, CHOICES, items)
    takes = np.array([rng.permutation(raters) < (overlap or raters) for _ in range(items)])
    rows: list[tuple[int, int, int]] = []
    for rater in range(raters):
        own = rng.permutation(np.flatnonzero(takes[:, rater]))
        right = rng.random(len(own)) < ACCURACY
        guesses = rng.integers(0, CHOICES, len(own))
        choices = np.where(right, truth[own], guesses)
        if planted and rater == DRIFTING:
            choices[len(own) // 2 :] = guesses[len(own) // 2 :]
        if planted and rater == STRAIGHT:
            choices[:] = 0
        if planted and rater == IGNORANT:
            choices = guesses
        rows += [(rater, int(item), int(one)) for item, one in zip(own, choices, strict=True)]
    table = np.array(rows, dtype=np.int64)
    return Answers(table[:, 0], table[:, 1], table[:, 2])


def positions(answers: Answers) -> FloatArray:
    """The place of each answer in its rater's sequence, from 0."""
    result = np.zeros(len(answers.raters))
    for rater in np.unique(answers.raters):
        own = np.flatnonzero(answers.raters == rater)
        result[own] = np.arange(len(own))
    return result
