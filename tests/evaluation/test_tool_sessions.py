"""Sessions of tool calls over REST: who may open them, what is logged, and the limits."""

import io
import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import jsonschema_rs
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.accounts.api_tokens import create_api_token
from backend.benchmarks.models import Release
from backend.evaluation.models import ToolCall, ToolSession, ToolUse
from backend.evaluation.tool_calls import MAX_ARGUMENT_BYTES, call_tool, read_result
from backend.evaluation.tools.registry import load_tools
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.versions import VersionReferenced, delete_version
from tests.architecture.api_contract import find_violations
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.releases import open_pairs
from tests.personas import Person, Response, make_person

SESSIONS = "/api/v1/tool-sessions"


def with_token(person: Person, scope: str = "read") -> APIClient:
    _, secret = create_api_token(actor=person.user, name="agent", scope=scope)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def open_session(client: APIClient, release: Release, **fields: str) -> str:
    answer = client.post(f"/api/v1/releases/{release.slug}/tool-sessions", fields)
    assert answer.status_code == 201, answer.json()
    return str(answer.json()["id"])


@pytest.fixture
def client(researcher: Person) -> APIClient:
    return with_token(researcher)


@pytest.fixture
def session(client: APIClient, masked: MaskedRelease) -> str:
    return open_session(client, masked.release)


def send_call(client: APIClient, session: str, tool: str, **arguments: object) -> Response:
    body = {"tool": tool, "arguments": arguments}
    return client.post(f"{SESSIONS}/{session}/calls", body, format="json")


def result_of(client: APIClient, session: str, tool: str, **arguments: object) -> Mapping[str, Any]:
    answer = send_call(client, session, tool, **arguments)
    assert answer.status_code == 200, answer.json()
    result: Mapping[str, Any] = answer.json()["result"]
    return result


def test_a_cut_edge_is_in_no_result_of_any_tool(
    masked: MaskedRelease, client: APIClient, session: str
) -> None:
    assert len(masked.cut) > 20
    base = open_version_snapshot(masked.base)
    for source, relation, target in masked.cut:
        for end, other in ((source, target), (target, source)):
            edges = read_all_neighbours(client, session, end, relation)
            assert other not in edges.get((relation, end == source), set())
        paths = result_of(
            client, session, "paths", sources=[source], targets=[target], hops=3, limit=50,
            through_hubs=True,
        )  # fmt: skip
        for path in paths["paths"]:
            assert not steps_of(path) & {*masked.cut}
    for end in sorted({end for one in masked.cut for end in (one[0], one[2])}):
        entity = result_of(client, session, "entity", id=end)
        number = base.find_number(end)
        assert number is not None
        before = sum(one.count for one in base.degrees(number))
        assert sum(one["count"] for one in entity["relations"]) < before
        assert entity["entity"]["degree"] == sum(one["count"] for one in entity["relations"])
    schema = result_of(client, session, "graph_schema", edge_kinds=500)
    assert schema["edges"] == masked.masked.edges < masked.base.edges
    assert sum(one["count"] for one in schema["relations"]) == masked.masked.edges
    assert sum(one["count"] for one in schema["edge_kinds"]) == masked.masked.edges
    degrees = [one["entity"]["degree"] for one in search_all(client, session, masked.cut[0][0])]
    snapshot = open_version_snapshot(masked.masked)
    assert degrees == [snapshot.degree(snapshot.find_number(masked.cut[0][0]) or 0)]


def search_all(client: APIClient, session: str, identifier: str) -> list[Mapping[str, Any]]:
    hits = result_of(client, session, "search", query=identifier, mode="hybrid", limit=50)["hits"]
    return [one for one in hits if one["entity"]["id"] == identifier]


