"""What a call is charged where the server's word cannot be relied on: never less than its bill."""

import asyncio
import json
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from decimal import Decimal
from typing import Any

import pytest

from backend.common.errors import DomainError
from backend.llm.call_keys import call_key
from backend.llm.calls import Flag, ModelAnswer, ModelRequest, Outcome
from backend.llm.client import ModelSession
from backend.llm.models import Budget, Call, Endpoint, Exchange
from tests.llm.factories import COMMITTED, QUICK, SHORT, make_budget, make_endpoint, make_request
from tests.llm.scripted_server import Scripted, ScriptedServer, scripts
from tests.llm.sessions import complete

pytestmark = COMMITTED


def completion(text: str, usage: dict[str, Any]) -> Scripted:
    choice = {"finish_reason": "stop", "message": {"content": text}}
    return Scripted(
        raw_body=json.dumps({"model": "scripted-1", "choices": [choice], "usage": usage})
    )


@pytest.mark.parametrize("lie", [0.1, 3.0])
def test_of_two_counts_that_differ_the_larger_is_charged(
    server: ScriptedServer, lie: float
) -> None:
    server.script = scripts(Scripted(lie=lie))
    budget = make_budget()
    [answer] = complete(make_endpoint(server.url), budget, make_request())
    call = Call.objects.get()
    assert call.flags == [Flag.TOKEN_COUNT]
    assert call.reported_in is not None and call.reported_out is not None
    larger = max(call.reported_in, call.own_in), max(call.reported_out, call.own_out)
    assert call.cost == call.endpoint.cost(*larger) <= call.reserved
    assert (answer.cost, answer.tokens_in, answer.tokens_out) == (call.cost, *larger)
    budget.refresh_from_db()
    assert budget.spent == call.cost


def test_a_count_above_what_was_reserved_is_charged_up_to_that(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(lie=1000.0))
    budget = make_budget()
    complete(make_endpoint(server.url), budget, make_request())
    call = Call.objects.get()
    budget.refresh_from_db()
    assert call.flags == [Flag.TOKEN_COUNT] and call.cost == call.reserved == budget.spent


LONG = "An answer without an end. " * 400


@pytest.mark.parametrize("has_usage", [True, False])
def test_an_answer_beyond_the_limit_is_charged_as_billed_and_no_further_call_is_made(
    server: ScriptedServer, has_usage: bool
) -> None:
    server.script = scripts(Scripted(text=LONG, has_usage=has_usage))
    endpoint = make_endpoint(server.url, price_out=Decimal(50), max_in_flight=1)
    budget = make_budget()
    plain = [make_request(item, schema=None, read=None) for item in range(4)]
    answers = complete_all(endpoint, budget, *plain)
    [entry], [call] = server.log, Call.objects.all()
    assert Flag.OVER_LIMIT in call.flags and call.cost > call.reserved
    if has_usage:
        assert call.cost >= endpoint.cost(entry.tokens_in, entry.tokens_out)
    budget.refresh_from_db()
    assert (budget.spent, budget.reserved) == (call.cost, 0)
    [answered], refusals = split(answers)
    assert (answered.text, answered.cost) == (LONG, call.cost) and len(refusals) == 3
    assert {one.code for one in refusals} == {"limit_ignored"}
    assert Exchange.objects.get().cost == call.cost


def test_what_a_budget_has_not_is_not_charged_beyond_it(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(text=LONG))
    endpoint = make_endpoint(server.url, price_out=Decimal(50))
    request = make_request(schema=None, read=None)
    budget = make_budget("0.02")
    [answer] = complete(endpoint, budget, request)
    budget.refresh_from_db()
    call = Call.objects.get()
    assert answer.cost == call.cost == budget.spent == budget.amount > call.reserved
    assert Exchange.objects.get().cost == call.cost and budget.reserved == 0


def test_hidden_reasoning_beyond_the_limit_is_charged_as_billed(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(reasoning_tokens=5_000))
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    [entry] = server.log
    assert answer.flags == {Flag.TOKEN_COUNT, Flag.OVER_LIMIT}
    assert answer.cost >= Call.objects.get().endpoint.cost(entry.tokens_in, entry.tokens_out)


def complete_all(endpoint: Endpoint, budget: Budget, *requests: ModelRequest) -> Sequence[Any]:
    """Answers and what is raised."""

    async def run() -> Sequence[Any]:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            calls = [session.complete(endpoint, one) for one in requests]
            return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(run())


def split(ended: Sequence[Any]) -> tuple[list[ModelAnswer], list[DomainError]]:
    refused = [one for one in ended if isinstance(one, DomainError)]
    return [one for one in ended if isinstance(one, ModelAnswer)], refused


