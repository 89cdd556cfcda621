"""The tools over the Model Context Protocol: one request, answered by the official SDK.

Nothing is stored between requests but the session of tool calls, so that any process of the server
answers. The SDK is imported with the first request: that takes a second, which no start waits for.
"""

import asyncio
import json
import uuid
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.evaluation.mcp_messages import find_message_fault
from backend.evaluation.models import ToolSession
from backend.evaluation.tool_calls import call_tool
from backend.evaluation.tool_sessions import close_session, open_session
from backend.evaluation.tools.registry import load_tools
from backend.validation.faults import printable

if TYPE_CHECKING:
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

EXCHANGE_SECONDS = 60
SESSION = "session"
SESSION_HELP = (
    "The id that open_session returned. It may be left out where each request has the header "
    "Serendib-Session."
)
INSTRUCTIONS = (
    "Tools to walk the knowledge graph of a benchmark release, without the edges that reveal "
    "answers. Call open_session with the release first and give the session to every tool. "
    "Then graph_schema shows what there is. Every call is logged; the submission names the session."
)
Json = dict[str, Any]


@dataclass(frozen=True)
class McpRequest:
    """headers: lower-case names. session: from the header, empty without it."""

    actor: User
    body: bytes
    headers: Mapping[str, str]
    session: str = ""


@dataclass
class McpResponse:
    status: int = HTTPStatus.SERVICE_UNAVAILABLE
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class OpenSessionArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")
    release: str = Field(min_length=1, max_length=100, description="Slug of the release.")
    method: str = Field("", max_length=20, description="Of the masked graph, if it has several.")
    model: str = Field("", max_length=120, description="Slug of your model, if it has one.")


class CloseSessionArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SessionResult(BaseModel):
    session: str
    release: str
    graph: str
    snapshot: str
    method: str
    calls: int
    calls_limit: int
    is_closed: bool


def answer_request(request: McpRequest) -> McpResponse:
    """In the thread of a view; tools run in this thread as well, on its database connection.

    Raises DomainError if there is no answer in EXCHANGE_SECONDS.
    """
    if fault := find_message_fault(request.body):
        return McpResponse(HTTPStatus.BAD_REQUEST, body=json.dumps(fault).encode())
    try:
        return async_to_sync(_exchange)(request, make_manager(request))
    except TimeoutError as error:
        message = "The server is busy. Try again in a few seconds."
        status = HTTPStatus.SERVICE_UNAVAILABLE
        raise DomainError(message, code="busy", status=status) from error


def make_manager(request: McpRequest) -> "StreamableHTTPSessionManager":
    """Imported here, in the thread of the request, and not in the event loop of all of them."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    return StreamableHTTPSessionManager(make_server(request), json_response=True, stateless=True)


async def _exchange(request: McpRequest, manager: "StreamableHTTPSessionManager") -> McpResponse:
    response, parts = McpResponse(), [request.body]

    async def receive() -> Json:
        if not parts:
            await asyncio.Event().wait()  # the client's connection is Django's to watch
        return {"type": "http.request", "body": parts.pop(), "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            response.status = message["status"]
            pairs = message.get("headers", ())
            response.headers = {name.decode(): value.decode() for name, value in pairs}
        else:
            response.body += message.get("body", b"")

    async with asyncio.timeout(EXCHANGE_SECONDS), manager.run():
        await manager.handle_request(_scope(request), receive, send)
    return response


def _scope(request: McpRequest) -> Json:
    headers = [(name.encode(), value.encode("latin-1")) for name, value in request.headers.items()]
    return {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": headers,
    }


def make_server(request: McpRequest) -> "Server[Any]":
    from mcp import types
    from mcp.server.lowlevel import Server

    async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=describe_tools())

    async def on_call(
        _context: object, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        run = sync_to_async(run_call, thread_sensitive=True)
        result, is_error = await run(request, params.name, params.arguments or {})
        text = json.dumps(result, ensure_ascii=False)
        return types.CallToolResult(
            content=[types.TextContent(text=text)],
            structured_content=None if is_error else result,
            is_error=is_error,
        )

    return Server(
        "serendib",
        version=settings.VERSION,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=on_call,
    )


@cache
def describe_tools() -> "list[types.Tool]":
    from mcp import types

    def describe(name: str, description: str, arguments: Json, result: Json) -> types.Tool:
        return types.Tool(
            name=name, description=description, input_schema=arguments, output_schema=result
        )

    opened = SessionResult.model_json_schema()
    opening = OpenSessionArguments.model_json_schema()
    closing = add_session(CloseSessionArguments.model_json_schema())
    return [
        describe("open_session", "Open a session on the graph of a release.", opening, opened),
        *(
            describe(
                one.name, one.description, add_session(one.argument_schema()), one.result_schema()
            )
            for one in load_tools().values()
        ),
        describe("close_session", "Close a session: it takes no more calls.", closing, opened),
    ]


def add_session(schema: Json) -> Json:
    session = {"type": "string", "format": "uuid", "description": SESSION_HELP}
    return {**schema, "properties": {SESSION: session, **schema.get("properties", {})}}


def run_call(request: McpRequest, name: str, arguments: Mapping[str, Any]) -> tuple[Json, bool]:
    """The result or the error, and whether it is an error: a model reads both."""
    try:
        run = SESSION_TOOLS.get(name, run_graph_tool)
        return run(request, name, dict(arguments)), False
    except DomainError as error:
        faults = [{"place": one.place, "message": one.message} for one in error.faults]
        return {"code": error.code, "detail": error.detail, "errors": faults}, True


def run_open_session(request: McpRequest, _name: str, arguments: Json) -> Json:
    try:
        form = OpenSessionArguments.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(printable(str(one)) for one in first["loc"])
        message = f"The arguments of open_session are invalid: {place}: {first['msg']}."
        raise DomainError(message, code="invalid_arguments") from error
    session = open_session(
        actor=request.actor, slug=form.release, method=form.method, model=form.model
    )
    return session_result(session)


def run_close_session(request: McpRequest, _name: str, arguments: Json) -> Json:
    session_id = pop_session(request, arguments)
    return session_result(close_session(actor=request.actor, session_id=session_id))


def run_graph_tool(request: McpRequest, name: str, arguments: Json) -> Json:
    session_id = pop_session(request, arguments)
    done = call_tool(actor=request.actor, session_id=session_id, tool=name, arguments=arguments)
    return dict(done.result)


SESSION_TOOLS: Mapping[str, Callable[[McpRequest, str, Json], Json]] = {
    "open_session": run_open_session,
    "close_session": run_close_session,
}


def pop_session(request: McpRequest, arguments: Json) -> uuid.UUID:
    """Raises DomainError without a session, or for what is no id."""
    given = arguments.pop(SESSION, None) or request.session
    try:
        return uuid.UUID(str(given))
    except ValueError as error:
        message = "Give the session that open_session returned."
        raise DomainError(message, code="no_session") from error


def session_result(session: ToolSession) -> Json:
    result = SessionResult(
        session=str(session.pk),
        release=session.release.slug,
        graph=session.version.graph.slug,
        snapshot=session.version.snapshot,
        method=session.method,
        calls=session.calls,
        calls_limit=settings.TOOL_CALLS_PER_SESSION,
        is_closed=session.closed_at is not None,
    )
    return result.model_dump()
