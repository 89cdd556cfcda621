"""How simulated experts verify a claim. It is a process for demos, not a model of people.

- A hidden verdict per claim, the same for all experts, is drawn with the shares TRUTH, and so is
  the hidden sentence or edge that decides, each as likely.
- With ACCURACY an expert gives the hidden verdict, otherwise one of the other two.
- 'Supported' and 'contradicted' are marked: with MARK_ACCURACY the hidden sentence or edge,
  otherwise any.
- With UNSURE_PROBABILITY the expert is not sure, with SKIP_PROBABILITY the claim is skipped.
- The active time is lognormal with median ACTIVE_TIME_MEDIAN_S and sigma ACTIVE_TIME_SIGMA.

All draws come from generators seeded by SEED, the question's id in its file and the expert's
number.
"""

import numpy as np

from annotation.kinds.base import Json, SimulatedAnswer, SimulatedEvent
from annotation.kinds.claims.measures import MEASURED
from annotation.kinds.claims.schema import ClaimAnswer, ClaimItem, Mark
from annotation.kinds.simulation_draws import draw_active_ms, seed_number

SEED = 20_260_102
TRUTH = (0.45, 0.25, 0.3)
ACCURACY, MARK_ACCURACY = 0.75, 0.8
UNSURE_PROBABILITY, SKIP_PROBABILITY = 0.06, 0.04
ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA = 60.0, 0.5
ACTIVE_LIMITS_S = (8.0, 600.0)
NO_MARKS: list[Mark] = []


def simulate_verdict(expert: int, item: ClaimItem) -> SimulatedAnswer:
    """The answer of the simulated expert of this number (from 1) to this claim."""
    rng = np.random.default_rng([SEED, seed_number(item.file_id), expert])
    active_ms = draw_active_ms(
        rng, ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA, limits_s=ACTIVE_LIMITS_S
    )
    draw = rng.random()
    if draw < SKIP_PROBABILITY:
        skipped = ClaimAnswer.model_construct(verdict=None, because=[], comment="")
        events = [SimulatedEvent("skipped")]
        return SimulatedAnswer("", skipped.model_dump(), active_ms, events)
    is_unsure = draw < SKIP_PROBABILITY + UNSURE_PROBABILITY
    verdict, marks = ("not_sure", NO_MARKS) if is_unsure else _judge(rng, item)
    because: list[Json] = [one.model_dump() for one in marks]
    events = [SimulatedEvent("chose", None, verdict)]
    events += [SimulatedEvent("because", [], because)] if because else []
    events.append(SimulatedEvent("submitted", None, verdict))
    answer = ClaimAnswer.model_construct(verdict=verdict, because=marks, comment="")
    return SimulatedAnswer(verdict, answer.model_dump(), active_ms, events)


def _judge(rng: np.random.Generator, item: ClaimItem) -> tuple[str, list[Mark]]:
    shared = np.random.default_rng([SEED, seed_number(item.file_id)])
    truth = int(shared.choice(len(MEASURED), p=TRUTH))
    marks = item.marks()
    key = int(shared.integers(len(marks))) if marks else 0
    is_right = rng.random() < ACCURACY
    verdict = MEASURED[truth if is_right else (truth + int(rng.integers(1, 3))) % len(MEASURED)]
    if verdict == "not_enough" or not marks:
        return verdict, []
    chosen = key if rng.random() < MARK_ACCURACY else int(rng.integers(len(marks)))
    return verdict, [marks[chosen]]
