"""How simulated experts compare two hypotheses. It is a process for demos, not a model of people.

- A hidden quality per hypothesis, the same for all experts, is drawn from N(0, 1).
- The expert's impression is the quality of a less that of b, plus LEFT_BIAS for the left side, plus
  noise from N(0, NOISE). Within TIE_WIDTH of 0 it is a tie, beyond MUCH_WIDTH the better one is
  much better.
- With BOTH_BAD_PROBABILITY both are bad, with UNSURE_PROBABILITY the expert is not sure, with
  SKIP_PROBABILITY the pair is skipped.
- With MARK_PROBABILITY a sentence of the preferred hypothesis is marked, each as likely.
- The active time is lognormal with median ACTIVE_TIME_MEDIAN_S and sigma ACTIVE_TIME_SIGMA.

All draws come from generators seeded by SEED, the question's id in its file, the expert's number
and, for qualities, the text of the hypothesis: the side on which it is shown changes no quality.
"""

import numpy as np

from annotation.kinds.base import SimulatedAnswer, SimulatedEvent
from annotation.kinds.hypothesis_pairs.schema import (
    Choice,
    DecidingSentence,
    PairAnswer,
    PairItem,
    Side,
)
from annotation.kinds.simulation_draws import draw_active_ms, seed_number

SEED = 20_260_101
NOISE, LEFT_BIAS = 0.8, 0.1
TIE_WIDTH, MUCH_WIDTH = 0.3, 1.5
BOTH_BAD_PROBABILITY, UNSURE_PROBABILITY, SKIP_PROBABILITY = 0.06, 0.06, 0.04
MARK_PROBABILITY = 0.5
ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA = 55.0, 0.5
ACTIVE_LIMITS_S = (8.0, 600.0)


def simulate_choice(expert: int, item: PairItem) -> SimulatedAnswer:
    """The answer of the simulated expert of this number (from 1) to this pair."""
    rng = np.random.default_rng([SEED, seed_number(item.file_id), expert])
    active_ms = draw_active_ms(
        rng, ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA, limits_s=ACTIVE_LIMITS_S
    )
    draw = rng.random()
    if draw < SKIP_PROBABILITY:
        empty = PairAnswer(choice=None, because=None, comment="")
        return SimulatedAnswer("", empty.model_dump(), active_ms, [SimulatedEvent("skipped")])
    choice = _draw_choice(rng, draw - SKIP_PROBABILITY, item)
    because = _draw_mark(rng, choice, item)
    answer = PairAnswer.model_construct(choice=choice, because=because, comment="")
    events = (SimulatedEvent("chose", None, choice), SimulatedEvent("submitted", None, choice))
    outcome = choice.removesuffix("_much")
    return SimulatedAnswer(outcome, answer.model_dump(), active_ms, events)


def _draw_choice(rng: np.random.Generator, draw: float, item: PairItem) -> Choice:
    if draw < UNSURE_PROBABILITY:
        return "not_sure"
    if draw < UNSURE_PROBABILITY + BOTH_BAD_PROBABILITY:
        return "both_bad"
    a, b = (_quality(item.file_id, one.hypothesis) for one in item.hypotheses)
    impression = a - b + LEFT_BIAS + float(rng.normal(0, NOISE))
    if abs(impression) < TIE_WIDTH:
        return "tie"
    is_much = abs(impression) > MUCH_WIDTH
    if impression > 0:
        return "a_much" if is_much else "a"
    return "b_much" if is_much else "b"


def _draw_mark(rng: np.random.Generator, choice: Choice, item: PairItem) -> DecidingSentence | None:
    sides: dict[str, Side] = {"a": "a", "a_much": "a", "b": "b", "b_much": "b"}
    side = sides.get(choice)
    if side is None or rng.random() >= MARK_PROBABILITY:
        return None
    count = len(item.sentences_of(side))
    return DecidingSentence(id=side, sentence=int(rng.integers(count))) if count else None


def _quality(file_id: str, hypothesis: str) -> float:
    return float(
        np.random.default_rng([SEED, seed_number(file_id), seed_number(hypothesis)]).normal()
    )
