"""The tools over the Model Context Protocol, with the official client."""

import json
import os
import subprocess
import sys
import uuid
from typing import Any

import pytest
from mcp import Client
from rest_framework.test import APIClient

from backend.accounts.api_tokens import create_api_token, revoke_api_token
from backend.evaluation.models import ToolCall, ToolSession
from backend.evaluation.tools.registry import load_tools
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.mcp_client import Mode, with_client
from tests.personas import Person, make_person

MODES: tuple[Mode, ...] = ("auto", "legacy")


@pytest.fixture
def token(researcher: Person) -> str:
    return create_api_token(actor=researcher.user, name="agent", scope="read")[1]


async def call(client: Client, name: str, **arguments: object) -> dict[str, Any]:
    answer = await client.call_tool(name, arguments)
    text = answer.content[0]
    assert text.type == "text"
    if answer.is_error:
        error: dict[str, Any] = json.loads(text.text)
        return {"error": error["code"], **error}
    assert json.loads(text.text) == answer.structured_content
    result: dict[str, Any] = answer.structured_content
    return result


def test_no_start_of_the_server_waits_for_the_sdk() -> None:
    script = "import backend.config.asgi, sys; print('mcp' in sys.modules)"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == ["False"]


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_walks_from_the_schema_to_neighbours_and_every_call_is_logged(
    masked: MaskedRelease,
    token: str,
    mode: Mode,
) -> None:
    async def walk(client: Client) -> list[dict[str, Any]]:
        opened = await call(client, "open_session", release=masked.release.slug)
        session = opened["session"]
        schema = await call(client, "graph_schema", session=session)
        hits = await call(client, "search", session=session, query=schema["types"][0]["type"])
        source, _, target = masked.cut[0]
        near = await call(client, "neighbours", session=session, id=source, limit=100)
        path = await call(
            client, "paths", session=session, sources=[source], targets=[target], hops=1
        )
        closed = await call(client, "close_session", session=session)
        return [opened, schema, hits, near, path, closed]

    opened, schema, _hits, near, path, closed = with_client(walk, token=token, mode=mode)
    assert opened["snapshot"] == masked.masked.snapshot
    assert schema["edges"] == masked.masked.edges
    source, relation, target = masked.cut[0]
    shown = {(one["edge"]["relation"], one["entity"]["id"]) for one in near["neighbours"]}
    assert near["next"] is None
    assert (relation, target) not in shown
    assert relation not in {step["relation"] for one in path["paths"] for step in one["steps"]}
    assert (closed["is_closed"], closed["calls"]) == (True, 4)
    session = ToolSession.objects.get(pk=opened["session"])
    calls = list(session.call_rows.values_list("tool", "error_code"))
    assert calls == [(name, "") for name in ("graph_schema", "search", "neighbours", "paths")]
    assert session.call_rows.get(number=3).arguments == {"id": source, "limit": 100}


@pytest.mark.parametrize("mode", MODES)
def test_the_listed_tools_are_those_of_the_registry_and_their_sessions(
    masked: MaskedRelease,
    token: str,
    mode: Mode,
) -> None:
    async def read(client: Client) -> Any:
        return (await client.list_tools()).tools

    listed = {one.name: one for one in with_client(read, token=token, mode=mode)}
    assert set(listed) == {"open_session", "close_session", *load_tools()}
    for name, tool in load_tools().items():
        properties = dict(listed[name].input_schema["properties"])
        assert "session" in properties
        del properties["session"]
        assert properties == tool.argument_schema().get("properties", {})
        assert listed[name].output_schema == tool.result_schema()


def test_the_session_may_come_by_header(
    masked: MaskedRelease,
    token: str,
    researcher: Person,
) -> None:
    opening = f"/api/v1/releases/{masked.release.slug}/tool-sessions"
    session = researcher.browser.post(opening).json()["id"]

    async def read(client: Client) -> Any:
        return await call(client, "graph_schema")

    assert with_client(read, token=token, session=session)["edges"] == masked.masked.edges
    assert with_client(read, token=token)["error"] == "no_session"
    assert with_client(read, token=token, session="x")["error"] == "no_session"
    assert ToolCall.objects.filter(session_id=uuid.UUID(session)).count() == 1


