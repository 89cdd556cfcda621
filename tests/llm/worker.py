"""Requests of a process to an endpoint, paid from a budget, as a run's worker makes them.

It imports models: Django is set up before. Tests kill it (tests/command_processes.py).
"""

import asyncio
import json
import sys

from backend.llm.budgets import BudgetExhausted
from backend.llm.client import ModelSession
from backend.llm.models import Budget, Endpoint
from tests.llm.factories import QUICK, SHORT, make_request


def send_requests(endpoint_id: str, budget_id: str, first: str, last: str) -> None:
    """Prints a line of JSON for each answer."""
    endpoint = Endpoint.objects.get(pk=endpoint_id)
    budget = Budget.objects.get(pk=budget_id)
    asyncio.run(_send_all(endpoint, budget, range(int(first), int(last))))


async def _send_all(endpoint: Endpoint, budget: Budget, items: range) -> None:
    async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
        await asyncio.gather(*(_send(session, endpoint, item) for item in items))


async def _send(session: ModelSession, endpoint: Endpoint, item: int) -> None:
    try:
        answer = await session.complete(endpoint, make_request(item))
    except BudgetExhausted:
        return
    row = {
        "item": item,
        "outcome": answer.outcome,
        "text": answer.text,
        "is_retried": answer.is_retried,
    }
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()
