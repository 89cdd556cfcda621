"""How likely an expert's choice among splits is, given weights: the conditional logit model.

Of a question's splits with R, N and S as x_1 ... x_m, the expert is taken to choose y with

    P(y) = exp(theta . x_y) / sum_l exp(theta . x_l),    theta >= 0

(McFadden 1974). theta / sum(theta) are weights on the simplex, and sum(theta) says how strictly she
follows them. The logarithm of the likelihood is concave, so there is one best theta. Each part is
measured in its own mean spread within a question; a weak penalty on theta in that unit,
|theta|^2 / (2 * 10^2), keeps theta finite where some weights explain every choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.science.compiled import vectorised
from backend.science.rns.candidates import Floats, Longs

PENALTY: Final = 1e-2
ROUNDS: Final = 100
CLOSE: Final = 1e-9
NO_SPREAD: Final = 1e-13  # below it a part is constant within every question


class Choices(NamedTuple):
    """Questions one behind the other: parts float64 [total, 3], in units of their spread.

    offsets int64 [q + 1]: where each question's splits begin; chosen int64 [q]: the expert's, as a
    place among all.
    """

    parts: Floats
    offsets: Longs
    chosen: Longs


@dataclass(frozen=True, eq=False)
class Fit:
    """theta in units of the spread, and the logarithm of the likelihood without the penalty."""

    theta: Floats
    likelihood: float


def choices_of(parts: Sequence[Floats], chosen: Sequence[int]) -> tuple[Choices, Floats]:
    """The choices, and the unit of each part: the root mean variance within a question."""
    centred = [one - one.mean(axis=0) for one in parts]
    spread = np.sqrt(np.mean([(one**2).mean(axis=0) for one in centred], axis=0))
    unit = np.where(spread > NO_SPREAD, spread, np.inf)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in parts])]).astype(np.int64)
    scaled = np.ascontiguousarray(np.concatenate(centred) / unit)
    return Choices(scaled, offsets, offsets[:-1] + np.array(chosen, np.int64)), spread


def fit(choices: Choices, free: NDArray[np.bool_]) -> Fit:
    """The best theta with only the free parts, the others 0."""
    theta, likelihood = climb(choices, free)
    return Fit(theta, float(likelihood))


def drawn(choices: Choices, theta: Floats, chance: np.random.Generator) -> Choices:
    """The same questions, and choices drawn from the model: by the largest of Gumbel-noisy RNS."""
    noisy = choices.parts @ theta + chance.gumbel(size=len(choices.parts))
    return choices._replace(chosen=largest(noisy, choices.offsets))


def resampled(choices: Choices, chance: np.random.Generator) -> Choices:
    """As many questions, drawn with replacement."""
    count = len(choices.chosen)
    return selected(choices, chance.integers(0, count, count))


def selected(choices: Choices, questions: Longs) -> Choices:
    starts, stops = choices.offsets[questions], choices.offsets[questions + 1]
    places = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
    offsets = np.concatenate([[0], np.cumsum(stops - starts)]).astype(np.int64)
    chosen = choices.chosen[questions] - starts + offsets[:-1]
    return Choices(choices.parts[places], offsets, chosen)


@vectorised
def largest(values: Floats, offsets: Longs) -> Longs:
    found = np.empty(len(offsets) - 1, np.int64)
    for question in range(len(found)):
        first = offsets[question]
        found[question] = first + values[first : offsets[question + 1]].argmax()
    return found


@vectorised
def climb(choices: Choices, free: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Newton's steps on the parts that are above 0 or want to be, halved until they gain."""
    theta, gradient, bend = np.zeros(3), np.zeros(3), np.zeros((3, 3))
    value = derivatives(choices, theta, gradient, bend)
    for _ in range(ROUNDS):
        active = free & ((theta > 0) | (gradient > 0))
        if not (np.abs(gradient[active]) > CLOSE * len(choices.chosen)).any():
            break
        step = newton(gradient, bend, active)
        gained = False
        for _ in range(40):
            tried = np.maximum(theta + step, 0.0)
            new = derivatives(choices, tried, gradient, bend)
            if new > value:
                gained = True
                break
            step = step / 2
        if not gained:
            break
        theta, value = tried, new
    return theta, value + PENALTY * (theta**2).sum() / 2


@vectorised
def newton(gradient: Floats, bend: Floats, active: NDArray[np.bool_]) -> Floats:
    """Solve bend step = gradient over the active parts, by elimination: bend is positive there."""
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


@vectorised
def derivatives(choices: Choices, theta: Floats, gradient: Floats, bend: Floats) -> float:
    """The penalised logarithm of the likelihood; fills in its slope and minus its curvature."""
    gradient[:] = -PENALTY * theta
    bend[:] = 0
    value = 0.0
    for part in range(3):
        bend[part, part] = PENALTY
        value -= PENALTY * theta[part] ** 2 / 2
    for question in range(len(choices.chosen)):
        first, last = choices.offsets[question], choices.offsets[question + 1]
        value += one_question(choices, theta, first, last, choices.chosen[question], gradient, bend)
    return value


@vectorised
def one_question(
    choices: Choices,
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


@vectorised
def dot(parts: Floats, theta: Floats) -> float:
    return float(parts[0] * theta[0] + parts[1] * theta[1] + parts[2] * theta[2])
