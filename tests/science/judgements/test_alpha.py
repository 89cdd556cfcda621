"""Krippendorff's alpha against the library of that name, published examples, and coin tosses."""

from __future__ import annotations

from typing import get_args

import krippendorff
import numpy as np
import pytest

from backend.science.judgements.alpha import AlphaLevel, alpha_of_counts, krippendorff_alpha
from backend.science.judgements.tables import FloatArray
from tests.science.judgements.random_tables import TABLES, random_table, same

LEVELS: tuple[AlphaLevel, ...] = get_args(AlphaLevel)
GAP = np.nan
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four observers.
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, GAP, GAP, GAP],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, GAP, 3],
        [GAP, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, GAP],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, GAP],
    ]
)


def alpha(values: FloatArray, level: AlphaLevel, draws: int = 1) -> float | None:
    return krippendorff_alpha(values, level=level, seed=0, draws=draws).value


@pytest.mark.parametrize(
    ("level", "printed"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_the_published_example_has_the_printed_values(level: AlphaLevel, printed: float) -> None:
    assert alpha(PUBLISHED, level) == pytest.approx(printed, abs=5e-4)


@pytest.mark.parametrize("level", LEVELS)
def test_random_tables_have_the_alpha_of_the_library(level: AlphaLevel) -> None:
    tables = [random_table(seed) for seed in range(TABLES)]
    theirs = [krippendorff.alpha(table, level_of_measurement=level) for table in tables]
    assert all(
        same(alpha(table, level), other) for table, other in zip(tables, theirs, strict=True)
    )


def test_counts_with_gaps_have_the_alpha_of_their_table() -> None:
    for seed in range(TABLES):
        table = random_table(seed)
        categories = np.unique(table[~np.isnan(table)])
        counts = (table[:, :, None] == categories).sum(axis=0)
        (value,) = alpha_of_counts(counts[None], 1 - np.eye(len(categories)))
        assert same(alpha(table, "nominal"), float(value))


def test_counts_without_pairs_or_with_one_category_have_no_alpha() -> None:
    for counts in (np.ones((1, 4, 1), dtype=np.int64), np.array([[[3, 0], [3, 0]]])):
        assert np.isnan(alpha_of_counts(counts, 1 - np.eye(counts.shape[2]))).all()


def test_zeros_have_no_distance_at_ratio_level() -> None:
    values = np.array([[0.0, 0, 1, 3], [0.0, 2, 1, 3]])
    theirs = krippendorff.alpha(values, level_of_measurement="ratio")
    assert same(alpha(values, "ratio"), theirs)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1, 2, 3]], "too_few_raters"),
        ([[1, 2, 3], [GAP, GAP, GAP]], "too_few_raters"),
        ([[1, 2, GAP], [GAP, GAP, 3]], "no_overlap"),
        ([[2, 2, 1], [2, 2, GAP]], "one_category"),
    ],
)
def test_an_undefined_alpha_has_a_reason(values: list[list[float]], reason: str) -> None:
    result = krippendorff_alpha(values, level="nominal", seed=0)
    assert (result.value, result.reason, result.interval_reason) == (None, reason, reason)


def test_negative_ratios_are_rejected() -> None:
    with pytest.raises(ValueError, match="negative"):
        krippendorff_alpha([[1, -1], [1, 1]], level="ratio", seed=0)


def test_draws_in_which_alpha_is_undefined_are_counted() -> None:
    result = krippendorff_alpha(PUBLISHED[:3], level="nominal", seed=1, draws=500)
    # All three raters are the same in 1 of 9 draws; other draws lack overlap or categories.
    assert 500 / 9 * 0.6 < result.degenerate_draws < 120
    assert result.low is not None and result.raters_resampled


def test_two_raters_are_fixed_and_few_items_have_no_interval() -> None:
    two = krippendorff_alpha(PUBLISHED[:2], level="nominal", seed=1, draws=200)
    assert not two.raters_resampled and two.low is not None
    few = krippendorff_alpha(PUBLISHED[:, :4], level="nominal", seed=1, draws=200)
    assert (few.low, few.interval_reason) == (None, "too_few_items")


def test_a_single_disagreement_has_too_many_degenerate_draws() -> None:
    """Without the fourth rater, in 0.75^4 = 32% of draws, or the first item, in 36%, all agree."""
    values = np.ones((4, 40))
    values[3, 0] = 2
    result = krippendorff_alpha(values, level="nominal", seed=0, draws=200)
    assert (result.low, result.interval_reason) == (None, "too_many_degenerate_draws")
    assert 100 < result.degenerate_draws < 200


def test_the_same_seed_gives_the_same_interval() -> None:
    one, again, other = (
        krippendorff_alpha(PUBLISHED, level="ordinal", seed=seed, draws=100) for seed in (3, 3, 4)
    )
    assert one == again != other


@pytest.mark.parametrize("raters", [3, 5, 20])
def test_coin_tosses_have_an_interval_with_zero(raters: int) -> None:
    """Pairs of a rater with itself, in draws that have it twice, would lift the bounds above 0."""
    for seed in range(20):
        values = np.random.default_rng(seed).integers(0, 2, (raters, 60)).astype(float)
        result = krippendorff_alpha(values, level="nominal", seed=seed, draws=200)
        assert result.low is not None and result.high is not None
        assert result.low < 0 < result.high
