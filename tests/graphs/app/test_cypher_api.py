"""Cypher through the API: administrators ask, everybody else does not."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from rest_framework.test import APIClient

from backend.graphs import cypher_service
from backend.graphs.cypher.database_builder import delete_databases, get_database
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Version
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.runner import run_job
from backend.jobs.services import request_job
from tests.graphs.app.factories import ASPIRIN, make_graph
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


def test_only_administrators_may_query_even_a_public_graph(
    visitor: APIClient, version: Version
) -> None:
    body = {"query": "MATCH (n) RETURN n"}
    assert visitor.post(ADDRESS, body).status_code == 401
    assert make_person("otto").browser.post(ADDRESS, body).status_code == 403
    assert get_database(open_version_snapshot(version), cypher_service.database_folder()) is None


def test_an_invalid_query_is_reported_with_its_position(version: Version, amara: Person) -> None:
    answer = amara.browser.post(ADDRESS, {"query": "MATCH (d:Drug)\nSET d.name = 'x'"})
    assert answer.status_code == 422
    output = answer.json()
    assert (output["code"], output["line"], output["column"]) == ("cypher_refused", 2, 1)
    assert output["errors"][0]["place"] == "query, line 2, column 1"


def test_spaces_and_nul_characters_of_a_query_are_validated(
    version: Version, amara: Person
) -> None:
    answer = amara.browser.post(ADDRESS, {"query": "  RETURN ' x ' AS x\n"})
    assert answer.json()["rows"] == [[" x "]]
    assert amara.browser.post(ADDRESS, {"query": "RETURN '\0'"}).status_code == 400
    assert amara.browser.post(ADDRESS, {"query": ""}).json()["code"] == "cypher_wrong"


def test_a_query_of_ten_megabytes_is_refused(version: Version, amara: Person) -> None:
    answer = amara.browser.post(ADDRESS, {"query": "RETURN '" + "a" * 10_000_000 + "'"})
    assert answer.status_code == 413
    assert answer["content-type"] == "application/problem+json"


def test_a_graph_beyond_the_setting_is_refused_with_both_numbers(
    version: Version, amara: Person, settings: Settings
) -> None:
    settings.CYPHER_LARGEST_GRAPH = 2
    answer = amara.browser.post(ADDRESS, {"query": "RETURN 1"})
    assert answer.status_code == 422
    assert "has 3 edges" in answer.json()["detail"] and "2 edges" in answer.json()["detail"]


def test_the_database_of_a_larger_graph_is_built_by_a_worker(
    version: Version,
    amara: Person,
    settings: Settings,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.CYPHER_BUILT_IN_REQUEST = 2
    for _ in range(2):  # the second query starts no second job
        with django_capture_on_commit_callbacks(execute=True):
            first = amara.browser.post(ADDRESS, {"query": "RETURN 1"})
        assert (first.status_code, first.json()["code"]) == (503, "cypher_being_built")
    assert run_queued_tasks() == ["jobs.run"]
    assert amara.browser.post(ADDRESS, {"query": "RETURN 1"}).json()["rows"] == [[1]]
    delete_databases(version.snapshot, cypher_service.database_folder())
    assert amara.browser.post(ADDRESS, {"query": "RETURN 1"}).status_code == 503
    states = Job.objects.filter(kind="cypher-database").order_by("created_at")
    assert [job.state for job in states] == ["failed", "queued"]


def test_a_job_for_a_deleted_graph_says_so(version: Version, amara: Person) -> None:
    request = JobRequest("cypher-database", {"version": 0})
    job = request_job(owner=amara.user, request=request, is_queued=False).job
    run_job(job.pk)
    job.refresh_from_db()
    assert job.error is not None and job.error["detail"] == "The graph of this job was deleted."


def test_the_database_is_deleted_with_the_files_of_its_version(
    version: Version, amara: Person
) -> None:
    amara.browser.post(ADDRESS, {"query": "RETURN 1"})
    snapshot, folder = open_version_snapshot(version), cypher_service.database_folder()
    assert get_database(snapshot, folder) is not None
    delete_databases(version.snapshot, folder)
    assert get_database(snapshot, folder) is None