def test_hidden_reasoning_stays_charged_where_the_prompt_is_counted_wrong(
    server: ScriptedServer,
) -> None:
    hidden = {"reasoning_tokens": 50}
    usage = {"prompt_tokens": 1, "completion_tokens": 60, "completion_tokens_details": hidden}
    server.script = scripts(completion('{"answer": "yes"}', usage))
    complete(make_endpoint(server.url), make_budget(), make_request())
    call = Call.objects.get()
    assert call.flags == [Flag.TOKEN_COUNT]
    assert call.cost == call.endpoint.cost(call.own_in, 60)


def test_an_answer_that_is_counted_as_no_token_is_charged_by_the_own_count(
    server: ScriptedServer,
) -> None:
    """A word is within what short texts vary; with many items it adds up."""

    usage = {"prompt_tokens": 20, "completion_tokens": 0}
    server.script = scripts(completion("Yes, it is.", usage))
    plain = make_request(schema=None, read=None)
    complete(make_endpoint(server.url), make_budget(), plain)
    call = Call.objects.get()
    assert call.flags == [Flag.TOKEN_COUNT] and call.own_out > 0
    assert call.cost == call.endpoint.cost(max(20, call.own_in), call.own_out)


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 524])
def test_a_fault_behind_which_a_model_may_have_answered_costs_its_worst_case(
    server: ScriptedServer, status: int
) -> None:
    server.script = scripts(Scripted(status=status), Scripted())
    budget = make_budget()
    [answer] = complete(make_endpoint(server.url), budget, make_request())
    first, second = Call.objects.order_by("number")
    assert (first.outcome, first.flags) == (Outcome.SERVER_ERROR, [Flag.UNKNOWN_COST])
    assert first.cost == first.reserved > second.cost > 0
    budget.refresh_from_db()
    assert budget.spent == answer.cost == first.cost + second.cost
    assert answer.is_retried


@pytest.mark.parametrize(
    "refusal",
    [
        Scripted(status=409),
        Scripted(status=425),
        Scripted(status=429, headers={"retry-after": "0.05"}),
        Scripted(status=503, headers={"retry-after": "0.05"}),
        Scripted(status=501, error="response_format json_schema is not implemented"),
    ],
    ids=lambda refusal: str(refusal.status),
)
def test_a_refusal_costs_nothing_and_is_no_attempt(
    server: ScriptedServer, refusal: Scripted
) -> None:
    server.script = scripts(refusal, Scripted())
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    first, second = Call.objects.order_by("number")
    assert (first.cost, first.flags) == (0, []) and answer.cost == second.cost > 0
    assert answer.is_answered and not answer.is_retried


def test_faults_at_their_worst_case_end_a_run_before_its_budget_is_exceeded(
    server: ScriptedServer,
) -> None:
    server.script = scripts(Scripted(status=502))
    endpoint = make_endpoint(server.url, price_in=Decimal(1000), price_out=Decimal(0))
    budget = make_budget("1")

    async def run() -> int:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            tasks = [session.complete(endpoint, make_request(item)) for item in range(8)]
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            return sum(isinstance(one, Exception) for one in ended)

    assert asyncio.run(run()) > 0
    budget.refresh_from_db()
    costs = [one.cost for one in Call.objects.all()]
    assert len(costs) == len(server.log)
    assert budget.spent == sum(costs, Decimal(0)) <= budget.amount
    assert budget.reserved == 0


def test_an_attempt_that_reached_no_server_is_no_retry(server: ScriptedServer) -> None:
    """The first address has no listener; the calls of both are of one exchange."""
    nobody = make_endpoint("http://127.0.0.1:9/v1")
    budget = make_budget()
    [failed] = complete(nobody, budget, make_request())
    assert failed.outcome == Outcome.BROKEN and not failed.is_retried and failed.cost == 0
    key = failed.key
    live = make_endpoint(server.url, name="live")
    Call.objects.update(key=call_key(live, make_request()), endpoint=live)
    [answer] = complete(live, budget, make_request())
    assert key != answer.key and answer.calls == QUICK.most_failures + 2
    assert answer.is_answered and not answer.is_retried


def test_a_server_that_takes_no_connection_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its queue of connections is full, so that each attempt waits for the limit."""
    monkeypatch.setattr("backend.llm.transport.CONNECT_S", 0.2)
    budget = make_budget()
    with socket.socket() as full, ExitStack() as stack:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        port = full.getsockname()[1]
        [answer] = complete(make_endpoint(f"http://127.0.0.1:{port}/v1"), budget, make_request())
    budget.refresh_from_db()
    assert (answer.outcome, budget.spent) == (Outcome.BROKEN, 0)
    assert answer.reason == "No connection to the server could be made." and not answer.is_retried
