"""The client of language models that runs use.

    async with ModelSession(budget) as session:
        answer = await session.complete(endpoint, request)

Calls may be made concurrently, as many as there are items: the limiter of the endpoint decides how
many are in flight. One session for each event loop.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Self

from backend.llm.call_keys import call_key, to_text
from backend.llm.calls import Flag, JsonMode, ModelAnswer, ModelRequest, Outcome
from backend.llm.exchanges import CallBusy, ExchangeRun
from backend.llm.ledger import Known, Settlement
from backend.llm.limiter import LimiterTimes
from backend.llm.models import Budget, CachedAnswer, Endpoint, Exchange
from backend.llm.session import EndpointAccess, RetryRules, SessionResources
from backend.llm.structured_output import Unreadable, read_value


class ModelSession:
    """Pays from one budget; entered in the event loop that makes the calls."""

    def __init__(
        self,
        budget: Budget,
        *,
        rules: RetryRules | None = None,
        times: LimiterTimes | None = None,
    ) -> None:
        self._resources = SessionResources(budget, rules, times)

    async def __aenter__(self) -> Self:
        await self._resources.__aenter__()
        return self

    async def __aexit__(self, *details: object) -> None:
        await self._resources.__aexit__(*details)

    def stop_calls(self) -> None:
        """Make no new calls, also none that wait or would be repeated. From any thread."""
        self._resources.is_stopped = True

    async def complete(self, endpoint: Endpoint, request: ModelRequest) -> ModelAnswer:
        """How the request ended; faults of the endpoint are outcomes, never errors.

        A request that this budget has paid for, or whose answer is cached, makes no call. Raises
        BudgetExhausted, PriceUnknown, KeyMissing, EndpointAddressRefused, and CallsStopped.
        """
        access = await self._resources.access(endpoint)
        key = call_key(endpoint, request)
        async with _one_at_a_time(access, key):
            while True:
                known = await self._resources.ledger.look_up((self._resources.budget.pk, key))
                answer = await self._known_answer(access, request, key, known)
                if answer is not None:
                    return answer
                try:
                    return await ExchangeRun(self._resources, access, request, key, known).run()
                except CallBusy:
                    self._resources.require_calls()
                    await asyncio.sleep(self._resources.rules.poll_s)
                    await self._resources.recover()

    async def _known_answer(
        self, access: EndpointAccess, request: ModelRequest, key: str, known: Known
    ) -> ModelAnswer | None:
        row: Exchange | CachedAnswer | None = known.exchange
        if known.exchange is None and known.cached is not None:
            row = known.cached
            exchange = _exchange_of(known.cached, self._resources.budget, access, request)
            settlement = Settlement(self._resources.budget.pk, None, exchange=exchange)
            await self._resources.ledger.settle(settlement)
        if row is None:
            return None
        return read_again(request, row, to_text(known.texts.get(row.text, b"")), key)


def read_again(
    request: ModelRequest, row: Exchange | CachedAnswer, text: str, key: str = ""
) -> ModelAnswer:
    """The answer of an exchange that has ended, without a call."""
    is_exchange = isinstance(row, Exchange)
    answer = ModelAnswer(
        outcome=Outcome(row.outcome) if isinstance(row, Exchange) else Outcome.ANSWERED,
        text=text,
        model_returned=row.model_returned,
        json_mode=JsonMode(row.json_mode) if row.json_mode else None,
        calls=row.calls if isinstance(row, Exchange) else 0,
        is_cached=row.is_cached if isinstance(row, Exchange) else True,
        is_retried=row.is_retried,
        cost=row.cost if isinstance(row, Exchange) else Decimal(0),
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        latency_ms=row.latency_ms if isinstance(row, Exchange) else 0,
        flags=frozenset(map(Flag, row.flags)),
        logprobs=row.logprobs,
        reason=row.reason if isinstance(row, Exchange) else "",
        key=key or (row.key if is_exchange else ""),
    )
    if not answer.is_answered:
        return answer
    try:
        value, _, _ = read_value(request, text)
    except Unreadable as error:  # the reader has changed since
        return replace(answer, outcome=Outcome.UNREADABLE, reason=str(error))
    return replace(answer, value=value)


def _exchange_of(
    cached: CachedAnswer, budget: Budget, access: EndpointAccess, request: ModelRequest
) -> Exchange:
    return Exchange(
        budget=budget,
        endpoint=access.endpoint,
        key=cached.key,
        item_key=request.item_key,
        prompt_name=request.prompt_name,
        prompt_version=request.prompt_version,
        outcome=Outcome.ANSWERED,
        json_mode=cached.json_mode,
        text=cached.text,
        model_returned=cached.model_returned,
        flags=cached.flags,
        logprobs=cached.logprobs,
        is_cached=True,
        is_retried=cached.is_retried,
        tokens_in=cached.tokens_in,
        tokens_out=cached.tokens_out,
    )


@asynccontextmanager
async def _one_at_a_time(access: EndpointAccess, key: str) -> AsyncIterator[None]:
    """Equal requests wait for the first, whose answer they then find."""
    lock = access.key_locks.setdefault(key, asyncio.Lock())
    try:
        async with lock:
            yield
    finally:
        if not lock.locked():
            access.key_locks.pop(key, None)
