"""Graphs as a page reads them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.graphs.models import Graph, SavedView, Version
from backend.graphs.path_queries import ExplainedPaths, search_paths
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery
from tests.graphs.app.factories import (
    ASPIRIN,
    COX1,
    COX2,
    HEADACHE,
    make_graph,
    run_small_import,
    small_files_with_edges,
)
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
PUBLIC = Graph.Visibility.PUBLIC


@pytest.fixture
def version() -> Version:
    return make_graph(visibility=PUBLIC, name="Small")


def address(rest: str = "") -> str:
    return f"/api/v1/graphs/small{rest}"


def entity(identifier: str) -> str:
    return address(f"/entities/{quote(identifier, safe='')}")


def test_a_visitor_finds_public_graphs_with_their_versions(
    visitor: APIClient, version: Version
) -> None:
    make_graph(make_person("ada").user)
    (listed,) = visitor.get("/api/v1/graphs").json()["results"]
    assert (listed["slug"], listed["latest"]) == ("small", version.snapshot)
    assert listed["versions"][0]["entities"] == 4


def test_the_schema_of_a_graph_has_each_edge_in_one_kind(
    visitor: APIClient, version: Version
) -> None:
    graph, schema = visitor.get(address()).json(), visitor.get(address("/schema")).json()
    assert schema["snapshot"] == version.snapshot
    assert (schema["types"], schema["relations"]) == (graph["types"], graph["relations"])
    kinds = schema["edge_kinds"]
    assert schema["kinds_total"] == len(kinds) == len({tuple(one.values()) for one in kinds})
    for relation in graph["relations"]:
        own = [one["count"] for one in kinds if one["relation"] == relation["relation"]]
        assert sum(own) == relation["count"]
    assert [one["count"] for one in kinds] == sorted((one["count"] for one in kinds), reverse=True)
    types = {one["name"] for one in graph["types"]}
    assert {one[end] for one in kinds for end in ("source", "target")} <= types


def test_a_graph_lists_its_types_and_relations(visitor: APIClient, version: Version) -> None:
    graph = visitor.get(address()).json()
    assert graph["types"] == [
        {"name": "Drug", "count": 1},
        {"name": "Gene", "count": 2},
        {"name": "Phenotype", "count": 1},
    ]
    assert graph["relations"][0] == {
        "relation": "inhibits",
        "forward": "inhibits",
        "backward": "is inhibited by",
        "symmetric": False,
        "count": 2,
    }
    assert graph["snapshot"] == version.snapshot and not graph["may_change"]


def test_an_entity_has_its_names_links_document_and_relations(
    visitor: APIClient, version: Version
) -> None:
    body = visitor.get(entity(ASPIRIN)).json()
    assert (body["id"], body["name"], body["type"], body["degree"]) == (
        ASPIRIN,
        "Aspirin",
        "Drug",
        3,
    )
    assert body["synonyms"] == ["ASA", "Acetylsalicylic acid"]
    links = {it["curie"]: it["url"] for it in body["identifiers"]}
    assert links[ASPIRIN].startswith("https://go.drugbank.com/")
    assert links["CHEBI:15365"].startswith("https://") and links["LOCAL:7"] is None
    assert body["document"][0]["text"] == "An old drug."
    assert {(it["phrase"], it["outgoing"], it["count"]) for it in body["relations"]} == {
        ("inhibits", True, 2),
        ("treats", True, 1),
    }


def test_each_edge_is_listed_at_both_ends(visitor: APIClient, version: Version) -> None:
    there = visitor.get(f"{entity(ASPIRIN)}/neighbours?relation=treats").json()["results"]
    back = visitor.get(f"{entity(HEADACHE)}/neighbours?outgoing=false").json()["results"]
    assert there[0]["entity"]["id"] == HEADACHE and back[0]["entity"]["id"] == ASPIRIN
    assert there[0]["edge"] == back[0]["edge"]


def test_evidence_is_returned_with_links_and_its_absence_as_null(
    visitor: APIClient, version: Version
) -> None:
    links = visitor.get(f"{entity(ASPIRIN)}/neighbours?relation=inhibits").json()["results"]
    by_entity = {it["entity"]["id"]: it["evidence"] for it in links}
    assert by_entity[COX2] is None
    assert (by_entity[COX1]["source"], by_entity[COX1]["score"]) == ("DrugBank", 0.5)
    assert by_entity[COX1]["publications"][0] == {
        "curie": "PMID:1",
        "url": "https://pubmed.ncbi.nlm.nih.gov/1/",
    }


def test_pages_of_neighbours_list_each_neighbour_once(visitor: APIClient, version: Version) -> None:
    identifiers, cursor = [], ""
    for _ in range(3):
        page = visitor.get(f"{entity(ASPIRIN)}/neighbours?limit=1{cursor}").json()
        identifiers += [it["entity"]["id"] for it in page["results"]]
        assert page["count"] == 3
        cursor = f"&cursor={page['next']}"
    assert page["next"] is None
    assert sorted(identifiers) == sorted([COX1, COX2, HEADACHE])


def test_the_strongest_neighbours_come_first_with_their_weights(
    visitor: APIClient, version: Version
) -> None:
    def read(identifier: str, query: str = "") -> list[Mapping[str, Any]]:
        answer = visitor.get(f"{entity(identifier)}/strongest-neighbours{query}")
        assert answer.status_code == 200, answer.content
        results: list[Mapping[str, Any]] = answer.json()["results"]
        return results

    first, *others = read(ASPIRIN)
    assert (first["entity"]["id"], first["weight"], first["outgoing"]) == (COX1, 1.0, True)
    assert {one["entity"]["id"] for one in others} == {COX2, HEADACHE}
    assert {(one["weight"], one["prognosis"]) for one in others} == {(None, 0)}
    assert len(read(ASPIRIN, "?relation=inhibits")) == 2
    assert [one["edge"] for one in read(ASPIRIN, "?limit=1")] == [first["edge"]]
    (back,) = read(COX1)
    assert (back["edge"], back["outgoing"]) == (first["edge"], False)
    for wrong in ("limit=0", "limit=101", "relation=cures"):
        address = f"{entity(ASPIRIN)}/strongest-neighbours?{wrong}"
        assert visitor.get(address).status_code == 422


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("cursor=99999", 404),
        ("cursor=-1", 422),
        ("cursor=x", 422),
        ("limit=0", 422),
        ("limit=201", 422),
        ("outgoing=perhaps", 422),
        ("relation=cures", 422),
        ("relation=%00", 422),
        ("snapshot=nothing", 404),
        ("snapshot=%00", 404),
    ],
)
def test_invalid_query_parameters_are_refused(
    visitor: APIClient, version: Version, query: str, status: int
) -> None:
    answer = visitor.get(f"{entity(ASPIRIN)}/neighbours?{query}")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("identifier", ["DRUGBANK:DB0", "a/b/c", "%", "x" * 5000, "\x00", "🧬"])
def test_an_unknown_entity_is_not_found(
    visitor: APIClient, version: Version, identifier: str
) -> None:
    answer = visitor.get(entity(identifier))
    assert (answer.status_code, answer.json()["code"]) == (404, "no_entity")


def test_an_old_version_can_be_read_until_it_is_deleted(visitor: APIClient, tmp_path: Path) -> None:
    first = run_small_import(tmp_path / "first", metadata={"visibility": PUBLIC}).result["snapshot"]
    run_small_import(tmp_path / "second", small_files_with_edges(f"{COX1},inhibits,{ASPIRIN},,,"))
    newest = visitor.get(entity(ASPIRIN))
    pinned = visitor.get(f"{entity(ASPIRIN)}?snapshot={first}")
    by_content = visitor.get(f"{entity(ASPIRIN)}?snapshot={first.partition('-')[0]}")
    assert (newest.json()["degree"], pinned.json()["degree"]) == (4, 3)
    assert by_content.json() == pinned.json()
    assert "immutable" in pinned["Cache-Control"] and newest["Cache-Control"] == "no-store"


def test_a_private_graph_is_not_cached() -> None:
    ada = make_person("ada")
    version = make_graph(ada.user, name="Small")
    answer = ada.browser.get(f"{address()}?snapshot={version.snapshot}")
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"


READS = {
    "entity": entity(ASPIRIN) + "?",
    "neighbours": entity(ASPIRIN) + "/neighbours?relation=inhibits&",
    "strongest": entity(ASPIRIN) + "/strongest-neighbours?",
    "search": address("/search?q=aspirin&"),
    "paths": address(f"/paths?from={ASPIRIN}&to={COX1}&"),
    "walk": address(f"/walk?from={ASPIRIN}&seed=1&"),
}


@pytest.mark.parametrize("read", READS)
def test_a_matching_etag_of_a_pinned_snapshot_gives_304(
    visitor: APIClient, version: Version, read: str
) -> None:
    place = f"{READS[read]}snapshot={version.snapshot}"
    first = visitor.get(place)
    assert first.status_code == 200
    tag = first["ETag"]
    for condition in (tag, f"W/{tag}", f'"other", {tag}'):
        again = visitor.get(place, headers={"If-None-Match": condition})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == tag and again["Cache-Control"] == first["Cache-Control"]
    for other in ('"other"', "nonsense", ""):
        assert visitor.get(place, headers={"If-None-Match": other}).json() == first.json()
    assert visitor.get(f"{place}&unknown=1")["ETag"] != tag


@pytest.mark.parametrize("read", READS)
def test_responses_of_the_latest_version_have_no_etag(
    visitor: APIClient, version: Version, read: str
) -> None:
    assert "ETag" not in visitor.get(READS[read])
    by_content = visitor.get(f"{READS[read]}snapshot={version.content_id}")
    assert by_content.status_code == 200 and "ETag" not in by_content


@pytest.mark.parametrize(
    "query", [f"/walk?from={ASPIRIN}", "/search?q=pain&mode=documents", "/search?q=a&mode=hybrid"]
)
def test_responses_that_do_not_depend_on_the_url_alone_have_no_etag(
    visitor: APIClient, version: Version, query: str
) -> None:
    answer = visitor.get(f"{address(query)}&snapshot={version.snapshot}")
    assert answer.status_code == 200
    assert "ETag" not in answer and answer["Cache-Control"] == "no-store"


def test_path_searches_that_timed_out_are_not_cached(
    visitor: APIClient, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"{READS['paths']}snapshot={version.snapshot}"
    with monkeypatch.context() as patched:
        # On a graph so small no search takes any time, even where the limit is zero.
        patched.setattr("backend.graphs.api.paths.search_paths", out_of_time)
        answer = visitor.get(place)
    assert answer.json()["capped_by"] == "time"
    assert "ETag" not in answer and answer["Cache-Control"] == "no-store"
    assert "ETag" in visitor.get(place)


def out_of_time(
    view: GraphView, question: PathQuery, stop: CancellationToken, *, seconds: float
) -> ExplainedPaths:
    return replace(search_paths(view, question, stop), capped_by="time")


def test_another_build_has_other_etags(
    visitor: APIClient, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"{READS['entity']}snapshot={version.snapshot}"
    before = visitor.get(place)["ETag"]
    # It is the times of this program's own files, once per process.
    monkeypatch.setattr("backend.graphs.api.base.build_id", lambda: "upgraded")
    assert visitor.get(place, headers={"If-None-Match": before}).status_code == 200


@pytest.mark.parametrize("read", READS)
def test_an_etag_gives_no_access_to_a_private_graph(
    visitor: APIClient, outsider: Person, read: str
) -> None:
    ada = make_person("ada")
    version = make_graph(ada.user, name="Small")
    place = f"{READS[read]}snapshot={version.snapshot}"
    first = ada.browser.get(place)
    assert first["Cache-Control"] == "no-store"
    condition = {"If-None-Match": first["ETag"]}
    for browser, status in ((ada.browser, 304), (visitor, 404), (outsider.browser, 404)):
        answer = browser.get(place, headers=condition)
        assert (answer.status_code, answer["Cache-Control"]) == (status, "no-store")


def test_a_damaged_snapshot_is_reported_and_not_read(
    visitor: APIClient, tmp_path: Path, settings: Settings
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    row = run_small_import(tmp_path / "files", metadata={"visibility": PUBLIC})
    with (tmp_path / "snapshots" / row.result["snapshot"] / "names.pool").open("r+b") as file:
        file.write(b"X")
    answer = visitor.get(entity(ASPIRIN))
    assert (answer.status_code, answer.json()["code"]) == (503, "snapshot_refused")
    assert f"{row.result['snapshot']}/names.pool" in answer.json()["detail"]
    assert str(tmp_path) not in answer.content.decode()


def test_a_missing_snapshot_is_reported_without_its_server_path(
    visitor: APIClient, version: Version, settings: Settings, tmp_path: Path
) -> None:
    settings.SNAPSHOTS = tmp_path
    answer = visitor.get(entity(ASPIRIN))
    assert (answer.status_code, answer.json()["code"]) == (503, "snapshot_refused")
    assert str(tmp_path) not in answer.content.decode()


VIEW = {"page": "canvas", "query": f"focus={ASPIRIN}"}


def test_a_saved_view_opens_the_same_snapshot_for_every_user(
    visitor: APIClient, version: Version, outsider: Person
) -> None:
    body = {"title": "Why it helps", "state": VIEW, "snapshot": version.snapshot}
    created = visitor.post(address("/views"), body)
    assert created.status_code == 201
    opened = outsider.browser.get(f"/api/v1/views/{created.json()['id']}").json()
    assert opened == created.json()
    assert (opened["graph"], opened["snapshot"], opened["state"]) == (
        "small",
        version.snapshot,
        VIEW,
    )
    assert opened["url"] == f"/explore/view/{opened['id']}"


@pytest.mark.parametrize(
    "changes",
    [
        {"title": ""},
        {"title": "x" * 201},
        {"title": "two\nlines"},
        {"state": "text"},
        {"state": {"page": "//evil.example", "query": ""}},
        {"state": {"page": "canvas"}},
        {"state": {"page": "canvas", "query": "x" * 20_001}},
        {"state": {"page": "canvas", "query": ["a"]}},
    ],
)
def test_an_invalid_view_state_is_refused(
    visitor: APIClient, version: Version, changes: dict[str, object]
) -> None:
    answer = visitor.post(address("/views"), {"title": "A view", "state": VIEW, **changes})
    assert answer.status_code == 422
    assert not SavedView.objects.exists()


def test_a_view_of_a_private_graph_needs_access_to_the_graph(
    visitor: APIClient, outsider: Person
) -> None:
    ada = make_person("ada")
    make_graph(ada.user, name="Small")
    created = ada.browser.post(address("/views"), {"title": "Mine", "state": VIEW}).json()
    assert visitor.get(f"/api/v1/views/{created['id']}").status_code == 404
    assert outsider.browser.get(f"/api/v1/views/{created['id']}").status_code == 404
    assert visitor.post(address("/views"), {"title": "A", "state": VIEW}).status_code == 404


def test_entities_of_a_type_are_listed_page_by_page(visitor: APIClient, version: Version) -> None:
    first = visitor.get(address("/entities"), {"type": "Gene", "limit": "1"}).json()
    assert (first["count"], len(first["results"])) == (2, 1)
    rest = visitor.get(address("/entities"), {"type": "Gene", "cursor": first["next"]}).json()
    assert {first["results"][0]["id"], rest["results"][0]["id"]} == {COX1, COX2}
    assert rest["next"] is None
    assert visitor.get(address("/entities"), {"type": "Nothing"}).json()["code"] == "no_type"


def test_surprises_are_computed_once_for_a_snapshot(
    visitor: APIClient, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = visitor.get(address("/surprises")).json()
    assert (first["uses"], first["results"]) == (1, [])
    monkeypatch.setattr("backend.graphs.api.surprises.find_surprises", None)
    assert visitor.get(address("/surprises")).json() == first


def test_a_saved_view_shows_who_saved_it_and_the_version(
    visitor: APIClient, version: Version
) -> None:
    ada = make_person("ada")
    state = {"page": f"e/{ASPIRIN}", "query": ""}
    body = {"title": "Aspirin", "state": state}
    signed = ada.browser.post(address("/views"), body, format="json").json()
    assert (signed["author"], signed["version"]) == (ada.user.name, 1)
    unsigned = visitor.post(address("/views"), body, format="json").json()
    assert unsigned["author"] is None
