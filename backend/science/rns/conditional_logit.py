"""Conditional logit model of an expert's choice among splits (McFadden 1974).

With R, N and S of a question's splits as x_1 ... x_m, the expert chooses y with probability

    P(y) = exp(theta . x_y) / sum_l exp(theta . x_l),    theta >= 0

theta / sum(theta) are weights on the simplex, and sum(theta) is how strictly the expert follows
them. The log-likelihood is concave, so the optimum is unique. Each component is scaled by its root
mean variance within a question; a weak penalty on theta in that unit, |theta|^2 / (2 * 10^2), keeps
theta finite where some weights explain every choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.runtime.jit import jit_vectorize
from backend.science.rns.candidates import Floats, Longs

PENALTY: Final = 1e-2
MAX_ITERATIONS: Final = 100
GRADIENT_TOLERANCE: Final = 1e-9
MIN_SPREAD: Final = 1e-13  # below this a component is constant within every question


class ChoiceData(NamedTuple):
    """Concatenated questions: parts float64 [total, 3], in units of their spread.

    offsets int64 [q + 1]: start of each question's splits; chosen int64 [q]: the expert's split, as
    an index into all.
    """

    parts: Floats
    offsets: Longs
    chosen: Longs


@dataclass(frozen=True, eq=False)
class Fit:
    """theta in units of the spread, and the log-likelihood without the penalty."""

    theta: Floats
    likelihood: float


def build_choice_data(parts: Sequence[Floats], chosen: Sequence[int]) -> tuple[ChoiceData, Floats]:
    """The choices, and the unit of each component: the root mean variance within a question."""
    centred = [one - one.mean(axis=0) for one in parts]
    spread = np.sqrt(np.mean([(one**2).mean(axis=0) for one in centred], axis=0))
    unit = np.where(spread > MIN_SPREAD, spread, np.inf)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in parts])]).astype(np.int64)
    scaled = np.ascontiguousarray(np.concatenate(centred) / unit)
    return ChoiceData(scaled, offsets, offsets[:-1] + np.array(chosen, np.int64)), spread


def fit(choices: ChoiceData, free: NDArray[np.bool_]) -> Fit:
    """The optimal theta with only the free components, the others 0."""
    theta, likelihood = maximize(choices, free)
    return Fit(theta, float(likelihood))


def draw_choices(choices: ChoiceData, theta: Floats, rng: np.random.Generator) -> ChoiceData:
    """Choices drawn from the model for the same questions: maxima of scores with Gumbel noise."""
    noisy = choices.parts @ theta + rng.gumbel(size=len(choices.parts))
    return choices._replace(chosen=argmax_per_question(noisy, choices.offsets))


def resample_questions(choices: ChoiceData, rng: np.random.Generator) -> ChoiceData:
    """The same number of questions, drawn with replacement."""
    count = len(choices.chosen)
    questions = rng.integers(0, count, count)
    starts, stops = choices.offsets[questions], choices.offsets[questions + 1]
    places = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    offsets = np.concatenate([[0], np.cumsum(stops - starts)]).astype(np.int64)
    chosen = choices.chosen[questions] - starts + offsets[:-1]
    return ChoiceData(choices.parts[places], offsets, chosen)


@jit_vectorize
def argmax_per_question(values: Floats, offsets: Longs) -> Longs:
    result = np.empty(len(offsets) - 1, np.int64)
    for question in range(len(result)):
        first = offsets[question]
        result[question] = first + values[first : offsets[question + 1]].argmax()
    return result


@jit_vectorize
def maximize(choices: ChoiceData, free: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Newton steps with halving on components that are positive or have a positive gradient."""
    theta, gradient, bend = np.zeros(3), np.zeros(3), np.zeros((3, 3))
    value = derivatives(choices, theta, gradient, bend)
    for _ in range(MAX_ITERATIONS):
        active = free & ((theta > 0) | (gradient > 0))
        if not (np.abs(gradient[active]) > GRADIENT_TOLERANCE * len(choices.chosen)).any():
            break
        step = newton_step(gradient, bend, active)
        gained = False
        for _ in range(40):
            trial = np.maximum(theta + step, 0.0)
            new = derivatives(choices, trial, gradient, bend)
            if new > value:
                gained = True
                break
            step = step / 2
        if not gained:
            break
        theta, value = trial, new
    return theta, value + PENALTY * (theta**2).sum() / 2


@jit_vectorize
def newton_step(gradient: Floats, bend: Floats, active: NDArray[np.bool_]) -> Floats:
    """Solve hessian step = gradient over the active components by Gaussian elimination.

    The matrix is positive definite there. LAPACK's solver gives the same weights, but a calibration
    takes 1.4 times as long with it: the matrix is only 3 by 3.
    """
    a, b = bend.copy(), gradient.copy()
    for row in range(3):
        if not active[row]:
            a[row, :] = 0
            a[:, row] = 0
            a[row, row], b[row] = 1, 0
    for pivot in range(3):
        for row in range(pivot + 1, 3):
            factor = a[row, pivot] / a[pivot, pivot]
            a[row] -= factor * a[pivot]
            b[row] -= factor * b[pivot]
    for row in range(2, -1, -1):
        for column in range(row + 1, 3):
            b[row] -= a[row, column] * b[column]
        b[row] /= a[row, row]
    return b


@jit_vectorize
def derivatives(choices: ChoiceData, theta: Floats, gradient: Floats, bend: Floats) -> float:
    """The penalized log-likelihood; fills in its gradient and its negative Hessian."""
    gradient[:] = -PENALTY * theta
    bend[:] = 0
    value = 0.0
    for part in range(3):
        bend[part, part] = PENALTY
        value -= PENALTY * theta[part] ** 2 / 2
    for question in range(len(choices.chosen)):
        first, last = choices.offsets[question], choices.offsets[question + 1]
        value += add_question(choices, theta, first, last, choices.chosen[question], gradient, bend)
    return value


@jit_vectorize
def add_question(
    choices: ChoiceData,
    theta: Floats,
    first: int,
    last: int,
    chosen: int,
    gradient: Floats,
    bend: Floats,
) -> float:
    parts = choices.parts
    high = -np.inf
    for place in range(first, last):
        high = max(high, dot(parts[place], theta))
    total, mean, square = 0.0, np.zeros(3), np.zeros((3, 3))
    for place in range(first, last):
        share = np.exp(dot(parts[place], theta) - high)
        total += share
        for a in range(3):
            mean[a] += share * parts[place, a]
            for b in range(3):
                square[a, b] += share * parts[place, a] * parts[place, b]
    for a in range(3):
        gradient[a] += parts[chosen, a] - mean[a] / total
        for b in range(3):
            bend[a, b] += square[a, b] / total - mean[a] * mean[b] / total**2
    return dot(parts[chosen], theta) - high - float(np.log(total))


@jit_vectorize
def dot(parts: Floats, theta: Floats) -> float:
    return float(parts[0] * theta[0] + parts[1] * theta[1] + parts[2] * theta[2])
