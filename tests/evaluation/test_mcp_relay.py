"""`serendib mcp`: the official client over standard input, a real process and a real socket."""

import io
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.test import Client as Browser

from backend.accounts.api_tokens import create_api_token
from backend.client.client import Client
from backend.client.errors import UsageError
from backend.evaluation.models import ToolSession
from tests.client.server import URL, answer
from tests.evaluation.masked_release import MaskedRelease
from tests.personas import Person

AGENT = """
import asyncio, json, os, sys
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

async def main():
    relay = StdioServerParameters(
        command=sys.executable, args=["-m", "backend.client", "mcp"], env=dict(os.environ)
    )
    async with Client(stdio_client(relay), mode=sys.argv[2]) as client:
        names = sorted(one.name for one in (await client.list_tools()).tools)
        opened = await client.call_tool("open_session", {"release": sys.argv[1]})
        session = opened.structured_content["session"]
        schema = await client.call_tool("graph_schema", {"session": session})
        wrong = await client.call_tool("entity", {"session": session, "id": "no such"})
    edges = schema.structured_content["edges"]
    print(json.dumps([names, session, edges, wrong.is_error]))

asyncio.run(main())
"""


class Handler(BaseHTTPRequestHandler):
    """Answers in the thread of the test, within its transaction."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = dict(self.headers)
        kind = headers.pop("Content-Type", "")
        response: Any = Browser().generic("POST", self.path, body, kind, headers=headers)
        self.send_response(response.status_code)
        for name, value in {**response.headers, "Content-Length": len(response.content)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(response.content)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        pass


@pytest.fixture
def token(researcher: Person) -> str:
    return create_api_token(actor=researcher.user, name="agent", scope="read")[1]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_that_starts_the_command_walks_and_is_logged(
    masked: MaskedRelease, token: str, researcher: Person, mode: str, tmp_path: Path
) -> None:
    with (
        HTTPServer(("127.0.0.1", 0), Handler) as server,
        (tmp_path / "out").open("w+") as out,
    ):
        server.timeout = 0.1
        address = f"http://127.0.0.1:{server.server_port}"
        agent = subprocess.Popen(
            [sys.executable, "-c", AGENT, masked.release.slug, mode],
            env={**os.environ, "SERENDIB_URL": address, "SERENDIB_TOKEN": token},
            stdout=out,
        )
        while agent.poll() is None:
            server.handle_request()
        out.seek(0)
        assert agent.returncode == 0
        names, session, edges, is_error = json.loads(out.read())
    assert {"open_session", "close_session", "graph_schema", "entity"} <= set(names)
    assert edges == masked.masked.edges
    assert is_error
    logged = ToolSession.objects.get(pk=session)
    assert logged.owner == researcher.user
    calls = list(logged.call_rows.values_list("tool", "error_code"))
    assert calls == [("graph_schema", ""), ("entity", "no_entity")]


def relayed(lines: Iterable[bytes], token: str, session: str = "") -> list[Any]:
    written: list[str] = []
    with Client(URL, token, transport=httpx.MockTransport(answer)) as client:
        client.relay_mcp(lines, written.append, session)
    return [json.loads(line) for line in written]


def message(number: int | None, method: str, **params: object) -> bytes:
    fields = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(fields if number is None else {**fields, "id": number}).encode() + b"\n"


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a", "version": "1"},
}


def test_each_request_has_one_line_and_a_notification_none(
    masked: MaskedRelease, token: str
) -> None:
    sent = io.BytesIO(
        message(1, "initialize", **HELLO)
        + message(None, "notifications/initialized")
        + b"\n"
        + message(2, "tools/list")
    )
    first, second = relayed(sent, token)
    assert (first["id"], first["result"]["protocolVersion"]) == (1, "2025-06-18")
    assert second["id"] == 2
    assert len(second["result"]["tools"]) > 2


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"[]\n", -32600),
        (b"[" * 100_000, -32700),
        (b"7\n", -32600),
        (b'{"id": 1, "x": "' + b"a" * 1_000_000 + b'"}', -32600),
    ],
)
def test_a_line_that_is_no_message_is_refused_here_and_the_next_one_answered(
    line: bytes, code: int, masked: MaskedRelease, token: str
) -> None:
    refused, good = relayed([line, message(5, "initialize", **HELLO)], token)
    assert (refused["error"]["code"], refused["id"]) == (code, None)
    assert (good["id"], "result" in good) == (5, True)


def test_a_wrong_token_is_an_error_of_each_request_and_not_in_it(db: None) -> None:
    secret = "srd_" + "x" * 40
    sent = [message(1, "initialize", **HELLO), message(None, "notifications/initialized")]
    (refused,) = relayed(sent, secret)
    assert refused["id"] == 1
    assert refused["error"]["data"]["status"] == 401
    assert secret not in json.dumps(refused)


def test_the_session_of_the_command_holds_for_all_messages(
    masked: MaskedRelease, token: str, researcher: Person
) -> None:
    opening = f"/api/v1/releases/{masked.release.slug}/tool-sessions"
    session = researcher.browser.post(opening).json()["id"]
    call = message(2, "tools/call", name="graph_schema", arguments={})
    _, named = relayed([message(1, "initialize", **HELLO), call], token, session)
    assert named["result"]["structuredContent"]["edges"] == masked.masked.edges
    _, unnamed = relayed([message(1, "initialize", **HELLO), call], token, str(uuid.uuid4()))
    assert unnamed["result"]["isError"]
    with pytest.raises(UsageError, match="no id"):
        relayed([], token, "x\r\ny")