def steps_of(path: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    ids = [one["id"] for one in path["entities"]]
    triples = set()
    for at, step in enumerate(path["steps"]):
        ends = (ids[at], ids[at + 1])
        source, target = ends if step["direction"] == "outgoing" else reversed(ends)
        triples.add((source, step["relation"], target))
    return triples


def read_all_neighbours(
    client: APIClient, session: str, entity: str, relation: str
) -> dict[tuple[str, bool], set[str]]:
    """Ids at the other ends by (relation, outgoing), read page by page."""
    others: dict[tuple[str, bool], set[str]] = {}
    after, total, count = None, 0, 0
    while True:
        page = result_of(
            client, session, "neighbours", id=entity, relation=relation, after=after, limit=7
        )
        for one in page["neighbours"]:
            key = (one["edge"]["relation"], one["edge"]["direction"] == "outgoing")
            others.setdefault(key, set()).add(one["entity"]["id"])
            count += 1
        total, after = page["total"], page["next"]
        if after is None:
            assert count == total
            return others


def test_the_pages_of_neighbours_are_the_rows_of_the_masked_snapshot(
    masked: MaskedRelease, client: APIClient, session: str
) -> None:
    snapshot = open_version_snapshot(masked.masked)
    hub = max(range(snapshot.entity_count), key=snapshot.degree)
    expected = {
        (snapshot.relations[kind].name, outgoing, snapshot.entity_summary(other).id)
        for outgoing in (True, False)
        for row in [snapshot.row(hub, outgoing=outgoing)]
        for other, kind in zip(row.neighbours.tolist(), row.relations.tolist(), strict=True)
    }
    for limit in (1, 3, 100):
        rows_read, after = [], None
        for _ in range(2_000):
            page = result_of(
                client, session, "neighbours",
                id=snapshot.entity_summary(hub).id, limit=limit, after=after,
            )  # fmt: skip
            rows_read += [
                (
                    one["edge"]["relation"],
                    one["edge"]["direction"] == "outgoing",
                    one["entity"]["id"],
                )
                for one in page["neighbours"]
            ]
            after = page["next"]
            if after is None or (limit == 1 and len(rows_read) > 40):
                break
        assert len(rows_read) == len(set(rows_read))
        assert {*rows_read} <= expected if limit == 1 else {*rows_read} == expected


def test_documents_are_those_of_the_whole_graph(
    masked: MaskedRelease, client: APIClient, session: str
) -> None:
    """As the explorer shows a masked graph: edges are cut, free text is not."""
    base = open_version_snapshot(masked.base)
    number, sections = next(iter(base.documents()))
    entity = base.entity_summary(number).id
    text, offset = "", 0
    while offset is not None:
        part = result_of(client, session, "document", id=entity, offset=offset, length=50)
        text, offset = text + part["text"], part["next_offset"]
    assert text == sections[0].text
    assert [one["title"] for one in part["sections"]] == [one.title for one in sections]
    answer = send_call(client, session, "document", id=entity, section=99)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_section")


def test_every_result_fits_the_schema_that_the_release_lists(
    masked: MaskedRelease,
    researcher: Person,
) -> None:
    client = with_token(researcher)
    listed = client.get(f"/api/v1/releases/{masked.release.slug}/tools").json()
    assert listed["methods"] == ["expert"]
    schemas = {one["name"]: one for one in listed["tools"]}
    assert set(schemas) == set(load_tools())
    session = open_session(client, masked.release)
    source, _, target = masked.cut[0]
    calls: dict[str, dict[str, Any]] = {
        "graph_schema": {},
        "search": {"query": "a", "mode": "hybrid"},
        "entity": {"id": source},
        "neighbours": {"id": source},
        "paths": {"sources": [source], "targets": [target], "hops": 3},
        "document": {"id": source},
        "count_types": {},
    }
    assert set(calls) == set(schemas)
    for name, arguments in calls.items():
        result = result_of(client, session, name, **arguments)
        jsonschema_rs.validator_for(schemas[name]["result"]).validate(result)
        jsonschema_rs.validator_for(schemas[name]["arguments"]).validate(arguments)
        assert result, name


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "code"),
    [
        ("entity", {"id": "NOTHING:1"}, 404, "no_entity"),
        ("entity", {}, 422, "invalid_arguments"),
        ("entity", {"id": "x" * 501}, 422, "invalid_arguments"),
        ("entity", {"id": "a", "limits": 4}, 422, "invalid_arguments"),
        ("search", {"query": "a", "limit": 10**30}, 422, "invalid_arguments"),
        ("search", {"query": "a", "types": ["Nothing"]}, 422, "no_type"),
        ("search", {"query": "a", "types": ["a"] * 51}, 422, "invalid_arguments"),
        ("neighbours", {"id": "DRUGBANK:DB00945", "after": "outgoing:9999999"}, 404, "no_entity"),
        ("neighbours", {"id": "{id}", "after": "outgoing:9999999"}, 404, "not_found"),
        ("neighbours", {"id": "{id}", "relation": "none"}, 422, "no_relation"),
        ("neighbours", {"id": "{id}", "after": "-1"}, 422, "invalid_arguments"),
        ("paths", {"sources": ["{id}"], "targets": ["{id}"], "hops": 4}, 422, "invalid_arguments"),
        ("paths", {"sources": [], "targets": ["{id}"]}, 422, "invalid_arguments"),
        ("paths", {"sources": ["{id}"], "targets": ["{id}"], "metapath": "a/b/c"}, 422,
         "no_metapath"),
        ("rm -rf /", {}, 404, "no_tool"),
        ("../entity", {"id": "\ud83d\ude00"}, 404, "no_tool"),
        ("search", {"query": {"$ne": 1}}, 422, "invalid_arguments"),
        ("search", {"query": "a" * MAX_ARGUMENT_BYTES}, 422, "arguments_too_large"),
    ],
)  # fmt: skip
def test_hostile_arguments_are_refused_in_words_and_logged(
    masked: MaskedRelease,
    tool: str,
    arguments: dict[str, Any],
    status: int,
    code: str,
    client: APIClient,
    session: str,
) -> None:
    known = masked.cut[0][0]
    if code == "no_entity" and tool == "neighbours":
        arguments = {**arguments, "id": "DRUGBANK:NONE"}
    filled = json.loads(json.dumps(arguments).replace("{id}", known))
    answer = send_call(client, session, tool, **filled)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert len(answer.json()["detail"].split()) < 30
    (call,) = ToolCall.objects.filter(session_id=uuid.UUID(session))
    assert (call.number, call.error_code, call.result) == (1, code, None)
    assert len(call.digest) == 64
    too_large = code == "arguments_too_large"
    assert call.arguments == ({} if too_large else filled)


