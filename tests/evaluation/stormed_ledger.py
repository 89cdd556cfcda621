"""Runs in a storm of faults, and the ledger that a server's log implies."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest

from backend.llm.call_keys import digest_of, json_text, to_bytes
from backend.llm.calls import Flag, Outcome
from backend.llm.models import Budget, Call
from tests.evaluation.fault_storm import MET, STORMED, TIMEOUT_S, FaultStorm, outcome_of
from tests.evaluation.played_runs import Ended, play
from tests.llm.factories import QUICK
from tests.llm.scripted_server import Logged


def play_storm(slug: str, task: str, storm: FaultStorm, settings: Mapping[str, Any]) -> Ended:
    """A run of some items, with short pauses between attempts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("backend.llm.session.RetryRules", lambda: QUICK)
        chosen = {**settings, "max_items": STORMED}
        return play(slug, task, storm.play, chosen, timeout_s=TIMEOUT_S)


def prompt_of(entry: Logged) -> str:
    messages = [[one["role"], one["content"]] for one in entry.body["messages"]]
    return digest_of(to_bytes(json_text(messages)))


def place_of_request(entry: Logged) -> tuple[str, str, str]:
    return entry.body["model"], prompt_of(entry), outcome_of(entry)


def place_of_call(call: Call) -> tuple[str, str, str]:
    return call.endpoint.model, call.prompt, call.outcome


def assert_ledger_is_log(subject: str, log: Sequence[Logged]) -> None:
    """Each request has a call of its outcome, paid for by what the server has truly done."""
    budget = Budget.objects.get(subject=subject)
    calls = [*Call.objects.filter(budget=budget).select_related("endpoint")]
    assert {outcome_of(one) for one in log} == MET
    assert Counter(map(place_of_call, calls)) == Counter(map(place_of_request, log))
    assert {one.state for one in calls} == {Call.State.SETTLED}
    assert budget.spent == sum((one.cost for one in calls), Decimal(0)) <= budget.amount
    assert budget.reserved == 0
    requests = {place_of_request(one): one for one in log}
    for call in calls:
        assert_paid(call, requests[place_of_call(call)])


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
