"""Dawid and Skene's model against its paper, loops, and raters of known ability."""

from __future__ import annotations

import math

import numpy as np
import pytest

from backend.science.judgements.dawid_skene import (
    DawidSkene,
    fit_dawid_skene,
)
from backend.science.judgements.tables import Cells, FloatArray, IntArray
from tests.science.judgements.anaesthetists import anaesthetist_counts
from tests.science.judgements.random_tables import TABLES, random_table

ABILITIES = np.array([0.95, 0.9, 0.8, 0.7, 0.4])


def judgement_counts(cells: Cells) -> FloatArray:
    """How often each rater gave each item each category: (raters, items, K)."""
    counts = np.zeros((*cells.shape, len(cells.categories)))
    counts[cells.rater, cells.item, cells.category] = 1
    return counts


def simulated(seed: int, items: int = 300, gaps: float = 0.2) -> tuple[FloatArray, IntArray]:
    """Counts of five raters who know the truth with ABILITIES, else toss among three; the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, items, p=[0.5, 0.3, 0.2])
    shape = (len(ABILITIES), items)
    values = np.where(rng.random(shape) < ABILITIES[:, None], truth, rng.integers(0, 3, shape))
    table = np.where(rng.random(shape) < gaps, np.nan, values)
    return judgement_counts(Cells.of(table, [0, 1, 2])), truth


def naive_em(counts: FloatArray, smoothing: float, iterations: int) -> tuple[FloatArray, float]:
    """Posteriors and log-likelihood from the votes, one number at a time."""
    raters, items, size = counts.shape
    votes = [
        [(r, m, float(counts[r, i, m])) for r in range(raters) for m in range(size)]
        for i in range(items)
    ]
    votes = [[vote for vote in of_item if vote[2]] for of_item in votes]
    posterior = [(counts[:, i].sum(axis=0) / counts[:, i].sum()).tolist() for i in range(items)]
    likelihood = 0.0
    for _ in range(iterations):
        prior = [sum(p[k] for p in posterior) / items for k in range(size)]
        chance = [[[smoothing] * size for _ in range(size)] for _ in range(raters)]
        for of_item, p in zip(votes, posterior, strict=True):
            for r, m, count in of_item:
                for k in range(size):
                    chance[r][k][m] += p[k] * count
        chance = [[[one / sum(row) for one in row] for row in table] for table in chance]
        likelihood, posterior = 0.0, []
        for of_item in votes:
            joint = list(prior)
            for r, m, count in of_item:
                for k in range(size):
                    joint[k] *= chance[r][k][m] ** count
            likelihood += math.log(sum(joint))
            posterior.append([one / sum(joint) for one in joint])
    return np.array(posterior), likelihood


def test_the_anaesthetists_have_the_published_estimates() -> None:
    """Dawid and Skene (1979): class probabilities of table 2, error rates of observer 1."""
    fit = fit_dawid_skene(anaesthetist_counts(), seed=0, smoothing=0, starts=1)
    assert fit.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    printed = [[0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0]]
    np.testing.assert_allclose(fit.confusion[0, :3].round(2), printed, atol=1e-9)
    # Patients 1, 11 and 13 were unanimous, patient 8 nearly so.
    assert fit.labels[[0, 10, 12, 7]].tolist() == [0, 3, 0, 2]
    assert fit.converged


@pytest.mark.parametrize("smoothing", [0.0, 0.01, 1.0])
def test_the_anaesthetists_have_the_posteriors_of_loops(smoothing: float) -> None:
    counts = anaesthetist_counts()
    fit = fit_dawid_skene(counts, seed=0, smoothing=smoothing, starts=1)
    posteriors, likelihood = naive_em(counts, smoothing, len(fit.objective))
    np.testing.assert_allclose(fit.posteriors, posteriors, atol=1e-10)
    assert fit.log_likelihood == pytest.approx(likelihood, rel=1e-12)


def test_random_tables_with_gaps_have_the_posteriors_of_loops() -> None:
    for seed in range(TABLES):
        table = random_table(seed)[:3, :6]
        table = table[:, ~np.isnan(table).all(axis=0)]
        counts = judgement_counts(Cells.of(table))
        # Each iteration is compared with one of the loops; a finer end would only add more of them.
        fit = fit_dawid_skene(counts, seed=0, smoothing=1.0, starts=1, tolerance=1e-5)
        assert len(fit.objective) > 2
        posteriors, _ = naive_em(counts, 1.0, len(fit.objective))
        np.testing.assert_allclose(fit.posteriors, posteriors, atol=1e-8)


@pytest.mark.parametrize("smoothing", [0.0, 0.01, 1.0])
def test_each_iteration_increases_the_objective(smoothing: float) -> None:
    for seed in range(15):
        counts = judgement_counts(Cells.of(random_table(seed)))
        fit = fit_dawid_skene(counts, seed=seed, smoothing=smoothing, starts=3)
        steps = np.diff(fit.objective)
        assert (steps >= -1e-9 * abs(fit.objective[-1])).all()
        assert fit.posteriors.sum(axis=1) == pytest.approx(1)
        assert fit.confusion.sum(axis=2) == pytest.approx(1)


def test_abilities_and_labels_are_recovered_better_than_by_votes() -> None:
    counts, truth = simulated(seed=3)
    fit = fit_dawid_skene(counts, seed=1)
    expected = ABILITIES + (1 - ABILITIES) / 3
    np.testing.assert_allclose(fit.accuracy, expected, atol=0.08)
    votes = counts.sum(axis=0).argmax(axis=1)
    assert np.mean(fit.labels == truth) > np.mean(votes == truth)


def test_more_starts_never_give_a_worse_objective_and_a_seed_repeats() -> None:
    counts = judgement_counts(Cells.of(random_table(5)))
    fits: list[DawidSkene] = [fit_dawid_skene(counts, seed=2, starts=n) for n in (1, 3, 8)]
    assert fits[0].objective[-1] <= fits[1].objective[-1] <= fits[2].objective[-1]
    again = fit_dawid_skene(counts, seed=2, starts=8)
    np.testing.assert_array_equal(again.posteriors, fits[2].posteriors)


def test_an_item_without_judgements_has_the_prior() -> None:
    counts, _ = simulated(seed=4, items=50)
    counts[:, 7] = 0
    fit = fit_dawid_skene(counts, seed=0)
    np.testing.assert_allclose(fit.posteriors[7], fit.prior, rtol=1e-5)
    without = fit_dawid_skene(np.delete(counts, 7, axis=1), seed=0, starts=1)
    one = fit_dawid_skene(counts, seed=0, starts=1)
    np.testing.assert_allclose(one.prior, without.prior, atol=1e-5)


def test_a_rater_without_judgements_has_even_chances() -> None:
    counts, _ = simulated(seed=4, items=50)
    counts[2] = 0
    assert fit_dawid_skene(counts, seed=0).confusion[2] == pytest.approx(1 / 3)


@pytest.mark.parametrize("counts", [np.zeros((2, 3, 2)), np.ones((2, 3)), np.full((2, 3, 2), -1.0)])
def test_invalid_counts_are_rejected(counts: FloatArray) -> None:
    with pytest.raises(ValueError, match="counts are"):
        fit_dawid_skene(counts, seed=0)


@pytest.mark.parametrize(("starts", "smoothing"), [(0, 0.1), (1, -0.1)])
def test_invalid_settings_are_rejected(starts: int, smoothing: float) -> None:
    with pytest.raises(ValueError, match="a fit needs"):
        fit_dawid_skene(np.ones((2, 3, 2)), seed=0, starts=starts, smoothing=smoothing)
