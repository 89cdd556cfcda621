"""Search over HTTP: results, permissions and hostile queries."""

from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.graphs.graph_access import get_version_or_raise, open_version_snapshot
from backend.graphs.latest_version import get_latest_public_version
from backend.graphs.models import DocumentEmbedder, DocumentVector, Graph, Version
from backend.graphs.policies import get_graph_or_raise
from backend.graphs.search import vector_search
from backend.graphs.search.index_cache import index_folder
from backend.graphs.search.indexing import index_version
from tests.graphs.app.factories import ASPIRIN, COX1, COX2, HEADACHE, make_graph
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def graph() -> Version:
    version = make_graph(visibility=Graph.Visibility.PUBLIC)
    index_version(version, open_version_snapshot(version), progress=lambda *_: None)
    return version


def search(browser: APIClient, version: Version, **parameters: Any) -> dict[str, Any]:
    answer = browser.get(f"/api/v1/graphs/{version.graph.slug}/search", parameters)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def ids(body: dict[str, Any]) -> list[str]:
    return [it["id"] for it in body["results"]]


def test_a_visitor_finds_an_entity_by_name(visitor: APIClient, graph: Version) -> None:
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
    (result,) = search(visitor, graph, q="chebi:15365")["results"]
    assert (result["id"], result["matched"]["text"]) == (ASPIRIN, "CHEBI:15365")


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
    (result,) = search(visitor, graph, q="some old drugs", mode="documents")["results"]
    assert result["id"] == ASPIRIN
    assert result["matched"]["kind"] == "document"
    assert result["matched"]["snippet"]["text"] == "An old drug."


def test_hybrid_search_shows_each_entity_once_and_names_first(
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
    assert DocumentVector.objects.filter(version=graph).count() == 1
    assert DocumentEmbedder.objects.get(version=graph).documents == 1


def test_the_shared_index_finds_what_exact_comparison_finds(
    visitor: APIClient, graph: Version
) -> None:
    for _ in range(3):  # the same document in other versions, at the same distance
        other = make_graph(visibility=Graph.Visibility.PUBLIC)
        index_version(other, open_version_snapshot(other), progress=lambda *_: None)
    compared = vector_search.find_similar_documents(graph, "old drug")
    assert vector_search.find_similar_documents(graph, "old drug", max_exact=0) == compared
    assert len(compared) == 1


@pytest.mark.parametrize("mode", ["names", "documents", "hybrid"])
@pytest.mark.parametrize(
    "text",
    ["", " ", "%", "_", "\\", "%' OR 1=1 --", "\u202e\u200f", "😀", "[1,2]", "x" * 500, "a " * 250],
)
def test_hostile_queries_are_answered(
    visitor: APIClient, graph: Version, text: str, mode: str
) -> None:
    assert len(ids(search(visitor, graph, q=text, mode=mode))) <= 20


def test_sql_wildcards_have_no_special_meaning(visitor: APIClient, graph: Version) -> None:
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
def test_invalid_queries_are_rejected_with_a_reason(
    visitor: APIClient, graph: Version, query: str, status: int
) -> None:
    answer = visitor.get(f"/api/v1/graphs/{graph.graph.slug}/search?{query}")
    assert answer.status_code == status
    if status != 200:
        assert answer["Content-Type"] == "application/problem+json"


def test_limits_are_enforced(visitor: APIClient, graph: Version) -> None:
    assert len(ids(search(visitor, graph, q="cox", limit=1))) == 1


def test_an_outsider_does_not_search_a_private_graph(outsider: Person, researcher: Person) -> None:
    version = make_graph(owner=researcher.user)
    address = f"/api/v1/graphs/{version.graph.slug}/search"
    assert outsider.browser.get(address, {"q": "aspirin"}).status_code == 404
    assert researcher.browser.get(address, {"q": "aspirin"}).status_code == 200


def test_a_small_graph_without_index_is_indexed_on_request(
    visitor: APIClient,
) -> None:
    version = make_graph(visibility=Graph.Visibility.PUBLIC)
    remove_index(version)
    assert ids(search(visitor, version, q="headache")) == [HEADACHE]


def test_a_large_graph_without_index_refers_to_an_administrator(
    visitor: APIClient, graph: Version, settings: Settings
) -> None:
    remove_index(graph)
    settings.NAMES_INDEXED_IN_REQUEST = 1
    answer = visitor.get(f"/api/v1/graphs/{graph.graph.slug}/search", {"q": "a"})
    assert (answer.status_code, answer.json()["code"]) == (503, "not_indexed")


def test_an_altered_index_is_rejected(visitor: APIClient, graph: Version) -> None:
    file = index_folder(open_version_snapshot(graph)) / "names.numbers"
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
    folder: Path = index_folder(open_version_snapshot(version))
    for file in folder.glob("*"):
        file.unlink()
    if folder.exists():
        folder.rmdir()


def test_an_administrator_indexes_a_downloaded_graph(
    visitor: APIClient, graph: Version, settings: Settings
) -> None:
    remove_index(graph)
    settings.NAMES_INDEXED_IN_REQUEST = 1
    call_command("index_graph", graph.graph.slug, stdout=StringIO())
    assert ids(search(visitor, graph, q="headache")) == [HEADACHE]


def test_an_unknown_graph_is_not_indexed() -> None:
    with pytest.raises(CommandError, match="There is no graph with the slug nowhere"):
        call_command("index_graph", "nowhere")


def test_a_graph_that_becomes_private_is_hidden_immediately(
    visitor: APIClient, graph: Version
) -> None:
    assert ids(search(visitor, graph, q="headache")) == [HEADACHE]
    Graph.objects.filter(id=graph.graph_id).update(visibility=Graph.Visibility.PRIVATE)
    answer = visitor.get(f"/api/v1/graphs/{graph.graph.slug}/search", {"q": "headache"})
    assert answer.status_code == 404


def test_fast_and_exhaustive_search_agree(graph: Version) -> None:
    quick = get_latest_public_version(graph.graph.slug)
    slow = get_version_or_raise(get_graph_or_raise(None, graph.graph.slug))
    assert quick is not None
    for one, other in ((quick, slow), (quick.graph, slow.graph)):
        assert [getattr(one, it.attname) for it in one._meta.concrete_fields] == [
            getattr(other, it.attname) for it in other._meta.concrete_fields
        ]


def test_a_version_that_is_not_ready_is_not_the_newest(graph: Version) -> None:
    Version.objects.create(graph=graph.graph, snapshot="0", number=2, entities=0, edges=0)
    quick = get_latest_public_version(graph.graph.slug)
    assert quick is not None
    assert quick.number == 1
