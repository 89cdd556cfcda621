"""Requests of tests, made at once in one session."""

import asyncio
from collections.abc import Sequence

from backend.llm.calls import ModelAnswer, ModelRequest
from backend.llm.client import ModelSession
from backend.llm.models import Budget, Endpoint
from tests.llm.factories import QUICK, SHORT

LONGEST_S = 20  # of a session that would otherwise wait for itself for ever


def complete(endpoint: Endpoint, budget: Budget, *requests: ModelRequest) -> Sequence[ModelAnswer]:
    async def run() -> Sequence[ModelAnswer]:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            async with asyncio.timeout(LONGEST_S):
                return await asyncio.gather(*(session.complete(endpoint, one) for one in requests))

    return asyncio.run(run())
