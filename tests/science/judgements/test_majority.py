"""One more rater against the majority and the median of the others."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from backend.science.judgements.majority import (
    kappa_with_raters,
    majority,
    median_grade,
    share_with_majority,
)
from backend.science.judgements.tables import FloatArray

GAP = np.nan


def table_of(seed: int, raters: int = 5, items: int = 40) -> tuple[FloatArray, FloatArray]:
    """Grades from 0 to 4 around a truth, with gaps, and those of one more rater."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, items)
    values = np.clip(truth + rng.integers(-1, 2, (raters + 1, items)), 0, 4).astype(float)
    values[:raters][rng.random((raters, items)) < 0.3] = GAP
    return values[:raters], values[raters]


def test_a_majority_is_one_value_alone_and_a_median_may_lie_between_two() -> None:
    values = [[1, 1, GAP, 0], [1, 2, GAP, 3], [0, GAP, GAP, 3]]
    np.testing.assert_array_equal(majority(values), [1, GAP, GAP, 3])
    np.testing.assert_array_equal(median_grade(values), [1, 1.5, GAP, 3])
    np.testing.assert_array_equal(majority(np.empty((0, 2))), [GAP, GAP])


@pytest.mark.parametrize("seed", range(10))
def test_shares_and_kappas_are_those_of_plain_counts(seed: int) -> None:
    values, judge = table_of(seed)
    share = share_with_majority(values, judge, seed=seed, draws=1)
    kappa = kappa_with_raters(values, judge, seed=seed, draws=1)
    counts = [[v for v in row if v == v] for row in values.T]
    plain = [max(set(one), key=one.count, default=GAP) for one in counts]
    clear = [
        place
        for place, one in enumerate(counts)
        if one and sum(one.count(v) == one.count(plain[place]) for v in set(one)) == 1
    ]
    mine, theirs = judge[clear], np.array(plain)[clear]
    assert share.n == kappa.n == len(clear)
    assert share.value == pytest.approx(np.mean(mine == theirs))
    assert kappa.value == pytest.approx(cohen_kappa_score(mine.astype(int), theirs.astype(int)))
    halves = [step / 2 for step in range(9)]
    weighted = kappa_with_raters(
        values, judge, seed=0, weighting="linear", categories=halves, draws=1
    )
    known = [place for place, one in enumerate(counts) if one]
    medians = [int(2 * np.median(counts[place])) for place in known]
    expected = cohen_kappa_score(
        (2 * judge[known]).astype(int), medians, labels=range(9), weights="linear"
    )
    assert weighted.value == pytest.approx(expected)


def test_the_interval_draws_raters_and_items_and_holds_the_value() -> None:
    values, judge = table_of(3)
    many = share_with_majority(values, judge, seed=1, draws=200)
    few = share_with_majority(values[:2], judge, seed=1, draws=200)
    assert many.low is not None and many.high is not None and many.value is not None
    assert many.low < many.value < many.high
    assert (many.raters_resampled, few.raters_resampled) == (True, False)


def test_without_common_items_or_categories_there_is_a_reason() -> None:
    values = [[0.0, GAP], [0.0, GAP], [0.0, GAP]]
    assert share_with_majority(values, [GAP, 1], seed=0).reason == "no_overlap"
    assert kappa_with_raters(values, [0, 1], seed=0).reason == "one_category"
    with pytest.raises(ValueError, match="for each item"):
        share_with_majority(values, [0], seed=0)
