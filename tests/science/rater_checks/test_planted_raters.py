"""All checks on one study: the planted raters are flagged, and hardly anybody else."""

from __future__ import annotations

import pytest

from backend.science.rater_checks.ability import check_ability
from backend.science.rater_checks.answers import Answers, agreement_series
from backend.science.rater_checks.drift import find_change_points
from backend.science.rater_checks.straight_lining import check_commonest_choice, check_longest_run
from tests.science.rater_checks.simulated_raters import (
    DRIFTING,
    IGNORANT,
    STRAIGHT,
    simulate_answers,
)


def flags(answers: Answers, draws: int = 9_999) -> dict[str, set[int | str]]:
    changes = find_change_points(agreement_series(answers), seed=1, draws=draws)
    return {
        "drift": {one.test.rater for one in changes if one.test.flagged},
        "commonest": {it.test.rater for it in check_commonest_choice(answers) if it.test.flagged},
        "run": {it.rater for it in check_longest_run(answers, seed=2, draws=draws) if it.flagged},
        "ability": {
            it.above_chance.rater
            for it in check_ability(answers, seed=3, draws=draws)
            if it.flagged
        },
    }


@pytest.mark.parametrize("seed", range(6))
def test_of_twenty_raters_the_three_planted_are_flagged_and_at_most_one_other(seed: int) -> None:
    result = flags(simulate_answers(seed, items=80))
    assert DRIFTING in result["drift"]
    assert STRAIGHT in result["commonest"]
    assert IGNORANT in result["ability"]
    assert len(set[int | str]().union(*result.values()) - {DRIFTING, STRAIGHT, IGNORANT}) <= 1


def test_among_honest_raters_each_check_flags_anybody_in_few_studies() -> None:
    studies = [
        flags(simulate_answers(seed, planted=False), draws=4_999) for seed in range(100, 108)
    ]
    for check in studies[0]:
        # A tenth of 5% of eight studies is none; two have a chance of 0.1%.
        assert sum(bool(study[check]) for study in studies) <= 1


def test_with_three_raters_an_item_honest_raters_are_not_flagged_either() -> None:
    few = [
        flags(simulate_answers(seed, planted=False, overlap=3, items=200), draws=4_999)
        for seed in range(6)
    ]
    for check in few[0]:
        assert sum(bool(study[check]) for study in few) <= 1
    planted = flags(simulate_answers(0, overlap=3, items=400))
    assert STRAIGHT in planted["commonest"]
    assert IGNORANT in planted["ability"]
