"""How simulated experts rate an object. It is a process for demos, not a model of people.

- A hidden quality per object and scale, the same for all experts, is drawn from N(0, 1); the
  severity of an expert, the same for all objects, from N(0, SEVERITY).
- The impression is the quality less the severity plus noise from N(0, NOISE), and its level one
  more than the number of THRESHOLDS below it.
- With SCALE_UNSURE_PROBABILITY the expert is not sure about a scale, with UNSURE_PROBABILITY about
  all of them; each reason is as likely. With SKIP_PROBABILITY the object is skipped.
- The active time is lognormal with median ACTIVE_TIME_MEDIAN_S per scale and sigma
  ACTIVE_TIME_SIGMA.

All draws come from generators seeded by SEED, the question's id in its file, the expert's number
and, for qualities, the name of the scale.
"""

import numpy as np

from annotation.kinds.base import SimulatedAnswer, SimulatedEvent
from annotation.kinds.scales import UNSURE_REASONS, ScaledItem
from annotation.kinds.simulation_draws import draw_active_ms, seed_number

SEED = 20_260_102
SEVERITY, NOISE = 0.4, 0.7
THRESHOLDS = (-1.8, -0.8, 0.0, 1.0)
SCALE_UNSURE_PROBABILITY, UNSURE_PROBABILITY, SKIP_PROBABILITY = 0.04, 0.05, 0.04
ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA = 12.0, 0.5
ACTIVE_LIMITS_S = (6.0, 600.0)


def simulate_ratings(expert: int, item: ScaledItem) -> SimulatedAnswer:
    """The answer of the simulated expert of this number (from 1) to this item."""
    rng = np.random.default_rng([SEED, seed_number(item.file_id), expert])
    active_ms = draw_active_ms(
        rng, ACTIVE_TIME_MEDIAN_S * len(item.scales), ACTIVE_TIME_SIGMA, limits_s=ACTIVE_LIMITS_S
    )
    draw = rng.random()
    levels: dict[str, int | None] = dict.fromkeys(item.scale_names)
    payload = {"levels": levels, "unsure": {}, "comment": ""}
    if draw < SKIP_PROBABILITY:
        return SimulatedAnswer("", payload, active_ms, [SimulatedEvent("skipped")])
    is_unsure = draw < SKIP_PROBABILITY + UNSURE_PROBABILITY
    severity = float(np.random.default_rng([SEED, expert]).normal(0, SEVERITY))
    for scale in item.scale_names:
        if not is_unsure and rng.random() >= SCALE_UNSURE_PROBABILITY:
            quality = _quality(item.file_id, scale)
            levels[scale] = _level_of(quality - severity + float(rng.normal(0, NOISE)))
    unsure = {name: str(rng.choice(UNSURE_REASONS)) for name, one in levels.items() if one is None}
    outcome = "not_sure" if len(unsure) == len(levels) else "rated"
    events = [
        *(SimulatedEvent("rated", None, {name: level}) for name, level in levels.items() if level),
        *(SimulatedEvent("unsure", None, {name: reason}) for name, reason in unsure.items()),
        SimulatedEvent("submitted"),
    ]
    return SimulatedAnswer(outcome, {**payload, "unsure": unsure}, active_ms, events)


def _level_of(impression: float) -> int:
    return 1 + sum(impression > one for one in THRESHOLDS)


def _quality(file_id: str, scale: str) -> float:
    return float(np.random.default_rng([SEED, seed_number(file_id), seed_number(scale)]).normal())
