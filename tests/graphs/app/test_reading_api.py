"""Graphs as a page reads them."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.graphs.models import Graph, SavedView, Version
from backend.graphs.paths import PathReport, search_paths
from backend.graphs.snapshots.view import GraphView
from backend.science.paths import Question
from backend.science.stopping import Stop
from tests.graphs.app.making import ASPIRIN, COX1, COX2, HEADACHE, imported, longer, make_graph
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
    (found,) = visitor.get("/api/v1/graphs").json()["results"]
    assert (found["slug"], found["latest"]) == ("small", version.snapshot)
    assert found["versions"][0]["entities"] == 4


def test_a_graph_says_what_is_in_it(visitor: APIClient, version: Version) -> None:
    found = visitor.get(address()).json()
    assert found["types"] == [
        {"name": "Drug", "count": 1},
        {"name": "Gene", "count": 2},
        {"name": "Phenotype", "count": 1},
    ]
    assert found["relations"][0] == {
        "relation": "inhibits",
        "forward": "inhibits",
        "backward": "is inhibited by",
        "symmetric": False,
        "count": 2,
    }
    assert found["snapshot"] == version.snapshot and not found["may_change"]


def test_an_entity_has_its_words_links_document_and_relations(
    visitor: APIClient, version: Version
) -> None:
    found = visitor.get(entity(ASPIRIN)).json()
    assert (found["id"], found["name"], found["type"], found["degree"]) == (
        ASPIRIN,
        "Aspirin",
        "Drug",
        3,
    )
    assert found["synonyms"] == ["ASA", "Acetylsalicylic acid"]
    links = {it["curie"]: it["url"] for it in found["identifiers"]}
    assert links[ASPIRIN].startswith("https://go.drugbank.com/")
    assert links["CHEBI:15365"].startswith("https://") and links["LOCAL:7"] is None
    assert found["document"][0]["text"] == "An old drug."
    assert {(it["phrase"], it["outgoing"], it["count"]) for it in found["relations"]} == {
        ("inhibits", True, 2),
        ("treats", True, 1),
    }


def test_each_edge_is_found_from_both_ends(visitor: APIClient, version: Version) -> None:
    there = visitor.get(f"{entity(ASPIRIN)}/neighbours?relation=treats").json()["results"]
    back = visitor.get(f"{entity(HEADACHE)}/neighbours?outgoing=false").json()["results"]
    assert there[0]["entity"]["id"] == HEADACHE and back[0]["entity"]["id"] == ASPIRIN
    assert there[0]["edge"] == back[0]["edge"]


def test_evidence_is_told_with_links_and_its_absence_too(
    visitor: APIClient, version: Version
) -> None:
    found = visitor.get(f"{entity(ASPIRIN)}/neighbours?relation=inhibits").json()["results"]
    by_entity = {it["entity"]["id"]: it["evidence"] for it in found}
    assert by_entity[COX2] is None
    assert (by_entity[COX1]["source"], by_entity[COX1]["score"]) == ("DrugBank", 0.5)
    assert by_entity[COX1]["publications"][0] == {
        "curie": "PMID:1",
        "url": "https://pubmed.ncbi.nlm.nih.gov/1/",
    }


def test_pages_of_neighbours_hold_everybody_once(visitor: APIClient, version: Version) -> None:
    seen, cursor = [], ""
    for _ in range(3):
        page = visitor.get(f"{entity(ASPIRIN)}/neighbours?limit=1{cursor}").json()
        seen += [it["entity"]["id"] for it in page["results"]]
        assert page["count"] == 3
        cursor = f"&cursor={page['next']}"
    assert page["next"] is None
    assert sorted(seen) == sorted([COX1, COX2, HEADACHE])


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
def test_what_no_page_asks_is_refused(
    visitor: APIClient, version: Version, query: str, status: int
) -> None:
    answer = visitor.get(f"{entity(ASPIRIN)}/neighbours?{query}")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("identifier", ["DRUGBANK:DB0", "a/b/c", "%", "x" * 5000, "\x00", "🧬"])
def test_an_entity_that_is_not_there_is_not_found(
    visitor: APIClient, version: Version, identifier: str
) -> None:
    answer = visitor.get(entity(identifier))
    assert (answer.status_code, answer.json()["code"]) == (404, "no_entity")


def test_an_old_version_is_read_as_long_as_it_is_there(visitor: APIClient, tmp_path: Path) -> None:
    first = imported(tmp_path / "first", about={"visibility": PUBLIC}).report["snapshot"]
    imported(tmp_path / "second", longer(f"{COX1},inhibits,{ASPIRIN},,,"))
    newest = visitor.get(entity(ASPIRIN))
    pinned = visitor.get(f"{entity(ASPIRIN)}?snapshot={first}")
    by_content = visitor.get(f"{entity(ASPIRIN)}?snapshot={first.partition('-')[0]}")
    assert (newest.json()["degree"], pinned.json()["degree"]) == (4, 3)
    assert by_content.json() == pinned.json()
    assert "immutable" in pinned["Cache-Control"] and newest["Cache-Control"] == "no-store"


def test_a_private_graph_is_cached_nowhere() -> None:
    ada = make_person("ada")
    version = make_graph(ada.user, name="Small")
    answer = ada.browser.get(f"{address()}?snapshot={version.snapshot}")
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store"


READS = {
    "entity": entity(ASPIRIN) + "?",
    "neighbours": entity(ASPIRIN) + "/neighbours?relation=inhibits&",
    "search": address("/search?q=aspirin&"),
    "paths": address(f"/paths?from={ASPIRIN}&to={COX1}&"),
    "walk": address(f"/walk?from={ASPIRIN}&seed=1&"),
}


@pytest.mark.parametrize("read", READS)
def test_who_holds_an_answer_of_a_pinned_snapshot_is_not_sent_it_again(
    visitor: APIClient, version: Version, read: str
) -> None:
    place = f"{READS[read]}snapshot={version.snapshot}"
    first = visitor.get(place)
    assert first.status_code == 200
    tag = first["ETag"]
    for held in (tag, f"W/{tag}", f'"other", {tag}'):
        again = visitor.get(place, headers={"If-None-Match": held})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == tag and again["Cache-Control"] == first["Cache-Control"]
    for other in ('"other"', "nonsense", ""):
        assert visitor.get(place, headers={"If-None-Match": other}).json() == first.json()
    assert visitor.get(f"{place}&unknown=1")["ETag"] != tag


@pytest.mark.parametrize("read", READS)
def test_what_is_asked_of_the_newest_version_has_no_tag(
    visitor: APIClient, version: Version, read: str
) -> None:
    assert "ETag" not in visitor.get(READS[read])
    by_content = visitor.get(f"{READS[read]}snapshot={version.content}")
    assert by_content.status_code == 200 and "ETag" not in by_content


@pytest.mark.parametrize(
    "query", [f"/walk?from={ASPIRIN}", "/search?q=pain&mode=documents", "/search?q=a&mode=hybrid"]
)
def test_what_does_not_follow_from_the_address_has_no_tag(
    visitor: APIClient, version: Version, query: str
) -> None:
    answer = visitor.get(f"{address(query)}&snapshot={version.snapshot}")
    assert answer.status_code == 200
    assert "ETag" not in answer and answer["Cache-Control"] == "no-store"


def test_paths_that_ran_out_of_time_are_searched_again(
    visitor: APIClient, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"{READS['paths']}snapshot={version.snapshot}"
    with monkeypatch.context() as patched:
        patched.setattr("backend.graphs.api.operations.search_paths", out_of_time)
        answer = visitor.get(place)
    assert answer.json()["capped_by"] == "time"
    assert "ETag" not in answer and answer["Cache-Control"] == "no-store"
    assert "ETag" in visitor.get(place)


def out_of_time(view: GraphView, question: Question, stop: Stop) -> PathReport:
    return replace(search_paths(view, question, stop), capped="time")


def test_another_version_of_the_code_has_other_tags(
    visitor: APIClient, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"{READS['entity']}snapshot={version.snapshot}"
    before = visitor.get(place)["ETag"]
    monkeypatch.setattr("backend.graphs.api.reading.code", lambda: "upgraded")
    assert visitor.get(place, headers={"If-None-Match": before}).status_code == 200


@pytest.mark.parametrize("read", READS)
def test_a_tag_opens_no_private_graph_and_keeps_nothing_of_it(
    visitor: APIClient, outsider: Person, read: str
) -> None:
    ada = make_person("ada")
    version = make_graph(ada.user, name="Small")
    place = f"{READS[read]}snapshot={version.snapshot}"
    hers = ada.browser.get(place)
    assert hers["Cache-Control"] == "no-store"
    held = {"If-None-Match": hers["ETag"]}
    for browser, status in ((ada.browser, 304), (visitor, 404), (outsider.browser, 404)):
        answer = browser.get(place, headers=held)
        assert (answer.status_code, answer["Cache-Control"]) == (status, "no-store")


def test_an_altered_snapshot_is_told_and_nothing_of_it_is_read(
    visitor: APIClient, tmp_path: Path, settings: Settings
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    row = imported(tmp_path / "files", about={"visibility": PUBLIC})
    with (tmp_path / "snapshots" / row.report["snapshot"] / "names.pool").open("r+b") as file:
        file.write(b"X")
    answer = visitor.get(entity(ASPIRIN))
    assert (answer.status_code, answer.json()["code"]) == (503, "snapshot_refused")
    assert f"{row.report['snapshot']}/names.pool" in answer.json()["detail"]
    assert str(tmp_path) not in answer.content.decode()


def test_a_snapshot_that_is_gone_is_told_without_its_place(
    visitor: APIClient, version: Version, settings: Settings, tmp_path: Path
) -> None:
    settings.SNAPSHOTS = tmp_path
    answer = visitor.get(entity(ASPIRIN))
    assert (answer.status_code, answer.json()["code"]) == (503, "snapshot_refused")
    assert str(tmp_path) not in answer.content.decode()


VIEW = {"page": "canvas", "query": f"focus={ASPIRIN}"}


def test_a_view_leads_to_the_same_snapshot_for_whoever_opens_it(
    visitor: APIClient, version: Version, outsider: Person
) -> None:
    body = {"title": "Why it helps", "state": VIEW, "snapshot": version.snapshot}
    made = visitor.post(address("/views"), body)
    assert made.status_code == 201
    opened = outsider.browser.get(f"/api/v1/views/{made.json()['id']}").json()
    assert opened == made.json()
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
def test_a_view_that_no_page_would_keep_is_refused(
    visitor: APIClient, version: Version, changes: dict[str, object]
) -> None:
    answer = visitor.post(address("/views"), {"title": "A view", "state": VIEW, **changes})
    assert answer.status_code == 422
    assert not SavedView.objects.exists()


def test_a_view_of_a_private_graph_is_for_those_who_may_see_it(
    visitor: APIClient, outsider: Person
) -> None:
    ada = make_person("ada")
    make_graph(ada.user, name="Small")
    made = ada.browser.post(address("/views"), {"title": "Mine", "state": VIEW}).json()
    assert visitor.get(f"/api/v1/views/{made['id']}").status_code == 404
    assert outsider.browser.get(f"/api/v1/views/{made['id']}").status_code == 404
    assert visitor.post(address("/views"), {"title": "A", "state": VIEW}).status_code == 404
