"""Drift of a pinned judge: exact tests, false alarms, power, and what it cannot show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from backend.science.judged_scores.claims import FloatArray
from backend.science.judged_scores.judge_drift import JudgeDrift, judge_drift
from tests.science.judged_scores.worlds import scripted_verdicts

DRAWS = 50


def drift(people: FloatArray, before: FloatArray, now: FloatArray) -> JudgeDrift:
    return judge_drift(people, before, now, seed=1, draws=DRAWS)


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_single_claims_have_mcnemars_exact_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    people, before, now = rng.integers(0, 2, (3, 40)).astype(np.float64)
    result = drift(people, before, now)
    right, was_right = now == people, before == people
    table = [[np.sum(right & was_right), np.sum(right & ~was_right)]]
    table.append([np.sum(~right & was_right), np.sum(~right & ~was_right)])
    assert result.agreement.test == "mcnemar"
    assert result.agreement.p_value == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert result.agreement.difference.value == pytest.approx(right.mean() - was_right.mean())
    assert result.support.difference.value == pytest.approx(now.mean() - before.mean())
    assert result.changed == pytest.approx(np.mean(now != before))


def test_the_same_answers_are_no_drift() -> None:
    rng = np.random.default_rng(1)
    people, before = rng.integers(0, 2, (2, 300)).astype(np.float64)
    result = drift(people, before, before.copy())
    assert (result.p_values, result.drifted, result.changed) == ((1.0, 1.0), False, 0.0)
    assert result.smallest_drift == pytest.approx(9.075 / 300)


def test_a_judge_that_repeats_its_rates_raises_few_alarms() -> None:
    alarms = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        people = (rng.random(200) < 0.6).astype(np.float64)
        before, now = (scripted_verdicts(rng, people, 0.2, 0.1) for _ in range(2))
        alarms.append(drift(people, before, now).drifted)
    assert np.mean(alarms) <= 0.07


def test_the_smallest_drift_is_shown_in_four_of_five_sets() -> None:
    hits, floors = [], []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        people = (rng.random(400) < 0.6).astype(np.float64)
        before = scripted_verdicts(rng, people, 0.1, 0.1)
        now = np.where(rng.random(400) < 0.1, 1 - before, before)  # 8 points less agreement
        result = drift(people, before, now)
        floors.append(result.smallest_drift)
        hits.append(result.drifted)
    assert 0.03 < np.mean(floors) < 0.06
    assert np.mean(hits) > 0.9


def test_seven_changes_at_the_floor_are_found_in_four_of_five_sets() -> None:
    """A judge that made no error, and now makes as many as the floor states."""
    people = np.ones(500)
    floor = drift(people, people, people).smallest_drift
    rng = np.random.default_rng(2)
    wrong = rng.random((1_000, 500)) < floor
    hits = [drift(people, people, np.where(row, 0.0, 1.0)).drifted for row in wrong[:250]]
    assert np.mean(hits) == pytest.approx(0.8, abs=0.08)


def test_errors_that_grow_on_both_sides_alike_are_drift_too() -> None:
    """As many verdicts turn wrong as turn right, all of them towards support."""
    people = np.tile([1.0, 0.0], 100)
    before = np.zeros(200)
    now = np.where(np.arange(200) < 60, 1.0, 0.0)
    result = drift(people, before, now)
    assert result.agreement.difference.value == 0 and result.agreement.p_value == 1
    assert result.support.difference.value == pytest.approx(0.3) and result.drifted


def test_changes_inside_one_rationale_count_once() -> None:
    people, before = np.ones(100), np.ones(100)
    now = np.where(np.arange(100) < 20, 0.0, 1.0)
    clusters = np.repeat(np.arange(5), 20)
    assert drift(people, before, now).drifted
    result = judge_drift(people, before, now, seed=1, clusters=clusters, draws=DRAWS)
    assert not result.drifted and result.agreement.p_value == 1
    assert result.smallest_drift == 1


def test_missing_answers_count_as_wrong_and_are_counted() -> None:
    people, before = np.zeros(50), np.zeros(50)
    now = np.where(np.arange(50) < 10, np.nan, 0.0)
    result = drift(people, before, now)
    assert result.unanswered == 10 and result.drifted
    assert result.agreement.difference.value == pytest.approx(-0.2)
    assert result.support.difference.value == 0


def test_raters_who_differ_count_in_part() -> None:
    result = drift(np.array([0.75, 0.75]), np.array([1.0, 1.0]), np.array([0.0, 1.0]))
    assert result.agreement.difference.value == pytest.approx(-0.25)


@pytest.mark.parametrize(
    ("people", "before", "now"),
    [
        ([], [], []),
        ([1], [1], [2]),
        ([np.nan], [1], [1]),
        ([1], [np.nan], [1]),
        ([1, 0], [1, 0], [1]),
    ],
)
def test_incomplete_sets_are_rejected(
    people: list[float], before: list[float], now: list[float]
) -> None:
    with pytest.raises(ValueError, match=r"claim|scores"):
        judge_drift(people, before, now, seed=1)
