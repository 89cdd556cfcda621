"""One exchange: the calls that a request needs until it is answered or has failed for good."""

import asyncio
import random
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from backend.llm.call_keys import digest_of, json_text, to_bytes, to_text
from backend.llm.calls import (
    JSON_MODES,
    OF_UNKNOWN_COST,
    TEMPORARY,
    Flag,
    JsonMode,
    ModelAnswer,
    ModelRequest,
    Outcome,
)
from backend.llm.ledger import REASON_LENGTH, Known, Opening, Refusal, Settlement
from backend.llm.models import CachedAnswer, Call, Exchange
from backend.llm.session import CallsStopped, EndpointAccess, SessionResources
from backend.llm.structured_output import (
    Unreadable,
    messages_for,
    read_value,
    repair_messages,
    request_options,
)
from backend.llm.tokens import (
    differs,
    estimate_prompt,
    estimate_tokens,
    is_prompt_count,
    most_prompt_tokens,
)
from backend.llm.transport import Reply, storable
from backend.tracks.model_tasks import Message

# Paid for, and not an answer: one more call may make it one.
REPAIRABLE = frozenset({Outcome.UNREADABLE, Outcome.TRUNCATED, Outcome.EMPTY})
# Ends that a resumed run must not pay for again.
FINAL = frozenset({Outcome.ANSWERED, Outcome.FILTERED, *REPAIRABLE})
# Calls that reached no model, so that repeating them selects nothing.
UNREACHED = frozenset({Outcome.RATE_LIMITED, Outcome.UNSUPPORTED, Outcome.REJECTED})


class CallBusy(Exception):
    """Another process makes this call; its answer will be in the ledger."""


@dataclass(frozen=True)
class Judged:
    """A reply with what was read from it and what it cost."""

    reply: Reply
    outcome: Outcome
    value: Any
    flags: frozenset[Flag]
    cost: Decimal
    own_out: int
    reason: str


