"""A storm of faults in front of right answers. Without Django."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from backend.llm.calls import Outcome
from tests.llm.scripted_server import Logged, Scripted

TIMEOUT_S = 2
STORMED = 10  # items of a run: each meets other faults, and one waits in vain
STALL_S = 600.0  # the client goes away before
REFUSAL = Scripted(status=429, headers={"retry-after": "0.1"}, error="slow down")
# Before the model is reached, or while it answers: the same request is sent again.
TRANSPORT: Sequence[Sequence[Scripted]] = (
    (REFUSAL, REFUSAL, REFUSAL),
    (Scripted(is_cut=True),),
    (Scripted(raw_body='{"choices": ['), Scripted(status=500)),
    (Scripted(raw_body="<html>busy</html>"),),
    (Scripted(delay_s=STALL_S),),
    (REFUSAL, Scripted(status=503, error="overloaded")),
)
# Answers that are none: there is one repair.
ANSWERS: Sequence[Scripted] = (
    Scripted(text='Sure! {"label": nonsense, "answer": ]'),
    Scripted(text='{"rationale": "It', finish_reason="length"),
    Scripted(text=""),
    Scripted(text='{"unrelated": 1}'),
)
# The right answer comes with these.
LIES: Sequence[dict[str, Any]] = (
    {},
    {"lie": 3.0},
    {"model": "another-model"},
    {"has_usage": False},
    {"lie": 0.2},
)
OUTCOMES = {
    429: Outcome.RATE_LIMITED,
    500: Outcome.SERVER_ERROR,
    503: Outcome.SERVER_ERROR,
}


@dataclass
class FaultStorm:
    """answer: the right one. Items are numbered as they come, and each meets its own faults."""

    number_of: Callable[[dict[str, Any]], int]
    answer: Callable[[int, dict[str, Any]], str]
    places: dict[int, int] = field(default_factory=dict)
    attempts: Counter[int] = field(default_factory=Counter)

    def play(self, body: dict[str, Any], number: int) -> Scripted:
        item = self.number_of(body)
        place = self.places.setdefault(item, len(self.places))
        faults: list[Scripted] = [*TRANSPORT[place % len(TRANSPORT)], ANSWERS[place % len(ANSWERS)]]
        attempt = self.attempts[item]
        self.attempts[item] += 1
        if attempt < len(faults):
            return faults[attempt]
        return Scripted(text=self.answer(item, body), **LIES[place % len(LIES)])


MET = {*OUTCOMES.values(), Outcome.TIMED_OUT, Outcome.BROKEN, Outcome.TRUNCATED, Outcome.EMPTY}
MET |= {Outcome.UNREADABLE, Outcome.ANSWERED}


def outcome_of(entry: Logged) -> Outcome:
    """As the client has to record it."""
    one = entry.scripted
    if one.status != 200:
        return OUTCOMES[one.status]
    if one.delay_s:
        return Outcome.TIMED_OUT
    if one.is_cut or one.raw_body is not None:
        return Outcome.BROKEN
    if one.finish_reason == "length":
        return Outcome.TRUNCATED
    if not one.text:
        return Outcome.EMPTY
    return Outcome.UNREADABLE if one in ANSWERS else Outcome.ANSWERED
