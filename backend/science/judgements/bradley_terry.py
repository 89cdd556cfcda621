"""Davidson's Bradley-Terry model with ties and an effect of the side."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from backend.science.judgements.tables import FloatArray, IntArray

RIDGE = 0.01
MAX_STEPS = 100
GRADIENT_LIMIT = 1e-9
LEFT, TIE, RIGHT = 0, 1, 2


@dataclass(frozen=True)
class Comparisons:
    """Judged pairs of arms 0 to arms - 1.

    left, right: int64 (rows,), the arm on each side. outcome: int64 (rows,), LEFT, TIE or RIGHT.
    rater: int64 (rows,), numbers from 0. item: likewise, of what was compared; without it each row
    is an item of its own. Raises ValueError for unequal lengths, numbers out of range, an arm
    beside itself, or no row.
    """

    left: IntArray
    right: IntArray
    outcome: IntArray
    rater: IntArray
    arms: int
    item: IntArray | None = None

    def __post_init__(self) -> None:
        columns = [self.left, self.right, self.outcome, self.rater]
        if self.item is not None:
            columns.append(self.item)
        if len({column.shape for column in columns}) > 1 or self.left.ndim != 1:
            raise ValueError("the columns of comparisons are flat and of equal length")
        if self.left.size == 0 or min(column.min() for column in columns) < 0:
            raise ValueError("comparisons need a row, and numbers from 0")
        if max(self.left.max(), self.right.max()) >= self.arms or self.outcome.max() > RIGHT:
            raise ValueError("an arm or outcome is out of range")
        if (self.left == self.right).any():
            raise ValueError("an arm is not compared with itself")


@dataclass(frozen=True)
class BradleyTerry:
    """strengths: (arms,) on the logit scale, sum 0. side: log-odds of left over right at equal
    strengths. tie: log θ, -inf where no pair was tied. components: groups of arms that no
    comparison links: strengths of different groups cannot be compared. separated: within a group
    some arms never lost to the others, so their distance is set by the ridge.
    """

    strengths: FloatArray
    side: float
    tie: float
    log_likelihood: float
    components: int
    separated: bool

    @property
    def left_share(self) -> float:
        """P(left | decided) of two equal arms: 0.5 without a position bias."""
        return 1 / (1 + math.exp(-self.side))


def fit_bradley_terry(
    comparisons: Comparisons,
    *,
    weights: npt.ArrayLike | None = None,
    ridge: float = RIDGE,
    start: BradleyTerry | None = None,
) -> BradleyTerry:
    """Maximum likelihood, with a weak ridge, of judged pairs with weights (rows,), 1 without them.

    P(left), P(tie) and P(right) are proportional to exp(x/2), θ and exp(-x/2), where x = λ_left -
    λ_right + δ: strengths λ, side δ, ties θ (Davidson's nu). Maximised: Σ weight log P - ridge/2
    (Σ λ² + δ²), concave, by Newton's method with halved steps. The ridge, a normal prior of
    variance 1/ridge = 100 on the logit scale, sums the strengths to 0 and makes them finite where
    an arm only won (`separated`); with 50 comparisons an arm it moves strengths of about 1 by less
    than 1% of their standard error. log θ has none: without a tie it is -inf, and the model Bradley
    and Terry's; where all are tied θ is infinite, and the fit is refused.

    start: a fit to similar weights, from which the same maximum is a few steps.

    Raises ValueError for only ties, no or negative weight, ridge that is not positive, or columns
    as `Comparisons` does. Source: Davidson, JASA 65 (1970); Davidson and Beaver, Biometrics 33
    (1977) for the effect of order (theirs on the first arm's odds, here shared by both sides).
    """
    weight = np.ones(comparisons.left.shape) if weights is None else np.asarray(weights, float)
    if weight.shape != comparisons.left.shape or (weight < 0).any() or not weight.any():
        raise ValueError("weights are (rows,), not negative, and not all 0")
    if ridge <= 0:
        raise ValueError("a fit needs a positive ridge")
    if not weight[comparisons.outcome != TIE].any():
        raise ValueError("all comparisons are tied")
    model = _Likelihood(comparisons, weight, ridge)
    first = np.zeros(model.size) if start is None else model.join(start)
    parameters = _maximise(model, first)
    strengths, side, tie = model.split(parameters)
    components, separated = _connectivity(comparisons, weight)
    value = model.log_likelihood(parameters)
    return BradleyTerry(strengths, side, tie, value, components, separated)


def bradley_terry_derivatives(
    comparisons: Comparisons, fit: BradleyTerry, *, ridge: float = RIDGE
) -> tuple[FloatArray, FloatArray]:
    """Scores (rows, parameters) and information (parameters, parameters) at a fit.

    Parameters are the strengths, the side and, where there are ties, log θ.
    """
    model = _Likelihood(comparisons, np.ones(comparisons.left.shape), ridge)
    parameters = model.join(fit)
    return model.scores(parameters), model.information(parameters)


class _Likelihood:
    """Penalised log-likelihood of (strengths, side[, log θ]) and its derivatives."""

    def __init__(self, comparisons: Comparisons, weight: FloatArray, ridge: float) -> None:
        rows, arms = len(weight), comparisons.arms
        self.weight, self.arms = weight, arms
        self.has_ties = bool(weight[comparisons.outcome == TIE].any())
        self.outcome = comparisons.outcome
        self.design = np.zeros((rows, arms + 1))
        self.design[np.arange(rows), comparisons.left] = 1
        self.design[np.arange(rows), comparisons.right] = -1
        self.design[:, arms] = 1
        self.size = arms + 1 + self.has_ties
        self.ridge = np.full(self.size, ridge)
        if self.has_ties:
            self.ridge[-1] = 0.0

    def split(self, parameters: FloatArray) -> tuple[FloatArray, float, float]:
        tie = float(parameters[-1]) if self.has_ties else -math.inf
        return parameters[: self.arms].copy(), float(parameters[self.arms]), tie

    def join(self, fit: BradleyTerry) -> FloatArray:
        tie = [fit.tie if math.isfinite(fit.tie) else 0.0] if self.has_ties else []
        return np.array([*fit.strengths, fit.side, *tie])

    def log_chances(self, parameters: FloatArray) -> FloatArray:
        """(rows, 3) by LEFT, TIE, RIGHT."""
        half = self.design @ parameters[: self.arms + 1] / 2
        tie = np.full(half.shape, parameters[-1] if self.has_ties else -np.inf)
        total = np.logaddexp(np.logaddexp(half, -half), tie)
        return np.stack([half - total, tie - total, -half - total], axis=1)

    def log_likelihood(self, parameters: FloatArray) -> float:
        used = self.weight > 0
        chances = self.log_chances(parameters)[used, self.outcome[used]]
        return float(self.weight[used] @ chances)

    def objective(self, parameters: FloatArray) -> float:
        return self.log_likelihood(parameters) - float(self.ridge @ parameters**2) / 2

    def scores(self, parameters: FloatArray) -> FloatArray:
        """Derivatives of the log-likelihood of each row of weight 1: (rows, parameters)."""
        left, tie, right = np.exp(self.log_chances(parameters)).T
        chosen = np.eye(3)[self.outcome]
        by_half = (chosen[:, LEFT] - left) - (chosen[:, RIGHT] - right)
        scores = self.design * by_half[:, None] / 2
        if self.has_ties:
            scores = np.column_stack([scores, chosen[:, TIE] - tie])
        return np.asarray(scores)

    def information(self, parameters: FloatArray) -> FloatArray:
        """Minus the second derivatives of the objective: (parameters, parameters)."""
        left, tie, right = np.exp(self.log_chances(parameters)).T
        difference = left - right
        spread = self.weight * (left + right - difference**2) / 4
        matrix = np.diag(self.ridge)
        count = self.arms + 1
        matrix[:count, :count] += self.design.T @ (self.design * spread[:, None])
        if self.has_ties:
            cross = -(self.weight * difference * tie / 2) @ self.design
            matrix[-1, :count] = matrix[:count, -1] = cross
            matrix[-1, -1] = float(self.weight @ (tie * (1 - tie)))
        return matrix


def _maximise(model: _Likelihood, parameters: FloatArray) -> FloatArray:
    value = model.objective(parameters)
    for _ in range(MAX_STEPS):
        gradient = model.weight @ model.scores(parameters) - model.ridge * parameters
        if np.abs(gradient).max() <= GRADIENT_LIMIT * model.weight.sum():
            break
        step = np.linalg.solve(model.information(parameters), gradient)
        for size in _halvings():
            proposed = parameters + size * step
            reached = model.objective(proposed)
            if reached >= value:
                parameters, value = proposed, reached
                break
        else:
            break
    return parameters


def _halvings() -> Iterator[float]:
    return (0.5**power for power in range(30))


def _connectivity(comparisons: Comparisons, weight: FloatArray) -> tuple[int, bool]:
    """Groups of arms that are linked at all, and whether a group is not linked by wins both ways.

    A tie links both ways. Source for the condition: Ford, American Mathematical Monthly 64 (1957).
    """
    used = weight > 0
    left, right = comparisons.left[used], comparisons.right[used]
    outcome = comparisons.outcome[used]
    winner = np.concatenate([left[outcome != RIGHT], right[outcome != LEFT]])
    loser = np.concatenate([right[outcome != RIGHT], left[outcome != LEFT]])
    shape = (comparisons.arms, comparisons.arms)
    graph = csr_array((np.ones(winner.size), (winner, loser)), shape=shape)
    weak, _ = connected_components(graph, connection="weak")
    strong, _ = connected_components(graph, connection="strong")
    return int(weak), bool(strong > weak)