class ExchangeRun:
    """earlier: the calls of this exchange that the ledger has, of a process that was stopped."""

    def __init__(
        self,
        session: SessionResources,
        access: EndpointAccess,
        request: ModelRequest,
        key: str,
        known: Known,
    ) -> None:
        self._session, self._access, self._request, self._key = session, access, request, key
        self._calls = len(known.calls)
        self._cost = sum((call.cost for call in known.calls), Decimal(0))
        self._reached = sum(Outcome(call.outcome) not in UNREACHED for call in known.calls)
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
        self._to_repair = Judged(
            reply, Outcome(call.outcome), None, frozenset(), call.cost, 0, call.reason
        )

    async def run(self) -> ModelAnswer:
        """Raises BudgetExhausted, and CallBusy where another process is at it."""
        while True:
            judged = await self._make_call()
            answer = self._next_step(judged)
            if answer is not None:
                return answer
            await self._pause_after(judged)

    async def _make_call(self) -> Judged:
        """Reserve, send and settle one call."""
        messages = self._messages()
        call = await self._begin(messages)
        try:
            reply = await self._access.transport.send(self._request, messages, self._mode)
        except BaseException:
            await self._settle_as_lost(call)
            raise
        finally:
            self._access.limiter.release()
        self._report_to_limiter(reply)
        try:
            judged = self._judge(call, reply)
        except BaseException:
            await self._settle_as_lost(call)
            raise
        self._calls += 1
        self._cost += judged.cost
        self._reached += judged.outcome not in UNREACHED
        await self._session.ledger.settle(self._settlement(call, judged))
        self._session.settled.set()
        return judged

    def _messages(self) -> Sequence[Message]:
        broken = self._to_repair
        if broken is None or broken.outcome == Outcome.EMPTY:
            return messages_for(self._request, self._mode)
        return repair_messages(self._request, self._mode, broken.reply.text, broken.reason)

    def _call(self, messages: Sequence[Message], prompt: bytes) -> Call:
        endpoint, request = self._access.endpoint, self._request
        extra = request_options(request, self._mode)
        worst_in = most_prompt_tokens(messages, extra)
        if endpoint.context_tokens is not None:
            worst_in = min(worst_in, endpoint.context_tokens)
        return Call(
            id=uuid.uuid4(),
            budget=self._session.budget,
            endpoint=endpoint,
            key=self._key,
            item_key=request.item_key,
            prompt_name=request.prompt_name,
            prompt_version=request.prompt_version,
            number=self._calls + 1,
            is_repair=self._is_repair,
            json_mode=self._mode if request.schema is not None else "",
            process=self._session.ledger.process,
            prompt=digest_of(prompt),
            reserved=endpoint.cost(worst_in, request.max_tokens),
            own_in=round(self._token_ratio * estimate_prompt(messages, extra)),
        )

    @property
    def _token_ratio(self) -> float:
        return self._access.capabilities.token_ratio or 1.0

    async def _begin(self, messages: Sequence[Message]) -> Call:
        """The call, once its worst case is reserved, it is committed, and it has a slot."""
        prompt = to_bytes(json_text([[one.role, one.content] for one in messages]))
        call, limiter = self._call(messages, prompt), self._access.limiter
        while True:
            async with limiter.preparation():
                self._session.require_calls()
                refusal = await self._session.ledger.open(Opening(call, prompt))
                if refusal is None:
                    await self._acquire_slot(call)
                    return call
            # Outside, as others may need the place to end and free what they have reserved.
            await self._wait_or_raise(refusal, call.reserved)

    async def _acquire_slot(self, call: Call) -> None:
        try:
            await self._access.limiter.acquire()
            if self._session.is_stopped:
                self._access.limiter.release()
                raise CallsStopped
        except BaseException:
            await self._settle_anyway(Settlement(call.budget_id, call.pk))
            raise

    async def _wait_or_raise(self, refusal: Refusal, needed: Decimal) -> None:
        if refusal.is_busy:
            raise CallBusy
        if refusal.is_final:
            raise await self._session.exhausted(needed)
        await self._session.wait_for_money()

    async def _settle_as_lost(self, call: Call) -> None:
        fields = {
            "outcome": Outcome.LOST,
            "cost": call.reserved,
            "flags": [Flag.UNKNOWN_COST],
            "reason": "The call was cancelled before it was answered.",
        }
        await self._settle_anyway(Settlement(call.budget_id, call.pk, fields))

    async def _settle_anyway(self, settlement: Settlement) -> None:
        """Also while this task is being cancelled."""
        settling = asyncio.ensure_future(self._session.ledger.settle(settlement))
        with suppress(asyncio.CancelledError):
            await asyncio.shield(settling)

    def _report_to_limiter(self, reply: Reply) -> None:
        limiter = self._access.limiter
        if reply.outcome == Outcome.RATE_LIMITED:
            limiter.record_rate_limit(reply.retry_after_s)
        elif reply.outcome in TEMPORARY:
            limiter.record_failure()
        else:
            limiter.record_success()

    def _judge(self, call: Call, reply: Reply) -> Judged:
        if reply.status != 200:
            unknown = reply.outcome in OF_UNKNOWN_COST and not reply.is_unsent
            cost = call.reserved if unknown else Decimal(0)
            flags = frozenset({Flag.UNKNOWN_COST}) if unknown else frozenset[Flag]()
            return Judged(reply, reply.outcome, None, flags, cost, 0, reply.reason)
        if reply.outcome == Outcome.BROKEN:
            flags = frozenset({Flag.UNKNOWN_COST})
            return Judged(reply, reply.outcome, None, flags, call.reserved, 0, reply.reason)
        own_out = round(self._token_ratio * estimate_tokens(reply.text))
        flags, cost = self._cost_of(call, reply, own_out)
        judged = Judged(reply, reply.outcome, None, flags, cost, own_out, reply.reason)
        return self._read(judged) if reply.outcome == Outcome.ANSWERED else judged

    def _cost_of(self, call: Call, reply: Reply, own_out: int) -> tuple[frozenset[Flag], Decimal]:
        """By the endpoint's count, unless it differs too much from the own count."""
        flags = set()
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        is_wrong = (
            tokens_in is None
            or tokens_out is None
            or not is_prompt_count(tokens_in, self._bare_prompt(), call.own_in)
            or differs(tokens_out - reply.hidden_tokens, own_out)
            or tokens_out > self._request.max_tokens
        )
        if is_wrong:
            flags.add(Flag.TOKEN_COUNT)
        if not _is_same_model(self._access.endpoint.model, reply.model_returned):
            flags.add(Flag.MODEL_NAME)
        counted = (call.own_in, own_out) if is_wrong else (tokens_in or 0, tokens_out or 0)
        return frozenset(flags), min(self._access.endpoint.cost(*counted), call.reserved)

    def _bare_prompt(self) -> int:
        return round(self._token_ratio * estimate_prompt(self._messages(), None))

    def _read(self, judged: Judged) -> Judged:
        try:
            value, is_mended, is_plain = read_value(self._request, judged.reply.text)
        except Unreadable as error:
            return replace(judged, outcome=Outcome.UNREADABLE, reason=str(error))
        flags = {*judged.flags}
        flags |= {Flag.REPAIRED} if is_mended else set()
        flags |= {Flag.PLAIN_TEXT} if is_plain else set()
        return replace(judged, value=value, flags=frozenset(flags))

    def _settlement(self, call: Call, judged: Judged) -> Settlement:
        reply = judged.reply
        text = to_bytes(reply.text)
        digest = digest_of(text) if reply.text else ""
        fields = {
            "outcome": judged.outcome,
            "status": reply.status,
            "text": digest,
            "model_returned": reply.model_returned,
            "reported_in": reply.tokens_in,
            "reported_out": reply.tokens_out,
            "own_out": judged.own_out,
            "cost": judged.cost,
            "latency_ms": reply.latency_ms,
            "flags": sorted(judged.flags),
            "reason": storable(judged.reason)[:REASON_LENGTH],
        }
        has_ended = self._has_ended(judged.outcome)
        return Settlement(
            call.budget_id,
            call.pk,
            fields,
            {digest: text} if digest else {},
            self._exchange(call, judged, digest) if has_ended else None,
            self._cached(call, judged, digest) if judged.outcome == Outcome.ANSWERED else None,
        )

    def _has_ended(self, outcome: Outcome) -> bool:
        return outcome in FINAL and (outcome not in REPAIRABLE or self._is_repair)

    def _counted(self, call: Call, judged: Judged) -> tuple[int, int]:
        if Flag.TOKEN_COUNT in judged.flags:
            return call.own_in, judged.own_out
        return judged.reply.tokens_in or 0, judged.reply.tokens_out or 0

    def _exchange(self, call: Call, judged: Judged, digest: str) -> Exchange:
        tokens_in, tokens_out = self._counted(call, judged)
        return Exchange(
            budget_id=call.budget_id,
            endpoint_id=call.endpoint_id,
            key=self._key,
            item_key=call.item_key,
            prompt_name=call.prompt_name,
            prompt_version=call.prompt_version,
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
        tokens_in, tokens_out = self._counted(call, judged)
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
            json_mode=self._mode if self._request.schema is not None else None,
            calls=self._calls,
            is_retried=self._reached > 1,
            cost=self._cost,
            tokens_in=reply.tokens_in or 0,
            tokens_out=reply.tokens_out or 0,
            latency_ms=reply.latency_ms,
            flags=judged.flags,
            logprobs=reply.logprobs,
            reason=judged.reason,
            key=self._key,
        )


def _is_same_model(requested: str, returned: str) -> bool:
    """Servers add versions (`gpt-5-2026-01-01`) and leave out publishers (`org/model`)."""
    name, other = (one.lower().rsplit("/", 1)[-1] for one in (requested, returned))
    return bool(other) and (other.startswith(name) or name.startswith(other))
