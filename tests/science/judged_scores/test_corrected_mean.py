"""Prediction-powered means beside ppi-python, their definition, and degenerate samples."""

from __future__ import annotations

import numpy as np
import ppi_py
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from backend.science.judged_scores.claims import FloatArray, JudgedClaims, rationale_weights
from backend.science.judged_scores.contributions import cluster_influence, contributions
from backend.science.judged_scores.corrected_mean import CorrectedMean, corrected_mean
from tests.science.judged_scores.slow_oracle import value_and_variance
from tests.science.judged_scores.worlds import (
    SEED,
    ScriptedJudge,
    clustered_claims,
    plain_claims,
    stratified_claims,
)

EXACT = 1e-8
seeds = st.integers(0, 2**32)


def random_claims(seed: int, *, single: bool = False, known: bool = False) -> JudgedClaims:
    """Claims with any of: clusters, weights, strata, propensities; every stratum has a verdict."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(8, 30))
    judge = np.round(rng.random(count), 1)
    verified = rng.random(count) < 0.6
    strata = rng.integers(0, 1 if single else 3, count)
    for one in np.unique(strata):
        verified[np.flatnonzero(strata == one)[0]] = True
    people = np.where(verified, np.round(rng.random(count) * 3) / 3, np.nan)
    return JudgedClaims.of(
        judge,
        people,
        clusters=rng.integers(0, 7, count),
        weights=rng.uniform(0.2, 1, count),
        strata=strata,
        propensities=rng.uniform(0.05, 1, count) if known else None,
    )


@given(
    st.integers(50, 300),
    st.integers(1, 2_000),
    st.floats(0, 1),
    st.sampled_from([2, 11, 1_000_001]),
    seeds,
)
@settings(max_examples=80, deadline=None)
def test_value_lambda_and_interval_equal_those_of_ppi_python(
    verdicts: int, others: int, skill: float, levels: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    people = rng.integers(0, 2, verdicts).astype(np.float64)
    noise = rng.integers(0, levels, verdicts + others) / (levels - 1)
    judge = noise.copy()
    judge[:verdicts] = np.where(rng.random(verdicts) < skill, people, noise[:verdicts])
    mine = corrected_mean(
        JudgedClaims.of(judge, [*people, *[np.nan] * others]), bounds=None, level=0.9
    )
    verified, unverified = judge[:verdicts], judge[verdicts:]
    assume(np.ptp(judge) > 0)
    assert mine.value == pytest.approx(
        ppi_py.ppi_mean_pointestimate(people, verified, unverified)[0], abs=EXACT
    )
    low, high = np.ravel(ppi_py.ppi_mean_ci(people, verified, unverified, alpha=0.1))
    assert (mine.low, mine.high) == pytest.approx((low, high), abs=EXACT)
    assert mine.method == "normal"


@given(st.integers(50, 300), st.integers(1, 2_000), seeds)
@settings(max_examples=30, deadline=None)
def test_means_of_scores_from_1_to_5_equal_those_of_ppi_python(
    rated: int, others: int, seed: int
) -> None:
    """People are means of three raters; the judge's score is an expected value."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(1, 5, rated + others)
    judge = np.clip(level + 0.8 + rng.normal(0, 0.6, level.size), 1, 5)
    people = np.clip(np.rint(level[:rated] + rng.normal(0, 0.7, (3, rated))), 1, 5).mean(axis=0)
    mine = corrected_mean(JudgedClaims.of(judge, [*people, *[np.nan] * others]), bounds=(1, 5))
    theirs = people, judge[:rated], judge[rated:]
    assume(mine.method == "normal")
    assert mine.value == pytest.approx(ppi_py.ppi_mean_pointestimate(*theirs)[0], abs=EXACT)
    low, high = np.ravel(ppi_py.ppi_mean_ci(*theirs, alpha=0.05))
    assert (mine.low, mine.high) == pytest.approx((max(low, 1), min(high, 5)), abs=EXACT)


@given(seeds, st.floats(0, 1))
@settings(max_examples=50, deadline=None)
def test_weighted_values_equal_those_of_ppi_python_at_the_same_lambda(
    seed: int, power: float
) -> None:
    claims = random_claims(seed, single=True)
    verified = claims.verified
    assume(not verified.all())
    theirs = ppi_py.ppi_mean_pointestimate(
        claims.people[verified],
        claims.judge[verified],
        claims.judge[~verified],
        lam=power,
        w=claims.weights[verified],
        w_unlabeled=claims.weights[~verified],
    )
    mine = corrected_mean(claims, lambdas=np.array([power]), bounds=None)
    assert mine.value == pytest.approx(theirs[0], abs=EXACT)


