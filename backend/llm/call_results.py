"""A call before it is sent, and what its reply means: the outcome, the cost, the ledger's row."""

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from backend.llm.call_keys import digest_of, json_text, to_bytes
from backend.llm.calls import OF_UNKNOWN_COST, REASON_LENGTH, Flag, JsonMode, ModelRequest, Outcome
from backend.llm.charges import charge_tokens
from backend.llm.ledger import Opening
from backend.llm.models import Call, Endpoint
from backend.llm.replies import Reply, storable
from backend.llm.structured_output import (
    FORMAT,
    Unreadable,
    most_answer_bytes,
    read_value,
    request_options,
)
from backend.llm.tokens import (
    differs,
    estimate_options,
    estimate_prompt,
    estimate_tokens,
    is_prompt_count,
    most_prompt_tokens,
)
from backend.tracks.model_tasks import Message

# What follows the name of a model is its snapshot: a day, a month or day in four digits, a number
# with leading zeros, or the word for none. Any other ending is that of another model.
YEAR, MONTH, DAY = "20[0-9]{2}", "(?:0[1-9]|1[0-2])", "(?:0[1-9]|[12][0-9]|3[01])"
SNAPSHOT = re.compile(
    f"(.+?)(?:[-:@_](?:({YEAR}-?{MONTH}-?{DAY}|2[0-9]{MONTH}|{MONTH}{DAY}|0[0-9]{{2}})|latest))?"
)


# How a router serves the model, not which one it is; other words after a colon are those of models,
# as sizes are (`qwen2.5:72b`).
VARIANT = re.compile(r":(?:free|nitro|floor|online|extended|exacto|beta)$")


@dataclass(frozen=True)
class CallPlan:
    """A request that is about to be sent, and where it belongs in the ledger.

    number: in its exchange. token_ratio: see Capabilities.
    """

    endpoint: Endpoint
    request: ModelRequest
    messages: Sequence[Message]
    mode: JsonMode
    budget_id: uuid.UUID
    process: uuid.UUID
    key: str
    number: int = 1
    is_repair: bool = False
    token_ratio: float = 1.0

    @cached_property
    def message_tokens(self) -> int:
        """Our count of the messages, which takes long for long ones."""
        return estimate_prompt(self.messages)


@dataclass(frozen=True)
class Judged:
    """A reply with what was read from it and what it cost. tokens: in and out, as charged.

    own_out: our count of the text, and the hidden tokens, which the endpoint alone can count.
    """

    reply: Reply
    outcome: Outcome
    value: Any = None
    flags: frozenset[Flag] = frozenset()
    cost: Decimal = Decimal(0)
    own_out: int = 0
    tokens: tuple[int, int] = (0, 0)
    reason: str = ""


def make_opening(plan: CallPlan) -> Opening:
    prompt = to_bytes(json_text([[one.role, one.content] for one in plan.messages]))
    request = plan.request
    extra = request_options(request, plan.mode)
    call = Call(
        id=uuid.uuid4(),
        budget_id=plan.budget_id,
        endpoint=plan.endpoint,
        key=plan.key,
        item_key=request.item_key,
        prompt_name=request.prompt_name,
        prompt_version=prompt_version_of(request, is_repair=plan.is_repair),
        number=plan.number,
        is_repair=plan.is_repair,
        json_mode=plan.mode if request.schema is not None else "",
        process=plan.process,
        prompt=digest_of(prompt),
        reserved=largest_cost(plan.endpoint, request, plan.messages, plan.mode),
        own_in=round(plan.token_ratio * (plan.message_tokens + estimate_options(extra))),
    )
    return Opening(call, prompt)


def prompt_version_of(request: ModelRequest, *, is_repair: bool) -> str:
    """Of a repair: also that of the sentences in which it is requested."""
    own = request.prompt_version
    return f"{own} repair {FORMAT}" if is_repair else own


def largest_cost(
    endpoint: Endpoint, request: ModelRequest, messages: Sequence[Message], mode: JsonMode
) -> Decimal:
    """The worst case of one call, which is reserved before it is sent."""
    tokens_in = most_prompt_tokens(messages, request_options(request, mode))
    if endpoint.context_tokens is not None:
        tokens_in = min(tokens_in, endpoint.context_tokens)
    return list_price(endpoint, (tokens_in, request.max_tokens))


def list_price(endpoint: Endpoint, tokens: tuple[int, int]) -> Decimal:
    """0 while the price is unknown: only a probe is sent then."""
    return endpoint.cost(*tokens) if endpoint.has_price else Decimal(0)


