"""Simulated rankings and votes of raters who differ, with known truth."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from backend.science.judgements.bradley_terry import Comparisons
from backend.science.judgements.bradley_terry_intervals import board_of_arms
from backend.science.judgements.contrasts import Row, two_way_item_mean
from backend.science.judgements.tables import FloatArray
from backend.science.study_planner.raters import draw_preferences
from tests.science.evaluation.worlds import holds_true_ranks

CANDIDATES, RANKED_ITEMS, CONSISTENCY = 8, 30, 1.5
# Mean tau-b of two raters, by spread of the log consistencies: 300 studies of 60 raters and 30
# items, standard error below 0.0024.
MEAN_TAU_B = {0.0: 0.417, 0.5: 0.397, 1.0: 0.364}
MEAN_W = {0.5: 0.752, 1.0: 0.729}  # of two raters, alike, standard error below 0.0014
MEAN_TOP1 = {0.5: 0.331, 1.0: 0.327}  # likewise, standard error below 0.002
MODEL_BOARDS = {
    "equal models": [0.0] * 6,
    "pairs a step apart": [0.6, 0.6, 0.0, 0.0, -0.6, -0.6],
    "one leader": [1.0, 0.0, 0.0, 0.0, 0.0],
}
OWN_SPREAD, PAIR_SPREAD, TIE = 0.7, 0.7, 0.5


def pair_signs(rng: np.random.Generator, raters: int, items: int, spread: float) -> FloatArray:
    """(raters, items, pairs of candidates) of Plackett-Luce rankings."""
    worths = rng.normal(size=(items, CANDIDATES))
    consistency = CONSISTENCY * np.exp(spread * rng.normal(size=(raters, 1, 1)))
    values = worths * consistency + rng.gumbel(size=(raters, items, CANDIDATES))
    one, other = np.triu_indices(CANDIDATES, 1)
    return np.asarray(np.sign(values[..., one] - values[..., other]))


def tau_b_of(one: FloatArray, other: FloatArray) -> FloatArray:
    """Of two raters' signs (items, pairs), for each item."""
    return np.asarray((one * other).mean(axis=1))


def _points(signs: FloatArray) -> FloatArray:
    """Candidates behind less candidates ahead, (items, candidates)."""
    ahead, behind = np.triu_indices(CANDIDATES, 1)
    wins = np.zeros((len(ahead), CANDIDATES))
    wins[np.arange(len(ahead)), ahead], wins[np.arange(len(behind)), behind] = 1, -1
    return np.asarray(signs @ wins)


def w_of(one: FloatArray, other: FloatArray) -> FloatArray:
    """Kendall's W of two raters for each item: (1 + rho) / 2, as nothing is tied."""
    left, right = _points(one), _points(other)
    return np.asarray((1 + (left * right).sum(axis=1) / (left**2).sum(axis=1)) / 2)


def same_first_of(one: FloatArray, other: FloatArray) -> FloatArray:
    """Whether two raters have the same candidate first, for each item."""
    return np.asarray(_points(one).argmax(axis=1) == _points(other).argmax(axis=1), np.float64)


MEASURES = {
    "tau-b": (tau_b_of, MEAN_TAU_B, (-1, 1)),
    "W": (w_of, MEAN_W, (0, 1)),
    "top1": (same_first_of, MEAN_TOP1, (0, 1)),
}


def agreement_coverage(measure: str, raters: int, spread: float, *, worlds: int) -> float:
    """Share of worlds whose interval holds the mean agreement of other raters and items."""
    value_of, truth, bounds = MEASURES[measure]
    inside = []
    for world in range(worlds):
        rng = np.random.default_rng([20_261_122, raters, world])
        signs = pair_signs(rng, raters, RANKED_ITEMS, spread)
        rows: list[Row] = [
            (item, (one, other), float(value), 1.0)
            for one, other in combinations(range(raters), 2)
            for item, value in enumerate(value_of(signs[one], signs[other]))
        ]
        mean = two_way_item_mean(rows, (raters, RANKED_ITEMS), bounds=bounds)
        assert mean.low is not None and mean.high is not None
        inside.append(mean.low <= truth[spread] <= mean.high)
    return float(np.mean(inside))


def draw_votes(
    rng: np.random.Generator, truth: list[float], raters: int, items: int, overlap: int
) -> Comparisons:
    """Each item is a pair of models, judged by `overlap` raters; raters and items differ."""
    arms = len(truth)
    first = rng.integers(0, arms, items)
    second = (first + rng.integers(1, arms, items)) % arms
    item = np.repeat(np.arange(items), overlap)
    rater = np.concatenate([rng.permutation(raters)[:overlap] for _ in range(items)])
    own = np.array(truth) + OWN_SPREAD * rng.normal(size=(raters, arms))
    effects = PAIR_SPREAD * rng.normal(size=items)
    log_odds = own[rater, first[item]] - own[rater, second[item]] + effects[item]
    is_swapped = rng.random(len(item)) < 0.5
    left = np.where(is_swapped, second[item], first[item])
    right = np.where(is_swapped, first[item], second[item])
    signed = np.where(is_swapped, -log_odds, log_odds)
    chosen = draw_preferences(signed, rng, tie=TIE)
    return Comparisons(left, right, 1 - chosen, rater, arms, item)


def model_rank_coverage(
    truth: list[float], *, worlds: int, raters: int, items: int = 60, overlap: int = 5
) -> tuple[float, float]:
    """Share of boards whose rank sets all hold the true ranks, and of neighbours separated."""
    inside, separated = [], []
    for world in range(worlds):
        rng = np.random.default_rng([20_261_122, raters, world])
        votes = draw_votes(rng, truth, raters, items, overlap)
        sets = board_of_arms(votes, seed=world, draws=500).rank_sets
        if sets is not None:
            inside.append(holds_true_ranks(sets, truth))
            separated.append(sets.separated_share or 0.0)
    return float(np.mean(inside)), float(np.mean(separated))
