"""A storm of faults in front of right answers, and the ledger that a server's log implies."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from backend.llm.call_keys import digest_of, json_text, to_bytes
from backend.llm.calls import Flag, Outcome
from backend.llm.models import Budget, Call
from tests.evaluation.played_runs import Ended, play
from tests.llm.factories import QUICK
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


def play_storm(slug: str, task: str, storm: FaultStorm, settings: Mapping[str, Any]) -> Ended:
    """A run of some items, with short pauses between attempts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("backend.llm.session.RetryRules", lambda: QUICK)
        chosen = {**settings, "max_items": STORMED}
        return play(slug, task, storm.play, chosen, timeout_s=TIMEOUT_S)


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


def prompt_of(entry: Logged) -> str:
    messages = [[one["role"], one["content"]] for one in entry.body["messages"]]
    return digest_of(to_bytes(json_text(messages)))


def assert_ledger_is_log(subject: str, log: Sequence[Logged]) -> None:
    """Each request has a call of its outcome, paid for by what the server has truly done."""
    budget = Budget.objects.get(subject=subject)
    calls = [*Call.objects.filter(budget=budget)]
    assert {outcome_of(one) for one in log} == MET
    recorded = Counter((one.prompt, one.outcome) for one in calls)
    assert recorded == Counter((prompt_of(one), outcome_of(one)) for one in log)
    assert {one.state for one in calls} == {Call.State.SETTLED}
    assert budget.spent == sum((one.cost for one in calls), Decimal(0)) <= budget.amount
    assert budget.reserved == 0
    by_prompt = {(prompt_of(one), outcome_of(one)): one for one in log}
    for call in calls:
        assert_paid(call, by_prompt[call.prompt, Outcome(call.outcome)])


def assert_paid(call: Call, entry: Logged) -> None:
    """At 1 and 2 dollars for a million tokens in and out."""
    outcome, scripted = Outcome(call.outcome), entry.scripted
    if outcome == Outcome.RATE_LIMITED:
        assert (call.cost, call.flags) == (0, [])
    elif outcome == Outcome.SERVER_ERROR:  # free, or the worst case: a model may have answered
        assert (call.cost, call.flags) in ((0, []), (call.reserved, [Flag.UNKNOWN_COST]))
    elif outcome in (Outcome.TIMED_OUT, Outcome.BROKEN):
        assert (call.cost, call.flags) == (call.reserved, [Flag.UNKNOWN_COST])
    elif scripted.has_usage and scripted.lie == 1:
        assert Flag.TOKEN_COUNT not in call.flags, json.dumps(entry.body)
        assert (call.reported_in, call.reported_out) == (entry.tokens_in, entry.tokens_out)
        assert call.cost == price(entry.tokens_in, entry.tokens_out)
    else:
        assert Flag.TOKEN_COUNT in call.flags
        assert call.own_out is not None
        assert min(price(call.own_in, call.own_out), call.reserved) <= call.cost <= call.reserved
    assert (Flag.MODEL_NAME in call.flags) == (scripted.model is not None)


def price(tokens_in: int, tokens_out: int) -> Decimal:
    return (Decimal(tokens_in) + 2 * Decimal(tokens_out)) / 1_000_000
