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

from backend.llm.call_keys import call_key, lasting_key, to_text
from backend.llm.call_results import has_reached_model
from backend.llm.calls import Flag, JsonMode, ModelAnswer, ModelRequest, Outcome
from backend.llm.exchanges import CallBusy, ExchangeRun
from backend.llm.ledger import Settlement
from backend.llm.ledger_lookup import Known, Place
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
        CallsRefused (the budget is exhausted, the endpoint has changed, or it ignores the limit of
        tokens), PriceUnknown, KeyMissing, EndpointAddressRefused, and CallsStopped.
        """
        access = await self._resources.access(endpoint)
        keys = call_key(endpoint, request), lasting_key(endpoint, request)
        place = Place(self._resources.budget.pk, keys[0], request.item_key, keys[1])
        async with _one_at_a_time(access, place.key):
            while True:
                known = await self._resources.ledger.look_up(place)
                if (ended := await self._ended(access, request, place, known)) is not None:
                    text = to_text(known.texts.get(ended.text, b""))
                    return read_again(request, ended, text)
                try:
                    return await ExchangeRun(self._resources, access, request, place, known).run()
                except CallBusy:
                    await self._resources.require_calls(access)
                    await asyncio.sleep(self._resources.rules.poll_s)
                    await self._resources.recover()

    async def _ended(
        self, access: EndpointAccess, request: ModelRequest, place: Place, known: Known
    ) -> Exchange | None:
        """The exchange of this item, which is made from what an equal request has got."""
        source = known.equal or known.cached
        if known.exchange is not None or source is None:
            return known.exchange
        exchange = _exchange_like(source, known, place, access, request)
        settlement = Settlement(self._resources.budget.pk, None, exchange=exchange)
        await self._resources.ledger.settle(settlement)
        return exchange


def read_again(request: ModelRequest, row: Exchange, text: str) -> ModelAnswer:
    """The answer of an exchange that has ended, without a call."""
    answer = ModelAnswer(
        outcome=Outcome(row.outcome),
        text=text,
        model_returned=row.model_returned,
        json_mode=JsonMode(row.json_mode) if row.json_mode else None,
        calls=row.calls,
        is_cached=row.is_cached,
        is_retried=row.is_retried,
        cost=row.cost,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        latency_ms=row.latency_ms,
        flags=frozenset(map(Flag, row.flags)),
        logprobs=row.logprobs,
        reason=row.reason,
        key=row.key,
    )
    if not answer.is_answered:
        return answer
    try:
        value, _, _ = read_value(request, text)
    except Unreadable as error:  # the reader has changed since
        return replace(answer, outcome=Outcome.UNREADABLE, reason=str(error))
    return replace(answer, value=value)


def _exchange_like(
    source: Exchange | CachedAnswer,
    known: Known,
    place: Place,
    access: EndpointAccess,
    request: ModelRequest,
) -> Exchange:
    """Its cost is that of calls of this item alone, which had no answer."""
    equal = source if isinstance(source, Exchange) else None
    return Exchange(
        budget_id=place.budget_id,
        endpoint=access.endpoint,
        key=source.key,
        lasting_key=place.lasting_key,
        item_key=request.item_key,
        prompt_name=request.prompt_name,
        prompt_version=request.prompt_version,
        outcome=equal.outcome if equal else Outcome.ANSWERED,
        reason=equal.reason if equal else "",
        json_mode=source.json_mode,
        text=source.text,
        model_returned=source.model_returned,
        flags=source.flags,
        logprobs=source.logprobs,
        is_cached=True,
        is_retried=source.is_retried or any(map(has_reached_model, known.calls)),
        calls=len(known.calls),
        cost=sum((one.cost for one in known.calls), Decimal(0)),
        tokens_in=source.tokens_in,
        tokens_out=source.tokens_out,
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
