"""How the demo's simulated experts answer. Nothing here says anything about real physicians.

For each question, with the candidates in the starting order at places 0, 1, 2, …:

- a hidden quality per candidate, the same for all experts, is drawn from N(0, 1);
- its log worth is QUALITY times that quality minus ANCHOR times its place, so that the starting
  order pulls, as it does on people;
- the expert's order is one Plackett-Luce draw from these worths. With the probability AGREES she
  agrees with the starting order at once, and so she does if her draw is that order. With the
  probability TIES two neighbours of a changed order are tied.
- With the probabilities UNSURE and SKIPS she is not sure, or skips.
- Her active time is lognormal with the median MEDIAN_S seconds and the spread SPREAD.

Everything is drawn from generators seeded by SEED, the question's id in its file, and the
expert's number: the same questionnaire always gets the same answers.
"""

from dataclasses import dataclass
from math import log

import numpy as np

from annotation.answers import Order
from annotation.models import Action, ReasonTag, UnsureReason
from backend.science.plackett_luce import sample_order
from backend.science.rankings import same_order

SEED = 20_250_101
QUALITY, ANCHOR = 1.0, 0.8
AGREES, TIES, UNSURE, SKIPS = 0.2, 0.15, 0.06, 0.04
MEDIAN_S, SPREAD = 40.0, 0.5
SHORTEST_S, LONGEST_S = 6.0, 600.0
TELLS_CONFIDENCE, TELLS_REASONS = 0.7, 0.35


@dataclass(frozen=True)
class SimulatedAnswer:
    action: Action
    order: Order
    active_ms: int
    confidence: int | None = None
    reasons: tuple[str, ...] = ()
    unsure_reason: str = ""


def simulate_answer(expert: int, file_id: int, prior: Order) -> SimulatedAnswer:
    """What the simulated expert of this number (from 1) answers to this question."""
    rng = np.random.default_rng([SEED, file_id, expert])
    active_ms = _active_ms(rng)
    luck = rng.random()
    if luck < UNSURE:
        reason = str(rng.choice(UnsureReason.values))
        return SimulatedAnswer(Action.NOT_SURE, prior, active_ms, unsure_reason=reason)
    if luck < UNSURE + SKIPS:
        return SimulatedAnswer(Action.SKIP, prior, active_ms)
    order = prior if rng.random() < AGREES else _own_order(rng, file_id, prior)
    action = Action.AGREE if same_order(order, prior) else Action.SUBMIT
    return SimulatedAnswer(action, order, active_ms, _confidence(rng), _reasons(rng))


def _own_order(rng: np.random.Generator, file_id: int, prior: Order) -> Order:
    ids = [candidate for group in prior for candidate in group]
    quality = np.random.default_rng([SEED, file_id]).normal(size=len(ids))
    log_worths = [QUALITY * float(good) - ANCHOR * place for place, good in enumerate(quality)]
    order = [[ids[place]] for place in sample_order(log_worths, rng)]
    if rng.random() < TIES and not same_order(order, prior) and len(order) > 2:
        place = int(rng.integers(len(order) - 1))
        order[place : place + 2] = [order[place] + order[place + 1]]
    return order


def _active_ms(rng: np.random.Generator) -> int:
    seconds = float(rng.lognormal(log(MEDIAN_S), SPREAD))
    return round(1000 * min(max(seconds, SHORTEST_S), LONGEST_S))


def _confidence(rng: np.random.Generator) -> int | None:
    if rng.random() >= TELLS_CONFIDENCE:
        return None
    return int(rng.choice([1, 2, 3, 4, 5], p=[0.05, 0.15, 0.35, 0.3, 0.15]))


def _reasons(rng: np.random.Generator) -> tuple[str, ...]:
    if rng.random() >= TELLS_REASONS:
        return ()
    chosen = rng.choice(ReasonTag.values, size=int(rng.integers(1, 3)), replace=False)
    return tuple(sorted(str(reason) for reason in chosen))
