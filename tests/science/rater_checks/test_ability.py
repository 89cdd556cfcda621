from __future__ import annotations

import numpy as np
import pytest

from backend.science.agreement import tau_b
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rankings import mid_ranks
from backend.science.rater_checks.ability import AbilityTest, check_ability
from backend.science.rater_checks.ranking_ability import check_ranking_ability
from tests.science.rater_checks.simulated_raters import (
    DRIFTING,
    IGNORANT,
    STRAIGHT,
    simulate_answers,
)


def flagged(tests: list[AbilityTest]) -> set[int | str]:
    return {one.above_chance.rater for one in tests if one.flagged}


def test_guessing_and_repeating_one_choice_are_both_not_above_chance() -> None:
    tests = {one.above_chance.rater: one for one in check_ability(simulate_answers(4), seed=0)}
    assert {IGNORANT, STRAIGHT} <= flagged(list(tests.values())) <= {IGNORANT, STRAIGHT, DRIFTING}
    assert tests[STRAIGHT].above_chance.p_value == 1
    assert tests[0].above_chance.value > 0.7
    assert tests[IGNORANT].above_chance.expected == pytest.approx(1 / 4, abs=0.1)


def test_few_answers_flag_nobody() -> None:
    assert flagged(check_ability(simulate_answers(4, items=12), seed=0)) <= {
        DRIFTING,
        IGNORANT,
        STRAIGHT,
    }
    assert check_ability(simulate_answers(4, items=9), seed=0) == []


def questions(seed: int, raters: int = 8, count: int = 25) -> list[RatedQuestion]:
    """Plackett-Luce raters, of whom r0 ranks at random."""
    rng, ids = np.random.default_rng(seed), "abcdefg"
    names, result = [f"r{i}" for i in range(raters)], []
    for _ in range(count):
        worths = rng.normal(scale=1.5, size=7)
        draws = [np.argsort(-(worths * (name != "r0") + rng.gumbel(size=7))) for name in names]
        result.append(RatedQuestion(ids, names, [[[ids[i]] for i in order] for order in draws]))
    return result


@pytest.mark.parametrize("seed", range(3))
def test_a_rater_who_ranks_at_random_is_flagged(seed: int) -> None:
    tests = check_ranking_ability(questions(seed), seed=0)
    assert flagged(tests) == {"r0"}
    assert tests[0].above_chance.expected == pytest.approx(0, abs=0.05)


def test_agreement_of_rankings_is_tau_b_with_the_mean_ranks_of_the_others() -> None:
    board = questions(7, raters=3, count=10)
    values = []
    for one in board:
        ranks = [mid_ranks(groups, one.ids) for groups in one.rankings]
        values.append(tau_b(ranks[1], ranks[0] + ranks[2]).value)
    test = {it.above_chance.rater: it for it in check_ranking_ability(board, seed=0)}["r1"]
    assert test.above_chance.value == pytest.approx(
        np.mean([it for it in values if it is not None])
    )
    assert test.above_chance.value == test.below_others.value
