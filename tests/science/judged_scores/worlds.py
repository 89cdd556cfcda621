"""Claims of known truth, judged by a scripted judge of known rates, some verified by people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from backend.science.judged_scores.claims import (
    BoolArray,
    FloatArray,
    IntArray,
    JudgedClaims,
    rationale_weights,
)
from backend.science.judged_scores.corrected_mean import (
    UNIT,
    Bounds,
    CorrectedMean,
    corrected_mean,
)
from backend.science.judged_scores.verdict_sampling import (
    Sampling,
    choose_claims,
    judge_uncertainty,
)

SEED = 20_261_123


@dataclass(frozen=True)
class ScriptedJudge:
    """Shares of claims: true ones, false ones that it supports, true ones that it does not."""

    truth: float = 0.7
    false_support: float = 0.3
    missed_support: float = 0.1

    @property
    def raw(self) -> float:
        """The share that it supports, by arithmetic."""
        return self.truth * (1 - self.missed_support) + (1 - self.truth) * self.false_support

    def claims(self, rng: np.random.Generator, count: int) -> tuple[FloatArray, FloatArray]:
        """Truth and the judge's verdicts, (count,) each."""
        truth = (rng.random(count) < self.truth).astype(np.float64)
        return truth, scripted_verdicts(rng, truth, self.false_support, self.missed_support)


def scripted_verdicts(
    rng: np.random.Generator,
    truth: FloatArray,
    false_support: npt.ArrayLike,
    missed_support: npt.ArrayLike,
) -> FloatArray:
    chance = np.where(truth > 0, 1 - np.asarray(missed_support), np.asarray(false_support))
    return (rng.random(len(truth)) < chance).astype(np.float64)


def choose(rng: np.random.Generator, count: int, verdicts: int) -> BoolArray:
    chosen = np.zeros(count, dtype=np.bool_)
    chosen[rng.permutation(count)[:verdicts]] = True
    return chosen


def plain_claims(
    rng: np.random.Generator, judge: ScriptedJudge, *, claims: int, verdicts: int
) -> JudgedClaims:
    truth, supports = judge.claims(rng, claims)
    return JudgedClaims.of(supports, np.where(choose(rng, claims, verdicts), truth, np.nan))


CLUSTERED_TRUTH = 2 / 3


def clustered_claims(
    rng: np.random.Generator, *, rationales: int, verdicts: int, whole: bool = False
) -> JudgedClaims:
    """Rationales of 1 to 7 claims, each with its own rates; verdicts on claims or on rationales."""
    sizes = rng.integers(1, 8, rationales)
    labels = np.repeat(np.arange(rationales), sizes)
    truth = (rng.random(len(labels)) < rng.beta(2, 1, rationales)[labels]).astype(np.float64)
    false_support = rng.beta(1, 3, rationales)[labels]
    missed_support = rng.beta(1, 5, rationales)[labels]
    supports = scripted_verdicts(rng, truth, false_support, missed_support)
    if whole:
        chosen = np.isin(labels, rng.permutation(rationales)[:verdicts])
    else:
        chosen = choose(rng, len(labels), verdicts)
    people = np.where(chosen, truth, np.nan)
    weights = rationale_weights(labels)
    return JudgedClaims.of(supports, people, clusters=labels, weights=weights)


ACTIVE_TRUTH = 0.8 / 1.3


def active_claims(
    rng: np.random.Generator, *, claims: int, verdicts: int, sampling: Sampling = "fixed_size"
) -> JudgedClaims:
    """A judge that gives probabilities, a little too sure, verified where it is unsure."""
    truth_rates = rng.beta(0.8, 0.5, claims)
    truth = (rng.random(claims) < truth_rates).astype(np.float64)
    odds = (truth_rates / (1 - truth_rates + 1e-12)) ** 1.3
    scores = odds / (1 + odds)
    sample = choose_claims(
        judge_uncertainty(scores), verdicts, seed=int(rng.integers(2**31)), sampling=sampling
    )
    people = np.where(sample.chosen, truth, np.nan)
    return JudgedClaims.of(scores, people, propensities=sample.propensities)


