"""Search over HTTP: what comes back, who may, and what hostile questions do."""

from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from backend.graphs.models import Document, Graph, Meaning, Version
from backend.graphs.newest import newest_public_version
from backend.graphs.policies import get_graph_or_raise
from backend.graphs.reading import snapshot_of, version_or_raise
from backend.graphs.search import documents
from backend.graphs.search.indexing import index_version
from backend.graphs.search.opening import folder_of
from tests.graphs.app.making import ASPIRIN, COX1, COX2, HEADACHE, make_graph
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def graph() -> Version:
    version = make_graph(visibility=Graph.Visibility.PUBLIC)
    index_version(version, snapshot_of(version), progress=lambda *_: None)
    return version


def search(browser: APIClient, version: Version, **asked: Any) -> dict[str, Any]:
    answer = browser.get(f"/api/v1/graphs/{version.graph.slug}/search", asked)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def ids(body: dict[str, Any]) -> list[str]:
    return [it["id"] for it in body["results"]]


def test_a_visitor_finds_an_entity_by_what_she_types(visitor: APIClient, graph: Version) -> None:
    body = search(visitor, graph, q="acetyl")
    assert body["snapshot"] == graph.snapshot
    assert body["results"] == [
        {
            "id": ASPIRIN,
            "name": "Aspirin",
            "type": "Drug",
            "degree": 3,
            "matched": {"kind": "prefix", "text": "Acetylsalicylic acid", "snippet": None},
        }
    ]


def test_an_identifier_that_a_file_gave_as_cross_reference_finds_it(
    visitor: APIClient, graph: Version
) -> None:
    (found,) = search(visitor, graph, q="chebi:15365")["results"]
    assert (found["id"], found["matched"]["text"]) == (ASPIRIN, "CHEBI:15365")


def test_facets_count_all_types_also_those_not_wanted(visitor: APIClient, graph: Version) -> None:
    body = search(visitor, graph, q="a", types=["Gene"])
    assert ids(body) == []
    assert body["facets"] == [{"type": "Drug", "count": 1}]
    assert search(visitor, graph, q="cox", types=["Gene", "Drug"])["facets"] == [
        {"type": "Gene", "count": 2}
    ]


def test_types_can_be_several_and_unknown(visitor: APIClient, graph: Version) -> None:
    assert set(ids(search(visitor, graph, q="cox", types=["Gene", "Planet"]))) == {COX1, COX2}
    assert ids(search(visitor, graph, q="cox", types=["Planet"])) == []


def test_a_document_is_found_by_its_words_with_a_passage(
    visitor: APIClient, graph: Version
) -> None:
    (found,) = search(visitor, graph, q="some old drugs", mode="documents")["results"]
    assert found["id"] == ASPIRIN
    assert found["matched"]["kind"] == "document"
    assert found["matched"]["snippet"]["text"] == "An old drug."


def test_both_together_show_each_entity_once_and_names_first(
    visitor: APIClient, graph: Version
) -> None:
    body = search(visitor, graph, q="aspirin", mode="hybrid")
    assert ids(body) == [ASPIRIN]
    assert body["results"][0]["matched"]["kind"] == "name"
    assert body["results"][0]["matched"]["snippet"]["text"] == "An old drug."
    assert body["facets"] == [{"type": "Drug", "count": 1}]


def test_documents_are_filtered_by_type_too(visitor: APIClient, graph: Version) -> None:
    assert ids(search(visitor, graph, q="old drug", mode="documents", types=["Gene"])) == []


def test_only_entities_with_a_document_have_a_vector(graph: Version) -> None:
    assert Document.objects.filter(version=graph).count() == 1
    assert Meaning.objects.get(version=graph).documents == 1


def test_the_index_of_all_versions_finds_what_comparing_all_finds(
    visitor: APIClient, graph: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):  # the same document in other versions, at the same distance
        other = make_graph(visibility=Graph.Visibility.PUBLIC)
        index_version(other, snapshot_of(other), progress=lambda *_: None)
    compared = documents.near_documents(graph, "old drug")
    monkeypatch.setattr(documents, "ALL_COMPARED", 0)
    assert documents.near_documents(graph, "old drug") == compared
    assert len(compared) == 1


@pytest.mark.parametrize("mode", ["names", "documents", "hybrid"])
@pytest.mark.parametrize(
    "asked",
    ["", " ", "%", "_", "\\", "%' OR 1=1 --", "\u202e\u200f", "😀", "[1,2]", "x" * 500, "a " * 250],
)
def test_hostile_questions_are_answered(
    visitor: APIClient, graph: Version, asked: str, mode: str
) -> None:
    assert len(ids(search(visitor, graph, q=asked, mode=mode))) <= 20