def test_errors_of_tools_are_results_that_a_model_can_read(
    masked: MaskedRelease,
    token: str,
) -> None:
    other = make_person("rita", is_researcher=True)
    other_token = create_api_token(actor=other.user, name="agent", scope="read")[1]

    async def fail(client: Client) -> list[tuple[str, str]]:
        opened = await call(client, "open_session", release=masked.release.slug)
        session = opened["session"]
        attempts: list[tuple[str, dict[str, object]]] = [
            ("open_session", {"release": "no-such-release"}),
            ("open_session", {"release": 3}),
            ("open_session", {}),
            ("open_session", {"release": masked.release.slug, "method": "whole"}),
            ("entity", {"session": session, "id": "NOTHING:1"}),
            ("entity", {"session": session, "id": ["a"]}),
            ("entity", {"session": "0", "id": "a"}),
            ("entity", {"session": {"a": 1}, "id": "a"}),
            ("paths", {"session": session, "sources": ["a"] * 11, "targets": ["a"]}),
            ("no_such_tool", {"session": session}),
            ("close_session", {}),
        ]
        errors = []
        for name, arguments in attempts:
            errors.append((name, str((await call(client, name, **arguments))["error"])))

        return [("session", session), *errors]

    (_, session), *errors = with_client(fail, token=token)
    assert errors == [
        ("open_session", "not_found"),
        ("open_session", "invalid_arguments"),
        ("open_session", "invalid_arguments"),
        ("open_session", "no_mask_method"),
        ("entity", "no_entity"),
        ("entity", "invalid_arguments"),
        ("entity", "no_session"),
        ("entity", "no_session"),
        ("paths", "invalid_arguments"),
        ("no_such_tool", "no_tool"),
        ("close_session", "no_session"),
    ]
    assert ToolCall.objects.filter(session_id=uuid.UUID(session)).count() == 4

    async def intrude(client: Client) -> Any:
        return await call(client, "graph_schema", session=session)

    assert with_client(intrude, token=other_token)["error"] == "not_found"


def test_without_a_valid_token_nothing_is_answered(
    masked: MaskedRelease,
    researcher: Person,
    visitor: APIClient,
) -> None:
    token, secret = create_api_token(actor=researcher.user, name="agent", scope="read")
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    assert post(visitor, body).status_code == 401
    assert post(visitor, body, HTTP_AUTHORIZATION="Bearer srd_none").status_code == 401
    assert post(visitor, body, HTTP_AUTHORIZATION=f"Bearer {secret}").status_code == 200
    revoke_api_token(actor=researcher.user, token_id=token.pk)
    assert post(visitor, body, HTTP_AUTHORIZATION=f"Bearer {secret}").status_code == 401
    assert visitor.get("/mcp").status_code in (401, 405)
    foreign = APIClient(enforce_csrf_checks=True)
    foreign.force_login(researcher.user)
    assert post(foreign, body).status_code == 403


def post(client: APIClient, body: object, **headers: str) -> Any:
    accept: Any = {"HTTP_ACCEPT": "application/json, text/event-stream", **headers}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post("/mcp", content, content_type="application/json", **accept)


@pytest.mark.parametrize(
    ("change", "identifier", "code", "named"),
    [
        ({"params": 5}, 7, -32602, "params"),
        ({"params": [1], "id": "a"}, "a", -32602, "params"),
        ({"params": "x", "method": "initialize"}, 7, -32602, "params"),
        ({"method": 5}, 7, -32600, "method"),
        ({"jsonrpc": "1.0"}, 7, -32600, "jsonrpc"),
        ({"id": True}, None, -32600, "id"),
        ({"id": {"a": 1}, "params": 5}, None, -32600, "id"),
    ],
)
@pytest.mark.parametrize("version", ["", "2026-07-28"])
def test_a_malformed_message_is_answered_with_its_id_and_one_sentence(
    db: None,
    researcher: Person,
    change: dict[str, object],
    identifier: object,
    code: int,
    named: str,
    version: str,
) -> None:
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/list", **change}
    headers = {"HTTP_MCP_PROTOCOL_VERSION": version} if version else {}
    answer = post(researcher.browser, body, **headers)
    assert answer.status_code == 400
    message = answer.json()
    assert (message["id"], message["error"]["code"]) == (identifier, code)
    sentence = message["error"]["message"]
    assert f"'{named}'" in sentence
    assert "pydantic" not in sentence
    assert len(sentence.split()) <= 20


def test_params_of_a_call_that_are_wrong_inside_are_answered_with_its_id(
    db: None, researcher: Person
) -> None:
    body = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": 5}}
    message = post(researcher.browser, body).json()
    assert (message["id"], message["error"]["code"]) == (7, -32602)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]',
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 3}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "entity", '
        b'"arguments": [1]}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "file:///"}}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": ' + b"[" * 9_000,
        b'{"jsonrpc": "2.0", "id": "\\u0000", "method": "tools/list"}',
        b'{"jsonrpc": "2.0", "id": NaN, "method": "tools/list"}',
        b"\xff\xfe",
    ],
)
@pytest.mark.parametrize("version", ["", "2025-06-18", "2026-07-28", "9999-01-01", "\xff"])
def test_hostile_messages_end_with_an_answer_below_500(
    db: None, researcher: Person, body: bytes, version: str
) -> None:
    headers = {"HTTP_MCP_PROTOCOL_VERSION": version} if version else {}
    answer = post(researcher.browser, body, **headers)
    assert answer.status_code < 500
    assert b"Traceback" not in answer.content
    assert not ToolCall.objects.exists()
