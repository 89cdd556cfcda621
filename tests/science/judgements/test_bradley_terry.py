"""Bradley-Terry with ties and sides against other implementations, and its intervals."""

from __future__ import annotations

from dataclasses import replace

import choix
import numpy as np
import numpy.typing as npt
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize
from scipy.special import logsumexp

from backend.science.judgements.bradley_terry import (
    LEFT,
    RIGHT,
    TIE,
    Comparisons,
    bradley_terry_derivatives,
    fit_bradley_terry,
)
from backend.science.judgements.bradley_terry_intervals import board_of_arms, strength_covariance
from tests.science.judgements.random_tables import TABLES
from tests.science.judgements.ranked_worlds import MODEL_BOARDS, model_rank_coverage

STRENGTHS = np.array([0.8, 0.3, -0.2, -0.9])
SIDE, TIE_LOG = 0.5, -0.4


def simulated(
    seed: int,
    *,
    rows: int = 240,
    raters: int = 12,
    tie: float = TIE_LOG,
    spread: float = 0.0,
    strengths: npt.NDArray[np.float64] = STRENGTHS,
) -> Comparisons:
    """Random pairs of four arms; `spread` is how much raters' own strengths differ."""
    rng = np.random.default_rng(seed)
    rater = rng.integers(0, raters, rows)
    rater[:raters] = np.arange(raters)
    own = strengths + spread * rng.normal(size=(raters, len(strengths)))
    left = rng.integers(0, len(strengths), rows)
    right = (left + rng.integers(1, len(strengths), rows)) % len(strengths)
    x = own[rater, left] - own[rater, right] + SIDE
    chances = np.exp(np.stack([x / 2, np.full(rows, tie), -x / 2], axis=1))
    bounds = np.cumsum(chances / chances.sum(axis=1, keepdims=True), axis=1)
    outcome = (rng.random(rows)[:, None] > bounds[:, :2]).sum(axis=1)
    return Comparisons(left, right, outcome, rater, len(strengths))


def naive_fit(comparisons: Comparisons, ridge: float) -> npt.NDArray[np.float64]:
    """Strengths, side and log θ by a general optimiser, one row at a time."""

    def loss(parameters: npt.NDArray[np.float64]) -> float:
        total = ridge / 2 * float(np.sum(parameters[:-1] ** 2))
        rows = zip(comparisons.left, comparisons.right, comparisons.outcome, strict=True)
        for left, right, outcome in rows:
            x = parameters[left] - parameters[right] + parameters[-2]
            terms = [np.exp(x / 2), np.exp(parameters[-1]), np.exp(-x / 2)]
            total -= float(np.log(terms[outcome] / sum(terms)))
        return total

    result = minimize(loss, np.zeros(comparisons.arms + 2), options={"gtol": 1e-8})
    return np.asarray(result.x)


def test_ties_and_sides_equal_a_general_optimiser() -> None:
    for seed in range(10):
        comparisons = simulated(seed, rows=40)
        fit = fit_bradley_terry(comparisons, ridge=0.1)
        theirs = naive_fit(comparisons, ridge=0.1)
        np.testing.assert_allclose([*fit.strengths, fit.side, fit.tie], theirs, atol=2e-5)


def fit_all_rows(comparisons: Comparisons, ridge: float) -> npt.NDArray[np.float64]:
    """As `naive_fit`, with a design matrix."""
    rows = np.arange(len(comparisons.left))
    pairs = np.zeros((len(rows), comparisons.arms))
    pairs[rows, comparisons.left] += 1
    pairs[rows, comparisons.right] -= 1

    def loss(x: npt.NDArray[np.float64]) -> float:
        terms = (pairs @ x[:-2] + x[-2])[:, None] * [0.5, 0, -0.5] + [0, x[-1], 0]
        of_rows = terms[rows, comparisons.outcome] - logsumexp(terms, axis=1)
        return float(ridge / 2 * x[:-1] @ x[:-1] - of_rows.sum())

    result = minimize(loss, np.zeros(comparisons.arms + 2), options={"gtol": 1e-6})
    return np.asarray(result.x)