@pytest.mark.parametrize(
    "body",
    [
        b'{"tool": "search", "arguments": {"query": "\\u0000"}}',
        b'{"tool": "search", "arguments": {"query": "\\ud800"}}',
        b'{"tool": "search", "arguments": {"query": NaN}}',
        b'{"tool": "search", "arguments": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"tool": "search", "arguments": [1]}',
        b'{"arguments": {}}',
        b"[]",
        b"\xff",
    ],
)
def test_a_body_that_cannot_be_read_is_refused_before_it_counts(
    body: bytes, client: APIClient, session: str
) -> None:
    answer = client.post(f"{SESSIONS}/{session}/calls", body, content_type="application/json")
    assert answer.status_code in (400, 422)
    assert not ToolCall.objects.filter(session_id=uuid.UUID(session)).exists()


def test_arguments_that_no_json_text_has_are_refused_and_logged(
    client: APIClient, session: str
) -> None:
    body = b'{"tool": "entity", "arguments": {"id": 1e400}}'
    answer = client.post(f"{SESSIONS}/{session}/calls", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    (call,) = ToolCall.objects.filter(session_id=uuid.UUID(session))
    assert (call.number, call.error_code, call.arguments) == (1, "bad_request", {})
    (replayed,) = replay(session)["others"]
    assert replayed["comparison"] == "not_compared"


def test_every_answer_is_as_the_description_of_the_api_has_it(
    masked: MaskedRelease, settings: Any, client: APIClient, session: str
) -> None:
    opening = f"/api/v1/releases/{masked.release.slug}/tool-sessions"
    named = "api/v1/releases/<slug:slug>/tool-sessions"
    calls = "api/v1/tool-sessions/<uuid:session_id>/calls"
    settings.TOOL_SESSIONS_PER_DAY, settings.TOOL_CALLS_PER_SESSION = 2, 2
    answers = [
        ("post", named, 201, client.post(opening)),
        ("post", named, 429, client.post(opening)),
        ("post", calls, 200, send_call(client, session, "graph_schema")),
        ("post", calls, 422, send_call(client, session, "entity", limit=1)),
        ("post", calls, 429, send_call(client, session, "entity", limit=1)),
        ("get", f"{calls}/<int:number>", 200, client.get(f"{SESSIONS}/{session}/calls/1")),
    ]
    for method, template, status, answer in answers:
        assert answer.status_code == status
        assert find_violations(method, template, answer) == []


def test_a_session_is_private_to_its_owner_and_the_organiser(
    masked: MaskedRelease,
    researcher: Person,
    outsider: Person,
    visitor: APIClient,
    administrator: Person,
) -> None:
    session = open_session(with_token(researcher), masked.release)
    colleague = make_person("rita", is_researcher=True)
    result_of(researcher.browser, session, "graph_schema")
    for path in ("", "/calls", "/calls/1"):
        address = f"{SESSIONS}/{session}{path}"
        assert researcher.browser.get(address).status_code == 200
        assert administrator.browser.get(address).status_code == 200
        assert visitor.get(address).status_code == 404
        assert outsider.browser.get(address).status_code == 404
        assert colleague.browser.get(address).status_code == 404
    for other in (colleague, administrator, outsider):
        assert send_call(other.browser, session, "graph_schema").status_code == 404
        assert other.browser.post(f"{SESSIONS}/{session}/close").status_code == 404
        assert other.browser.get(SESSIONS).json()["results"] == []
    opening = f"/api/v1/releases/{masked.release.slug}/tool-sessions"
    assert outsider.browser.post(opening).status_code == 403
    assert visitor.post(opening).status_code == 401
    assert [one["id"] for one in researcher.browser.get(SESSIONS).json()["results"]] == [session]


def test_a_draft_can_be_walked_by_its_organiser_alone(
    masked: MaskedRelease,
    researcher: Person,
    administrator: Person,
) -> None:
    Release.objects.filter(pk=masked.release.pk).update(state=Release.State.DRAFT)
    opening = f"/api/v1/releases/{masked.release.slug}/tool-sessions"
    assert researcher.browser.post(opening).status_code == 404
    assert administrator.browser.post(opening).status_code == 201


def test_a_release_without_a_graph_has_no_sessions(
    db: None, tmp_path: Any, researcher: Person
) -> None:
    release = open_pairs(tmp_path)
    answer = researcher.browser.post(f"/api/v1/releases/{release.slug}/tool-sessions")
    assert (answer.status_code, answer.json()["code"]) == (422, "release_without_graph")


def test_the_whole_graph_of_a_masked_release_cannot_be_chosen(
    masked: MaskedRelease,
    researcher: Person,
) -> None:
    opening = f"/api/v1/releases/{masked.release.slug}/tool-sessions"
    for method in ("none", "llm", "whole", " "):
        answer = researcher.browser.post(opening, {"method": method})
        if answer.status_code == 201:
            assert answer.json()["snapshot"] == masked.masked.snapshot
        else:
            assert answer.json()["code"] == "no_mask_method"
    answer = researcher.browser.post(opening, {"method": "expert"})
    assert answer.json()["snapshot"] == masked.masked.snapshot != masked.base.snapshot


def test_calls_have_a_limit_by_session_and_by_day(
    masked: MaskedRelease,
    researcher: Person,
    settings: Any,
) -> None:
    settings.TOOL_CALLS_PER_SESSION, settings.TOOL_CALLS_PER_DAY = 2, 3
    settings.TOOL_SESSIONS_PER_DAY = 2
    client = with_token(researcher)
    first, second = (open_session(client, masked.release) for _ in range(2))
    third = client.post(f"/api/v1/releases/{masked.release.slug}/tool-sessions")
    assert (third.status_code, third.json()["code"]) == (429, "tool_limit")
    statuses = [send_call(client, first, "graph_schema").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert [send_call(client, second, "none").status_code for _ in range(2)] == [404, 429]
    answer = send_call(client, second, "graph_schema").json()
    assert answer["limit"] == 3
    assert datetime.fromisoformat(answer["next_at"]) > datetime.now(UTC)
    assert ToolCall.objects.filter(session__in=[first, second]).count() == 3
    assert ToolUse.objects.get(owner=researcher.user).calls == 3


def test_a_closed_session_takes_no_calls(client: APIClient, session: str) -> None:
    result_of(client, session, "graph_schema")
    closings = [client.post(f"{SESSIONS}/{session}/close").json() for _ in range(2)]
    assert closings[0] == closings[1]
    assert closings[0]["closed_at"] is not None
    answer = send_call(client, session, "graph_schema")
    assert (answer.status_code, answer.json()["code"]) == (409, "session_closed")
    assert ToolSession.objects.get(pk=session).calls == 1


def test_the_log_has_arguments_digests_and_results_in_order(
    client: APIClient, session: str
) -> None:
    sent = [{"query": f"drug {at}"} for at in range(5)]
    results = [result_of(client, session, "search", **one) for one in sent]
    address, rows = f"{SESSIONS}/{session}/calls?limit=2", []
    while address:
        page = client.get(address).json()
        rows += page["results"]
        address = page["next"]
    assert [one["number"] for one in rows] == [1, 2, 3, 4, 5]
    assert [one["arguments"] for one in rows] == sent
    assert all(one["milliseconds"] >= 0 and one["result_bytes"] > 10 for one in rows)
    shown = [client.get(f"{SESSIONS}/{session}/calls/{at}").json()["result"] for at in range(1, 6)]
    assert shown == results
    for missing in (0, 6, 10**30):
        assert client.get(f"{SESSIONS}/{session}/calls/{missing}").status_code == 404


def replay(session: str) -> Mapping[str, Any]:
    out = io.StringIO()
    call_command("replay_session", session, "--json", stdout=out)
    payload: Mapping[str, Any] = json.loads(out.getvalue())
    return payload


def test_a_replay_finds_the_results_that_differ(
    masked: MaskedRelease, client: APIClient, session: str
) -> None:
    source, _, target = masked.cut[0]
    result_of(client, session, "search", query="drug", mode="hybrid")
    result_of(client, session, "paths", sources=[source], targets=[target], hops=3)
    send_call(client, session, "entity", id="NOTHING:1")
    send_call(client, session, "none")
    send_call(client, session, "search", query="a" * MAX_ARGUMENT_BYTES)
    first = replay(session)
    assert (first["calls"], first["same"]) == (5, 4)
    assert [one["comparison"] for one in first["others"]] == ["not_compared"]
    shorter = {"query": "drug", "limit": 1}
    ToolCall.objects.filter(session_id=uuid.UUID(session), number=1).update(arguments=shorter)
    again = replay(session)
    assert [(one["number"], one["comparison"]) for one in again["others"]] == [
        (1, "differs"),
        (5, "not_compared"),
    ]


def test_a_call_whose_server_dies_stays_in_the_log(
    masked: MaskedRelease,
    researcher: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = open_session(with_token(researcher), masked.release)

    def die(*_arguments: object) -> None:
        raise MemoryError

    def call() -> None:
        session_id = uuid.UUID(session)
        call_tool(actor=researcher.user, session_id=session_id, tool="graph_schema", arguments={})

    with monkeypatch.context() as patched:
        patched.setattr("backend.evaluation.tool_calls.run_tool", die)
        with pytest.raises(MemoryError):
            call()
    (row,) = ToolCall.objects.filter(session_id=uuid.UUID(session))
    assert (row.error_code, row.digest, row.milliseconds) == ("interrupted", "", None)
    assert read_result(row) is None
    assert replay(session)["others"][0]["comparison"] == "not_compared"


def test_a_graph_that_a_session_walked_stays(
    masked: MaskedRelease,
    researcher: Person,
    administrator: Person,
) -> None:
    open_session(with_token(researcher), masked.release)
    with pytest.raises(VersionReferenced):
        delete_version(actor=administrator.user, version=masked.masked)
