"""Paths, parts, walks and exports as a browser gets them."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.core.asgi import get_asgi_application
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.graphs.api import cancellation
from backend.graphs.importers.registry import open_source
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.runtime.cancellation import CancellationToken
from tests.graphs.served_graph import HUB_LINKS, make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.personas import Person, make_person

ASPIRIN, HEADACHE, HUB = "DRUGBANK:DB00945", "HP:0002315", "NCBIGene:7157"
MEDICINE = "/api/v1/graphs/medicine"


@pytest.fixture
def medicine(db: None) -> Graph:
    return make_graph()


def served() -> Version:
    make_graph()
    return Version.objects.get()


def get_json(
    browser: APIClient, address: str, expected: int = 200, /, **query: Any
) -> dict[str, Any]:
    answer = browser.get(address, query)
    assert answer.status_code == expected, answer.content
    body: dict[str, Any] = answer.json()
    return body


def get_bytes(browser: APIClient, **query: Any) -> bytes:
    answer = browser.get(f"{MEDICINE}/export", query)
    assert answer.status_code == 200, answer.content
    return answer.getvalue()


def test_a_visitor_reads_the_paths_of_a_public_graph(medicine: Graph, visitor: APIClient) -> None:
    body = get_json(visitor, f"{MEDICINE}/paths", **{"from": ASPIRIN, "to": HEADACHE, "limit": 2})
    assert body["snapshot"] == Version.objects.get().snapshot
    assert body["summary"] == "2 of 5 shown, 1 through hubs hidden"
    assert (body["shown"], body["total"], body["hidden_through_hubs"]) == (2, 5, 1)
    assert (body["capped"], body["capped_by"], body["hub_links"]) == (False, None, 1000)
    first = body["paths"][0]
    assert first["steps"][0]["entity"]["id"] == ASPIRIN
    assert first["steps"][-1]["entity"]["id"] == HEADACHE
    assert {"edge", "relation", "phrase", "forward", "evidence"} <= set(first["steps"][1])
    assert first["weight"] >= body["paths"][1]["weight"]
    assert {one["key"] for one in body["metapaths"]} >= {one["metapath"] for one in body["paths"]}


def test_hidden_paths_are_shown_on_request(medicine: Graph, visitor: APIClient) -> None:
    ends: dict[str, Any] = {"from": ASPIRIN, "to": HEADACHE}
    body = get_json(visitor, f"{MEDICINE}/paths", **ends, hubs="true")
    assert (body["shown"], body["hidden_through_hubs"]) == (6, 0)
    more = get_json(visitor, f"{MEDICINE}/paths", **ends, hub_links=2)
    assert more["hidden_through_hubs"] > 1


def test_a_metapath_is_searched_by_its_key(medicine: Graph, visitor: APIClient) -> None:
    ends: dict[str, Any] = {"from": ASPIRIN, "to": HEADACHE, "order": "degree"}
    whole = get_json(visitor, f"{MEDICINE}/paths", **ends)
    for kind in whole["metapaths"]:
        only = get_json(visitor, f"{MEDICINE}/paths", **ends, metapath=kind["key"])
        assert (only["total"], only["hidden_through_hubs"]) == (kind["count"], kind["hidden"])
    direct = get_json(visitor, f"{MEDICINE}/paths", **ends, relations="treats")
    assert [one["metapath"] for one in direct["paths"]] == ["Drug/>treats/Phenotype"]
    shortest = get_json(visitor, f"{MEDICINE}/paths", **ends, shortest="true")
    assert shortest["total"] == 1


def test_sets_are_comma_separated_or_repeated_parameters(
    medicine: Graph, visitor: APIClient
) -> None:
    both = "UniProtKB:P23219", "UniProtKB:P35354"
    address = f"{MEDICINE}/paths"
    joined = get_json(visitor, address, **{"from": ASPIRIN, "to": ",".join(both), "hops": 1})
    apart = get_json(visitor, address, **{"from": ASPIRIN, "to": [*both], "hops": 1})
    assert joined == apart and joined["total"] == 2
    comma = get_json(visitor, address, **{"from": ASPIRIN, "to": "HP:0000001,a"})
    assert comma["total"] == 0


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({}, 422, "invalid"),
        ({"from": ASPIRIN}, 422, "invalid"),
        ({"from": ASPIRIN, "to": "DRUGBANK:DB99999"}, 404, "no_entity"),
        ({"from": ASPIRIN, "to": ","}, 422, "ends"),
        ({"from": ASPIRIN, "to": HEADACHE, "hops": 4}, 422, "invalid"),
        ({"from": ASPIRIN, "to": HEADACHE, "hops": "many"}, 422, "invalid"),
        ({"from": ASPIRIN, "to": HEADACHE, "limit": 1001}, 422, "invalid"),
        ({"from": ASPIRIN, "to": HEADACHE, "order": "luck"}, 422, "invalid"),
        ({"from": ASPIRIN, "to": HEADACHE, "relations": "cures"}, 422, "no_relation"),
        ({"from": ASPIRIN, "to": HEADACHE, "metapath": "Drug/>cures/x"}, 422, "no_metapath"),
        ({"from": ASPIRIN, "to": HEADACHE, "snapshot": "0"}, 404, "no_snapshot"),
        ({"from": ASPIRIN, "to": ",".join(f"HP:9{n:06}" for n in range(101))}, 422, "ends"),
        ({"from": "a\x00b", "to": HEADACHE}, 422, "invalid"),
    ],
)
def test_an_invalid_search_is_refused_with_the_reason(
    medicine: Graph, visitor: APIClient, query: dict[str, Any], status: int, code: str
) -> None:
    answer = visitor.get(f"{MEDICINE}/paths", query)
    assert answer["Content-Type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_subgraph_has_the_edges_between_its_entities(medicine: Graph, visitor: APIClient) -> None:
    ids = [ASPIRIN, "UniProtKB:P23219", "UniProtKB:P35354"]
    answer = visitor.post(f"{MEDICINE}/subgraph", {"ids": ids})
    body = answer.json()
    assert answer.status_code == 200
    assert {one["id"] for one in body["entities"]} == set(ids)
    assert {one["phrase"] for one in body["edges"]} == {"inhibits", "interacts with"}
    assert (body["shown"], body["total"], body["capped"]) == (3, 3, False)
    few = visitor.post(f"{MEDICINE}/subgraph", {"ids": ids, "limit": 1, "relations": ["inhibits"]})
    assert (few.json()["shown"], few.json()["total"], few.json()["capped"]) == (1, 2, True)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 422),
        ({"ids": []}, 422),
        ({"ids": "x"}, 422),
        ({"ids": ["no:1"]}, 404),
        ({"ids": [ASPIRIN] * 2001}, 422),
        ({"ids": [ASPIRIN], "limit": 10_001}, 422),
    ],
)
def test_an_invalid_subgraph_request_is_refused_with_the_reason(
    medicine: Graph, visitor: APIClient, sent: dict[str, Any], status: int
) -> None:
    answer = visitor.post(f"{MEDICINE}/subgraph", sent)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"


def test_a_walk_is_repeatable_by_its_seed(medicine: Graph, visitor: APIClient) -> None:
    first = get_json(visitor, f"{MEDICINE}/walk", **{"from": ASPIRIN, "steps": 20, "restart": 0.3})
    again = get_json(
        visitor,
        f"{MEDICINE}/walk",
        **{"from": ASPIRIN, "steps": 20, "restart": 0.3, "seed": first["seed"]},
    )
    assert first == again and len(first["steps"]) == 20
    assert first["start"]["id"] == ASPIRIN
    alone = get_json(visitor, f"{MEDICINE}/walk", **{"from": "HP:0000001,a"})
    assert alone["ended"] and alone["steps"] == []
    for wrong in ({"steps": 1001}, {"seed": -1}, {"restart": 2}, {"restart": "nan"}):
        get_json(visitor, f"{MEDICINE}/walk", 422, **{"from": ASPIRIN, **wrong})


def test_a_subgraph_is_exported_with_version_and_licence(
    medicine: Graph, visitor: APIClient
) -> None:
    ids = f"{ASPIRIN},{HEADACHE}"
    version = Version.objects.get().snapshot
    as_json = json.loads(get_bytes(visitor, format="json", ids=ids))
    assert as_json["graph"]["snapshot"] == version
    assert as_json["graph"]["licence"] == "CC0-1.0"
    assert {one["id"] for one in as_json["nodes"]} == {ASPIRIN, HEADACHE}
    assert len(as_json["edges"]) == 1
    graphml = nx.parse_graphml(get_bytes(visitor, format="graphml", ids=ids))
    assert graphml.graph["licence"] == "CC0-1.0" and graphml.number_of_edges() == 1
    for name in ("csv", "kgx", "kgx-jsonl"):
        packed = zipfile.ZipFile(io.BytesIO(get_bytes(visitor, format=name, ids=ids)))
        about = json.loads(packed.read("provenance.json"))
        assert (about["snapshot"], about["licence"]) == (version, "CC0-1.0")


@pytest.mark.parametrize("name", ["csv", "json", "graphml", "kgx"])
def test_an_export_by_post_equals_the_export_by_get(
    medicine: Graph, visitor: APIClient, name: str
) -> None:
    ids = [ASPIRIN, HEADACHE, HUB]
    parameters: dict[str, Any] = {"format": name, "ids": ids, "limit": 100}
    answer = visitor.post(f"{MEDICINE}/export", parameters)
    assert answer.status_code == 200
    there = answer.getvalue()
    assert there == get_bytes(visitor, format=name, ids=ids, limit=100)
    headers = visitor.get(f"{MEDICINE}/export", parameters)
    for header in ("Content-Type", "Content-Disposition", "Cache-Control"):
        assert answer[header] == headers[header]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"ids": []}, 422, "invalid"),
        ({"ids": ASPIRIN}, 422, "invalid"),
        ({"ids": [f"{ASPIRIN},{HEADACHE}"]}, 404, "no_entity"),
        ({"ids": [f"X:{n}" for n in range(2001)]}, 422, "invalid"),
        ({"format": "pickle"}, 422, "format"),
        ({"limit": 10_001}, 422, "invalid"),
    ],
)
def test_an_invalid_export_by_post_is_refused(
    medicine: Graph, visitor: APIClient, change: dict[str, Any], status: int, code: str
) -> None:
    parameters = {"format": "csv", "ids": [ASPIRIN], **change}
    answer = visitor.post(f"{MEDICINE}/export", parameters)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_neighbourhood_is_exported(medicine: Graph, visitor: APIClient) -> None:
    of_hub = json.loads(get_bytes(visitor, format="json", around=HUB, limit=50))
    assert len(of_hub["edges"]) == 50
    causes = json.loads(
        get_bytes(visitor, format="json", around=HUB, relation="causes", outgoing="true")
    )
    assert len(causes["edges"]) == HUB_LINKS + 1
    incoming = json.loads(get_bytes(visitor, format="json", around=HUB, outgoing="false"))
    assert {one["source"] for one in incoming["edges"]} == {ASPIRIN, HUB}


def test_a_whole_graph_that_is_exported_and_read_again_is_the_same(
    medicine: Graph, visitor: APIClient, tmp_path: Path
) -> None:
    zipfile.ZipFile(io.BytesIO(get_bytes(visitor, format="csv"))).extractall(tmp_path / "read")
    (tmp_path / "read" / "provenance.json").unlink()
    again = build_snapshot(open_source([tmp_path / "read"], "csv").source, tmp_path / "again")
    assert again.path.name == Version.objects.get().snapshot


async def is_readable(path: str, query: bytes) -> Any:
    """Somebody at the other end of a connection who has asked for a page."""
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "query_string": query}
    scope["headers"] = [(b"host", b"testserver")]
    communicator: Any = ApplicationCommunicator
    reader = communicator(get_asgi_application(), scope)
    await reader.send_input({"type": "http.request", "body": b"", "more_body": False})
    return reader


@pytest.mark.django_db(transaction=True)
async def test_an_export_is_streamed_without_blocking_the_event_loop(visitor: APIClient) -> None:
    version = await database_sync_to_async(served)()
    reader = await is_readable("/api/v1/graphs/medicine/export", b"format=kgx-jsonl")
    assert (await reader.receive_output(60))["status"] == 200
    pieces, more = list[bytes](), True
    while more:
        message = await reader.receive_output(60)
        pieces.append(message.get("body", b""))
        more = message.get("more_body", False)
    await reader.wait()
    packed = zipfile.ZipFile(io.BytesIO(b"".join(pieces)))
    assert len(packed.read("edges.jsonl").splitlines()) == version.edges + 1


def test_the_file_is_named_for_the_graph_and_its_version(
    medicine: Graph, visitor: APIClient
) -> None:
    answer = visitor.get(f"{MEDICINE}/export", {"format": "csv"})
    version = Version.objects.get().snapshot[:12]
    assert answer["Content-Disposition"] == f'attachment; filename="medicine-{version}-csv.zip"'


def test_an_unknown_format_or_a_graph_too_large_for_it_is_refused(
    medicine: Graph, visitor: APIClient, settings: Settings
) -> None:
    get_json(visitor, f"{MEDICINE}/export", 422)
    assert get_json(visitor, f"{MEDICINE}/export", 422, format="pickle")["code"] == "format"
    settings.EXPORT_IN_MEMORY_ROWS = 100
    assert get_json(visitor, f"{MEDICINE}/export", 422, format="graphml")["code"] == "too_large"


def test_a_private_graph_is_available_only_to_its_owner(
    visitor: APIClient, outsider: Person, db: None
) -> None:
    owner = make_person("odile")
    make_graph(owner=owner.user, visibility=Graph.Visibility.PRIVATE)
    queries = {"paths": {"from": ASPIRIN, "to": HEADACHE}, "walk": {"from": ASPIRIN}}
    queries["export"] = {"format": "json", "ids": ASPIRIN}
    for place, query in queries.items():
        for browser, status in ((visitor, 404), (outsider.browser, 404), (owner.browser, 200)):
            assert browser.get(f"{MEDICINE}/{place}", query).status_code == status
    for browser, status in ((visitor, 404), (outsider.browser, 404), (owner.browser, 200)):
        assert browser.post(f"{MEDICINE}/subgraph", {"ids": [ASPIRIN]}).status_code == status
        parameters = {"format": "json", "ids": [ASPIRIN]}
        assert browser.post(f"{MEDICINE}/export", parameters).status_code == status


def test_too_many_queued_searches_give_503(medicine: Graph, visitor: APIClient) -> None:
    query: dict[str, Any] = {"from": ASPIRIN, "to": HEADACHE}
    with ExitStack() as pending:
        for _ in range(cancellation.MAX_PENDING_SEARCHES):
            pending.enter_context(cancellation.search_slot())
        refused = visitor.get(f"{MEDICINE}/paths", query)
    result = (refused.status_code, refused.json()["code"], refused["Retry-After"])
    assert result == (503, "busy", "5")
    get_json(visitor, f"{MEDICINE}/paths", **query)


def endless() -> SourceRows:
    """Two thousand different edges on each of three steps: 8 x 10^9 paths."""
    ends = [NodeRow(f"X:{n}", "Thing", str(n)) for n in range(4)]
    edges = [
        EdgeRow(f"X:{n}", "leads to", f"X:{n + 1}", score=float(score))
        for n in range(3)
        for score in range(2000)
    ]
    return SourceRows([*ends], [*edges])


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[list[CancellationToken]]:
    """The flags of the searches that are made; they have hours of time.

    A search shows its flag to nobody, so the class is replaced by one that lists its instances.
    """
    settings.PATH_SEARCH_SECONDS = 3600
    tokens: list[CancellationToken] = []

    class Noted(CancellationToken):
        def __init__(self) -> None:
            super().__init__()
            tokens.append(self)

    monkeypatch.setattr(cancellation, "CancellationToken", Noted)
    yield tokens
    for stop in tokens:
        stop.cancel()


@pytest.mark.django_db(transaction=True)
async def test_a_search_ends_when_the_client_disconnects(stops: list[CancellationToken]) -> None:
    await database_sync_to_async(make_graph)("Endless", rows=endless())
    reader = await is_readable("/api/v1/graphs/endless/paths", b"from=X:0&to=X:3")
    while not stops:
        await asyncio.sleep(0.01)
    assert not stops[0].is_cancelled
    await reader.send_input({"type": "http.disconnect"})
    async with asyncio.timeout(60):
        while not stops[0].is_cancelled:
            await asyncio.sleep(0.01)
    await reader.wait()
    assert await reader.receive_nothing()