@given(seeds, st.floats(0, 1))
@settings(max_examples=50, deadline=None)
def test_values_with_propensities_equal_those_of_ppi_python_with_inverse_weights(
    seed: int, power: float
) -> None:
    claims = random_claims(seed, single=True, known=True)
    verified = claims.verified
    assume(not verified.all())  # then the verdicts alone are the value
    assert claims.propensities is not None
    theirs = ppi_py.ppi_mean_pointestimate(
        claims.people[verified],
        claims.judge[verified],
        claims.judge,
        lam=power,
        w=claims.weights[verified] / claims.propensities[verified],
        w_unlabeled=claims.weights,
    )
    mine = corrected_mean(claims, lambdas=np.array([power]), bounds=None)
    assert mine.value == pytest.approx(theirs[0], abs=EXACT)


@given(seeds, st.booleans())
@settings(max_examples=60, deadline=None)
def test_value_and_variance_equal_their_definition(seed: int, known: bool) -> None:
    """With clusters, weights, strata that cross clusters, and propensities or none.

    Without propensities the module compares all claims with verified ones, which has the same value
    but another linear form, so the variance is held against that form.
    """
    claims = random_claims(seed, known=known)
    lambdas = np.random.default_rng(seed).random(int(claims.strata.max()) + 1)
    parts = contributions(claims)
    value, influence = cluster_influence(claims, parts, lambdas)
    slow, _ = value_and_variance(claims, lambdas.tolist())
    assert value == pytest.approx(slow, abs=1e-10)
    compared = JudgedClaims.of(
        claims.judge,
        claims.people,
        clusters=claims.clusters,
        weights=claims.weights,
        strata=claims.strata,
        propensities=np.ones(len(claims.judge))
        if claims.propensities is None
        else claims.propensities,
    )
    partly = parts.factors * lambdas
    _, variance = value_and_variance(compared, partly.tolist())
    assert float(influence @ influence) == pytest.approx(variance, rel=1e-9, abs=1e-15)


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_claims_of_their_own_have_the_variance_of_the_papers_form(seed: int) -> None:
    """Also in strata, whose weights are of the sample."""
    source = random_claims(seed)
    claims = JudgedClaims.of(source.judge, source.people, strata=source.strata)
    lambdas = np.random.default_rng(seed).random(int(claims.strata.max()) + 1)
    value, influence = cluster_influence(claims, contributions(claims), lambdas)
    slow, variance = value_and_variance(claims, lambdas.tolist())
    assert value == pytest.approx(slow, abs=1e-10)
    assert float(influence @ influence) == pytest.approx(variance, rel=1e-9, abs=1e-15)


