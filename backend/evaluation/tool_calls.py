"""Calls of tools: numbered, limited, run on the session's graph, and logged."""

import hashlib
import json
import time
import uuid
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import transaction
from pydantic import ValidationError

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, NotFound
from backend.evaluation.announcements import announce_call
from backend.evaluation.models import ToolCall, ToolSession
from backend.evaluation.tool_sessions import (
    ToolLimitReached,
    count_use,
    get_own_session_or_raise,
    open_session_graph,
    require_masked,
)
from backend.evaluation.tools.base import AnyTool
from backend.evaluation.tools.registry import load_tools
from backend.graphs.graph_access import OpenGraph
from backend.validation.faults import Fault, printable

MAX_ARGUMENT_BYTES = 16_384
MAX_STORED_BYTES = 65_536  # of a compressed result; a larger one is computed again by a replay
MAX_FAULTS = 20
TOO_LARGE = "arguments_too_large"
NOT_JSON = "bad_request"
NOT_STORED = (TOO_LARGE, NOT_JSON)  # of calls whose arguments the log does not have


@dataclass(frozen=True)
class CallResult:
    call: ToolCall
    result: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """result: None for an error, whose code and sentence `content` has."""

    content: bytes
    result: Mapping[str, Any] | None = None
    error: DomainError | None = None

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def call_tool(*, actor: User, session_id: uuid.UUID, tool: str, arguments: object) -> CallResult:
    """Run a tool in an open session of the actor; the call is logged whatever becomes of it.

    Raises NotFound, Conflict for a session that is closed or from before the release's mask, and
    ToolLimitReached, which log nothing; and what the tool raises.
    """
    session = get_own_session_or_raise(actor, session_id)
    require_masked(session)
    graph = open_session_graph(session, actor=actor)
    refusal = find_refusal(arguments)
    call = number_call(actor, session, tool, arguments if refusal is None else {})
    started = time.perf_counter()
    outcome = run_tool(graph, tool, arguments) if refusal is None else failure(refusal)
    store_outcome(call, outcome, 1000 * (time.perf_counter() - started))
    if outcome.error is not None:
        raise outcome.error
    return CallResult(call, outcome.result or {})


def find_refusal(arguments: object) -> DomainError | None:
    """Why the arguments cannot be stored; None if they can."""
    try:
        size = len(to_canonical(arguments))
    except DomainError as error:
        return error
    if size <= MAX_ARGUMENT_BYTES:
        return None
    message = f"The arguments have {size:,} bytes; the limit is {MAX_ARGUMENT_BYTES:,}."
    return DomainError(message, code=TOO_LARGE)


@transaction.atomic
def number_call(actor: User, session: ToolSession, tool: str, arguments: object) -> ToolCall:
    locked = ToolSession.objects.select_for_update(of=("self",), no_key=True).get(pk=session.pk)
    if locked.closed_at is not None:
        raise Conflict("This session is closed. Open another one.", code="session_closed")
    limit = settings.TOOL_CALLS_PER_SESSION
    if locked.calls >= limit:
        message = f"This session has used all its {limit:,} calls. Open another one."
        raise ToolLimitReached(message, data={"limit": limit})
    count_use(actor, "calls", settings.TOOL_CALLS_PER_DAY)
    locked.calls += 1
    locked.save(update_fields=["calls"])
    name = printable(tool, ToolCall._meta.get_field("tool").max_length or 60)
    return ToolCall.objects.create(
        session=session, number=locked.calls, tool=name, arguments=arguments
    )


def run_tool(graph: OpenGraph, name: str, arguments: object) -> Outcome:
    """The outcome as it is logged and compared; unexpected errors propagate."""
    try:
        tool = get_tool_or_raise(name)
        result = tool.run(graph, parse_arguments(tool, arguments)).model_dump(mode="json")
    except DomainError as error:
        return failure(error)
    return Outcome(to_canonical(result), result=result)


def failure(error: DomainError) -> Outcome:
    return Outcome(to_canonical({"code": error.code, "detail": error.detail}), error=error)


def get_tool_or_raise(name: str) -> AnyTool:
    tool = load_tools().get(name)
    if tool is None:
        message = f"There is no tool '{printable(name)}'. Tools: {', '.join(load_tools())}."
        raise NotFound(message, code="no_tool")
    return tool


def parse_arguments(tool: AnyTool, arguments: object) -> Any:
    """Raises DomainError with the place of each fault."""
    try:
        return tool.arguments.model_validate(arguments)
    except ValidationError as error:
        faults = [
            Fault(".".join(["arguments", *(printable(str(at)) for at in one["loc"])]), one["msg"])
            for one in error.errors(include_url=False, include_input=False)[:MAX_FAULTS]
        ]
        message = f"Some arguments of {tool.name} are invalid. Correct them and call it again."
        raise DomainError(message, code="invalid_arguments", faults=faults) from error


def store_outcome(call: ToolCall, outcome: Outcome, milliseconds: float) -> None:
    packed = zlib.compress(outcome.content)
    call.digest = outcome.digest
    call.milliseconds = milliseconds
    call.error_code = outcome.error.code if outcome.error else ""
    if outcome.result is not None:
        call.result_bytes = len(outcome.content)
        call.result = packed if len(packed) <= MAX_STORED_BYTES else None
    call.save()
    announce_call(call.session_id, call.number)


def read_result(call: ToolCall) -> Mapping[str, Any] | None:
    """None for an error, a call that was interrupted, and a result too large to store."""
    if call.result is None:
        return None
    result: Mapping[str, Any] = json.loads(zlib.decompress(call.result))
    return result


def to_canonical(value: object) -> bytes:
    """Equal values have equal bytes. Raises DomainError for text that cannot be stored."""
    try:
        text = json.dumps(
            value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        return text.encode()
    except (ValueError, RecursionError) as error:
        message = "The arguments are no valid JSON text."
        raise DomainError(message, code=NOT_JSON, status=HTTPStatus.BAD_REQUEST) from error
