"""Literature over HTTP: collections, searches, papers that name an entity, uploads."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from backend.graphs.models import Collection, Graph
from backend.jobs.runner import run_job
from tests.graphs.app.factories import ASPIRIN, make_graph
from tests.graphs.literature.paper_files import json_lines, make_collection, paper
from tests.personas import make_person

pytestmark = pytest.mark.django_db
SEARCH = "/api/v1/literature/papers/papers"
PAPERS = [
    paper("100", "Aspirin for headache", "1990", "Also called acetylsalicylic acid."),
    paper("300", "Aspirin much later", "2020-05"),
    paper("SYN:1", "A made-up paper about aspirin"),
]


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    return make_collection(tmp_path, PAPERS)


def search(visitor: APIClient, **query: str) -> dict[str, Any]:
    answer = visitor.get(SEARCH, query)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def entity_papers(visitor: APIClient, **query: str) -> Any:
    return visitor.get(f"/api/v1/graphs/small/entities/{quote(ASPIRIN, safe='')}/papers", query)


def test_a_visitor_reads_public_collections_alone(
    visitor: APIClient, collection: Collection, tmp_path: Path
) -> None:
    make_collection(tmp_path, [paper("1", "Secret aspirin")], "Private", is_public=False)
    (listed,) = visitor.get("/api/v1/literature").json()["results"]
    assert (listed["slug"], listed["papers"], listed["undated"], listed["synthetic"]) == (
        "papers",
        3,
        1,
        1,
    )
    for path in ("literature/private", "literature/private/papers?q=aspirin"):
        assert visitor.get(f"/api/v1/{path}").status_code == 404
    make_graph(visibility=Graph.Visibility.PUBLIC, name="Small")
    assert "Secret" not in entity_papers(visitor).content.decode()


def test_a_search_marks_what_was_made_up_and_links_the_rest(
    visitor: APIClient, collection: Collection
) -> None:
    matched = {it["id"]: it for it in search(visitor, q="aspirin")["results"]}
    assert matched["100"]["url"] == "https://pubmed.ncbi.nlm.nih.gov/100/"
    assert (matched["SYN:1"]["url"], matched["SYN:1"]["is_synthetic"]) == (None, True)


@pytest.mark.parametrize("cutoff", [{"until_pmid": "200"}, {"until_date": "2000-01-01"}])
def test_a_search_under_a_cut_off_hides_later_papers_and_counts_undated_ones(
    visitor: APIClient, collection: Collection, cutoff: dict[str, str]
) -> None:
    body = search(visitor, q="aspirin", **cutoff)
    assert [it["id"] for it in body["results"]] == ["100"]
    assert body["undated"] == 1 and "much later" not in str(body)


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"q": ""},
        {"q": "x" * 2_001},
        {"q": "a", "limit": "0"},
        {"q": "a", "limit": "101"},
        {"q": "a", "until_pmid": "0"},
        {"q": "a", "until_pmid": "9" * 30},
        {"q": "a", "until_date": "2020-02-30"},
        {"q": "a", "until_pmid": "5", "until_date": "2020-01-01"},
    ],
)
def test_invalid_searches_are_refused_with_their_place(
    visitor: APIClient, collection: Collection, query: dict[str, str]
) -> None:
    answer = visitor.get(SEARCH, query)
    assert answer.status_code == 422 and answer.json()["errors"][0]["place"]


def test_an_entity_has_the_papers_that_name_it_as_of_the_cut_off(
    visitor: APIClient, collection: Collection
) -> None:
    version = make_graph(visibility=Graph.Visibility.PUBLIC, name="Small")
    (matched,) = entity_papers(visitor, snapshot=version.snapshot).json()["results"]
    assert {it["id"] for it in matched["papers"]} == {"100", "300", "SYN:1"}
    (dated,) = entity_papers(visitor, first_seen_until="2000").json()["results"]
    assert [it["id"] for it in dated["papers"]] == ["100"]
    assert (dated["count"], dated["undated"], dated["collection"]["slug"]) == (1, 1, "papers")


def test_a_pinned_answer_is_not_cached_for_papers_may_be_added(
    visitor: APIClient, collection: Collection
) -> None:
    version = make_graph(visibility=Graph.Visibility.PUBLIC, name="Small")
    assert "ETag" not in entity_papers(visitor, snapshot=version.snapshot).headers


def test_the_papers_of_a_private_graphs_entity_are_as_closed_as_the_graph(
    visitor: APIClient, collection: Collection
) -> None:
    make_graph(make_person("ada").user, name="Small")
    assert entity_papers(visitor).status_code == 404


def test_uploads_become_a_collection_of_their_owner(visitor: APIClient) -> None:
    admin = make_person("amara", is_administrator=True)
    body = {
        "name": "Mine",
        "licence": "CC0",
        "files": [SimpleUploadedFile("a.jsonl", json_lines(*PAPERS).encode())],
    }
    answer = admin.browser.post("/api/v1/literature-imports", body, format="multipart")
    assert answer.status_code == 202, answer.content
    run_job(answer.json()["id"])
    collection = Collection.objects.get(name="Mine")
    assert (collection.owner, collection.papers, collection.is_public) == (admin.user, 3, False)
    assert visitor.get("/api/v1/literature").json()["results"] == []
    assert len(admin.browser.get("/api/v1/literature").json()["results"]) == 1