@given(seeds, st.booleans())
@settings(max_examples=40, deadline=None)
def test_lambda_makes_the_variance_smallest(seed: int, known: bool) -> None:
    claims = random_claims(seed, single=True, known=known)
    parts = contributions(claims)

    def variance(power: float) -> float:
        _, influence = cluster_influence(claims, parts, np.array([power]))
        return float(influence @ influence)

    best = minimize_scalar(variance, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    [power] = corrected_mean(claims).lambdas
    assert variance(power) <= float(best.fun) * (1 + 1e-9) + 1e-15


@given(seeds, st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_order_of_claims_has_no_influence(seed: int, known: bool) -> None:
    claims = random_claims(seed, known=known)
    order = np.random.default_rng(seed).permutation(len(claims.judge))
    shuffled = JudgedClaims.of(
        claims.judge[order],
        claims.people[order],
        clusters=claims.clusters[order],
        weights=claims.weights[order],
        strata=claims.strata[order],
        propensities=None if claims.propensities is None else claims.propensities[order],
    )
    assert numbers_of(corrected_mean(shuffled)) == pytest.approx(
        numbers_of(corrected_mean(claims)), abs=1e-9
    )


@given(seeds, st.booleans())
@settings(max_examples=40, deadline=None)
def test_opposite_verdicts_have_the_opposite_mean(seed: int, known: bool) -> None:
    claims = random_claims(seed, known=known)
    opposite = corrected_mean(changed(claims, 1 - claims.judge, 1 - claims.people))
    mean = corrected_mean(claims)
    assert mean.value is not None and opposite.value == pytest.approx(1 - mean.value, abs=1e-9)
    assert opposite.lambdas == pytest.approx(mean.lambdas, abs=1e-6)
    if mean.low is not None:
        assert opposite.high == pytest.approx(1 - mean.low, abs=1e-9)


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_another_scale_has_the_same_mean_on_that_scale(seed: int) -> None:
    claims = random_claims(seed)
    grades = corrected_mean(
        changed(claims, 1 + 4 * claims.judge, 1 + 4 * claims.people), bounds=(1, 5)
    )
    mean = corrected_mean(claims)
    assert mean.value is not None and grades.value == pytest.approx(1 + 4 * mean.value, abs=1e-9)
    assert grades.effective_verdicts == pytest.approx(mean.effective_verdicts, rel=1e-6)
    if mean.low is not None:
        assert grades.low == pytest.approx(1 + 4 * mean.low, abs=1e-9)


def test_equal_propensities_are_those_of_a_random_sample() -> None:
    claims = clustered_claims(np.random.default_rng(SEED), rationales=120, verdicts=150)
    equal = JudgedClaims.of(
        claims.judge,
        claims.people,
        clusters=claims.clusters,
        weights=claims.weights,
        propensities=np.full(len(claims.judge), 0.3),
    )
    one, other = corrected_mean(claims), corrected_mean(equal)
    assert (other.value, other.low, other.high) == pytest.approx((one.value, one.low, one.high))
    assert one.lambdas[0] < other.lambdas[0] < 1  # of all claims instead of the unverified ones


def test_strata_are_averaged_by_their_weights() -> None:
    claims = stratified_claims(np.random.default_rng(SEED), claims=900, verdicts=180)
    parts = [
        corrected_mean(JudgedClaims.of(claims.judge[mask], claims.people[mask]))
        for mask in (claims.strata == one for one in range(3))
    ]
    shares = np.bincount(claims.strata) / 900
    mean = corrected_mean(claims)
    assert mean.lambdas == pytest.approx([part.lambdas[0] for part in parts])
    assert mean.value == pytest.approx(
        sum(s * (p.value or 0) for s, p in zip(shares, parts, strict=True))
    )
    assert (mean.effective_verdicts or 0) > 180


def test_a_claim_weighs_one_over_the_claims_of_its_rationale() -> None:
    weights = rationale_weights(["a", "b", "b", "b", "c", "c"])
    assert weights == pytest.approx(np.array([6, 2, 2, 2, 3, 3]) / 18)
    claims = JudgedClaims.of([1, 0, 0, 1, 1, 0], [np.nan] * 6, weights=weights)
    assert corrected_mean(claims).raw.value == pytest.approx((1 + 1 / 3 + 1 / 2) / 3)


def test_without_verdicts_there_is_the_raw_mean_alone() -> None:
    mean = corrected_mean(JudgedClaims.of([1, 0, 1, 1, 1], [np.nan] * 5))
    assert (mean.value, mean.low, mean.people, mean.reason) == (None, None, None, "no_verdicts")
    assert (mean.raw.value, mean.verified, mean.claims) == (0.8, 0, 5)


def test_a_stratum_without_verdicts_leaves_the_mean_undefined() -> None:
    claims = JudgedClaims.of([1, 0, 1, 1], [1, 0, np.nan, np.nan], strata=["a", "a", "b", "b"])
    assert corrected_mean(claims).reason == "stratum_without_verdicts"


@pytest.mark.parametrize("verified_clusters", [1, 4])
def test_few_clusters_have_a_value_and_no_interval(verified_clusters: int) -> None:
    clusters = np.repeat(np.arange(10), 4)
    rng = np.random.default_rng(SEED)
    people = np.where(clusters < verified_clusters, rng.integers(0, 2, 40), np.nan)
    mean = corrected_mean(JudgedClaims.of(rng.random(40), people, clusters=clusters))
    assert mean.value is not None
    assert (mean.low, mean.method, mean.reason) == (None, None, "too_few_clusters")


def test_a_stratum_with_one_verdict_leaves_no_interval() -> None:
    rng = np.random.default_rng(SEED)
    people = [*rng.integers(0, 2, 30), *[np.nan] * 20, 1.0, *[np.nan] * 9]
    mean = corrected_mean(JudgedClaims.of(rng.random(60), people, strata=[0] * 50 + [1] * 10))
    assert mean.value is not None and mean.reason == "too_few_clusters"


def test_a_constant_judge_leaves_the_mean_of_people() -> None:
    people = np.where(np.arange(200) < 80, np.arange(200) % 3 == 0, np.nan)
    mean = corrected_mean(JudgedClaims.of(np.full(200, 0.1), people))
    assert mean.lambdas == (0.0,)
    assert mean.people is not None and mean.value == mean.people.value == pytest.approx(27 / 80)
    assert (mean.low, mean.high) == (mean.people.low, mean.people.high)
    assert mean.effective_verdicts == 80


def test_a_judge_that_is_always_wrong_is_not_used() -> None:
    truth = np.arange(300) % 2
    mean = corrected_mean(JudgedClaims.of(1 - truth, np.where(np.arange(300) < 90, truth, np.nan)))
    assert mean.lambdas == (0.0,) and mean.value == pytest.approx(0.5)


def test_verdicts_on_all_claims_leave_their_mean() -> None:
    claims = clustered_claims(np.random.default_rng(SEED), rationales=80, verdicts=10**6)
    mean = corrected_mean(claims)
    assert mean.lambdas == (0.0,) and mean.effective_verdicts == mean.verified == mean.claims
    assert mean.value == pytest.approx(float(claims.weights @ claims.people))


def test_a_judge_without_an_error_so_far_has_an_interval_of_some_width() -> None:
    truth = np.arange(1_000) % 10 < 7
    mean = corrected_mean(JudgedClaims.of(truth, np.where(np.arange(1_000) < 60, truth, np.nan)))
    assert mean.method == "few_events" and mean.approximate
    assert mean.low is not None and mean.high is not None and mean.high - mean.low > 0.08
    assert mean.people is not None and mean.people.high is not None and mean.people.low is not None
    assert mean.high - mean.low < mean.people.high - mean.people.low


def test_a_better_judge_is_worth_more_verdicts() -> None:
    worth = []
    for error in (0.5, 0.3, 0.1):
        judge = ScriptedJudge(0.5, error, error)
        claims = plain_claims(np.random.default_rng(SEED), judge, claims=5_000, verdicts=400)
        worth.append(corrected_mean(claims).effective_verdicts or 0)
    assert 400 <= worth[0] < 440 < worth[1] < worth[2]


def test_few_verdicts_have_students_interval() -> None:
    claims = plain_claims(
        np.random.default_rng(SEED), ScriptedJudge(0.5, 0.5, 0.5), claims=500, verdicts=40
    )
    mean = corrected_mean(claims)
    assert mean.method == "student" and mean.approximate


@pytest.mark.parametrize(
    ("judge", "people", "more"),
    [
        ([], [], {}),
        ([1, np.nan], [1, 1], {}),
        ([1, 1], [1, np.inf], {}),
        ([1, 1], [1], {}),
        ([1, 1], [1, 1], {"clusters": [1]}),
        ([1, 1], [1, 1], {"weights": [1, -1]}),
        ([1, 1], [1, 1], {"weights": [0, 0]}),
        ([1, 1], [1, np.nan], {"propensities": [0.04, 1]}),
        ([1, 1], [1, np.nan], {"propensities": [np.nan, 1]}),
        ([1, 1], [1, np.nan], {"propensities": [1.1, 1]}),
    ],
)
def test_arrays_that_are_no_claims_are_rejected(
    judge: list[float], people: list[float], more: dict[str, list[float]]
) -> None:
    with pytest.raises(ValueError, match=r"claim|finite|weight|propens"):
        JudgedClaims.of(judge, people, **more)


def test_other_lambdas_and_levels_are_rejected() -> None:
    claims = JudgedClaims.of([1, 0], [1, np.nan])
    with pytest.raises(ValueError, match="λ"):
        corrected_mean(claims, lambdas=np.array([1.0, 1.0]))
    with pytest.raises(ValueError, match="level"):
        corrected_mean(claims, level=1)


def numbers_of(mean: CorrectedMean) -> list[float]:
    interval = [-1.0 if bound is None else bound for bound in (mean.low, mean.high)]
    return [mean.value or 0, mean.raw.value, mean.effective_verdicts or 0, *interval, *mean.lambdas]


def changed(claims: JudgedClaims, judge: FloatArray, people: FloatArray) -> JudgedClaims:
    return JudgedClaims.of(
        judge,
        people,
        clusters=claims.clusters,
        weights=claims.weights,
        strata=claims.strata,
        propensities=claims.propensities,
    )
