"""Weights that fit experts' partitions, and whether each can be told from noise.

A weight says little by itself: N spreads by 1e-5 within a question and S by 0.1, so a weight on N
that changes any choice is close to 1, and chance alone may put it there. So each part is tested:
does leaving it out make the experts' choices less likely than noise would? The test is a
likelihood ratio against a parametric bootstrap: choices are drawn from the fit without the part,
and both models are fitted again. It holds for few questions and at the edge theta = 0, where the
usual chi-square does not. Parts that cannot be told from noise are left out one by one, the least
certain first, and the weights are those of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from backend.science.agreement import MIN_QUESTIONS_FOR_INTERVAL
from backend.science.bootstrap import percentile_interval
from backend.science.rns.candidates import Floats
from backend.science.rns.choices import (
    NO_SPREAD,
    Choices,
    choices_of,
    drawn,
    fit,
    resampled,
)
from backend.science.rns.errors import InvalidNumbers, SizeOutOfRange
from backend.science.rns.measures import EQUAL, Measured, Weights
from backend.science.rns.search import decide
from backend.science.rns.splits import place_of
from backend.science.statistic import Statistic

Part = Literal["relevance", "novelty", "surprise"]
PARTS: Final[tuple[Part, ...]] = ("relevance", "novelty", "surprise")
LEVEL: Final = 0.05
DRAWS: Final = 199
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ExpertChoice:
    """A question's splits, and the one of them that the experts agreed on."""

    measured: Measured
    serendipity: tuple[int, ...]

    @property
    def place(self) -> int:
        return place_of(self.measured.splits, np.array(self.serendipity, np.int64))


@dataclass(frozen=True)
class PartTest:
    """One part of RNS in the fit of all three.

    fitted: its weight there; low, high: 95% of the same fit to questions drawn again. spread: its
    root mean variance within a question. influence: its share of theta in units of the spread, that
    is of what decides. p: how often noise alone makes the choices that much likelier; the smallest
    possible is 1 / (draws + 1). told: it stayed among the calibrated weights.
    """

    part: Part
    fitted: float
    low: float
    high: float
    spread: float
    influence: float
    p: float
    told: bool


@dataclass(frozen=True)
class Calibration:
    """Weights with the evidence for them.

    weights: of the parts that can be told from noise; equal weights when none can (`learned` is
    then false). top_b: mean share of the experts' top b that is found in questions that were held
    out, with its interval; chance and equal: what random sets and equal weights have in the same
    questions. n: questions.
    """

    weights: Weights
    learned: bool
    parts: tuple[PartTest, ...]
    top_b: Statistic
    chance: float
    equal: float
    folds: int
    n: int


def calibrate(
    questions: Sequence[ExpertChoice], *, folds: int = 5, seed: int = 0, draws: int = DRAWS
) -> Calibration:
    """Fit alpha, beta and gamma to the experts' partitions.

    Everything, the leaving out too, is done again without each fold. The same questions in the
    same order and the same seed give the same answer. Raises SizeOutOfRange for fewer than two
    folds or fewer questions than folds, UnknownSplit for a partition that is not among its splits.
    """
    if not 2 <= folds <= len(questions):
        raise SizeOutOfRange("folds", f"From 2 to {len(questions)} folds are possible.")
    if draws < 19:
        raise SizeOutOfRange("draws", "Fewer than 19 draws cannot tell anything at 5%.")
    chance = np.random.default_rng(seed)
    choices, spread = prepared(questions)
    tests, told = tested(choices, spread, draws, chance)
    held_out = cross_validated(questions, folds, draws, chance)
    return Calibration(
        weights=weights_of(choices, spread, told),
        learned=bool(told.any()),
        parts=tests,
        top_b=averaged(held_out, seed),
        chance=float(np.mean([by_chance(question) for question in questions])),
        equal=float(np.mean([overlap(question, EQUAL) for question in questions])),
        folds=folds,
        n=len(questions),
    )


def prepared(questions: Sequence[ExpertChoice]) -> tuple[Choices, Floats]:
    parts = [question.measured.parts for question in questions]
    if not all(np.isfinite(one).all() for one in parts):
        raise InvalidNumbers("questions", "R, N or S of a split is not finite.")
    return choices_of(parts, [question.place for question in questions])


