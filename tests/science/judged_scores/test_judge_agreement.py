"""Agreement of a judge with people: kappa beside scikit-learn, errors by group, and intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judged_scores.claims import FloatArray, JudgedClaims
from backend.science.judged_scores.judge_agreement import JudgeAgreement, judge_agreement
from tests.science.judged_scores.worlds import (
    SEED,
    ScriptedJudge,
    clustered_claims,
    plain_claims,
    stratified_claims,
)

DRAWS = 400


def overall(claims: JudgedClaims) -> JudgeAgreement:
    return judge_agreement(claims, seed=SEED, draws=DRAWS)[0]


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_kappa_equals_that_of_scikit_learn_with_the_same_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(6, 40))
    judge, people = rng.random(count), rng.integers(0, 2, count).astype(np.float64)
    people[rng.random(count) < 0.3] = np.nan
    weights, chances = rng.uniform(0.1, 1, count), rng.uniform(0.05, 1, count)
    verified = ~np.isnan(people)
    assume(verified.sum() > 1 and np.ptp([*people[verified], *(judge[verified] >= 0.5)]) > 0)
    claims = JudgedClaims.of(judge, people, weights=weights, propensities=chances)
    expected = cohen_kappa_score(
        people[verified].astype(int),
        (judge[verified] >= 0.5).astype(int),
        sample_weight=(weights / chances)[verified],
    )
    kappa = overall(claims).kappa
    assert kappa is not None and kappa.value == pytest.approx(expected, abs=1e-9)


def test_errors_are_those_of_the_scripted_judge_in_every_group() -> None:
    claims = stratified_claims(np.random.default_rng(SEED), claims=30_000, verdicts=24_000)
    kinds = np.array(["chemical-gene", "disease-gene", "gene-gene"])[claims.strata]
    rows = judge_agreement(claims, seed=SEED, groups=kinds, draws=DRAWS)
    assert [row.group for row in rows] == [None, "chemical-gene", "disease-gene", "gene-gene"]
    for row, (false_support, missed_support) in zip(
        rows[1:], [(0.1, 0.05), (0.3, 0.1), (0.5, 0.4)], strict=True
    ):
        assert row.false_support is not None and row.missed_support is not None
        assert row.false_support.value == pytest.approx(false_support, abs=0.04)
        assert row.missed_support.value == pytest.approx(missed_support, abs=0.02)
    assert rows[0].verdicts == sum(row.verdicts for row in rows[1:]) == 24_000


def test_a_hand_case_with_raters_who_differ() -> None:
    """A claim that two of three raters support counts two thirds in the upper row."""
    row = overall(JudgedClaims.of([1, 0.5, 0.4, 0, 1], [1, 2 / 3, 0, 1, np.nan]))
    (both, people), (judge, neither) = row.table
    assert (both, people, judge, neither) == pytest.approx((5 / 3, 1, 1 / 3, 1))
    assert row.agreement.value == pytest.approx((8 / 3) / 4)
    assert row.false_support is not None and row.missed_support is not None
    assert row.false_support.value == pytest.approx((1 / 3) / (4 / 3))
    assert row.missed_support.value == pytest.approx(1 / (8 / 3))
    assert (row.agreement.items, row.false_support.items, row.missed_support.items) == (4, 2, 3)


def test_an_active_choice_does_not_change_the_agreement_of_the_column() -> None:
    """Hard claims are verified six times as often; unweighted they would lower the agreement."""
    rng = np.random.default_rng(SEED)
    hard = rng.random(40_000) < 0.3
    truth = (rng.random(40_000) < 0.5).astype(np.float64)
    judge = np.where(rng.random(40_000) < np.where(hard, 0.4, 0.05), 1 - truth, truth)
    chances = np.where(hard, 0.6, 0.1)
    people = np.where(rng.random(40_000) < chances, truth, np.nan)
    row = overall(JudgedClaims.of(judge, people, propensities=chances))
    expected = 1 - (0.3 * 0.4 + 0.7 * 0.05)
    assert row.agreement.value == pytest.approx(expected, abs=0.015)
    (both, _), (_, neither) = row.table
    assert (both + neither) / row.verdicts < expected - 0.1


def test_intervals_of_kappa_cover_it_with_clusters() -> None:
    population = clustered_claims(np.random.default_rng(SEED), rationales=60_000, verdicts=10**6)
    truth = overall_value(population)
    hits = []
    for one in range(150):
        claims = clustered_claims(
            np.random.default_rng([SEED, one]), rationales=150, verdicts=60, whole=True
        )
        kappa = overall(claims).kappa
        assert kappa is not None and kappa.low is not None and kappa.high is not None
        hits.append(kappa.low <= truth <= kappa.high)
    assert np.mean(hits) >= 0.89


def overall_value(claims: JudgedClaims) -> float:
    return float(
        cohen_kappa_score(
            claims.people.astype(int), claims.judge.astype(int), sample_weight=claims.weights
        )
    )


def test_a_kappa_of_one_has_a_lower_bound_below_it() -> None:
    truth: FloatArray = (np.arange(60) % 3 == 0).astype(np.float64)
    kappa = overall(JudgedClaims.of(truth, truth)).kappa
    assert kappa is not None and kappa.low is not None
    chance = (1 / 3) ** 2 + (2 / 3) ** 2
    assert kappa.value == pytest.approx(1) and kappa.high == 1
    assert kappa.low == pytest.approx((wilson_interval(60, 60)[0] - chance) / (1 - chance))


def test_one_verdict_for_all_claims_has_no_kappa_and_no_rate_without_claims() -> None:
    row = overall(JudgedClaims.of(np.ones(20), np.ones(20)))
    assert row.kappa is None and row.agreement.value == 1
    assert row.false_support is None
    assert row.missed_support is not None and row.missed_support.value == 0


def test_few_clusters_have_no_interval() -> None:
    row = overall(JudgedClaims.of([1, 0, 1, 0], [1, 0, 0, 0]))
    assert row.kappa is not None and (row.kappa.low, row.kappa.reason) == (None, "too_few_clusters")


def test_without_verdicts_there_is_no_row() -> None:
    assert judge_agreement(JudgedClaims.of([1, 0], [np.nan, np.nan]), seed=1) == []


def test_one_seed_has_one_result() -> None:
    claims = plain_claims(np.random.default_rng(SEED), ScriptedJudge(), claims=300, verdicts=90)
    assert overall(claims) == overall(claims)


def test_grades_and_missing_labels_are_rejected() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        overall(JudgedClaims.of([1, 5], [1, 4]))
    with pytest.raises(ValueError, match="label"):
        judge_agreement(JudgedClaims.of([1, 0], [1, 0]), seed=1, groups=["a"])
