"""The Davidson-Luce model: Plackett-Luce with ties, gaps, and raters of different consistency."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from backend.science.rank_models.choices import (
    Choices,
    RatedQuestion,
    choices_of,
    group_sizes,
)
from backend.science.rankings import FloatArray, Groups

MAX_ROUNDS, ROUND_TOLERANCE, MAX_LOG = 20, 1e-3, 4.0
EQUAL_WORTHS = 1e-4  # log worths that are closer are equal: the optimiser's error is smaller


@dataclass(frozen=True)
class Prior:
    """Standard deviations of independent normal priors with mean 0; infinity is no prior.

    worth: of log worths. tie: of log tie parameters. consistency: of log consistencies. The
    defaults keep an estimate finite where a candidate is always first or a size of group always
    chosen, and a rater with few rankings near consistency 1.
    """

    worth: float = 3.0
    tie: float = 3.0
    consistency: float = 0.5


@dataclass(frozen=True)
class DavidsonLuce:
    """A fitted model.

    log_worths: of each question, by candidate, with mean 0; higher is better.
    ties: δ by size of group, 1 for size 1.
    consistencies: by rater, with geometric mean 1; all 1 unless they were estimated.
    log_likelihood: without the prior.
    """

    log_worths: tuple[Mapping[str, float], ...]
    ties: Mapping[int, float]
    consistencies: Mapping[str, float]
    log_likelihood: float
    converged: bool
    iterations: int


def fit_davidson_luce(
    questions: Sequence[RatedQuestion],
    *,
    estimate_consistency: bool = False,
    prior: Prior | None = None,
) -> DavidsonLuce:
    """Penalised maximum likelihood of the rankings of one question, or of several jointly.

    A ranking is a sequence of choices. From the candidates S not ranked above, rater r chooses the
    group T with the probability

        P(T | S) = δ_|T| exp(c_r mean_{i in T} w_i) / sum_U δ_|U| exp(c_r mean_{i in U} w_i)

    over the subsets U of S whose size occurs as a group in the rankings; δ_1 = 1. Questions have
    log worths w of their own, and share the tie parameters δ and the consistencies c_r. A rater
    with c_r near 0 ranks at random, one with a large c_r always by the worths. Without ties and
    with all c_r = 1 this is the Plackett-Luce model.

    Maximises the log-likelihood and the log-density of `prior` over w and log δ by L-BFGS with
    analytic gradients; given c this is concave, so the maximum is unique. Without a prior on
    worths, a candidate that always precedes the others has no finite estimate, and `converged`
    means little. For c see `estimate_consistencies`.

    Raises ValueError for groups whose subsets are more than all those of 12 candidates. Source:
    Firth, Kosmidis and Turner, Davidson-Luce model for multi-item choice with ties (2019),
    arXiv:1909.07123.
    """
    prior = prior or Prior()
    problem = RankingProblem(questions, prior)
    logs = np.zeros(len(problem.raters))
    if estimate_consistency:
        consistencies = estimate_consistencies(questions, prior)
        logs = np.log([consistencies[rater] for rater in problem.raters])
    return problem.fit(np.ones(len(problem.raters)), logs)


class RankingProblem:
    """The choices of questions, to be fitted with different weights of the raters."""

    def __init__(self, questions: Sequence[RatedQuestion], prior: Prior) -> None:
        self.raters = sorted({rater for question in questions for rater in question.raters})
        index = {rater: number for number, rater in enumerate(self.raters)}
        self.prior = prior
        self.sizes = group_sizes(questions)
        self.ids = [list(question.ids) for question in questions]
        self.choices = [choices_of(question, index, self.sizes) for question in questions]
        self.limits = [0, *np.cumsum([len(ids) for ids in self.ids]).tolist()]

    def fit(
        self,
        rater_weights: FloatArray,
        log_consistencies: FloatArray,
        start: FloatArray | None = None,
    ) -> DavidsonLuce:
        """Fit with each rater's choices counted `rater_weights` times, from parameters `start`."""
        counts = self.counts(rater_weights)
        size = self.limits[-1] + len(self.sizes) - 1
        deviations = np.full(size, self.prior.tie)
        deviations[: self.limits[-1]] = self.prior.worth

        def objective(parameters: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = self.log_likelihood(parameters, log_consistencies, counts)
            slope = parameters / deviations**2
            return float(slope @ parameters) / 2 - value, slope - gradient

        result = minimize(
            objective,
            np.zeros(size) if start is None else start,
            jac=True,
            method="L-BFGS-B",
            # A short memory: larger matrices are factorised on all cores, and then slower.
            options={"maxiter": 1000, "ftol": 1e-13, "gtol": 1e-7, "maxcor": 8},
        )
        value, _ = self.log_likelihood(result.x, log_consistencies, counts)
        worths, log_ties = self._split(result.x)
        by_id = zip(self.ids, worths, strict=True)
        return DavidsonLuce(
            tuple(dict(zip(ids, _centred(part), strict=True)) for ids, part in by_id),
            dict(zip(self.sizes, np.exp(log_ties).tolist(), strict=True)),
            dict(zip(self.raters, np.exp(log_consistencies).tolist(), strict=True)),
            value,
            bool(result.success),
            int(result.nit),
        )

    def counts(self, rater_weights: FloatArray) -> list[FloatArray]:
        return [choices.counts(rater_weights) for choices in self.choices]

    def parameters(self, model: DavidsonLuce) -> FloatArray:
        """The log worths of all questions, then log δ of all sizes above 1."""
        worths = [worth for question in model.log_worths for worth in question.values()]
        return np.array(worths + [math.log(model.ties[size]) for size in self.sizes[1:]])

    def log_likelihood(
        self, parameters: FloatArray, log_consistencies: FloatArray, counts: Sequence[FloatArray]
    ) -> tuple[float, FloatArray]:
        """The value and its gradient."""
        worths, log_ties = self._split(parameters)
        terms = [
            _Terms.of(choices, count, part, log_ties, np.exp(log_consistencies))
            for choices, count, part in zip(self.choices, counts, worths, strict=True)
        ]
        ties = np.sum([it.ties for it in terms], axis=0) if terms else log_ties
        gradient = np.concatenate([*(it.worths for it in terms), ties[1:]])
        return sum(it.value for it in terms), gradient

    def _split(self, parameters: FloatArray) -> tuple[list[FloatArray], FloatArray]:
        worths = [parameters[low:high] for low, high in pairwise(self.limits)]
        return worths, np.concatenate([[0.0], parameters[self.limits[-1] :]])


@dataclass(frozen=True)
class _Terms:
    """One question's log-likelihood, and its slope by log worths and log tie parameters."""

    value: float
    worths: FloatArray
    ties: FloatArray

    @classmethod
    def of(
        cls,
        choices: Choices,
        counts: FloatArray,
        worths: FloatArray,
        log_ties: FloatArray,
        consistencies: FloatArray,
    ) -> _Terms:
        if not choices.row_starts.size:
            return cls(0.0, np.zeros_like(worths), np.zeros_like(log_ties))
        rows, subsets, starts = choices.cell_rows, choices.cell_subsets, choices.row_starts
        scale = consistencies[choices.row_raters][rows]
        sizes = choices.sizes[subsets]
        logits = log_ties[sizes] + scale * (choices.members @ worths)[subsets]
        top = np.maximum.reduceat(logits, starts)
        shares = np.exp(logits - top[rows])
        sums, chosen = np.add.reduceat(shares, starts), np.add.reduceat(counts, starts)
        excess = counts - (chosen / sums)[rows] * shares
        # np.sum, because a product of long vectors would run on all cores, and then slower.
        value = np.sum(counts * logits) - np.sum(chosen * (top + np.log(sums)))
        by_subset = np.bincount(subsets, scale * excess, len(choices.sizes))
        ties: FloatArray = np.bincount(sizes, excess, len(log_ties)).astype(np.float64)
        return cls(float(value), by_subset @ choices.members, ties)


def estimate_consistencies(questions: Sequence[RatedQuestion], prior: Prior) -> dict[str, float]:
    """Consistency of each rater over all questions, with geometric mean 1.

    In rounds: the worths of the questions that a rater ranked are fitted to the other raters, with
    the consistencies so far; then the rater's consistency maximises the likelihood of the rater's
    rankings under these worths, times the prior. Until no log consistency moves by 0.001, at most
    20 rounds. The joint maximum over worths and consistencies is not used: each question brings as
    many parameters as choices, so the worths follow one rater, whose consistency then grows without
    limit. Errors of the others' worths pull estimates towards each other, more so with few raters.
    Source: consistency as a rater's scale, Chen, Bennett, Collins-Thompson and Horvitz, WSDM 2013;
    for the failure of the joint maximum, Neyman and Scott, Econometrica 16 (1948).
    """
    raters = sorted({rater for question in questions for rater in question.raters})
    others = {rater: _OtherRaters(questions, rater, prior) for rater in raters}
    logs = dict.fromkeys(raters, 0.0)
    for _ in range(MAX_ROUNDS):
        moved = {rater: others[rater].log_consistency(logs) for rater in raters}
        centre = sum(moved.values()) / max(1, len(raters))
        moved = {rater: value - centre for rater, value in moved.items()}
        change = max((abs(moved[rater] - logs[rater]) for rater in raters), default=0.0)
        logs = moved
        if change < ROUND_TOLERANCE:
            break
    return {rater: math.exp(value) for rater, value in logs.items()}


class _OtherRaters:
    """The questions that one rater ranked, fitted to all other raters."""

    def __init__(self, questions: Sequence[RatedQuestion], rater: str, prior: Prior) -> None:
        self.problem = RankingProblem([it for it in questions if rater in it.raters], prior)
        self.own = np.array([one == rater for one in self.problem.raters], dtype=np.float64)
        self.start: FloatArray | None = None

    def log_consistency(self, logs: Mapping[str, float]) -> float:
        current = np.array([logs[rater] for rater in self.problem.raters])
        model = self.problem.fit(1 - self.own, current, self.start)
        self.start = parameters = self.problem.parameters(model)
        counts = self.problem.counts(self.own)

        def loss(value: float) -> float:
            likelihood, _ = self.problem.log_likelihood(parameters, value * self.own, counts)
            return (value / self.problem.prior.consistency) ** 2 / 2 - likelihood

        result = minimize_scalar(loss, bounds=(-MAX_LOG, MAX_LOG), method="bounded")
        return float(result.x)


def _centred(worths: FloatArray) -> list[float]:
    return [float(worth) for worth in worths - (worths.mean() if worths.size else 0.0)]


def order_by_worth(log_worths: Mapping[str, float]) -> Groups:
    """The weak order by log worth, best first; a candidate ties with the next if within 1e-4."""
    ordered = sorted(log_worths, key=lambda candidate: -log_worths[candidate])
    groups: list[list[str]] = []
    last = math.inf
    for candidate in ordered:
        if last - log_worths[candidate] < EQUAL_WORTHS:
            groups[-1].append(candidate)
        else:
            groups.append([candidate])
        last = log_worths[candidate]
    return groups