def judge(plan: CallPlan, call: Call, reply: Reply) -> Judged:
    if reply.status != 200 or reply.outcome == Outcome.BROKEN:
        known = Judged(reply, reply.outcome, reason=reply.reason)
        if not has_unknown_cost(reply):
            return known
        return replace(known, flags=plan.request.flags | {Flag.UNKNOWN_COST}, cost=call.reserved)
    own_out = round(plan.token_ratio * estimate_tokens(reply.text)) + reply.hidden_tokens
    is_wrong, tokens = _count_tokens(plan, call, reply, own_out)
    flags = {*plan.request.flags, *([Flag.TOKEN_COUNT] if is_wrong else [])}
    if not is_same_model(plan.endpoint.model, reply.model_returned):
        flags.add(Flag.MODEL_NAME)
    cost = list_price(plan.endpoint, tokens)
    if cost > call.reserved:
        if ignores_limit(plan.request, reply, own_out):
            flags.add(Flag.OVER_LIMIT)
        else:
            cost = call.reserved
    judged = Judged(
        reply, reply.outcome, None, frozenset(flags), cost, own_out, tokens, reply.reason
    )
    return _read(plan.request, judged) if reply.outcome == Outcome.ANSWERED else judged


def ignores_limit(request: ModelRequest, reply: Reply, own_out: int) -> bool:
    """Whether the answer is truly longer than max_tokens: by both counts, or by its bytes. A count
    of the endpoint alone may be wrong, and our estimate too."""
    is_counted = min(reply.tokens_out or 0, own_out) > request.max_tokens
    return is_counted or len(to_bytes(reply.text)) > most_answer_bytes(request)


def has_unknown_cost(reply: Reply) -> bool:
    """The server may have made an answer that was not received. 5xx and 408 are also the words of
    a gateway, behind which a model may have answered."""
    if reply.outcome == Outcome.SERVER_ERROR:
        return reply.status == 408 or (reply.status or 0) >= 500
    return reply.outcome in OF_UNKNOWN_COST and not reply.is_unsent


def has_reached_model(call: Call) -> bool:
    """Whether a model may have answered it. Refusals, and requests to a server that could not be
    connected to, are answered by none."""
    return call.status == 200 or Flag.UNKNOWN_COST in call.flags


def _count_tokens(
    plan: CallPlan, call: Call, reply: Reply, own_out: int
) -> tuple[bool, tuple[int, int]]:
    """Whether the endpoint's count is missing or wrong, and the tokens to charge."""
    tokens_in, tokens_out, hidden = reply.tokens_in, reply.tokens_out, reply.hidden_tokens
    bare = round(plan.token_ratio * plan.message_tokens)
    is_wrong = (
        tokens_in is None
        or tokens_out is None
        or not is_prompt_count(tokens_in, bare, call.own_in)
        or differs(tokens_out - hidden, own_out - hidden)
        or tokens_out > plan.request.max_tokens
    )
    charged_in = charge_tokens(tokens_in, call.own_in, is_wrong=is_wrong)
    return is_wrong, (charged_in, charge_tokens(tokens_out, own_out, is_wrong=is_wrong))


def _read(request: ModelRequest, judged: Judged) -> Judged:
    try:
        value, is_mended, is_plain = read_value(request, judged.reply.text)
    except Unreadable as error:
        return replace(judged, outcome=Outcome.UNREADABLE, reason=str(error))
    flags = {*judged.flags}
    flags |= {Flag.REPAIRED} if is_mended else set()
    flags |= {Flag.PLAIN_TEXT} if is_plain else set()
    return replace(judged, value=value, flags=frozenset(flags))


def call_fields(judged: Judged) -> tuple[Mapping[str, Any], Mapping[str, bytes]]:
    """The columns of the call that its reply fills, and the answer by its digest."""
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
    return fields, {digest: text} if digest else {}


def is_same_model(requested: str, returned: str) -> bool:
    """Servers add the snapshot (`gpt-5-2026-01-01`) and leave out publishers (`org/model`) and
    variants of routers (`model:free`). Two snapshots of one model are not the same."""
    (name, date), (other, other_date) = map(_name_and_snapshot, (requested, returned))
    return bool(other) and name == other and (date == other_date or not (date and other_date))


def _name_and_snapshot(model: str) -> tuple[str, str]:
    name = VARIANT.sub("", model.lower().rsplit("/", 1)[-1].removesuffix(".gguf"))
    match = SNAPSHOT.fullmatch(name)
    return (match[1], (match[2] or "").replace("-", "")) if match else ("", "")
