"""One process that makes calls: answers, faults, the ladder, the cache and the ledger."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal

import pytest

from backend.llm.calls import ModelAnswer, ModelRequest
from backend.llm.client import ModelSession
from backend.llm.models import Budget, Call, Endpoint, StoredText
from tests.llm.factories import QUICK, SHORT, YesOrNo, make_budget, make_endpoint, make_request
from tests.llm.scripted_server import ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)


def ask(endpoint: Endpoint, budget: Budget, *requests: ModelRequest) -> Sequence[ModelAnswer]:
    async def run() -> Sequence[ModelAnswer]:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            return await asyncio.gather(*(session.ask(endpoint, one) for one in requests))

    return asyncio.run(run())


def test_an_answer_is_read_paid_for_and_in_the_ledger(server: ScriptedServer) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    [answer] = ask(endpoint, budget, make_request())
    assert answer.value == YesOrNo(answer="yes")
    [entry] = server.log
    call = Call.objects.get()
    assert (call.reported_in, call.reported_out) == (entry.tokens_in, entry.tokens_out)
    cost = (entry.tokens_in * Decimal(1) + entry.tokens_out * Decimal(2)) / 1_000_000
    budget.refresh_from_db()
    assert budget.spent == call.cost == answer.cost == cost > 0
    assert budget.reserved == 0
    assert bytes(StoredText.objects.get(digest=call.text).content) == b'{"answer": "yes"}'
    assert b"Is item 1 a gene" in bytes(StoredText.objects.get(digest=call.prompt).content)
    assert not call.flags
