"""Cypher through the API: administrators ask, everybody else does not."""

from pathlib import Path

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.graphs import querying
from backend.graphs.cypher.building import forget_database, get_database
from backend.graphs.models import Graph, Version
from backend.graphs.reading import snapshot_of
from backend.graphs.tasks import build_cypher
from tests.graphs.app.making import ASPIRIN, make_graph
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/graphs/small/cypher"
TREATS = "MATCH (d:Drug {id: $id})-[r:treats]->(p:Phenotype) RETURN p.name, r.evidence"


@pytest.fixture
def version(tmp_path: Path, settings: Settings) -> Version:
    settings.CYPHER = tmp_path / "cypher"
    return make_graph(visibility=Graph.Visibility.PUBLIC, name="Small")


@pytest.fixture
def amara() -> Person:
    return make_person("amara", is_administrator=True)


def test_an_administrator_gets_columns_and_rows_of_one_snapshot(
    version: Version, amara: Person
) -> None:
    body = {"query": TREATS, "parameters": {"id": ASPIRIN}}
    assert amara.browser.post(ADDRESS, body).json() == {
        "snapshot": version.snapshot,
        "columns": ["p.name", "r.evidence"],
        "rows": [["Headache", "label"]],
        "shown": 1,
        "capped": False,
    }
    pinned = amara.browser.post(f"{ADDRESS}?snapshot={version.snapshot}", body)
    assert pinned.status_code == 200
    assert amara.browser.post(f"{ADDRESS}?snapshot=0", body).status_code == 404


def test_nobody_else_may_ask_even_of_a_public_graph(visitor: APIClient, version: Version) -> None:
    body = {"query": "MATCH (n) RETURN n"}
    assert visitor.post(ADDRESS, body).status_code == 401
    assert make_person("otto").browser.post(ADDRESS, body).status_code == 403
    assert get_database(snapshot_of(version), querying.folder()) is None


def test_a_wrong_query_is_answered_with_its_place(version: Version, amara: Person) -> None:
    answer = amara.browser.post(ADDRESS, {"query": "MATCH (d:Drug)\nSET d.name = 'x'"})
    assert answer.status_code == 422
    told = answer.json()
    assert (told["code"], told["line"], told["column"]) == ("cypher_refused", 2, 1)
    assert told["errors"][0]["place"] == "query, line 2, column 1"


def test_spaces_and_zeros_of_a_query_reach_its_reader(version: Version, amara: Person) -> None:
    answer = amara.browser.post(ADDRESS, {"query": "  RETURN ' x ' AS x\n"})
    assert answer.json()["rows"] == [[" x "]]
    assert amara.browser.post(ADDRESS, {"query": "RETURN '\0'"}).status_code in {400, 422}
    assert amara.browser.post(ADDRESS, {"query": ""}).json()["code"] == "cypher_wrong"


def test_a_query_of_ten_megabytes_is_refused(version: Version, amara: Person) -> None:
    answer = amara.browser.post(ADDRESS, {"query": "RETURN '" + "a" * 10_000_000 + "'"})
    assert answer.status_code in {413, 422}
    assert answer["content-type"] == "application/problem+json"


def test_a_graph_beyond_the_setting_is_refused_with_both_numbers(
    version: Version, amara: Person, settings: Settings
) -> None:
    settings.CYPHER_LARGEST_GRAPH = 2
    answer = amara.browser.post(ADDRESS, {"query": "RETURN 1"})
    assert answer.status_code == 422
    assert "has 3 edges" in answer.json()["detail"] and "2 edges" in answer.json()["detail"]


def test_the_copy_of_a_larger_graph_is_made_by_a_worker(
    version: Version, amara: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[dict[str, str]] = []
    monkeypatch.setattr(querying, "SOON", 2)
    monkeypatch.setattr(querying, "enqueue", lambda task, **ids: queued.append({task: str(ids)}))
    first = amara.browser.post(ADDRESS, {"query": "RETURN 1"})
    assert (first.status_code, first.json()["code"]) == (503, "cypher_being_built")
    assert queued == [{querying.TASK: str({"version": str(version.pk)})}]
    build_cypher(version=str(version.pk))
    assert amara.browser.post(ADDRESS, {"query": "RETURN 1"}).json()["rows"] == [[1]]


def test_the_copy_goes_with_the_files_of_its_version(version: Version, amara: Person) -> None:
    amara.browser.post(ADDRESS, {"query": "RETURN 1"})
    snapshot, folder = snapshot_of(version), querying.folder()
    assert get_database(snapshot, folder) is not None
    forget_database(version.snapshot, folder)
    assert get_database(snapshot, folder) is None