def test_random_comparisons_with_ties_and_sides_have_the_optimum_of_a_design_matrix() -> None:
    for seed in range(TABLES):
        comparisons = simulated(seed, rows=60, spread=0.3)
        fit = fit_bradley_terry(comparisons, ridge=0.1)
        theirs = fit_all_rows(comparisons, ridge=0.1)
        np.testing.assert_allclose([*fit.strengths, fit.side, fit.tie], theirs, atol=1e-4)


def test_without_ties_the_fit_equals_a_logistic_regression_with_a_side() -> None:
    for seed in range(TABLES):
        comparisons = simulated(seed, tie=-np.inf, rows=80)
        rows = np.arange(80)
        design = np.zeros((80, comparisons.arms))
        design[rows, comparisons.left], design[rows, comparisons.right] = 1, -1
        design = np.column_stack([design[:, 1:], np.ones(80)])  # the first arm at 0
        theirs = sm.Logit((comparisons.outcome == LEFT).astype(float), design).fit(disp=0)
        fit = fit_bradley_terry(comparisons, ridge=1e-7)
        mine = [*(fit.strengths[1:] - fit.strengths[0]), fit.side]
        np.testing.assert_allclose(mine, theirs.params, atol=2e-5)
        assert fit.tie == -np.inf
        assert fit.log_likelihood == pytest.approx(theirs.llf, abs=1e-8)


def test_balanced_sides_without_ties_equal_choix() -> None:
    """Each comparison once on either side: then the side effect is 0, as in the plain model."""
    for seed in range(TABLES):
        one = simulated(seed, tie=-np.inf, rows=60)
        swapped = Comparisons(one.right, one.left, 2 - one.outcome, one.rater, one.arms)
        both = joined(one, swapped)
        fit = fit_bradley_terry(both, ridge=1e-7)
        winner = np.where(both.outcome == LEFT, both.left, both.right)
        loser = np.where(both.outcome == LEFT, both.right, both.left)
        pairs = np.stack([winner, loser], axis=1).tolist()
        theirs = choix.opt_pairwise(both.arms, pairs, alpha=1e-8, tol=1e-10)
        np.testing.assert_allclose(fit.strengths, theirs - theirs.mean(), atol=1e-4)
        assert fit.side == pytest.approx(0, abs=1e-9)


def joined(one: Comparisons, other: Comparisons) -> Comparisons:
    return Comparisons(
        np.concatenate([one.left, other.left]),
        np.concatenate([one.right, other.right]),
        np.concatenate([one.outcome, other.outcome]),
        np.concatenate([one.rater, other.rater]),
        one.arms,
    )


def test_the_citations_of_journals_have_the_published_strengths() -> None:
    """Agresti, Categorical Data Analysis (2002), section 10.6; Turner and Firth, J. Stat. Softw.

    48 (2012), section 2: Comm. Statist., JASA and JRSS-B against Biometrika. Half on each side.
    """
    one, other = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]).T
    wins, losses = [730, 498, 221, 68, 17, 142], [33, 320, 284, 813, 276, 325]
    outcome = np.repeat([LEFT, RIGHT, RIGHT, LEFT], 6)
    sides = np.concatenate([one, one, other, other]), np.concatenate([other, other, one, one])
    comparisons = Comparisons(*sides, outcome, np.zeros(24, dtype=np.int64), 4)
    fit = fit_bradley_terry(comparisons, weights=[*wins, *losses, *wins, *losses], ridge=1e-6)
    printed = [0, -2.94907, -0.47957, 0.26895]
    np.testing.assert_allclose(fit.strengths - fit.strengths[0], printed, atol=6e-6)


def test_the_fit_recovers_the_parameters_of_a_large_sample() -> None:
    fit = fit_bradley_terry(simulated(1, rows=40_000))
    np.testing.assert_allclose(fit.strengths, STRENGTHS - STRENGTHS.mean(), atol=0.05)
    assert (fit.side, fit.tie) == pytest.approx((SIDE, TIE_LOG), abs=0.05)
    assert not fit.separated and fit.components == 1


def test_derivatives_equal_differences_of_the_likelihood() -> None:
    comparisons = simulated(2, rows=60)
    fit = fit_bradley_terry(comparisons, ridge=0.01)
    scores, information = bradley_terry_derivatives(comparisons, fit, ridge=0.01)
    penalty = 0.01 * np.array([*fit.strengths, fit.side, 0])
    np.testing.assert_allclose(scores.sum(axis=0), penalty, atol=1e-6)
    np.testing.assert_allclose(information, information.T)
    assert np.linalg.eigvalsh(information).min() > 0


