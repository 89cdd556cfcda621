"""How the demo's simulated experts rank. This is a process for a demo, not a model of physicians.

For each question, with the candidates in the prior order at places 0, 1, 2, …:

- a hidden quality per candidate, the same for all experts, is drawn from N(0, 1);
- its log worth is QUALITY_WEIGHT times that quality. Where a prior is shown, ANCHOR_WEIGHT times
  its place is subtracted, so that the prior order attracts, as it does people;
- the expert's order is one Plackett-Luce draw from these worths. Where a prior is shown, the expert
  agrees with it at once with AGREE_PROBABILITY, and also if the draw is that order. With
  TIE_PROBABILITY two neighbours of another order are tied.
- With UNSURE_PROBABILITY and SKIP_PROBABILITY the expert is not sure, or skips.
- The active time is lognormal with median ACTIVE_TIME_MEDIAN_S and sigma ACTIVE_TIME_SIGMA.

All draws come from generators seeded by SEED, the question's id in its file and the expert's
number: the same questionnaire always gets the same answers.
"""

import numpy as np

from annotation.kinds.base import SimulatedAnswer, SimulatedEvent
from annotation.kinds.ranking.schema import (
    REASON_TAGS,
    UNSURE_REASONS,
    Ranking,
    RankingAnswer,
    RankingItem,
)
from annotation.kinds.simulation_draws import draw_active_ms, seed_number
from backend.science.plackett_luce import sample_order
from backend.science.rankings import same_order

SEED = 20_250_101
QUALITY_WEIGHT, ANCHOR_WEIGHT = 1.0, 0.8
AGREE_PROBABILITY, TIE_PROBABILITY = 0.2, 0.15
UNSURE_PROBABILITY, SKIP_PROBABILITY = 0.06, 0.04
ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA = 40.0, 0.5
ACTIVE_LIMITS_S = (6.0, 600.0)
CONFIDENCE_PROBABILITY, REASONS_PROBABILITY = 0.7, 0.35


def simulate_ranking(expert: int, item: RankingItem) -> SimulatedAnswer:
    """The answer of the simulated expert of this number (from 1) to this question."""
    question = _seed_of(item.file_id)
    rng = np.random.default_rng([SEED, question, expert])
    active_ms = draw_active_ms(
        rng, ACTIVE_TIME_MEDIAN_S, ACTIVE_TIME_SIGMA, limits_s=ACTIVE_LIMITS_S
    )
    draw = rng.random()
    if draw < UNSURE_PROBABILITY:
        reason = str(rng.choice(UNSURE_REASONS))
        answer = _answer(item.start, unsure_reason=reason)
        return _simulated("not_sure", answer, active_ms, SimulatedEvent("not_sure"))
    if draw < UNSURE_PROBABILITY + SKIP_PROBABILITY:
        return _simulated("", _answer(item.start), active_ms, SimulatedEvent("skipped"))
    agrees = rng.random() < AGREE_PROBABILITY and item.prior is not None
    own = item.start if agrees else _draw_ranking(rng, question, item)
    answer = _answer(own, _draw_confidence(rng), _draw_reasons(rng))
    if item.prior is not None and same_order(own, item.prior):
        return _simulated("confirmed", answer, active_ms, SimulatedEvent("agreed"))
    moved = SimulatedEvent("moved", [[*group] for group in item.start], [[*group] for group in own])
    outcome = "ranked" if item.prior is None else "changed"
    return _simulated(outcome, answer, active_ms, moved, SimulatedEvent("submitted"))


def _seed_of(file_id: str) -> int:
    if file_id.isdecimal():
        return int(file_id)
    return seed_number(file_id)


def _simulated(
    outcome: str, answer: RankingAnswer, active_ms: int, *events: SimulatedEvent
) -> SimulatedAnswer:
    return SimulatedAnswer(outcome, answer.model_dump(), active_ms, events)


def _answer(
    ranking: Ranking,
    confidence: int | None = None,
    reasons: tuple[str, ...] = (),
    unsure_reason: str = "",
) -> RankingAnswer:
    return RankingAnswer.model_construct(
        ranking=ranking,
        confidence=confidence,
        reasons=list(reasons),
        comment="",
        unsure_reason=unsure_reason,
    )


def _draw_ranking(rng: np.random.Generator, question: int, item: RankingItem) -> Ranking:
    ids = [candidate for group in item.start for candidate in group]
    quality = _draw_qualities(question, item)
    anchor = 0.0 if item.prior is None else ANCHOR_WEIGHT
    log_worths = [QUALITY_WEIGHT * quality[one] - anchor * place for place, one in enumerate(ids)]
    ranking = [[ids[place]] for place in sample_order(log_worths, rng)]
    is_new = item.prior is None or not same_order(ranking, item.prior)
    if rng.random() < TIE_PROBABILITY and is_new and len(ranking) > 2:
        place = int(rng.integers(len(ranking) - 1))
        ranking[place : place + 2] = [ranking[place] + ranking[place + 1]]
    return ranking


def _draw_qualities(question: int, item: RankingItem) -> dict[str, float]:
    """By id, drawn in the order of the names, which no arm changes."""
    named = sorted(item.candidates, key=lambda one: (one.name, one.link))
    drawn = np.random.default_rng([SEED, question]).normal(size=len(named))
    return {one.id: float(quality) for one, quality in zip(named, drawn, strict=True)}


def _draw_confidence(rng: np.random.Generator) -> int | None:
    if rng.random() >= CONFIDENCE_PROBABILITY:
        return None
    return int(rng.choice([1, 2, 3, 4, 5], p=[0.05, 0.15, 0.35, 0.3, 0.15]))


def _draw_reasons(rng: np.random.Generator) -> tuple[str, ...]:
    if rng.random() >= REASONS_PROBABILITY:
        return ()
    chosen = rng.choice(REASON_TAGS, size=int(rng.integers(1, 3)), replace=False)
    return tuple(sorted(str(reason) for reason in chosen))
