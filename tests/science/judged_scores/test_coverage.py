"""Intervals in worlds of known truth: 95% ± 2 points of 1,000, and a judge of scripted rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from backend.science.judged_scores.claims import JudgedClaims
from backend.science.judged_scores.corrected_mean import corrected_mean
from tests.science.judged_scores.worlds import (
    ACTIVE_TRUTH,
    CLUSTERED_TRUTH,
    SCORES_TRUTH,
    SEED,
    STRATIFIED_TRUTH,
    ScriptedJudge,
    active_claims,
    clustered_active_claims,
    clustered_claims,
    coverage,
    estimates,
    plain_claims,
    scored_texts,
    stratified_claims,
)

WORLDS, FEWER = 1_000, 300
JUDGE = ScriptedJudge(truth=0.7, false_support=0.3, missed_support=0.1)

World = Callable[[np.random.Generator], JudgedClaims]


def plain(rng: np.random.Generator) -> JudgedClaims:
    return plain_claims(rng, JUDGE, claims=1_000, verdicts=150)


def clustered(rng: np.random.Generator) -> JudgedClaims:
    return clustered_claims(rng, rationales=200, verdicts=250)


def active(rng: np.random.Generator) -> JudgedClaims:
    return active_claims(rng, claims=800, verdicts=150)


def clustered_and_active(rng: np.random.Generator) -> JudgedClaims:
    return clustered_active_claims(rng, rationales=250, verdicts=300)


def independent(rng: np.random.Generator) -> JudgedClaims:
    return active_claims(rng, claims=800, verdicts=150, sampling="poisson")


def clustered_and_independent(rng: np.random.Generator) -> JudgedClaims:
    return clustered_active_claims(rng, rationales=250, verdicts=150, sampling="poisson")


def stratified(rng: np.random.Generator) -> JudgedClaims:
    return stratified_claims(rng, claims=900, verdicts=240)


@pytest.mark.parametrize(
    ("world", "truth"),
    [
        (plain, JUDGE.truth),
        (clustered, CLUSTERED_TRUTH),
        (active, ACTIVE_TRUTH),
        (clustered_and_active, ACTIVE_TRUTH),
        (independent, ACTIVE_TRUTH),
        (clustered_and_independent, ACTIVE_TRUTH),
        (stratified, STRATIFIED_TRUTH),
    ],
)
def test_intervals_cover_the_truth_and_the_mean_has_no_bias(world: World, truth: float) -> None:
    means = estimates(world, WORLDS)
    assert 0.93 <= coverage(means, truth) <= 0.97
    values = np.array([one.value for one in means], dtype=np.float64)
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(WORLDS)
    errors = np.array([one.standard_error for one in means], dtype=np.float64)
    assert float(errors.mean()) == pytest.approx(float(values.std()), rel=0.1)


@pytest.mark.parametrize("per_question", [1, 5])
def test_intervals_of_scores_from_1_to_5_cover_the_mean_rating(per_question: int) -> None:
    """The judge is a step too kind; texts about one question are alike."""

    def scores(rng: np.random.Generator) -> JudgedClaims:
        return scored_texts(rng, texts=600, rated=120, per_question=per_question)

    means = estimates(scores, WORLDS, bounds=(1.0, 5.0))
    assert 0.93 <= coverage(means, SCORES_TRUTH) <= 0.97
    values = np.array([one.value for one in means], dtype=np.float64)
    assert abs(values.mean() - SCORES_TRUTH) < 4 * values.std() / np.sqrt(WORLDS)
    assert min(one.raw.value for one in means) > SCORES_TRUTH + 0.3
    effective = [one.effective_verdicts or 0 for one in means]
    assert np.mean(effective) > 1.5 * 120


@pytest.mark.parametrize(
    ("world", "truth"),
    [
        (
            lambda rng: clustered_claims(rng, rationales=200, verdicts=20, whole=True),
            CLUSTERED_TRUTH,
        ),
        (lambda rng: active_claims(rng, claims=3_000, verdicts=60), ACTIVE_TRUTH),
        (
            lambda rng: clustered_active_claims(rng, rationales=600, verdicts=60),
            ACTIVE_TRUTH,
        ),
    ],
)
def test_few_rationales_and_pools_are_covered_too(world: World, truth: float) -> None:
    assert 0.915 <= coverage(estimates(world, FEWER), truth) <= 0.99


def test_a_study_of_likelier_claims_without_their_chances_would_be_biased() -> None:
    """The contrast: the same verdicts, taken as a random choice of claims."""

    def unaware(rng: np.random.Generator) -> JudgedClaims:
        claims = clustered_and_active(rng)
        return replace(claims, propensities=None)

    assert coverage(estimates(unaware, FEWER), ACTIVE_TRUTH) < 0.85


@pytest.mark.parametrize("judge", [ScriptedJudge(0.7, 0.0, 0.03), ScriptedJudge(0.97, 0.3, 0.02)])
def test_rare_errors_and_rare_verdicts_are_covered(judge: ScriptedJudge) -> None:
    """Without the added claims 85% to 93% are."""
    means = estimates(lambda rng: plain_claims(rng, judge, claims=1_000, verdicts=60), FEWER)
    assert coverage(means, judge.truth) >= 0.93
    assert any(one.method == "few_events" for one in means)


def test_clusters_taken_as_single_claims_would_be_covered_too_rarely() -> None:
    """The contrast: the same verdicts, without their rationales."""

    def unaware(rng: np.random.Generator) -> JudgedClaims:
        claims = clustered_claims(rng, rationales=120, verdicts=30, whole=True)
        return JudgedClaims.of(claims.judge, claims.people, weights=claims.weights)

    assert coverage(estimates(unaware, FEWER), CLUSTERED_TRUTH) < 0.9


@pytest.mark.parametrize(
    "judge", [JUDGE, ScriptedJudge(0.4, 0.5, 0.05), ScriptedJudge(0.85, 0.2, 0.4)]
)
def test_raw_groundedness_is_the_arithmetic_of_the_errors_and_corrected_the_truth(
    judge: ScriptedJudge,
) -> None:
    claims = plain_claims(np.random.default_rng(SEED), judge, claims=40_000, verdicts=4_000)
    mean = corrected_mean(claims)
    assert mean.raw.low is not None and mean.raw.high is not None
    assert mean.raw.low <= judge.raw <= mean.raw.high
    assert not mean.raw.low <= judge.truth <= mean.raw.high
    assert mean.low is not None and mean.high is not None
    assert mean.low <= judge.truth <= mean.high
    assert (mean.effective_verdicts or 0) > 4_000