def clustered_active_claims(
    rng: np.random.Generator, *, rationales: int, verdicts: int, sampling: Sampling = "fixed_size"
) -> JudgedClaims:
    """Rationales of 1 to 7 claims whose truth and whose judge's errors are alike, verified as
    studies choose: by weight and where the judge is unsure; it is judged by its verdicts."""
    labels = np.repeat(np.arange(rationales), rng.integers(1, 8, rationales))
    own, shared = rng.beta(0.8, 0.5, len(labels)), rng.beta(0.8, 0.5, rationales)[labels]
    truth_rates = np.clip(np.where(rng.random(len(labels)) < 0.5, own, shared), 1e-9, 1 - 1e-9)
    truth = (rng.random(len(labels)) < truth_rates).astype(np.float64)
    errors = rng.normal(0.3, 0.6, rationales)[labels]
    scores = 1 / (1 + np.exp(-1.3 * np.log(truth_rates / (1 - truth_rates)) - errors))
    weights = rationale_weights(labels)
    seed = int(rng.integers(2**31))
    doubt = weights * judge_uncertainty(scores)
    sample = choose_claims(doubt, verdicts, seed=seed, sampling=sampling)
    return JudgedClaims.of(
        (scores >= 0.5).astype(np.float64),
        np.where(sample.chosen, truth, np.nan),
        clusters=labels,
        weights=weights,
        propensities=sample.propensities,
    )


STRATA = (
    ScriptedJudge(0.9, 0.1, 0.05),
    ScriptedJudge(0.6, 0.3, 0.1),
    ScriptedJudge(0.3, 0.5, 0.4),
)
STRATIFIED_TRUTH = 0.6


def stratified_claims(rng: np.random.Generator, *, claims: int, verdicts: int) -> JudgedClaims:
    """Relation types at random, with equally many verdicts each."""
    strata: IntArray = rng.integers(0, len(STRATA), claims)
    truth, supports = np.empty(claims), np.empty(claims)
    chosen = np.zeros(claims, dtype=np.bool_)
    for number, judge in enumerate(STRATA):
        places = np.flatnonzero(strata == number)
        truth[places], supports[places] = judge.claims(rng, len(places))
        chosen[rng.permutation(places)[: verdicts // len(STRATA)]] = True
    return JudgedClaims.of(supports, np.where(chosen, truth, np.nan), strata=strata)


LEVELS = np.arange(1.0, 6.0)
LEVEL_SHARES = np.array([0.05, 0.15, 0.2, 0.35, 0.25])
# A rater differs from a text's level by a step up or down in three of ten cases, within 1 and 5.
MEAN_RATINGS = np.array([1.15, 2.0, 3.0, 4.0, 4.85])
SCORES_TRUTH = float(LEVEL_SHARES @ MEAN_RATINGS)


def scored_texts(
    rng: np.random.Generator, *, texts: int, rated: int, per_question: int = 1
) -> JudgedClaims:
    """Texts with a level from 1 to 5: three raters each, and a judge that is a step too kind.

    The texts of a question share their level in two of three cases, and the judge's error in part.
    """
    questions = np.repeat(np.arange(texts // per_question), per_question)
    shared, own = (rng.choice(5, texts, p=LEVEL_SHARES) for _ in range(2))
    place = np.where(rng.random(texts) < 2 / 3, shared[questions * per_question], own)
    steps = rng.choice([-1, 0, 1], (3, texts), p=[0.15, 0.7, 0.15])
    ratings = np.clip(LEVELS[place] + steps, 1, 5).mean(axis=0)
    errors = rng.normal(0, 0.4, texts)[questions * per_question] + rng.normal(0, 0.6, texts)
    judge = np.clip(LEVELS[place] + 0.8 + errors, 1, 5)
    chosen = choose(rng, texts, rated)
    return JudgedClaims.of(judge, np.where(chosen, ratings, np.nan), clusters=questions)


def estimates(
    world: Callable[[np.random.Generator], JudgedClaims],
    worlds: int,
    *,
    bounds: Bounds = UNIT,
) -> list[CorrectedMean]:
    return [
        corrected_mean(world(np.random.default_rng([SEED, one])), bounds=bounds)
        for one in range(worlds)
    ]


def coverage(means: list[CorrectedMean], truth: float) -> float:
    return float(np.mean([m.low is not None and m.low <= truth <= (m.high or 0) for m in means]))
