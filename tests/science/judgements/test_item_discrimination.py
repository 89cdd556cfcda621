"""Items on which able raters disagree with the votes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from backend.science.judgements.dawid_skene import fit_dawid_skene
from backend.science.judgements.item_discrimination import (
    ItemDiscrimination,
    item_discriminations,
)
from backend.science.judgements.tables import FloatArray

RATERS, ITEMS, BROKEN = 20, 40, 11
ABILITIES = np.linspace(0.5, 0.98, RATERS)


def study(seed: int, raters: int = RATERS) -> FloatArray:
    """Counts of two categories; on the broken item the seven ablest raters are in the minority."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, ITEMS)
    abilities = np.linspace(0.5, 0.98, raters)
    right = rng.random((raters, ITEMS)) < abilities[:, None]
    right[:, BROKEN] = np.arange(raters) >= raters - raters // 3
    values = np.where(right, truth, 1 - truth)
    return np.eye(2)[values]


def discriminations(counts: FloatArray, **options: FloatArray) -> list[ItemDiscrimination]:
    return item_discriminations(
        counts, fit_dawid_skene(counts, seed=0).posteriors, seed=1, **options
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_broken_item_alone_is_flagged(seed: int) -> None:
    result = discriminations(study(seed))
    assert [item for item, one in enumerate(result) if one.flagged] == [BROKEN]
    assert (result[BROKEN].correlation.value or 0) < -0.5


def test_wrong_keys_give_the_opposite_of_right_ones() -> None:
    counts = study(4)
    truth = fit_dawid_skene(counts, seed=0).labels.astype(np.float64)
    truth[BROKEN] = np.nan
    right, wrong = (discriminations(counts, keys=keys) for keys in (truth, 1 - truth))
    values = np.array([one.correlation.value or 0 for one in right])
    opposite = np.array([one.correlation.value or 0 for one in wrong])
    others = np.arange(ITEMS) != BROKEN
    np.testing.assert_allclose(values[others], -opposite[others], atol=1e-9)
    assert values[others].mean() > 0.2
    assert right[BROKEN].correlation == wrong[BROKEN].correlation


def test_the_correlation_leaves_the_item_out_of_abilities() -> None:
    counts = study(5, raters=6)
    fit = fit_dawid_skene(counts, seed=0)
    result = item_discriminations(counts, fit.posteriors, seed=1)
    for item in range(ITEMS):
        labels = counts[:, item].argmax(axis=1)
        agreement = [np.mean(np.delete(labels, rater) == labels[rater]) for rater in range(6)]
        others = [other for other in range(ITEMS) if other != item]
        ability = [
            np.mean([fit.posteriors[other, counts[rater, other].argmax()] for other in others])
            for rater in range(6)
        ]
        if np.ptp(agreement) == 0:
            assert result[item].correlation.reason == "all_tied"
            continue
        expected = stats.pearsonr(agreement, ability).statistic
        assert result[item].correlation.value == pytest.approx(expected, abs=1e-9)
        if item < 3:
            orders = permutations(agreement)
            lower = [stats.pearsonr(one, ability).statistic <= expected + 1e-9 for one in orders]
            assert result[item].p_value == pytest.approx(np.mean(lower))


def test_coin_tosses_flag_at_most_a_twentieth_of_studies() -> None:
    flagged = 0
    for seed in range(20):
        values = np.random.default_rng(seed).integers(0, 2, (6, 15))
        flagged += any(one.flagged for one in discriminations(np.eye(2)[values]))
    assert flagged <= 3  # P(more | 5%) = 1.6%


def test_few_raters_and_unanimous_items_have_a_reason() -> None:
    counts = study(6)
    counts[2:, 0] = 0
    counts[:, 1] = [1, 0]
    result = discriminations(counts)
    assert result[0].correlation.reason == "too_few_raters"
    assert result[1].correlation.reason == "all_tied"
    assert result[0].p_value is None and result[0].adjusted is None and not result[0].flagged


def test_keys_need_one_for_each_item() -> None:
    with pytest.raises(ValueError, match="keys"):
        discriminations(study(7), keys=np.zeros(3))
