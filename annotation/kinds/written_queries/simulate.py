"""How simulated experts write a query. It is a process for demos, not a model of people.

- An edge whose other end does not name the answer is drawn, and put in one of a few sentences.
- Where there is none, and with IMPOSSIBLE_PROBABILITY elsewhere, no query is possible.
- With SKIP_PROBABILITY the entity is skipped.
- The active time is lognormal with median ACTIVE_TIME_MEDIAN_S and sigma ACTIVE_TIME_SIGMA.

All draws come from generators seeded by SEED, the question's id in its file and the expert's
number.
"""

import numpy as np

from annotation.kinds.base import SimulatedAnswer, SimulatedEvent
from annotation.kinds.passages import Edge
from annotation.kinds.simulation_draws import draw_active_ms, seed_number
from annotation.kinds.written_queries.schema import WrittenQueryItem

SEED = 20_260_103
IMPOSSIBLE_PROBABILITY, SKIP_PROBABILITY = 0.05, 0.04
ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA = 180.0, 0.5
ACTIVE_LIMITS_S = (30.0, 1_800.0)
SENTENCES = (
    "Simulated: which {type} has the link “{relation}” with {other}?",
    "Simulated: I look for a {type} that is linked to {other} by “{relation}”.",
    "Simulated: name a {type} for which the graph states “{relation}” and {other}.",
)


def simulate_query(expert: int, item: WrittenQueryItem) -> SimulatedAnswer:
    """The answer of the simulated expert of this number (from 1) to this entity."""
    rng = np.random.default_rng([SEED, seed_number(item.file_id), expert])
    active_ms = draw_active_ms(
        rng, ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA, limits_s=ACTIVE_LIMITS_S
    )
    draw = rng.random()
    payload = {"query": "", "is_impossible": False, "comment": ""}
    if draw < SKIP_PROBABILITY:
        return SimulatedAnswer("", payload, active_ms, [SimulatedEvent("skipped")])
    query = _write(rng, item)
    if not query or draw < SKIP_PROBABILITY + IMPOSSIBLE_PROBABILITY:
        events = [SimulatedEvent("gave_up", None, True), SimulatedEvent("submitted")]
        return SimulatedAnswer("impossible", {**payload, "is_impossible": True}, active_ms, events)
    events = [SimulatedEvent("wrote", "", query), SimulatedEvent("submitted")]
    return SimulatedAnswer("written", {**payload, "query": query}, active_ms, events)


def _write(rng: np.random.Generator, item: WrittenQueryItem) -> str:
    """Empty where each query that it could write names the answer."""
    queries = [
        SENTENCES[int(rng.integers(len(SENTENCES)))].format(
            type=item.category.lower() or "entity",
            relation=one.relation,
            other=_other_end(item, one),
        )
        for one in item.edges
    ]
    fit = [one for one in queries if not item.leaks_of(one)]
    return fit[int(rng.integers(len(fit)))] if fit else ""


def _other_end(item: WrittenQueryItem, edge: Edge) -> str:
    return edge.target if edge.source == item.answer else edge.source