def test_swapping_all_sides_reverses_the_side_effect_alone() -> None:
    one = simulated(3)
    swapped = Comparisons(one.right, one.left, 2 - one.outcome, one.rater, one.arms)
    fit, other = fit_bradley_terry(one), fit_bradley_terry(swapped)
    np.testing.assert_allclose(fit.strengths, other.strengths, atol=1e-8)
    assert fit.side == pytest.approx(-other.side, abs=1e-8)
    assert fit.left_share == pytest.approx(1 - other.left_share)


def test_an_arm_that_only_won_is_separated_and_finite() -> None:
    left, right = np.array([0, 0, 1, 2, 1]), np.array([1, 2, 2, 1, 0])
    outcome = np.array([LEFT, LEFT, LEFT, LEFT, RIGHT])
    fit = fit_bradley_terry(Comparisons(left, right, outcome, np.zeros(5, dtype=int), 3))
    assert fit.separated and fit.components == 1
    assert np.isfinite(fit.strengths).all() and fit.strengths.argmax() == 0


def test_arms_without_a_link_are_counted() -> None:
    left, right = np.array([0, 1, 2, 3]), np.array([1, 0, 3, 2])
    outcome = np.array([LEFT, LEFT, LEFT, TIE])
    comparisons = Comparisons(left, right, outcome, np.arange(4), 5)
    assert fit_bradley_terry(comparisons).components == 3
    board = board_of_arms(comparisons, seed=0, draws=20)
    assert board.rank_sets is None


@pytest.mark.parametrize(("seed", "spread"), [(1, 0.0), (2, 1.5)])
def test_intervals_over_raters_cover_equal_arms(seed: int, spread: float) -> None:
    """Raters' own strengths are symmetric about 0, so by symmetry all arms are equal."""
    inside = [
        statistic.low <= 0 <= statistic.high
        for world in range(60)
        for statistic in board_of_arms(
            simulated(1_000 * seed + world, strengths=np.zeros(4), spread=spread), seed=0, draws=1
        ).strengths
        if statistic.low is not None and statistic.high is not None
    ]
    assert len(inside) == 240
    assert np.mean(inside) == pytest.approx(0.95, abs=0.045)


def test_intervals_that_ignore_raters_fail_where_raters_differ() -> None:
    """The contrast: every comparison as a rater of its own."""
    inside = []
    for world in range(60):
        one = simulated(2_000 + world, strengths=np.zeros(4), spread=1.5)
        alone = Comparisons(one.left, one.right, one.outcome, np.arange(240), one.arms)
        for statistic in board_of_arms(alone, seed=0, draws=1).strengths:
            low, high = statistic.low or 0, statistic.high or 0
            inside.append(low <= 0 <= high)
    assert np.mean(inside) < 0.85


def test_intervals_over_items_cover_where_items_differ() -> None:
    """Twelve raters judge the same 40 pairs, each with an effect; two arms are equal on average.

    Without the items the same comparisons cover far less.
    """
    inside: dict[bool, list[bool]] = {True: [], False: []}
    rater, item = (one.ravel() for one in np.mgrid[:12, :40])
    left = item % 2  # else the side is another name of the arm
    for world in range(60):
        rng = np.random.default_rng(world)
        chance = 1 / (1 + np.exp(-1.5 * rng.normal(size=40)[item]))
        outcome = np.where(rng.random(480) < chance, LEFT, RIGHT)
        for has_items, listed in inside.items():
            items = item if has_items else None
            judged = Comparisons(left, 1 - left, outcome, rater, 2, items)
            strength = board_of_arms(judged, seed=0, draws=1).strengths[0]
            assert strength.low is not None and strength.high is not None
            listed.append(strength.low <= 0 <= strength.high)
    assert np.mean(inside[True]) >= 0.9
    assert np.mean(inside[False]) < 0.8


