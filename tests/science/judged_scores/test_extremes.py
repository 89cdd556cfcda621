"""Whatever the claims, every figure is a finite number or has a reason."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science.judged_scores.claims import JudgedClaims
from backend.science.judged_scores.corrected_mean import corrected_mean
from backend.science.judged_scores.judge_agreement import judge_agreement
from backend.science.judged_scores.reliability import reliability
from backend.science.judged_scores.verdict_plans import plan_rationales, plan_verdicts
from backend.science.judged_scores.verdict_sampling import choose_claims, judge_uncertainty

unit = st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 0.9, 1.0]) | st.floats(0, 1)


@st.composite
def extreme_claims(draw: st.DrawFn) -> JudgedClaims:
    """Constants, one cluster, one claim, weights a million times others, certain choices."""
    count = draw(st.integers(1, 25))

    def column(values: st.SearchStrategy[float], *, constant: bool) -> list[float]:
        if constant:
            return [draw(values)] * count
        return draw(st.lists(values, min_size=count, max_size=count))

    def labels(most: int) -> list[float]:
        return column(st.integers(0, most).map(float), constant=draw(st.booleans()))

    judge = column(unit, constant=draw(st.booleans()))
    people = column(unit | st.just(math.nan), constant=draw(st.booleans()))
    return JudgedClaims.of(
        judge,
        people,
        clusters=draw(st.none() | st.just(labels(6))),
        weights=column(st.sampled_from([1e-6, 0.3, 1.0]), constant=draw(st.booleans())),
        strata=draw(st.none() | st.just(labels(2))),
        propensities=draw(
            st.none() | st.just(column(st.floats(0.05, 1), constant=draw(st.booleans())))
        ),
    )


def numbers(value: object) -> Iterator[float]:
    """All numbers inside dataclasses and sequences."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from numbers(getattr(value, field.name))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, int | float):
        yield float(value)


@given(extreme_claims())
@settings(max_examples=200, deadline=None)
def test_a_corrected_mean_is_finite_in_its_interval_or_has_a_reason(claims: JudgedClaims) -> None:
    with np.errstate(all="raise", under="ignore"):
        mean = corrected_mean(claims)
    assert all(math.isfinite(one) for one in numbers(mean))
    assert (mean.low is None) == (mean.reason is not None)
    if mean.value is not None:
        assert 0 <= mean.value <= 1
        assert mean.effective_verdicts is not None
    if mean.effective_verdicts is not None and not claims.own_clusters and len(mean.lambdas) == 1:
        assert mean.effective_verdicts >= mean.verified * (1 - 1e-6)
    if mean.value is not None and mean.low is not None and mean.high is not None:
        assert 0 <= mean.low <= mean.value <= mean.high <= 1


@given(extreme_claims())
@settings(max_examples=100, deadline=None)
def test_figures_of_a_judge_are_finite(claims: JudgedClaims) -> None:
    with np.errstate(all="raise", under="ignore"):
        rows = judge_agreement(claims, seed=1, groups=claims.strata, draws=20)
        diagram = reliability(claims, seed=1, draws=20)
    assert all(math.isfinite(one) for one in numbers([rows, diagram]))


@given(extreme_claims())
@settings(max_examples=100, deadline=None)
def test_plans_are_finite(claims: JudgedClaims) -> None:
    if not np.bincount(claims.strata, claims.verified).all():
        return
    with np.errstate(all="raise", under="ignore"):
        plans = [
            plan_verdicts(claims),
            plan_verdicts(claims, uniform=True),
            plan_verdicts(claims, scores=judge_uncertainty(claims.judge)),
            plan_rationales(claims),
        ]
    for plan in plans:
        more = plan.more_to_halve()
        assert math.isfinite(plan.half_width(plan.verdicts))
        assert more is None or 0 <= more <= plan.most


@given(extreme_claims(), st.data())
@settings(max_examples=100, deadline=None)
def test_chosen_claims_can_be_corrected(claims: JudgedClaims, data: st.DataObject) -> None:
    budget = data.draw(st.integers(1, len(claims.judge)))
    sample = choose_claims(judge_uncertainty(claims.judge), budget, seed=1)
    people = np.where(sample.chosen, 1 - claims.judge, np.nan)
    mean = corrected_mean(JudgedClaims.of(claims.judge, people, propensities=sample.propensities))
    assert mean.value is not None and mean.verified == budget
