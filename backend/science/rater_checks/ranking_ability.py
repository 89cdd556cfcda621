"""Raters whose rankings do not depend on the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from backend.science.rank_models.choices import RatedQuestion
from backend.science.rankings import mid_ranks
from backend.science.rater_checks.ability import (
    MIN_ANSWERS,
    AbilityTest,
    combine_tests,
    compare_above,
    compare_below,
)
from backend.science.rater_checks.answers import FloatArray
from backend.science.rater_checks.rater_tests import DRAWS

CHANCE_DRAWS = 999


def check_ranking_ability(
    questions: Sequence[RatedQuestion], *, seed: int, draws: int = DRAWS
) -> list[AbilityTest]:
    """`check_ability` of rankings: agreement is tau-b with the mean ranks of the other raters.

    above_chance: value is the mean over the rater's questions; under chance the candidates of the
    rater's ranking are relabelled at random. below_others: the null distribution takes for each
    question the agreement of one of its raters with the others. A question where tau-b is undefined
    for a rater, because one side ties all, counts as 0 for that rater.

    Each rater ranks all candidates of a question once, or InvalidRanking is raised. Questions with
    one rater are left out, and raters with fewer than 10 others.
    """
    rng = np.random.default_rng(seed)
    compared = [_QuestionAgreement.of(one) for one in questions if len(one.raters) > 1]
    above, below = [], []
    for rater in sorted({name for one in compared for name in one.raters}):
        own = [(one, one.raters.index(rater)) for one in compared if rater in one.raters]
        if len(own) < MIN_ANSWERS:
            continue
        value = float(np.mean([one.agreement[row] for one, row in own]))
        chance = partial(_draw_chance, own, rng)
        above.append(compare_above(rater, value, chance, len(own), min(draws, CHANCE_DRAWS)))
        below.append(compare_below(rater, value, partial(_draw_peers, own, rng), len(own), draws))
    return combine_tests(above, below)


def ranking_agreement(questions: Sequence[RatedQuestion]) -> list[dict[str, tuple[float, float]]]:
    """For each question and rater, the tau-b with the mean ranks of the others, and the mean of
    those of the other raters; empty for a question of one rater."""
    result = []
    for question in questions:
        one = _QuestionAgreement.of(question) if len(question.raters) > 1 else None
        raters = () if one is None else one.raters
        result.append({name: one.beyond(row) for row, name in enumerate(raters) if one})
    return result


@dataclass(frozen=True)
class _QuestionAgreement:
    """ranks and others: (m, n), of each rater, and the sum of the others'. agreement: (m,)."""

    raters: Sequence[str]
    ranks: FloatArray
    others: FloatArray
    agreement: FloatArray

    @classmethod
    def of(cls, question: RatedQuestion) -> _QuestionAgreement:
        ranks = np.array([mid_ranks(groups, question.ids) for groups in question.rankings])
        others = ranks.sum(axis=0) - ranks
        agreement = [
            _tau_b_rows(one[None], other)[0] for one, other in zip(ranks, others, strict=True)
        ]
        return cls(question.raters, ranks, others, np.array(agreement))

    def beyond(self, row: int) -> tuple[float, float]:
        """The agreement of a rater, and the mean of that of the others."""
        own = float(self.agreement[row])
        return own, (float(self.agreement.sum()) - own) / (len(self.agreement) - 1)

    def draw_chance(self, row: int, draws: int, rng: np.random.Generator) -> FloatArray:
        shuffled = rng.permuted(np.tile(self.ranks[row], (draws, 1)), axis=1)
        return _tau_b_rows(shuffled, self.others[row])


_Place = tuple[_QuestionAgreement, int]


def _draw_chance(own: Sequence[_Place], rng: np.random.Generator, draws: int) -> FloatArray:
    total = sum((one.draw_chance(row, draws, rng) for one, row in own), np.zeros(draws))
    return np.asarray(total / len(own))


def _draw_peers(own: Sequence[_Place], rng: np.random.Generator, draws: int) -> FloatArray:
    total = sum((rng.choice(one.agreement, draws) for one, _ in own), np.zeros(draws))
    return np.asarray(total / len(own))


def _tau_b_rows(rows: FloatArray, ranks: FloatArray) -> FloatArray:
    """tau-b of each row (d, n) with `ranks` (n,), as the cosine of pair signs; 0 if undefined."""
    one, other = np.triu_indices(len(ranks), 1)
    signs, fixed = np.sign(rows[:, one] - rows[:, other]), np.sign(ranks[one] - ranks[other])
    scale = np.sqrt(np.sum(signs**2, axis=1) * np.sum(fixed**2))
    result = np.zeros(len(rows))
    np.divide(signs @ fixed, scale, out=result, where=scale > 0)
    return result