@pytest.mark.parametrize("has_items", [False, True])
def test_the_covariance_is_that_of_clusters_and_at_least_of_single_answers(has_items: bool) -> None:
    one = simulated(9, rows=300, raters=9)
    judged = replace(one, item=np.arange(300) % 30) if has_items else one
    fit = fit_bradley_terry(judged)
    scores, information = bradley_terry_derivatives(judged, fit)
    influence = (np.linalg.inv(information) @ scores.T).T[:, :4]

    def summed(*columns: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        keys = list(zip(*(column.tolist() for column in columns), strict=True))
        sums = [sum(z for z, it in zip(influence, keys, strict=True) if it == k) for k in set(keys)]
        return np.asarray(sum(np.outer(z, z) for z in sums))

    single = summed(np.arange(300))
    plain = summed(judged.rater)
    if judged.item is not None:
        single = summed(judged.rater, judged.item)
        plain = plain + summed(judged.item) - single
    covariance = strength_covariance(judged, fit)
    rng = np.random.default_rng(1)
    for _ in range(200):  # along any contrast
        contrast = rng.normal(size=4)
        contrast -= contrast.mean()
        value = contrast @ covariance @ contrast
        assert value >= contrast @ plain @ contrast - 1e-12
        assert value >= contrast @ single @ contrast - 1e-12
    excess = np.linalg.eigvals(np.linalg.pinv(single, rcond=1e-9) @ plain).real
    if (np.sort(excess)[1:] >= 1).all():
        np.testing.assert_allclose(covariance, plain, atol=1e-9)


@pytest.mark.parametrize("name", ["equal models", "one leader"])
def test_rank_sets_of_models_hold_together(name: str) -> None:
    share, _ = model_rank_coverage(MODEL_BOARDS[name], worlds=60, raters=12)
    assert share >= 0.86  # 95% less 3 standard errors


def test_the_position_bias_has_an_interval() -> None:
    board = board_of_arms(simulated(5, rows=2_000, raters=20), seed=0, draws=1)
    assert board.side.low is not None and board.side.high is not None
    assert 0 < board.side.low < SIDE < board.side.high
    share = board.left_share
    assert share.low is not None and share.low > 0.5
    assert share.value == pytest.approx(board.fit.left_share)


def test_ranks_that_are_clear_are_separated_and_equal_arms_share_theirs() -> None:
    clear = np.array([1.5, 1.5, -1.5, -1.5])
    board = board_of_arms(simulated(6, rows=1_500, raters=20, strengths=clear), seed=0, draws=300)
    assert board.rank_sets is not None
    assert board.rank_sets.best.tolist() == [1, 1, 3, 3]
    assert board.rank_sets.worst.tolist() == [2, 2, 4, 4]


def test_few_raters_have_no_interval() -> None:
    board = board_of_arms(simulated(8, raters=4), seed=0, draws=10)
    assert {one.interval_reason for one in board.strengths} == {"too_few_raters"}
    assert board.left_share.interval_reason == "too_few_raters"
    assert board.rank_sets is not None and board.rank_sets.worst.tolist() == [4] * 4


@pytest.mark.parametrize(
    ("left", "right", "outcome", "message"),
    [
        ([0], [0], [LEFT], "itself"),
        ([0], [2], [LEFT], "range"),
        ([0], [1], [3], "range"),
        ([-1], [1], [LEFT], "from 0"),
        ([], [], [], "need a row"),
        ([0, 1], [1], [LEFT], "equal length"),
        ([0, 1], [1, 0], [TIE, TIE], "tied"),
    ],
)
def test_invalid_comparisons_are_rejected(
    left: list[int], right: list[int], outcome: list[int], message: str
) -> None:
    one, other, third = (np.array(column, dtype=np.int64) for column in (left, right, outcome))
    with pytest.raises(ValueError, match=message):
        fit_bradley_terry(Comparisons(one, other, third, np.zeros(len(left), dtype=np.int64), 2))


@pytest.mark.parametrize(("weights", "ridge"), [([0.0], 0.1), ([-1.0], 0.1), ([1.0], 0.0)])
def test_invalid_weights_and_ridges_are_rejected(weights: list[float], ridge: float) -> None:
    one = np.zeros(1, dtype=np.int64)
    with pytest.raises(ValueError, match=r"weights are|positive ridge"):
        fit_bradley_terry(Comparisons(one, one + 1, one, one, 2), weights=weights, ridge=ridge)