def test_wildcards_of_sql_are_no_wildcards(visitor: APIClient, graph: Version) -> None:
    assert [ids(search(visitor, graph, q=it)) for it in ("%", "_", "as%in")] == [[], [], []]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("q=" + quote("a\0b"), 422),
        ("q=" + "x" * 10_240, 422),
        ("q=%ED%A0%80", 200),  # a lone surrogate, which no UTF-8 has
        ("q=%FF%FE", 200),
        ("", 422),
        ("q=a&limit=0", 422),
        ("q=a&limit=101", 422),
        ("q=a&limit=many", 422),
        ("q=a&mode=magic", 422),
        ("q=a&" + "&".join(["types=Gene"] * 101), 422),
        ("q=a&types=" + quote("\0"), 422),
        ("q=a&snapshot=none", 404),
    ],
)
def test_what_cannot_be_asked_is_said(
    visitor: APIClient, graph: Version, query: str, status: int
) -> None:
    answer = visitor.get(f"/api/v1/graphs/{graph.graph.slug}/search?{query}")
    assert answer.status_code == status
    if status != 200:
        assert answer["Content-Type"] == "application/problem+json"


def test_limits_hold(visitor: APIClient, graph: Version) -> None:
    assert len(ids(search(visitor, graph, q="cox", limit=1))) == 1


def test_an_outsider_does_not_search_a_private_graph(outsider: Person, researcher: Person) -> None:
    version = make_graph(owner=researcher.user)
    address = f"/api/v1/graphs/{version.graph.slug}/search"
    assert outsider.browser.get(address, {"q": "aspirin"}).status_code == 404
    assert researcher.browser.get(address, {"q": "aspirin"}).status_code == 200


def test_names_that_this_machine_has_not_indexed_are_indexed_when_they_are_few(
    visitor: APIClient,
) -> None:
    version = make_graph(visibility=Graph.Visibility.PUBLIC)
    remove_index(version)
    assert ids(search(visitor, version, q="headache")) == [HEADACHE]


def test_of_a_large_graph_it_is_said_that_an_administrator_can_index_it(
    visitor: APIClient, graph: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_index(graph)
    monkeypatch.setattr("backend.graphs.search.opening.AT_ONCE", 1)
    answer = visitor.get(f"/api/v1/graphs/{graph.graph.slug}/search", {"q": "a"})
    assert (answer.status_code, answer.json()["code"]) == (503, "not_indexed")


def test_an_altered_index_is_refused_and_not_read(visitor: APIClient, graph: Version) -> None:
    file = folder_of(snapshot_of(graph)) / "names.numbers"
    whole = file.read_bytes()
    file.chmod(0o644)
    try:
        file.write_bytes(whole[:-4])
        (file.parent / "manifest.json").touch()
        answer = visitor.get(f"/api/v1/graphs/{graph.graph.slug}/search", {"q": "a"})
        assert (answer.status_code, answer.json()["code"]) == (503, "snapshot_refused")
    finally:
        file.write_bytes(whole)
        (file.parent / "manifest.json").touch()


def remove_index(version: Version) -> None:
    folder: Path = folder_of(snapshot_of(version))
    for file in folder.glob("*"):
        file.unlink()
    if folder.exists():
        folder.rmdir()


def test_an_administrator_indexes_a_graph_on_a_machine_that_fetched_it(
    visitor: APIClient, graph: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_index(graph)
    monkeypatch.setattr("backend.graphs.search.opening.AT_ONCE", 1)
    call_command("index_graph", graph.graph.slug, stdout=StringIO())
    assert ids(search(visitor, graph, q="headache")) == [HEADACHE]


def test_a_graph_that_is_not_there_is_not_indexed() -> None:
    with pytest.raises(CommandError, match="There is no graph nowhere"):
        call_command("index_graph", "nowhere")


def test_a_graph_that_became_private_is_gone_at_once(visitor: APIClient, graph: Version) -> None:
    assert ids(search(visitor, graph, q="headache")) == [HEADACHE]
    Graph.objects.filter(id=graph.graph_id).update(visibility=Graph.Visibility.PRIVATE)
    answer = visitor.get(f"/api/v1/graphs/{graph.graph.slug}/search", {"q": "headache"})
    assert answer.status_code == 404


def test_what_is_found_quickly_is_what_the_slow_way_finds(graph: Version) -> None:
    quick = newest_public_version(graph.graph.slug)
    slow = version_or_raise(get_graph_or_raise(None, graph.graph.slug))
    assert quick is not None
    for one, other in ((quick, slow), (quick.graph, slow.graph)):
        assert [getattr(one, it.attname) for it in one._meta.concrete_fields] == [
            getattr(other, it.attname) for it in other._meta.concrete_fields
        ]


def test_a_version_that_is_not_ready_is_not_the_newest(graph: Version) -> None:
    Version.objects.create(graph=graph.graph, snapshot="0", number=2, entities=0, edges=0)
    quick = newest_public_version(graph.graph.slug)
    assert quick is not None
    assert quick.number == 1
