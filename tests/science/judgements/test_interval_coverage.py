"""How often the intervals of coefficients hold the truth of simulated raters.

Beside those in the tests of their modules: means, alpha, mean tau-b, W and first choices, effects
of arms, strengths and rank sets of models, shares of true categories, confidence sequences, slopes.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from backend.science.agreement import average_statistics
from backend.science.evaluation.estimates import Estimate
from backend.science.judgements.bradley_terry_intervals import board_of_arms
from backend.science.judgements.contrasts import Row, two_way_contrast
from backend.science.judgements.kappa import Coefficient, Weighting, chance_corrected_agreement
from backend.science.judgements.tables import IntArray
from backend.science.optional_statistic import Statistic
from backend.science.rankings import Groups
from backend.science.rater_checks.retest import retest_choices, retest_rankings
from tests.science.judgements.ranked_worlds import CANDIDATES, CONSISTENCY, MEAN_TAU_B
from tests.science.judgements.test_bradley_terry import SIDE, simulated
from tests.science.judgements.worlds import ALPHA, coverage, graded_raters, over_worlds

WORLDS, ITEMS, DRAWS = 150, 60, 100
SAME_CHOICE, BEYOND_CHANCE = 0.8, 0.7


@pytest.mark.parametrize("raters", [3, 5, 20])
@pytest.mark.parametrize(
    ("name", "weighting", "categories", "truth"),
    [
        ("percent", "identity", 2, (1 + ALPHA) / 2),
        ("fleiss", "identity", 3, ALPHA),
        ("conger", "identity", 3, ALPHA),
        ("gwet", "identity", 3, ALPHA),
        ("conger", "quadratic", 5, ALPHA),
        ("gwet", "quadratic", 5, ALPHA),
    ],
)
def test_intervals_of_kappas_and_gwets_coefficients_cover_them(
    name: Coefficient, weighting: Weighting, categories: int, truth: float, raters: int
) -> None:
    estimates = over_worlds(
        WORLDS,
        lambda rng: chance_corrected_agreement(
            graded_raters(rng, raters, ITEMS, categories),
            name,
            seed=1,
            weighting=weighting,
            categories=range(categories),
            draws=DRAWS,
        ),
    )
    # 89% with three raters, 95% with more, less 2.5 standard errors of 150 worlds.
    assert coverage(estimates, truth) >= (0.82 if raters == 3 else 0.9)


@pytest.mark.parametrize("raters", [6, 12])
def test_intervals_of_the_effect_of_sides_cover_it(raters: int) -> None:
    """And of its share, which is the same on another scale."""
    boards = [
        board_of_arms(simulated(50_000 + world, raters=raters), seed=0, draws=1)
        for world in range(300)
    ]
    assert coverage([one.side for one in boards], SIDE) >= 0.92
    share = 1 / (1 + np.exp(-SIDE))
    of_share = coverage([one.left_share for one in boards], share)
    assert of_share == coverage([one.side for one in boards], SIDE)


def repeated_choices(rng: np.random.Generator, items: int) -> tuple[IntArray, IntArray, IntArray]:
    """Two raters repeat each item; they give the same choice of three with a share of its own,
    0.7 in the mean, and else any, all as likely."""
    item = np.repeat(np.arange(items), 2)
    remembers = rng.random(2 * items) < rng.beta(7, 3, items)[item]
    first, other = rng.integers(0, 3, (2, 2 * items))
    return item, first, np.where(remembers, first, other)


def estimates_cover(estimates: list[Estimate], truth: float) -> float:
    return coverage(
        [Statistic(one.value, 1, low=one.low, high=one.high) for one in estimates], truth
    )


@pytest.mark.parametrize(("items", "worlds"), [(8, 300), (20, 300), (60, 60)])
def test_intervals_of_repeated_choices_cover_them(items: int, worlds: int) -> None:
    pairs = [
        retest_choices(*repeated_choices(np.random.default_rng([5, world]), items), seed=world)
        for world in range(worlds)
    ]
    least = 0.95 - 2.5 * np.sqrt(0.95 * 0.05 / worlds)
    assert estimates_cover([share for share, _ in pairs], SAME_CHOICE) >= least
    assert estimates_cover([corrected for _, corrected in pairs], BEYOND_CHANCE) >= least


def repeated_rankings(rng: np.random.Generator, items: int) -> list[tuple[Groups, Groups]]:
    worths = CONSISTENCY * rng.normal(size=(items, 1, CANDIDATES))
    orders = np.argsort(-(worths + rng.gumbel(size=(items, 2, CANDIDATES))), axis=2)
    groups = [[[[str(one)] for one in order] for order in pair] for pair in orders.tolist()]
    return [(first, second) for first, second in groups]


@pytest.mark.parametrize("items", [8, 20])
def test_intervals_of_repeated_rankings_cover_their_mean_tau_b(items: int) -> None:
    estimates = [
        retest_rankings(range(items), repeated_rankings(rng, items), seed=0)
        for rng in (np.random.default_rng([6, world]) for world in range(300))
    ]
    covered = estimates_cover([one for one in estimates if one is not None], MEAN_TAU_B[0.0])
    assert len(estimates) == 300 and covered >= 0.92


@pytest.mark.parametrize("questions", [5, 10, 30, 60])
def test_intervals_of_a_mean_over_questions_cover_it(questions: int) -> None:
    """Of shares of pairs of three raters with the same first choice: 0, 1/3 or 1."""
    truth = 0.3 / 3 + 0.4
    means = over_worlds(
        400,
        lambda rng: average_statistics(
            [Statistic(one, 3) for one in rng.choice([0, 1 / 3, 1], questions, p=[0.3, 0.3, 0.4])],
            seed=int(rng.integers(2**31)),
            resamples=400,
        ),
    )
    # 92% of five questions, 95% of more, less 2.5 standard errors of 400 worlds.
    assert coverage(means, truth) >= (0.885 if questions == 5 else 0.92)


def agreement_by_arm(rng: np.random.Generator) -> tuple[list[Row], list[Row]]:
    """Pairs of eight raters on 30 items, both with the prior hidden, and both with it shown."""
    raters, items = 8, 30
    hidden = rng.random((raters, items)) < 0.5
    chance = rng.uniform(0.6, 0.9, (raters, 1)) - 0.2 * hidden
    right = rng.random((raters, items)) < chance
    rows: dict[bool, list[Row]] = {True: [], False: []}
    for one, other in combinations(range(raters), 2):
        for item in np.flatnonzero(hidden[one] == hidden[other]).tolist():
            value = float(right[one, item] and right[other, item])
            rows[bool(hidden[one, item])].append((item, (one, other), value, 4.0))
    return rows[True], rows[False]


def test_intervals_of_the_effect_of_an_arm_on_pairs_of_raters_cover_it() -> None:
    effect = 0.55**2 - 0.75**2
    estimates = over_worlds(
        60, lambda rng: two_way_contrast(*agreement_by_arm(rng), (8, 30), seed=1, draws=DRAWS)
    )
    assert coverage(estimates, effect) >= 0.9
