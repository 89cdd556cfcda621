"""The Model Context Protocol over standard input and output, relayed to a server's /mcp.

Agents that start programs cannot send a token over HTTP. Each line that one writes is a JSON-RPC
message; it is sent as it is, and the answer becomes a line. What the protocol means is between the
agent and the server: nothing here depends on its version.
"""

import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from backend.client.connection import Connection
from backend.client.errors import ClientError, RequestRefused, UsageError

MAX_LINE_BYTES = 1_000_000
PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603
VERSION_HEADER = "MCP-Protocol-Version"
Write = Callable[[str], None]


class Relay:
    """One agent. `session`: of tool calls, for agents that do not name one."""

    def __init__(self, connection: Connection, session: str = "") -> None:
        self._connection = connection
        self._headers = {"Content-Type": "application/json"}
        if session:
            self._headers["Serendib-Session"] = check_session(session)

    def run(self, lines: Iterable[bytes], write: Write) -> None:
        """Until the agent closes its end. A message that fails has an error as its answer."""
        for line in lines:
            if line.strip():
                for answer in self._answers(line):
                    write(answer)

    def _answers(self, line: bytes) -> Iterator[str]:
        if len(line) > MAX_LINE_BYTES:
            yield error_line(None, INVALID_REQUEST, "This message is too long.")
            return
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            yield error_line(None, PARSE_ERROR, "This line is not JSON.")
            return
        if not isinstance(message, dict):
            yield error_line(None, INVALID_REQUEST, "This line is no JSON-RPC message.")
            return
        number = message.get("id")
        try:
            answer = self._connection.relay("mcp", line.strip(), self._headers)
        except ClientError as error:
            if number is not None:  # a notification has no answer
                yield error_line(number, INTERNAL_ERROR, error.detail, code_of(error))
            return
        if answer is not None:
            self._remember_version(answer)
            yield json.dumps(answer, ensure_ascii=False)

    def _remember_version(self, answer: Any) -> None:
        """The HTTP transport wants the version that was agreed on with every later message."""
        result = answer.get("result") if isinstance(answer, dict) else None
        version = result.get("protocolVersion") if isinstance(result, dict) else None
        if isinstance(version, str) and version.isascii() and version.isprintable():
            self._headers[VERSION_HEADER] = version


def check_session(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        message = "The session is no id that open_session returned."
        raise UsageError(message, code="invalid_session") from error


def code_of(error: ClientError) -> dict[str, object]:
    status = {"status": error.status} if isinstance(error, RequestRefused) else {}
    return {"code": error.code, **status}


def error_line(
    number: object, code: int, message: str, data: dict[str, object] | None = None
) -> str:
    error: dict[str, object] = {"code": code, "message": message}
    if data:
        error["data"] = data
    return json.dumps({"jsonrpc": "2.0", "id": number, "error": error}, ensure_ascii=False)
