"""One exchange: the calls that a request needs until it is answered or has failed for good."""

import asyncio
import random
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from backend.llm.call_keys import to_text
from backend.llm.call_results import (
    CallPlan,
    Judged,
    call_fields,
    has_reached_model,
    judge,
    make_opening,
)
from backend.llm.calls import (
    JSON_MODES,
    REASON_LENGTH,
    TEMPORARY,
    Flag,
    JsonMode,
    ModelAnswer,
    ModelRequest,
    Outcome,
)
from backend.llm.ledger import Opening, Refusal, Settlement, lost_fields
from backend.llm.ledger_lookup import Known, Place
from backend.llm.models import CachedAnswer, Call, Exchange
from backend.llm.replies import Reply, storable
from backend.llm.session import EndpointAccess, SessionResources
from backend.llm.structured_output import messages_for, repair_messages
from backend.tracks.model_tasks import Message

# Paid for, and not an answer: one more call may make it one.
REPAIRABLE = frozenset({Outcome.UNREADABLE, Outcome.TRUNCATED, Outcome.EMPTY})
# Ends that a resumed run must not pay for again.
FINAL = frozenset({Outcome.ANSWERED, Outcome.FILTERED, *REPAIRABLE})


class CallBusy(Exception):
    """Another process makes this call; its answer will be in the ledger."""


