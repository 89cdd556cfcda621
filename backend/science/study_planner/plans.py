"""Plans of studies: hours of work, spread of the main estimates, and power."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import bdtr, expit, roots_hermitenorm

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.alpha import alpha_of_counts
from backend.science.study_planner.designs import (
    FloatArray,
    IntArray,
    PlannedEstimate,
    PlannedStudy,
    nominal_counts,
)
from backend.science.study_planner.raters import (
    draw_preferences,
    draw_rankings,
    draw_ratings,
    draw_verdicts,
    vary_share,
)

SIGNIFICANCE = 0.05
LIKERT = 5


@dataclass(frozen=True)
class RankingRaters:
    """Candidates with log worths from N(0, worth_sd²), ranked by Davidson-Luce raters.

    consistency_sd: of the raters' log consistencies. pair_tie: that of ties of two, 0 for none.
    """

    candidates: int = 10
    worth_sd: float = 1.0
    consistency_sd: float = 0.3
    pair_tie: float = 0.0


@dataclass(frozen=True)
class RankingPlan:
    """kendall_w: mean over items. top1: share of items whose consensus is first at the best."""

    design: PlannedStudy
    studies: int
    kendall_w: PlannedEstimate | None
    top1: PlannedEstimate | None


@dataclass(frozen=True)
class PairRaters:
    """preference: mean probability that a decided judgement is for the first arm.

    item_sd: of the log odds over the pairs. tie: 0 for none, 1 for ties as likely as each side of
    an equal pair. side_bias: log odds for the left side.
    """

    preference: float = 0.8
    item_sd: float = 0.0
    tie: float = 0.0
    side_bias: float = 0.0


@dataclass(frozen=True)
class PairPlan:
    """share: of pairs decided for the first arm, by the majority of their judgements.

    interval: Wilson's, of a study whose share is the expected one. power: share of studies in which
    a sign test over the decided pairs is significant at 5%.
    """

    design: PlannedStudy
    studies: int
    share: PlannedEstimate | None
    interval: tuple[float, float] | None
    power: float


@dataclass(frozen=True)
class VerdictRaters:
    """Claims of which `prevalence` are true; rater_sd is that of the logits of both rates."""

    prevalence: float = 0.5
    sensitivity: float = 0.9
    specificity: float = 0.9
    rater_sd: float = 0.3


@dataclass(frozen=True)
class VerdictPlan:
    """share: of claims with a majority for true, ties as half. correct: of majorities, likewise."""

    design: PlannedStudy
    studies: int
    share: PlannedEstimate | None
    correct: PlannedEstimate | None
    alpha: PlannedEstimate | None


@dataclass(frozen=True)
class RatingRaters:
    """Ratings 1 to 5 around a mean, with deviations of items, of raters, and of single answers."""

    mean: float = 3.5
    item_sd: float = 0.8
    rater_sd: float = 0.4
    noise: float = 0.8


@dataclass(frozen=True)
class RatingPlan:
    """positive: share of ratings 4 and 5. alpha: for intervals."""

    design: PlannedStudy
    studies: int
    mean: PlannedEstimate | None
    positive: PlannedEstimate | None
    alpha: PlannedEstimate | None


def plan_rankings(design: PlannedStudy, raters: RankingRaters, *, seed: int) -> RankingPlan:
    rng, count = np.random.default_rng(seed), raters.candidates
    studies = design.study_count(count * (2 * count if raters.pair_tie else 1))
    w, top1 = np.empty(studies), np.empty(studies)
    for study in range(studies):
        worths = rng.normal(scale=raters.worth_sd, size=(design.items, 1, count))
        scale = np.exp(raters.consistency_sd * rng.normal(size=design.raters))
        rows = worths * scale[design.assigned_raters()][..., None]
        ranks = draw_rankings(rows, rng, pair_tie=raters.pair_tie)
        w[study] = _mean_concordance(ranks)
        top1[study] = _share_of_best(ranks.sum(axis=1), worths[:, 0])
    return RankingPlan(design, studies, PlannedEstimate.of(w), PlannedEstimate.of(top1))


def plan_pairs(design: PlannedStudy, raters: PairRaters, *, seed: int) -> PairPlan:
    """54 pairs, one judgement each, with a preference of 80%: between 67% and 88%, ± 10 points."""
    rng, studies = np.random.default_rng(seed), design.study_count(1)
    shape = (studies, design.items, 1)
    log_odds = _mean_log_odds(raters) + raters.item_sd * rng.normal(size=shape)
    judged = np.broadcast_to(log_odds, (studies, design.items, design.overlap))
    choices = draw_preferences(judged, rng, side_bias=raters.side_bias, tie=raters.tie)
    majority = np.sign(choices.sum(axis=2))
    first, second = (majority > 0).sum(axis=1), (majority < 0).sum(axis=1)
    decided = first + second
    shares = np.full(studies, np.nan)
    np.divide(first, decided, out=shares, where=decided > 0)
    p_values = 2 * bdtr(np.minimum(first, second), decided, 0.5)
    share, trials = PlannedEstimate.of(shares), round(float(decided.mean()))
    interval = wilson_interval(share.value * trials, trials) if share and trials else None
    power = float(np.mean((p_values <= SIGNIFICANCE) & (decided > 0)))
    return PairPlan(design, studies, share, interval, power)


def plan_verdicts(design: PlannedStudy, raters: VerdictRaters, *, seed: int) -> VerdictPlan:
    rng, studies = np.random.default_rng(seed), design.study_count(1)
    truth = rng.random((studies, design.items, 1)) < raters.prevalence
    assigned = design.assigned_raters()
    sensitivity, specificity = (
        vary_share(rate, raters.rater_sd, (studies, design.raters), rng)[:, assigned]
        for rate in (raters.sensitivity, raters.specificity)
    )
    verdicts = draw_verdicts(truth, sensitivity, specificity, rng)
    majority = 0.5 + 0.5 * np.sign(verdicts.mean(axis=2) - 0.5)
    correct = np.where(truth[..., 0], majority, 1 - majority).mean(axis=1)
    counts = nominal_counts(verdicts.astype(np.int64), 2)
    return VerdictPlan(
        design,
        studies,
        PlannedEstimate.of(majority.mean(axis=1)),
        PlannedEstimate.of(correct),
        PlannedEstimate.of(alpha_of_counts(counts, 1 - np.eye(2))),
    )


def plan_ratings(design: PlannedStudy, raters: RatingRaters, *, seed: int) -> RatingPlan:
    rng, studies = np.random.default_rng(seed), design.study_count(LIKERT)
    items = raters.item_sd * rng.normal(size=(studies, design.items, 1))
    bias = raters.rater_sd * rng.normal(size=(studies, design.raters))
    means = raters.mean + items + bias[:, design.assigned_raters()]
    ratings = draw_ratings(means, rng, noise=raters.noise)
    scale = np.arange(LIKERT)
    distances = np.array((scale[:, None] - scale) ** 2, dtype=np.float64)
    alphas = alpha_of_counts(nominal_counts(ratings - 1, LIKERT), distances)
    return RatingPlan(
        design,
        studies,
        PlannedEstimate.of(ratings.mean(axis=(1, 2))),
        PlannedEstimate.of((ratings >= 4).mean(axis=(1, 2))),
        PlannedEstimate.of(alphas),
    )


def _mean_concordance(ranks: FloatArray) -> float:
    """Mean of Kendall's W over items of mid-ranks (items, raters, n): see `kendall_w`."""
    deviations = ranks - ranks.mean(axis=2, keepdims=True)
    spread = ranks.shape[1] * np.sum(deviations**2, axis=(1, 2))
    if ranks.shape[1] < 2 or not spread.any():
        return float("nan")
    agreed = np.sum(deviations.sum(axis=1) ** 2, axis=1)
    return float(np.mean(agreed[spread > 0] / spread[spread > 0]))


def _share_of_best(rank_sums: FloatArray, worths: FloatArray) -> float:
    """Share of items whose best candidate is first by rank sums; of k tied firsts it counts 1/k."""
    first = rank_sums == rank_sums.min(axis=1, keepdims=True)
    best: IntArray = worths.argmax(axis=1)
    return float(np.mean(first[np.arange(len(best)), best] / first.sum(axis=1)))


def _mean_log_odds(raters: PairRaters) -> float:
    """The mean m of normal log odds for which their mean probability is the preference."""
    if not 0 < raters.preference < 1:
        raise ValueError("a preference lies between 0 and 1")
    nodes, weights = roots_hermitenorm(40)
    shares = weights / weights.sum()
    deviations = raters.item_sd * nodes

    def excess(mean: float) -> float:
        return float(shares @ expit(mean + deviations)) - raters.preference

    return float(brentq(excess, -60.0, 60.0))
