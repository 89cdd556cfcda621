"""Raters whose answers do not depend on the items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from backend.science.evaluation.comparisons import adjust_by_holm
from backend.science.rater_checks.answers import Answers, FloatArray, IntArray, choice_agreement
from backend.science.rater_checks.rater_tests import DRAWS, RaterTest, adjust_tests, simulated_p

MIN_ANSWERS = 10
CHANCE_DRAWS = 4_999

Draw = Callable[[int], FloatArray]


@dataclass(frozen=True)
class AbilityTest:
    """above_chance: of 'knows nothing'. below_others: of 'as good as the other raters'.

    flagged: the first is not rejected, and the second is. Absence of evidence alone flags nobody,
    or everybody with few answers would be. The first can only prevent a flag, so it is adjusted
    over the raters alone.
    """

    above_chance: RaterTest
    below_others: RaterTest

    @property
    def flagged(self) -> bool:
        return not self.above_chance.flagged and self.below_others.flagged


def check_ability(answers: Answers, *, seed: int, draws: int = DRAWS) -> list[AbilityTest]:
    """Agreement of each rater with the consensus of the others, against chance and the others.

    above_chance: value is the share of answers that are the commonest choice of the item's other
    raters, ties shared; its null distribution is that of the rater's own answers in random order
    over the items. below_others: value is the mean agreement with the item's other raters; its null
    distribution takes for each item the answer of one of its raters, with equal probability, which
    is exact for exchangeable raters. Both one-sided; raters with fewer than 10 compared answers are
    left out.
    """
    rng = np.random.default_rng(seed)
    agreement = choice_agreement(answers)
    above, below = [], []
    for rater, own in answers.by_rater(MIN_ANSWERS):
        items, choices = answers.items[own], answers.choices[own]
        scores = _others_consensus(answers.counts[items], choices)
        value = float(scores[np.arange(len(own)), choices].mean())
        chance = partial(_draw_chance, scores, choices, rng)
        above.append(compare_above(rater, value, chance, len(own), min(draws, CHANCE_DRAWS)))
        value = float(agreement[items, choices].mean())
        peers = partial(_draw_peers, answers.counts[items], agreement[items], rng)
        below.append(compare_below(rater, value, peers, len(own), draws))
    return combine_tests(above, below)


def combine_tests(above: list[RaterTest], below: list[RaterTest]) -> list[AbilityTest]:
    over_raters = adjust_by_holm([one.p_value for one in above])
    pairs = zip(above, over_raters, adjust_tests(below), strict=True)
    return [AbilityTest(replace(one, adjusted=p), other) for one, p, other in pairs]


def compare_above(rater: int | str, value: float, draw: Draw, n: int, draws: int) -> RaterTest:
    p, expected = simulated_p(value, draw, draws=draws)
    return RaterTest(rater, value, expected, n, p)


def compare_below(rater: int | str, value: float, draw: Draw, n: int, draws: int) -> RaterTest:
    p, expected = simulated_p(-value, lambda count: -draw(count), draws=draws)
    return RaterTest(rater, value, -expected, n, p)


def _draw_chance(
    scores: FloatArray, choices: IntArray, rng: np.random.Generator, draws: int
) -> FloatArray:
    """Mean consensus (draws,) of the rater's own choices in random order over the items."""
    shuffled = rng.permuted(np.tile(choices, (draws, 1)), axis=1)
    return np.asarray(scores[np.arange(len(choices)), shuffled].mean(axis=1))


def _others_consensus(counts: IntArray, own: IntArray) -> FloatArray:
    """(n, choices): 1 / number of commonest choices for each of these, without the own answer."""
    others = counts.copy()
    others[np.arange(len(own)), own] -= 1
    commonest = others == others.max(axis=1, keepdims=True)
    return np.asarray(commonest / commonest.sum(axis=1, keepdims=True))


def _draw_peers(
    counts: IntArray, agreement: FloatArray, rng: np.random.Generator, draws: int
) -> FloatArray:
    """Mean agreement (draws,) of the answer of a random rater of each item."""
    limits = np.cumsum(counts, axis=1)
    drawn = rng.integers(0, limits[:, -1], size=(draws, len(counts)))
    total = np.zeros(draws)
    for choice in range(counts.shape[1]):
        low = limits[:, choice] - counts[:, choice]
        total += ((drawn >= low) & (drawn < limits[:, choice])) @ agreement[:, choice]
    return total / len(counts)