class ExchangeRun:
    """earlier: the calls of this exchange that the ledger has, of a process that was stopped."""

    def __init__(
        self,
        session: SessionResources,
        access: EndpointAccess,
        request: ModelRequest,
        place: Place,
        known: Known,
    ) -> None:
        self._session, self._access, self._request = session, access, request
        self._key, self._lasting_key = place.key, place.lasting_key
        self._calls = len(known.calls)
        self._cost = sum((call.cost for call in known.calls), Decimal(0))
        self._reached = sum(map(has_reached_model, known.calls))
        self._mode = access.mode
        self._failures = self._rate_limits = 0
        self._to_repair: Judged | None = None
        self._is_repair = any(call.is_repair for call in known.calls)
        for call in known.calls:
            if Outcome(call.outcome) in REPAIRABLE:
                self._continue_from(call, known)

    def _continue_from(self, call: Call, known: Known) -> None:
        text = to_text(known.texts.get(call.text, b""))
        self._mode = JsonMode(call.json_mode or JsonMode.TEXT)
        self._is_repair = True
        reply = Reply(Outcome(call.outcome), text=text)
        self._to_repair = Judged(reply, reply.outcome, cost=call.cost, reason=call.reason)

    async def run(self) -> ModelAnswer:
        """Raises CallsStopped, CallsRefused, and CallBusy where another process is at it."""
        while True:
            judged = await self._make_call()
            answer = self._next_step(judged)
            if answer is not None:
                return answer
            await self._pause_after(judged)

    async def _make_call(self) -> Judged:
        """Reserve, send and settle one call."""
        plan = self._plan()
        call = await self._begin(plan)
        try:
            try:
                reply = await self._access.transport.send(plan.request, plan.messages, plan.mode)
            finally:
                self._access.limiter.release()
            self._report_to_limiter(reply)
            judged = judge(plan, call, reply)
            # Before anything is awaited: who has the slot now looks at it.
            self._access.ignores_limit |= Flag.OVER_LIMIT in judged.flags
        except BaseException:
            fields = lost_fields(call, "The call was cancelled before it was answered.")
            await self._settle_anyway(Settlement(call.budget_id, call.pk, fields))
            raise
        fields, texts = call_fields(judged)
        for name in ("status", "flags"):
            setattr(call, name, fields[name])
        self._calls += 1
        self._cost += judged.cost
        self._reached += has_reached_model(call)
        settlement = self._settlement(call, judged, fields, texts)
        charged = await self._session.ledger.settle(settlement)
        self._cost -= judged.cost - charged
        self._session.settled.set()
        return judged

    def _messages(self) -> Sequence[Message]:
        broken = self._to_repair
        if broken is None or broken.outcome == Outcome.EMPTY:
            return messages_for(self._request, self._mode)
        return repair_messages(self._request, self._mode, broken.reply.text, broken.reason)

    def _plan(self) -> CallPlan:
        return CallPlan(
            self._access.endpoint,
            self._request,
            self._messages(),
            self._mode,
            self._session.budget.pk,
            self._session.ledger.process,
            self._key,
            number=self._calls + 1,
            is_repair=self._is_repair,
            token_ratio=self._access.capabilities.token_ratio or 1.0,
        )

    async def _begin(self, plan: CallPlan) -> Call:
        """The call, once its worst case is reserved, it is committed, and it has a slot."""
        opening, limiter = make_opening(plan), self._access.limiter
        call = opening.call
        while True:
            async with limiter.preparation():
                await self._session.require_calls(self._access)
                refusal = await self._open(opening)
                if refusal is None:
                    await self._acquire_slot(call)
                    return call
            # Outside, as others may need the place to end and free what they have reserved.
            await self._wait_or_raise(refusal, call.reserved)

    async def _open(self, opening: Opening) -> Refusal | None:
        """Where this is cancelled, what the ledger reserves all the same is released."""
        opened = asyncio.ensure_future(self._session.ledger.open(opening))
        try:
            return await asyncio.shield(opened)
        except asyncio.CancelledError:
            await self._end_anyway(self._release(opening.call, opened))
            raise

    async def _release(self, call: Call, opened: Awaitable[Refusal | None]) -> None:
        if await opened is None:
            await self._session.ledger.settle(Settlement(call.budget_id, call.pk))

    async def _acquire_slot(self, call: Call) -> None:
        try:
            await self._access.limiter.acquire()
            try:
                await self._session.require_calls(self._access)
            except BaseException:
                self._access.limiter.release()
                raise
        except BaseException:
            await self._settle_anyway(Settlement(call.budget_id, call.pk))
            raise

    async def _wait_or_raise(self, refusal: Refusal, needed: Decimal) -> None:
        if refusal.is_busy:
            raise CallBusy
        if refusal.is_final:
            raise await self._session.exhausted(needed)
        await self._session.wait_for_money()

    async def _settle_anyway(self, settlement: Settlement) -> None:
        await self._end_anyway(self._session.ledger.settle(settlement))

    async def _end_anyway(self, work: Coroutine[Any, Any, object]) -> None:
        """Also while this task is being cancelled."""
        with suppress(asyncio.CancelledError):
            await asyncio.shield(asyncio.ensure_future(work))

    def _report_to_limiter(self, reply: Reply) -> None:
        limiter = self._access.limiter
        if reply.outcome == Outcome.RATE_LIMITED:
            limiter.record_rate_limit(reply.retry_after_s)
        elif reply.outcome in TEMPORARY:
            limiter.record_failure()
        else:
            limiter.record_success()

    def _settlement(
        self, call: Call, judged: Judged, fields: Mapping[str, Any], texts: Mapping[str, bytes]
    ) -> Settlement:
        digest = fields["text"]
        return Settlement(
            call.budget_id,
            call.pk,
            fields,
            texts,
            self._exchange(call, judged, digest) if self._has_ended(judged.outcome) else None,
            self._cached(call, judged, digest) if judged.outcome == Outcome.ANSWERED else None,
        )

    def _has_ended(self, outcome: Outcome) -> bool:
        return outcome in FINAL and (outcome not in REPAIRABLE or self._is_repair)

    def _exchange(self, call: Call, judged: Judged, digest: str) -> Exchange:
        tokens_in, tokens_out = judged.tokens
        return Exchange(
            budget_id=call.budget_id,
            endpoint_id=call.endpoint_id,
            key=self._key,
            lasting_key=self._lasting_key,
            item_key=call.item_key,
            prompt_name=call.prompt_name,
            prompt_version=self._request.prompt_version,
            outcome=judged.outcome,
            json_mode=call.json_mode,
            text=digest,
            model_returned=judged.reply.model_returned,
            reason=storable(judged.reason)[:REASON_LENGTH],
            flags=sorted(judged.flags),
            logprobs=judged.reply.logprobs,
            calls=self._calls,
            is_retried=self._reached > 1,
            cost=self._cost,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            latency_ms=judged.reply.latency_ms,
        )

    def _cached(self, call: Call, judged: Judged, digest: str) -> CachedAnswer:
        tokens_in, tokens_out = judged.tokens
        return CachedAnswer(
            key=self._key,
            text=digest,
            json_mode=call.json_mode,
            model_returned=judged.reply.model_returned,
            flags=sorted(judged.flags),
            logprobs=judged.reply.logprobs,
            is_retried=self._reached > 1,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
        )

    def _next_step(self, judged: Judged) -> ModelAnswer | None:
        """The end, or None where another call follows."""
        outcome, rules = judged.outcome, self._session.rules
        if outcome in REPAIRABLE and not self._is_repair:
            self._to_repair, self._is_repair = judged, True
            return None
        if outcome == Outcome.UNSUPPORTED:
            if not judged.reply.is_adapted:
                self._lower_mode()
            return None
        if outcome == Outcome.RATE_LIMITED:
            self._rate_limits += 1
            return None if self._rate_limits <= rules.most_rate_limits else self._answer(judged)
        if outcome in TEMPORARY:
            self._failures += 1
            return None if self._failures <= rules.most_failures else self._answer(judged)
        return self._answer(judged)

    def _lower_mode(self) -> None:
        """For the other calls of this endpoint too."""
        following = JSON_MODES[JSON_MODES.index(self._mode) + 1]
        self._mode = following
        if JSON_MODES.index(self._access.mode) < JSON_MODES.index(following):
            self._access.mode = following

    async def _pause_after(self, judged: Judged) -> None:
        """The limiter pauses after refusals for the rate."""
        if judged.outcome in TEMPORARY - {Outcome.RATE_LIMITED}:
            rules = self._session.rules
            longest = min(rules.first_pause_s * 2**self._failures, rules.longest_pause_s)
            await asyncio.sleep(longest * random.uniform(0.5, 1))  # noqa: S311  no secret

    def _answer(self, judged: Judged) -> ModelAnswer:
        reply = judged.reply
        return ModelAnswer(
            outcome=judged.outcome,
            value=judged.value,
            text=reply.text,
            model_returned=reply.model_returned,
            status=reply.status,
            json_mode=self._mode if self._request.schema is not None else None,
            calls=self._calls,
            is_retried=self._reached > 1,
            cost=self._cost,
            tokens_in=judged.tokens[0],
            tokens_out=judged.tokens[1],
            latency_ms=reply.latency_ms,
            flags=judged.flags,
            logprobs=reply.logprobs,
            reason=judged.reason,
            key=self._key,
        )
