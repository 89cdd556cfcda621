"""Plans of verdicts beside simulated studies, and their closed form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science.judged_scores.claims import JudgedClaims
from backend.science.judged_scores.corrected_mean import corrected_mean
from backend.science.judged_scores.verdict_plans import (
    PrecisionPlan,
    assumed_plan,
    plan_rationales,
    plan_verdicts,
)
from backend.science.judged_scores.verdict_sampling import judge_uncertainty
from tests.science.judged_scores.worlds import (
    SEED,
    ScriptedJudge,
    active_claims,
    clustered_claims,
    plain_claims,
    stratified_claims,
)

ROOT = Path(__file__).resolve().parents[3]
JUDGE = ScriptedJudge()
PILOTS, WORLDS = 30, 400
World = Callable[[np.random.Generator, int], JudgedClaims]


def plain(rng: np.random.Generator, verdicts: int) -> JudgedClaims:
    return plain_claims(rng, JUDGE, claims=1_000, verdicts=verdicts)


def clustered(rng: np.random.Generator, verdicts: int) -> JudgedClaims:
    return clustered_claims(rng, rationales=250, verdicts=verdicts)


def whole(rng: np.random.Generator, rationales: int) -> JudgedClaims:
    return clustered_claims(rng, rationales=250, verdicts=rationales, whole=True)


def active(rng: np.random.Generator, verdicts: int) -> JudgedClaims:
    return active_claims(rng, claims=1_000, verdicts=verdicts)


def stratified(rng: np.random.Generator, verdicts: int) -> JudgedClaims:
    return stratified_claims(rng, claims=900, verdicts=verdicts)


def planned(
    world: World, size: int, plan: Callable[[JudgedClaims], PrecisionPlan], goal: int
) -> float:
    """Mean of the planned half widths over pilots."""
    plans = [plan(world(np.random.default_rng([SEED, 1, one]), size)) for one in range(PILOTS)]
    return float(np.mean([one.half_width(goal) for one in plans]))


def simulated(world: World, size: int) -> float:
    """1.96 standard deviations of the corrected mean over worlds."""
    values = [
        corrected_mean(world(np.random.default_rng([SEED, 2, one]), size)).value or 0
        for one in range(WORLDS)
    ]
    return 1.96 * float(np.std(values))


@pytest.mark.parametrize("world", [plain, clustered, active, stratified])
def test_planned_widths_are_those_of_simulated_studies(world: World) -> None:
    assert planned(world, 150, plan_verdicts, 600) == pytest.approx(simulated(world, 600), rel=0.12)


@pytest.mark.parametrize(("world", "size"), [(whole, 60), (clustered, 250)])
def test_whole_rationales_are_planned_from_both_kinds_of_verdicts(world: World, size: int) -> None:
    assert planned(world, size, plan_rationales, 150) == pytest.approx(
        simulated(whole, 150), rel=0.12
    )


def test_single_claims_are_planned_from_whole_rationales() -> None:
    expected = simulated(clustered, 600)
    assert planned(whole, 60, plan_verdicts, 600) == pytest.approx(expected, rel=0.12)


def test_an_active_choice_is_planned_from_random_verdicts() -> None:
    def random_scores(rng: np.random.Generator, verdicts: int) -> JudgedClaims:
        rates = rng.beta(0.8, 0.5, 1_000)
        truth = np.where(rng.permutation(1_000) < verdicts, rng.random(1_000) < rates, np.nan)
        odds = (rates / (1 - rates + 1e-12)) ** 1.3
        return JudgedClaims.of(odds / (1 + odds), truth)

    def plan(claims: JudgedClaims) -> PrecisionPlan:
        return plan_verdicts(claims, scores=judge_uncertainty(claims.judge))

    expected = simulated(active, 200)
    assert planned(random_scores, 150, plan, 200) == pytest.approx(expected, rel=0.12)


def test_a_judge_that_knows_when_it_is_unsure_saves_verdicts_by_an_active_choice() -> None:
    rng = np.random.default_rng(SEED)
    rates = np.where(rng.random(4_000) < 0.8, 0.99, 0.5)
    people = np.where(np.arange(4_000) < 1_000, rng.random(4_000) < rates, np.nan)
    claims = JudgedClaims.of(rates, people)
    random, active = (
        plan_verdicts(claims).verdicts_for(0.02),
        plan_verdicts(claims, scores=judge_uncertainty(rates)).verdicts_for(0.02),
    )
    assert random is not None and active is not None
    assert active < 0.75 * random


def test_a_random_sample_is_planned_from_an_active_choice() -> None:
    widths = []
    for one in range(PILOTS):
        claims = active(np.random.default_rng([SEED, 3, one]), 250)
        widths.append(plan_verdicts(claims, uniform=True).half_width(200))
    chosen = planned(active, 250, plan_verdicts, 200)
    assert np.mean(widths) > 1.04 * chosen


@given(
    st.floats(0.01, 0.99),
    st.floats(-1, 1),
    st.integers(10, 10**6),
    st.integers(1, 10**6),
    st.floats(1, 5),
)
@settings(max_examples=100, deadline=None)
def test_the_assumed_variance_is_the_closed_form(
    share: float, correlation: float, claims: int, verdicts: int, effect: float
) -> None:
    verdicts = min(verdicts, claims)
    plan = assumed_plan(share, correlation, claims=claims, verdicts=verdicts, design_effect=effect)
    spread, squared = share * (1 - share), max(correlation, 0) ** 2
    variance = spread / verdicts * (1 - squared * (claims - verdicts) / claims)
    variance += (effect - 1) * spread / claims
    assert plan.half_width(verdicts) == pytest.approx(1.959963984540054 * np.sqrt(variance))


def test_a_judge_of_correlation_09_needs_a_fifth_of_the_verdicts() -> None:
    """The arithmetic of the survey: half with 0.7, a fifth with 0.9, of very many claims."""
    needed = [
        assumed_plan(0.5, r, claims=10**9, verdicts=1).verdicts_for(0.05) or 0
        for r in (0, 0.7, 0.9)
    ]
    assert needed[0] == 385
    assert needed[1] / needed[0] == pytest.approx(0.51, abs=0.01)
    assert needed[2] / needed[0] == pytest.approx(0.19, abs=0.01)


def test_the_documentation_has_the_verdicts_of_the_plan() -> None:
    page = (ROOT / "docs/explanation/corrected-scores.md").read_text()
    plans = [assumed_plan(0.5, r, claims=10_000, verdicts=1) for r in (0, 0.5, 0.7, 0.9)]
    row = " | ".join(str(plan.verdicts_for(0.05)) for plan in plans)
    assert f"| verdicts | {row} |" in page


@given(st.floats(0, 1e-4), st.floats(1e-3, 1), st.integers(1, 5_000), st.integers(5_000, 10**5))
@settings(max_examples=100, deadline=None)
def test_the_needed_verdicts_are_the_fewest_that_reach_the_width(
    base: float, slope: float, verdicts: int, most: int
) -> None:
    plan = PrecisionPlan(base, slope, verdicts, most)
    width = plan.half_width(verdicts)
    assert (plan.verdicts_for(width) or 0) <= verdicts
    needed = plan.verdicts_for(width / 2)
    more = plan.more_to_halve()
    if needed is None:
        assert more is None and plan.half_width(most) >= width / 2 * (1 - 1e-9)
    else:
        assert more == needed - verdicts
        assert plan.half_width(needed) <= width / 2 * (1 + 1e-9)
        assert needed == 1 or plan.half_width(needed - 1) > width / 2 * (1 - 1e-9)


def test_without_a_judge_three_times_as_many_verdicts_are_added() -> None:
    assert assumed_plan(0.5, 0, claims=10**6, verdicts=100).more_to_halve() == 300


def test_no_number_of_verdicts_replaces_more_rationales() -> None:
    plan = assumed_plan(0.5, 0.9, claims=200, verdicts=100)
    assert plan.more_to_halve() is None
    claims = clustered_claims(np.random.default_rng(SEED), rationales=60, verdicts=200)
    assert plan_verdicts(claims).more_to_halve() is None


def test_the_planned_width_at_hand_is_that_of_the_estimate() -> None:
    claims = clustered_claims(np.random.default_rng(SEED), rationales=250, verdicts=300)
    plan, mean = plan_verdicts(claims), corrected_mean(claims)
    assert plan.verdicts == 300
    assert plan.half_width(300) == pytest.approx(1.959963984540054 * (mean.standard_error or 0))


def test_all_claims_verified_leave_nothing_to_plan() -> None:
    claims = plain(np.random.default_rng(SEED), 1_000)
    plan = plan_verdicts(claims)
    assert plan.more_to_halve() is None and plan.verdicts == plan.most == 1_000


def test_impossible_plans_are_rejected() -> None:
    with pytest.raises(ValueError, match="verdict"):
        plan_verdicts(JudgedClaims.of([1, 0], [np.nan, np.nan]))
    with pytest.raises(ValueError, match="share"):
        assumed_plan(1.2, 0.5, claims=10, verdicts=1)
    with pytest.raises(ValueError, match="half width"):
        assumed_plan(0.5, 0.5, claims=10, verdicts=1).verdicts_for(0)
