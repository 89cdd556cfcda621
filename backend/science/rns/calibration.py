"""RNS weights fitted to experts' partitions, with a significance test of each component.

A weight by itself means little: N varies by 1e-5 within a question and S by 0.1, so a weight on N
that changes any choice is close to 1 and may be due to chance. Each component is therefore tested:
does removing it make the experts' choices less likely than noise would? The test is a likelihood
ratio test against a parametric bootstrap: choices are drawn from the fit without the component, and
both models are refitted. It is valid for few questions and at the boundary theta = 0, where the
chi-square approximation is not. Components that are not significant are removed one at a time, the
largest p first, and the weights are those of the remaining ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from backend.science.agreement import MIN_QUESTIONS_FOR_INTERVAL
from backend.science.bootstrap import percentile_interval
from backend.science.optional_statistic import Statistic
from backend.science.rns.candidates import Floats
from backend.science.rns.conditional_logit import (
    MIN_SPREAD,
    ChoiceData,
    build_choice_data,
    draw_choices,
    fit,
    resample_questions,
)
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange
from backend.science.rns.measures import EQUAL_WEIGHTS, SplitScores, Weights
from backend.science.rns.search import choose_split
from backend.science.rns.splits import split_index

ScorePart = Literal["relevance", "novelty", "surprise"]
SCORE_PARTS: Final[tuple[ScorePart, ...]] = ("relevance", "novelty", "surprise")
SIGNIFICANCE_LEVEL: Final = 0.05
DEFAULT_DRAWS: Final = 199
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ExpertChoice:
    """The scores of a question's splits, and the split that the experts agreed on."""

    scores: SplitScores
    serendipity: tuple[int, ...]

    @property
    def split_index(self) -> int:
        return split_index(self.scores.splits, np.array(self.serendipity, np.int64))


@dataclass(frozen=True)
class PartTest:
    """One component of RNS in the fit of all three.

    fitted: its weight there; low, high: 95% interval of the same fit over resampled questions.
    spread: its root mean variance within a question. influence: its share of theta in units of the
    spread, that is, of the decision. p: how often noise alone increases the likelihood as much; at
    least 1 / (draws + 1). Only significant components are part of the calibrated weights.
    """

    part: ScorePart
    fitted: float
    low: float
    high: float
    spread: float
    influence: float
    p: float
    is_significant: bool


@dataclass(frozen=True)
class Calibration:
    """Weights with the evidence for them.

    weights: of the significant components; equal weights if there are none (is_fitted is then
    False).
    top_overlap: mean share of the experts' top b that is found in held-out questions, with its
    interval; chance_overlap and equal_weights_overlap: the same for random sets and for equal
    weights.
    n: number of questions.
    """

    weights: Weights
    is_fitted: bool
    parts: tuple[PartTest, ...]
    top_overlap: Statistic
    chance_overlap: float
    equal_weights_overlap: float
    folds: int
    n: int


def calibrate(
    questions: Sequence[ExpertChoice], *, folds: int = 5, seed: int = 0, draws: int = DEFAULT_DRAWS
) -> Calibration:
    """Fit alpha, beta and gamma to the experts' partitions.

    Cross-validation repeats everything, including the selection of components, without each fold.
    Deterministic for the same questions, order and seed. Raises SizeOutOfRange for fewer than two
    folds or fewer questions than folds, UnknownSplit for a partition that is not among its splits.
    """
    if not 2 <= folds <= len(questions):
        raise SizeOutOfRange("folds", f"From 2 to {len(questions)} folds are possible.")
    if draws < 19:
        raise SizeOutOfRange("draws", "At least 19 draws are needed for a test at 5%.")
    rng = np.random.default_rng(seed)
    choices, spread = prepare_choices(questions)
    tests, significant = test_parts(choices, spread, draws, rng)
    held_out = cross_validate(questions, folds, draws, rng)
    return Calibration(
        weights=fit_weights(choices, spread, significant),
        is_fitted=bool(significant.any()),
        parts=tests,
        top_overlap=average_overlap(held_out, seed),
        chance_overlap=float(np.mean([chance_overlap(question) for question in questions])),
        equal_weights_overlap=float(
            np.mean([overlap(question, EQUAL_WEIGHTS) for question in questions])
        ),
        folds=folds,
        n=len(questions),
    )


def prepare_choices(questions: Sequence[ExpertChoice]) -> tuple[ChoiceData, Floats]:
    parts = [question.scores.parts for question in questions]
    if not all(np.isfinite(one).all() for one in parts):
        raise InvalidNumbers("questions", "R, N or S of a split is not finite.")
    return build_choice_data(parts, [question.split_index for question in questions])


