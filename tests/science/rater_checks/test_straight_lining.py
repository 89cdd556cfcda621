from __future__ import annotations

from itertools import groupby, permutations

import numpy as np
import pytest

from backend.science.judgements.study_level import CHECKS
from backend.science.rater_checks.answers import Answers
from backend.science.rater_checks.rater_tests import RaterTest
from backend.science.rater_checks.straight_lining import (
    check_commonest_choice,
    check_fast_answers,
    check_longest_run,
)
from tests.science.rater_checks.simulated_raters import STRAIGHT, simulate_answers


def of_rows(*rows: list[int]) -> Answers:
    """One row of choices a rater, all items."""
    table = np.array(rows)
    raters, items = np.indices(table.shape)
    return Answers(raters.ravel(), items.ravel(), table.ravel())


def by_rater(tests: list[RaterTest]) -> dict[int | str, RaterTest]:
    return {test.rater: test for test in tests}


def test_the_commonest_choice_has_the_binomial_tail_of_the_item_shares() -> None:
    # Two raters, one always 0 and one always 1: each item gives 0 with probability 1/2.
    one, other = check_commonest_choice(of_rows([0] * 12, [1] * 12))
    assert (one.choice, other.choice) == (0, 1)
    test = one.test
    assert (test.value, test.expected, test.n) == (1, 0, 12)
    assert test.p_value == pytest.approx(2 * 0.5**12)
    assert test.adjusted == pytest.approx(CHECKS * 4 * 0.5**12)


def test_raters_who_all_give_the_same_choice_are_not_flagged() -> None:
    assert not any(one.test.flagged for one in check_commonest_choice(of_rows(*[[0] * 30] * 5)))


def test_fewer_than_ten_answers_are_not_tested() -> None:
    assert check_commonest_choice(of_rows([0] * 9, [1] * 9)) == []
    assert check_longest_run(of_rows([0] * 9, [1] * 9), seed=0) == []


def longest(sequence: tuple[int, ...]) -> int:
    return max(len(list(run)) for _, run in groupby(sequence))


def test_a_longest_run_has_the_probability_of_random_orders() -> None:
    sequence = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    test = by_rater(check_longest_run(of_rows(sequence, sequence), seed=4))[0]
    rng = np.random.default_rng(9)
    runs = [longest(tuple(rng.permutation(sequence).tolist())) for _ in range(4000)]
    assert test.value == 4
    assert test.p_value == pytest.approx(np.mean([run >= 4 for run in runs]), abs=0.01)
    assert test.expected == pytest.approx(np.mean(runs), abs=0.05)


def test_runs_of_a_short_sequence_are_those_of_all_its_orders() -> None:
    sequence = (0, 0, 0, 0, 0, 0, 0, 1, 1, 1)
    orders = set(permutations(sequence[3:]))  # 7 places: 4 zeros and 3 ones
    assert max(map(longest, orders)) == 4
    constant = by_rater(check_longest_run(of_rows([0] * 10, [0] * 10), seed=0))[0]
    assert (constant.value, constant.p_value) == (10, 1)


def test_a_block_of_one_choice_is_an_unusual_run() -> None:
    honest = np.random.default_rng(0).integers(0, 3, 60).tolist()
    test = by_rater(check_longest_run(of_rows(honest[:40] + [1] * 20, honest), seed=0))
    assert test[0].flagged
    assert not test[1].flagged


def test_fast_answers_that_are_guesses_are_flagged_and_speed_alone_is_not() -> None:
    answers = simulate_answers(5)
    rng = np.random.default_rng(1)
    seconds = rng.lognormal(3, 0.5, len(answers.raters))
    choices = answers.choices.copy()
    hasty = np.flatnonzero(answers.raters == 0)[::4]
    choices[hasty] = (choices[hasty] + 1) % 3
    seconds[hasty] = 0.5
    seconds[answers.raters == 1] = 0.5
    tests = check_fast_answers(Answers(answers.raters, answers.items, choices), seconds, seed=2)
    assert {test.rater for test in tests if test.flagged} == {0}
    assert STRAIGHT in by_rater(tests)


def test_answers_without_a_time_are_left_out() -> None:
    answers = of_rows([0, 1] * 10, [0, 1] * 10)
    seconds = np.full(40, np.nan)
    seconds[:20] = 3.0
    assert [test.rater for test in check_fast_answers(answers, seconds, seed=0)] == [0]