def tested(
    choices: Choices, spread: Floats, draws: int, chance: np.random.Generator
) -> tuple[tuple[PartTest, ...], Flags]:
    """Each part in the fit of all, and which are kept."""
    free = spread > NO_SPREAD
    theta = fit(choices, free).theta
    fitted, (low, high) = on_simplex(theta, spread), intervals(choices, spread, draws, chance)
    ps = noise_levels(choices, free, draws, chance)
    told = kept(choices, free, ps, draws, chance)
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
            bool(told[place]),
        )
        for place, part in enumerate(PARTS)
    ), told


def kept(
    choices: Choices, free: Flags, ps: Floats, draws: int, chance: np.random.Generator
) -> Flags:
    """Leave out the least certain part until all that are left can be told from noise.

    The fewer are left, the stricter: the last is the best of three, and must pass a third of 5%.
    """
    kept_parts = free.copy()
    while kept_parts.any():
        worst = int(np.where(kept_parts, ps, -1).argmax())
        if ps[worst] <= LEVEL / (len(PARTS) + 1 - kept_parts.sum()):
            break
        kept_parts[worst] = False
        ps = noise_levels(choices, kept_parts, draws, chance)
    return kept_parts


def noise_levels(choices: Choices, free: Flags, draws: int, chance: np.random.Generator) -> Floats:
    """p of each free part given the other free ones; 1 for the others."""
    found = np.ones(3)
    for part in np.flatnonzero(free):
        found[part] = noise_level(choices, free, int(part), draws, chance)
    return found


def noise_level(
    choices: Choices, free: Flags, part: int, draws: int, chance: np.random.Generator
) -> float:
    without = free.copy()
    without[part] = False
    seen = gain(choices, free, without)
    if seen <= 0:
        return 1.0
    theta = fit(choices, without).theta
    noise = [gain(drawn(choices, theta, chance), free, without) for _ in range(draws)]
    return (1 + sum(one >= seen for one in noise)) / (draws + 1)


def gain(choices: Choices, free: Flags, without: Flags) -> float:
    return fit(choices, free).likelihood - fit(choices, without).likelihood


def intervals(choices: Choices, spread: Floats, draws: int, chance: np.random.Generator) -> Floats:
    """2.5% and 97.5% of each fitted weight over questions drawn again, float64 [2, 3]."""
    free = spread > NO_SPREAD
    found = [on_simplex(fit(resampled(choices, chance), free).theta, spread) for _ in range(draws)]
    return np.asarray(np.quantile(np.array(found), [0.025, 0.975], axis=0))


def on_simplex(theta: Floats, spread: Floats) -> Floats:
    """Weights of R, N and S themselves. Nothing learned: equal."""
    raw = np.divide(theta, spread, out=np.zeros(3), where=spread > NO_SPREAD)
    return raw / raw.sum() if raw.sum() > 0 else np.full(3, 1 / 3)


def weights_of(choices: Choices, spread: Floats, told: Flags) -> Weights:
    alpha, beta, gamma = on_simplex(fit(choices, told).theta, spread).tolist()
    return Weights(alpha, beta, gamma)


def cross_validated(
    questions: Sequence[ExpertChoice], folds: int, draws: int, chance: np.random.Generator
) -> list[float]:
    """The overlap in each question, with weights that were fitted without its fold."""
    fold_of = chance.permutation(np.arange(len(questions)) % folds)
    found = [0.0] * len(questions)
    for fold in range(folds):
        weights = fitted_to(
            [questions[n] for n in np.flatnonzero(fold_of != fold).tolist()], draws, chance
        )
        for number in np.flatnonzero(fold_of == fold).tolist():
            found[number] = overlap(questions[number], weights)
    return found


def fitted_to(
    questions: Sequence[ExpertChoice], draws: int, chance: np.random.Generator
) -> Weights:
    choices, spread = prepared(questions)
    free = spread > NO_SPREAD
    ps = noise_levels(choices, free, draws, chance)
    return weights_of(choices, spread, kept(choices, free, ps, draws, chance))


def overlap(question: ExpertChoice, weights: Weights) -> float:
    """Share of the experts' top b that is in the best split."""
    best = question.measured.splits[decide(question.measured, weights)].tolist()
    return len(set(best) & set(question.serendipity)) / len(best)


def by_chance(question: ExpertChoice) -> float:
    return len(question.serendipity) / question.measured.count


def averaged(values: list[float], seed: int) -> Statistic:
    mean = Statistic(float(np.mean(values)), len(values))
    if len(values) < MIN_QUESTIONS_FOR_INTERVAL:
        return replace(mean, interval_reason="too_few_questions")
    low, high = percentile_interval(values, seed=seed)
    return replace(mean, low=low, high=high)
