"""Change of a rater's agreement with the others over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import stdtr, stdtrit

from backend.science.rater_checks.answers import (
    AgreementSeries,
    Answers,
    FloatArray,
    IntArray,
    agreement_with_others,
)
from backend.science.rater_checks.rater_tests import (
    DRAWS,
    EQUAL,
    RaterTest,
    adjust_tests,
    simulated_p,
)

MIN_ANSWERS = 20
MIN_RATERS = 5
SWEEPS, DEMEANED = 500, 1e-10


@dataclass(frozen=True)
class ChangePoint:
    """test: value is the agreement after minus before the change, expected 0.

    place: number of compared answers before the change. before, after: mean agreement beyond the
    item. The change is reported for every rater, and means something where the test is flagged.
    """

    test: RaterTest
    place: int
    before: float
    after: float


@dataclass(frozen=True)
class Slope:
    """Change of the agreement by one unit of a covariate, with its 95% interval.

    Without a value where `reason` is set: `too_few_raters` (fewer than 5), or `no_variation` of
    the covariate inside raters and items, beside the covariates before it.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    reason: Literal["too_few_raters", "no_variation"] | None = None


def find_change_points(
    series: Sequence[AgreementSeries], *, seed: int, draws: int = DRAWS
) -> list[ChangePoint]:
    """The most likely change of each rater's agreement with the others, up or down.

    With x_1 … x_n the residuals, in order of time, of the least squares line of the rater's own
    agreement on that of the item's other raters, the statistic is the largest |S_t|, S_t =
    sum_{i<=t} x_i; t is the place. Its null distribution is that of the residuals in random order.
    So neither hard items nor a rater who gains less than others from easy ones look like a change,
    also where all raters see the items in the same order. Series of fewer than 20 are left out.
    Source: cumulative sums, Page, Biometrika 41 (1954); the permutation test, Antoch and Huskova,
    Statistics and Probability Letters 53 (2001); residuals, Freedman and Lane, Journal of Business
    & Economic Statistics 1 (1983).
    """
    rng = np.random.default_rng(seed)
    points = [_change_point(one, rng, draws) for one in series if len(one.own) >= MIN_ANSWERS]
    adjusted = adjust_tests([one.test for one in points])
    return [replace(one, test=test) for one, test in zip(points, adjusted, strict=True)]


def _change_point(series: AgreementSeries, rng: np.random.Generator, draws: int) -> ChangePoint:
    rest = _residuals(series.own, series.peers)
    sums = np.abs(np.cumsum(rest)[:-1])
    place = int(sums.argmax()) + 1

    def draw(count: int) -> FloatArray:
        shuffled = rng.permuted(np.tile(rest, (count, 1)), axis=1)
        return np.asarray(np.abs(np.cumsum(shuffled, axis=1)[:, :-1]).max(axis=1))

    p, _ = simulated_p(float(sums.max()), draw, draws=draws)
    beyond = series.own - series.peers
    before, after = float(beyond[:place].mean()), float(beyond[place:].mean())
    test = RaterTest(series.rater, after - before, 0.0, len(rest), p)
    return ChangePoint(test, place, before, after)


def _residuals(values: FloatArray, covariate: FloatArray) -> FloatArray:
    """Of the least squares line; values less their mean where the covariate is constant."""
    centred, rest = covariate - covariate.mean(), values - values.mean()
    spread = float(centred @ centred)
    slope = float(centred @ rest) / spread if spread > EQUAL else 0.0
    return np.asarray(rest - slope * centred)


def regress_agreement(answers: Answers, covariates: Mapping[str, FloatArray]) -> dict[str, Slope]:
    """Slopes of the agreement with others on covariates (n,), such as position, visit and hour.

    Least squares with an effect of each rater and each item, so that neither able raters nor easy
    items look like a trend. Standard errors allow any dependence inside a rater (CR1), with
    Student's t on one degree of freedom less than raters. Answers without others or with a NaN
    covariate are left out. Source: Cameron and Miller, Journal of Human Resources 50 (2015).
    """
    values = agreement_with_others(answers)
    columns = np.stack(list(covariates.values()), axis=1) if covariates else np.zeros((0, 0))
    used = ~np.isnan(values) & ~np.isnan(columns).any(axis=1) if covariates else values < 0
    raters, items = answers.raters[used], answers.items[used]
    clusters = len(np.unique(raters))
    if clusters < MIN_RATERS:
        return {name: Slope(None, reason="too_few_raters") for name in covariates}
    effects = [_numbered(raters), _numbered(items)]
    target = _demean(values[used, None], effects)[:, 0]
    scale = columns[used].std(axis=0)
    design = _demean(columns[used], effects)
    varied = _independent(design, scale)
    slopes = {name: Slope(None, reason="no_variation") for name in covariates}
    if varied:
        fitted = _fit(design[:, varied], target, effects[0])
        slopes |= dict(zip([list(covariates)[i] for i in varied], fitted, strict=True))
    return slopes


def _fit(design: FloatArray, target: FloatArray, clusters: IntArray) -> list[Slope]:
    inverse = np.linalg.inv(design.T @ design)
    slopes = inverse @ (design.T @ target)
    scores = design * (target - design @ slopes)[:, None]
    count = int(clusters.max()) + 1
    sums = np.stack([np.bincount(clusters, column, count) for column in scores.T], axis=1)
    covariance = count / (count - 1) * inverse @ (sums.T @ sums) @ inverse
    errors = np.sqrt(covariance.diagonal())
    reach = float(stdtrit(count - 1, 0.975)) * errors
    ratios = np.divide(slopes, errors, out=np.zeros_like(slopes), where=errors > 0)
    p_values = 2 * stdtr(count - 1, -np.abs(ratios))
    return [
        Slope(float(slope), float(slope - width), float(slope + width), float(p))
        for slope, width, p in zip(slopes, reach, p_values, strict=True)
    ]


def _independent(design: FloatArray, scale: FloatArray) -> list[int]:
    """Columns that are no combination of those before, or of effects."""
    chosen: list[int] = []
    for column in range(design.shape[1]):
        rest = design[:, column]
        if chosen:
            basis = design[:, chosen]
            rest = rest - basis @ np.linalg.lstsq(basis, rest)[0]
        if rest.std() > 1e-6 * max(float(scale[column]), 1e-300):
            chosen.append(column)
    return chosen


def _demean(columns: FloatArray, effects: list[IntArray]) -> FloatArray:
    """Residuals of least squares on the effects, by subtracting group means in turn."""
    rest: FloatArray = columns - columns.mean(axis=0)
    for _ in range(SWEEPS):
        before = rest
        for groups in effects:
            sums = [np.bincount(groups, column) for column in rest.T]
            rest = rest - (np.stack(sums, axis=1) / np.bincount(groups)[:, None])[groups]
        if np.abs(rest - before).max(initial=0.0) <= DEMEANED * np.abs(columns).max(initial=0.0):
            break
    return rest


def _numbered(values: IntArray) -> IntArray:
    return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.int64)
