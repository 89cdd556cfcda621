from __future__ import annotations

import numpy as np
import pytest

from backend.science.agreement import kendall_w
from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.alpha import AlphaLevel, alpha_of_counts, krippendorff_alpha
from backend.science.study_planner.designs import (
    PlannedEstimate,
    PlannedStudy,
    nominal_counts,
)
from backend.science.study_planner.plans import (
    PairRaters,
    RankingRaters,
    RatingRaters,
    VerdictRaters,
    _mean_concordance,
    plan_pairs,
    plan_rankings,
    plan_ratings,
    plan_verdicts,
)


def design(items: int = 60, overlap: int = 3, raters: int = 6) -> PlannedStudy:
    return PlannedStudy(raters, items, overlap, 90.0)


def estimate(value: PlannedEstimate | None) -> PlannedEstimate:
    assert value is not None
    return value


def test_hours_are_those_of_all_judgements_shared_by_the_raters() -> None:
    one = design(items=500, overlap=3, raters=20)
    assert (one.hours, one.hours_per_rater) == (37.5, 1.875)


def test_raters_of_an_item_differ_and_share_the_work() -> None:
    assigned = design(items=50, overlap=3, raters=7).assigned_raters()
    assert all(len(set(row)) == 3 for row in assigned.tolist())
    assert np.ptp(np.bincount(assigned.ravel())) <= 1


@pytest.mark.parametrize(("items", "overlap", "raters"), [(0, 1, 1), (5, 3, 2), (20_000, 2, 4)])
def test_impossible_and_unbounded_designs_are_refused(
    items: int, overlap: int, raters: int
) -> None:
    with pytest.raises(ValueError, match=r"design|judgements"):
        design(items, overlap, raters)


def test_54_pairs_with_a_preference_of_80_percent_are_known_to_10_points() -> None:
    plan = plan_pairs(design(items=54, overlap=1), PairRaters(0.8), seed=0)
    share = estimate(plan.share)
    assert share.value == pytest.approx(0.8, abs=0.01)
    assert share.half_width == pytest.approx(0.10, abs=0.02)
    assert plan.interval is not None
    assert plan.interval == pytest.approx(wilson_interval(0.8 * 54, 54), abs=0.01)
    assert (plan.interval[1] - plan.interval[0]) / 2 == pytest.approx(0.105, abs=0.002)
    assert plan.power > 0.95


def test_power_without_a_preference_is_the_level_of_the_test() -> None:
    plan = plan_pairs(design(items=100, overlap=1), PairRaters(0.5), seed=1)
    assert plan.power <= 0.08  # 5% at most, of 400 studies
    assert plan_pairs(design(items=100), PairRaters(0.65), seed=1).power > 0.8


def test_only_ties_leave_no_share() -> None:
    plan = plan_pairs(design(items=5, overlap=1), PairRaters(0.5, tie=1e9), seed=1)
    assert (plan.share, plan.interval, plan.power) == (None, None, 0)


def test_preferences_that_differ_by_pair_keep_their_mean() -> None:
    plan = plan_pairs(design(items=400, overlap=1), PairRaters(0.7, item_sd=2.0), seed=2)
    assert estimate(plan.share).value == pytest.approx(0.7, abs=0.01)


def test_more_items_and_raters_narrow_every_estimate() -> None:
    small, large = design(items=30), design(items=300, raters=24)
    for narrow, wide in [
        (
            plan_rankings(large, RankingRaters(6), seed=0).kendall_w,
            plan_rankings(small, RankingRaters(6), seed=0).kendall_w,
        ),
        (
            plan_pairs(large, PairRaters(0.6), seed=0).share,
            plan_pairs(small, PairRaters(0.6), seed=0).share,
        ),
        (
            plan_verdicts(large, VerdictRaters(), seed=0).alpha,
            plan_verdicts(small, VerdictRaters(), seed=0).alpha,
        ),
        (
            plan_ratings(large, RatingRaters(), seed=0).mean,
            plan_ratings(small, RatingRaters(), seed=0).mean,
        ),
    ]:
        assert estimate(narrow).half_width < estimate(wide).half_width


def test_more_raters_an_item_find_the_best_candidate_more_often() -> None:
    few, many = (plan_rankings(design(overlap=k), RankingRaters(6), seed=0) for k in (1, 6))
    assert few.kendall_w is None
    assert estimate(many.top1).value > estimate(few.top1).value + 0.1


def test_raters_at_random_agree_by_chance_and_consistent_ones_fully() -> None:
    random = plan_rankings(design(), RankingRaters(5, worth_sd=0.0), seed=0)
    # Without ties the mean of W for m raters at random is 1/m.
    assert estimate(random.kendall_w).value == pytest.approx(1 / 3, abs=0.01)
    assert estimate(random.top1).value == pytest.approx(1 / 5, abs=0.02)
    certain = plan_rankings(design(), RankingRaters(5, worth_sd=1e6), seed=0)
    assert estimate(certain.kendall_w).value > 0.99
    assert estimate(
        plan_verdicts(design(), VerdictRaters(0.5, 0.5, 0.5, 0.0), seed=0).alpha
    ).value == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_ties_lower_neither_completeness_nor_repeatability(seed: int) -> None:
    raters = RankingRaters(6, pair_tie=0.5)
    one, other = (plan_rankings(design(), raters, seed=seed) for _ in range(2))
    assert one == other
    assert 0 < estimate(one.kendall_w).value < 1


def test_the_mean_concordance_is_that_of_the_agreement_module() -> None:
    ranks = np.random.default_rng(0).permuted(np.tile([1, 2.5, 2.5, 4, 5], (20, 4, 1)), axis=2)
    expected = [kendall_w(table).value for table in ranks]
    assert _mean_concordance(ranks) == pytest.approx(
        np.mean([w for w in expected if w is not None])
    )


@pytest.mark.parametrize(("level", "squares"), [("nominal", False), ("interval", True)])
def test_alphas_of_many_studies_are_those_of_each(level: AlphaLevel, squares: bool) -> None:
    choices = np.random.default_rng(1).integers(0, 4, (3, 12, 3))
    scale = np.arange(4.0)
    distances = (scale[:, None] - scale) ** 2 if squares else 1 - np.eye(4)
    alphas = alpha_of_counts(nominal_counts(choices, 4), distances)
    each = [krippendorff_alpha(one.T, level=level, seed=0, draws=1).value for one in choices]
    assert alphas == pytest.approx(each)


def test_work_is_bounded() -> None:
    largest = design(items=6_000, overlap=3)
    assert largest.study_count(10) * largest.judgements * 10 <= 1.2e7
    assert largest.study_count(100) == 20


def test_few_studies_have_limits_from_their_standard_deviation() -> None:
    values = np.random.default_rng(0).normal(3, 2, 199)
    few = estimate(PlannedEstimate.of(values))
    assert (few.low, few.high) == pytest.approx((3 - 3.92, 3 + 3.92), abs=0.5)
    assert few.half_width == pytest.approx(1.96 * values.std(ddof=1))
    many = estimate(PlannedEstimate.of(np.linspace(0, 1, 401)))
    assert (many.value, many.low, many.high) == pytest.approx((0.5, 0.025, 0.975))
