"""Kappas and Gwet's coefficients against other implementations and loops over pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from backend.science.judgements.kappa import (
    Coefficient,
    Weighting,
    chance_corrected_agreement,
    cohen_kappa,
)
from backend.science.judgements.tables import FloatArray
from tests.science.judgements import definitions
from tests.science.judgements.random_tables import TABLES, random_table, same
from tests.science.judgements.test_alpha import GAP
from tests.science.judgements.test_alpha import PUBLISHED as FOUR_OBSERVERS

# The same data in Gwet's handbook, where another rater judged the last item.
PUBLISHED = FOUR_OBSERVERS.copy()
PUBLISHED[[1, 2], 11] = GAP, 3

WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)


def coefficient(
    values: FloatArray, name: Coefficient, weighting: Weighting = "identity"
) -> float | None:
    return chance_corrected_agreement(values, name, seed=0, weighting=weighting, draws=1).value


@pytest.mark.parametrize(
    ("name", "printed"),
    [("percent", 0.81818), ("gwet", 0.77544), ("fleiss", 0.76117), ("conger", 0.76282)],
)
def test_the_published_example_has_the_printed_values(name: Coefficient, printed: float) -> None:
    """Gwet, Handbook of Inter-Rater Reliability (4th ed., 2014), chapter 2: four raters."""
    assert coefficient(PUBLISHED, name) == pytest.approx(printed, abs=5e-6)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("name", ["fleiss", "conger", "gwet"])
def test_random_tables_have_the_coefficient_of_the_definition(
    name: Coefficient, weighting: Weighting
) -> None:
    define = {
        "fleiss": definitions.fleiss,
        "conger": definitions.conger,
        "gwet": definitions.gwet,
    }[name]
    for seed in range(TABLES):
        table = random_table(seed)
        categories = np.unique(table[~np.isnan(table)]).tolist()
        similarity = definitions.similarity_of(weighting, categories)
        assert same(coefficient(table, name, weighting), define(table, categories, similarity))


def test_random_tables_have_the_coefficients_of_irrcac() -> None:
    """Computed by irrCAC 0.4.4 to 8 digits; it needs an older scipy than this project."""
    names: tuple[Coefficient, ...] = ("fleiss", "conger", "gwet")
    lines = Path(__file__).with_name("irrcac.jsonl").read_text().splitlines()
    assert len(lines) == TABLES
    for row in map(json.loads, lines):
        table = np.array(
            [[GAP if cell == "." else float(cell) for cell in rater] for rater in row["table"]]
        )
        for weighting in WEIGHTINGS:
            mine = [coefficient(table, name, weighting) for name in names]
            assert mine == pytest.approx(row[weighting], abs=2e-8)


def test_random_tables_have_the_percent_agreement_of_the_definition() -> None:
    for seed in range(TABLES):
        table = random_table(seed)
        theirs = definitions.observed(table, lambda one, other: float(one == other))
        assert same(coefficient(table, "percent"), theirs)


def test_full_tables_have_the_kappa_of_statsmodels() -> None:
    for seed in range(TABLES):
        table = random_table(seed, gaps=0)
        counts, _ = inter_rater.aggregate_raters(table.T.astype(int))
        assert same(coefficient(table, "fleiss"), inter_rater.fleiss_kappa(counts))


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_two_raters_have_the_cohen_kappa_of_scikit_learn(weighting: Weighting) -> None:
    theirs = {"identity": None, "linear": "linear", "quadratic": "quadratic"}[weighting]
    for seed in range(TABLES):
        one, other = random_table(seed)[:2]
        both = ~np.isnan(one + other)
        labels = [1.0, 2, 3, 4, 5]
        mine = cohen_kappa(one, other, seed=0, weighting=weighting, categories=labels, draws=1)
        score = cohen_kappa_score(one[both], other[both], labels=labels, weights=theirs)
        assert same(mine.value, score)


def test_the_published_table_of_two_raters_has_its_kappa() -> None:
    """Cohen (1960), table 1: 200 items in three categories, kappa 0.492."""
    shares = np.array([[44, 7, 1], [5, 20, 3], [1, 3, 6]])  # percent
    places = np.repeat(np.arange(9), shares.ravel())
    result = cohen_kappa(places // 3, places % 3, seed=0, draws=300)
    expected = inter_rater.cohens_kappa(shares)
    assert same(result.value, expected.kappa)
    assert result.low is not None and result.high is not None
    # The large-sample standard error of Fleiss, Cohen and Everitt (1969).
    assert result.high - result.low == pytest.approx(2 * 1.96 * expected.std_kappa, rel=0.15)


def test_categories_that_did_not_occur_change_gwets_coefficient_alone() -> None:
    listed = [1.0, 2, 3, 4, 5, 6]
    changes: dict[Coefficient, bool] = {"gwet": True, "fleiss": False, "conger": False}
    for name, changed in changes.items():
        wide = chance_corrected_agreement(PUBLISHED, name, seed=0, categories=listed, draws=1)
        assert same(wide.value, coefficient(PUBLISHED, name) or 0.0) is not changed


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1, 2, 3]], "too_few_raters"),
        ([[1, 2, GAP], [GAP, GAP, 3]], "no_overlap"),
        ([[2, 2, 2], [2, 2, GAP]], "one_category"),
    ],
)
@pytest.mark.parametrize("name", ["fleiss", "conger", "gwet"])
def test_an_undefined_coefficient_has_a_reason(
    name: Coefficient, values: list[list[float]], reason: str
) -> None:
    result = chance_corrected_agreement(values, name, seed=0)
    assert (result.value, result.reason, result.interval_reason) == (None, reason, reason)


def test_one_category_of_two_listed_is_perfect_agreement_for_gwet() -> None:
    result = chance_corrected_agreement(
        np.ones((3, 8)), "gwet", seed=0, categories=[0, 1], draws=10
    )
    assert (result.value, result.low, result.high) == (1.0, 1.0, 1.0)
    assert coefficient(np.ones((3, 8)), "percent") == 1.0


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [([1, GAP], [GAP, 2], "no_overlap"), ([1, 2], [GAP, GAP], "too_few_raters")],
)
def test_cohen_without_common_items_has_a_reason(
    one: list[float], other: list[float], reason: str
) -> None:
    assert cohen_kappa(one, other, seed=0).reason == reason


def test_a_value_that_is_not_listed_is_rejected() -> None:
    with pytest.raises(ValueError, match="not among the categories"):
        chance_corrected_agreement([[1, 3], [1, 2]], "fleiss", seed=0, categories=[1, 2])


@pytest.mark.parametrize("name", ["fleiss", "conger", "gwet"])
def test_coin_tosses_have_an_interval_with_zero(name: Coefficient) -> None:
    for seed in range(10):
        values = np.random.default_rng(seed).integers(0, 2, (5, 60)).astype(float)
        result = chance_corrected_agreement(values, name, seed=seed, draws=200)
        assert result.low is not None and result.high is not None
        assert result.low < 0 < result.high


def gappy_table(seed: int) -> FloatArray:
    """Grades of 4 raters on 10 items, half of them missing."""
    rng = np.random.default_rng(seed)
    table = rng.integers(-2, 3, (4, 10)).astype(np.float64)
    table[rng.random(table.shape) < 0.5] = GAP
    return table


@pytest.mark.parametrize("name", get_args(Coefficient))
def test_an_interval_is_within_the_range_of_its_coefficient(name: Coefficient) -> None:
    """With gaps, the chance agreement of a draw may come from other items than its agreement."""
    least = {"percent": 0.0, "gwet": -3.0}.get(name, -1.0)
    shown = [
        chance_corrected_agreement(
            gappy_table(seed),
            name,
            seed=1,
            weighting="quadratic",
            categories=range(-2, 3),
            draws=100,
        )
        for seed in range(12)
    ]
    lows = [one.low for one in shown if one.low is not None]
    assert len(lows) > 6 and min(lows) >= least
    assert all(one.high <= 1 for one in shown if one.high is not None)


def test_a_kappa_outside_of_its_range_has_a_reason_and_no_number() -> None:
    """Two raters agree on the one item that they share as badly as can be, and nowhere else."""
    table = np.full((2, 11), GAP)
    table[0, :6], table[1, 6:], table[1, 0] = 0, 0, 2
    table[0, 0] = -2
    result = chance_corrected_agreement(
        table, "conger", seed=0, weighting="quadratic", categories=range(-2, 3)
    )
    assert (result.value, result.low, result.reason) == (None, None, "outside_range")


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_random_tables_without_gaps_are_within_the_range(weighting: Weighting) -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        table = rng.integers(0, 4, (int(rng.integers(2, 4)), 4)).astype(np.float64)
        for name in get_args(Coefficient):
            result = chance_corrected_agreement(
                table, name, seed=0, weighting=weighting, categories=range(4), draws=1
            )
            assert result.reason in (None, "one_category")