def test_parts(
    choices: ChoiceData, spread: Floats, draws: int, rng: np.random.Generator
) -> tuple[tuple[PartTest, ...], Flags]:
    """The test of each component in the full fit, and which components are retained."""
    free = spread > MIN_SPREAD
    theta = fit(choices, free).theta
    fitted, (low, high) = on_simplex(theta, spread), intervals(choices, spread, draws, rng)
    ps = p_values(choices, free, draws, rng)
    significant = select_significant(choices, free, ps, draws, rng)
    influence = theta / theta.sum() if theta.sum() > 0 else np.zeros(3)
    return tuple(
        PartTest(
            part,
            float(fitted[place]),
            float(low[place]),
            float(high[place]),
            float(spread[place]),
            float(influence[place]),
            float(ps[place]),
            bool(significant[place]),
        )
        for place, part in enumerate(SCORE_PARTS)
    ), significant


def select_significant(
    choices: ChoiceData, free: Flags, ps: Floats, draws: int, rng: np.random.Generator
) -> Flags:
    """Remove the component with the largest p until all remaining ones are significant.

    The level is stricter the fewer remain: the last is the best of three, and needs a third of 5%.
    """
    significant = free.copy()
    while significant.any():
        worst = int(np.where(significant, ps, -1).argmax())
        if ps[worst] <= SIGNIFICANCE_LEVEL / (len(SCORE_PARTS) + 1 - significant.sum()):
            break
        significant[worst] = False
        ps = p_values(choices, significant, draws, rng)
    return significant


def p_values(choices: ChoiceData, free: Flags, draws: int, rng: np.random.Generator) -> Floats:
    """p of each free component given the other free ones; 1 for the others."""
    result = np.ones(3)
    for part in np.flatnonzero(free):
        result[part] = p_value(choices, free, int(part), draws, rng)
    return result


def p_value(
    choices: ChoiceData, free: Flags, part: int, draws: int, rng: np.random.Generator
) -> float:
    without = free.copy()
    without[part] = False
    gain = likelihood_gain(choices, free, without)
    if gain <= 0:
        return 1.0
    theta = fit(choices, without).theta
    noise = [
        likelihood_gain(draw_choices(choices, theta, rng), free, without) for _ in range(draws)
    ]
    return (1 + sum(one >= gain for one in noise)) / (draws + 1)


def likelihood_gain(choices: ChoiceData, free: Flags, without: Flags) -> float:
    return fit(choices, free).likelihood - fit(choices, without).likelihood


def intervals(choices: ChoiceData, spread: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """2.5% and 97.5% quantiles of each fitted weight over resampled questions, float64 [2, 3]."""
    free = spread > MIN_SPREAD
    result = [
        on_simplex(fit(resample_questions(choices, rng), free).theta, spread) for _ in range(draws)
    ]
    return np.asarray(np.quantile(np.array(result), [0.025, 0.975], axis=0))


def on_simplex(theta: Floats, spread: Floats) -> Floats:
    """Weights of R, N and S in their own units; equal weights if theta is zero."""
    raw = np.divide(theta, spread, out=np.zeros(3), where=spread > MIN_SPREAD)
    return raw / raw.sum() if raw.sum() > 0 else np.full(3, 1 / 3)


def fit_weights(choices: ChoiceData, spread: Floats, significant: Flags) -> Weights:
    alpha, beta, gamma = on_simplex(fit(choices, significant).theta, spread).tolist()
    return Weights(alpha, beta, gamma)


def cross_validate(
    questions: Sequence[ExpertChoice], folds: int, draws: int, rng: np.random.Generator
) -> list[float]:
    """The overlap in each question, with weights fitted without its fold."""
    fold_of = rng.permutation(np.arange(len(questions)) % folds)
    result = [0.0] * len(questions)
    for fold in range(folds):
        weights = fit_to_questions(
            [questions[n] for n in np.flatnonzero(fold_of != fold).tolist()], draws, rng
        )
        for number in np.flatnonzero(fold_of == fold).tolist():
            result[number] = overlap(questions[number], weights)
    return result


def fit_to_questions(
    questions: Sequence[ExpertChoice], draws: int, rng: np.random.Generator
) -> Weights:
    choices, spread = prepare_choices(questions)
    free = spread > MIN_SPREAD
    ps = p_values(choices, free, draws, rng)
    return fit_weights(choices, spread, select_significant(choices, free, ps, draws, rng))


def overlap(question: ExpertChoice, weights: Weights) -> float:
    """Share of the experts' top b that is in the best split."""
    best = question.scores.splits[choose_split(question.scores, weights)].tolist()
    return len(set(best) & set(question.serendipity)) / len(best)


def chance_overlap(question: ExpertChoice) -> float:
    return len(question.serendipity) / question.scores.candidate_count


def average_overlap(values: list[float], seed: int) -> Statistic:
    mean = Statistic(float(np.mean(values)), len(values))
    if len(values) < MIN_QUESTIONS_FOR_INTERVAL:
        return replace(mean, interval_reason="too_few_questions")
    low, high = percentile_interval(values, seed=seed)
    return replace(mean, low=low, high=high)
