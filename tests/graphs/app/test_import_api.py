"""Graphs from a browser: sent, worked off, asked after."""

import resource
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from backend.graphs.import_service import ImportRequest, begin_import
from backend.graphs.models import Graph
from backend.graphs.uploads import upload_folder
from backend.graphs.versions import import_jobs
from tests.annotation.personas import make_cast
from tests.graphs.app.factories import EDGES, make_uploads, small_files
from tests.personas import Person

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/graph-imports"
JOBS = "/api/v1/jobs"


@pytest.fixture
def send(
    administrator: Person, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> Callable[..., Any]:
    def sending(**fields: Any) -> Any:
        body = {"name": "Small", "files": make_uploads(), **fields}
        with django_capture_on_commit_callbacks(execute=True):
            return administrator.browser.post(ADDRESS, body, format="multipart")

    return sending


def test_an_uploaded_graph_is_queued_imported_and_reported(
    send: Callable[..., Any], administrator: Person, run_queued_tasks: Callable[[], list[str]]
) -> None:
    accepted = send(visibility="public", licence="CC0")
    assert accepted.status_code == 202 and accepted.json()["state"] == "queued"
    assert run_queued_tasks() == ["jobs.run"]
    job = administrator.browser.get(f"{JOBS}/{accepted.json()['id']}").json()
    assert (job["state"], job["percent"], job["result"]["graph"]) == ("succeeded", 100, "small")
    assert job["result"]["edges"] == 3 and job["result"]["snapshot"]
    assert Graph.objects.public().get().licence == "CC0"


def test_large_files_are_accepted(
    send: Callable[..., Any], administrator: Person, run_queued_tasks: Callable[[], list[str]]
) -> None:
    """Django keeps what is larger than this in a file of its own."""
    rows = "".join(f"LOCAL:{number},{'x' * 990},Thing,,,\n" for number in range(3000))
    files = small_files(entities=str(small_files()["entities.csv"]) + rows)
    accepted = send(files=make_uploads(files)).json()
    run_queued_tasks()
    job = administrator.browser.get(f"{JOBS}/{accepted['id']}").json()
    assert (job["state"], job["result"]["entities"]) == ("succeeded", 3004)


def test_a_full_disk_during_the_upload_is_reported(send: Callable[..., Any]) -> None:
    rows = "".join(f"LOCAL:{number},{'x' * 990},Thing,,,\n" for number in range(3000))
    large = make_uploads(small_files(entities=str(small_files()["entities.csv"]) + rows))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        answer = send(files=large)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (answer.status_code, answer.json()["code"]) == (507, "no_space")
    assert "disk is full" in answer.json()["detail"]
    assert not import_jobs().exists()


def test_a_dry_run_returns_the_first_rows(
    send: Callable[..., Any], administrator: Person, run_queued_tasks: Callable[[], list[str]]
) -> None:
    edges = EDGES.replace("source,", "from,")
    accepted = send(
        dry_run="true", mapping='{"source": "from"}', files=make_uploads(small_files(edges=edges))
    ).json()
    run_queued_tasks()
    job = administrator.browser.get(f"{JOBS}/{accepted['id']}").json()
    assert job["state"] == "succeeded" and "graph" not in job["result"]
    assert job["result"]["first"]["edges"][0]["relation"] == "inhibits"
    assert not Graph.objects.exists()


def test_a_refusal_lists_the_rows(
    send: Callable[..., Any], administrator: Person, run_queued_tasks: Callable[[], list[str]]
) -> None:
    accepted = send(files=make_uploads(small_files(edges=EDGES + "a,b\n" * 9))).json()
    run_queued_tasks()
    job = administrator.browser.get(f"{JOBS}/{accepted['id']}").json()
    assert job["state"] == "failed"
    assert job["result"]["faults"][0]["line"] == 5
    assert job["error"]["code"] == "USER_TOO_MANY_DROPPED"


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "two\nlines"},
        {"format": "graph"},
        {"files": []},
        {"mapping": "[1]"},
        {"mapping": '{"source": 1}'},
        {"mapping": '{"source": "\\u0000"}'},
        {"mapping": "no json"},
        {"visibility": "everybody"},
        {"source_url": "javascript:alert(1)"},
        {"description": "\x00"},
    ],
)
def test_invalid_requests_are_refused_and_nothing_is_stored(
    send: Callable[..., Any], fields: dict[str, Any]
) -> None:
    assert send(**fields).status_code == 422
    assert not import_jobs().exists()


def test_a_mapping_nested_too_deep_is_refused_with_a_sentence(send: Callable[..., Any]) -> None:
    for depth in (40, 100_000):
        response = send(mapping="[" * depth + "]" * depth)
        assert response.status_code == 400
        assert "nested deeper than 32 levels" in response.json()["detail"]
    assert not import_jobs().exists()


def test_more_files_than_allowed_are_refused_with_the_limit(send: Callable[..., Any]) -> None:
    files = [SimpleUploadedFile(f"{number}.csv", b"a,b\n") for number in range(1_001)]
    response = send(files=files)
    assert response.status_code == 400
    assert response.json()["code"] == "too_many_files"
    assert "1,000 files" in response.json()["detail"]


@pytest.mark.parametrize(
    ("limit_s", "blank_lines", "code"),
    [(1800, 400_000, "USER_BLANK_LINES"), (-1, 0, "USER_TIME")],
    ids=["blank lines", "time limit"],
)
def test_an_upload_that_holds_up_a_worker_fails_while_it_is_read(
    send: Callable[..., Any],
    administrator: Person,
    run_queued_tasks: Callable[[], list[str]],
    settings: Settings,
    limit_s: int,
    blank_lines: int,
    code: str,
) -> None:
    settings.UPLOAD_READ_SECONDS = limit_s
    entities = str(small_files()["entities.csv"]) + "\n" * blank_lines
    queued = send(files=make_uploads(small_files(entities=entities))).json()
    run_queued_tasks()
    job = administrator.browser.get(f"{JOBS}/{queued['id']}").json()
    assert (job["state"], job["error"]["code"]) == ("failed", code)


def test_a_path_in_a_file_name_has_no_effect(
    send: Callable[..., Any], run_queued_tasks: Callable[[], list[str]]
) -> None:
    files = [*make_uploads(), SimpleUploadedFile("../../../evil\x1b[2J.csv", b"a,b\n1,2\n")]
    accepted = send(files=files).json()
    names = [path.name for path in upload_folder(uuid.UUID(accepted["id"])).iterdir()]
    assert sorted(names) == ["0", "1", "2", "3"]
    assert (
        "/" not in accepted["parameters"]["files"][3]
        and "\x1b" not in accepted["parameters"]["files"][3]
    )
    run_queued_tasks()


def test_more_than_the_limit_is_refused(send: Callable[..., Any], settings: Settings) -> None:
    settings.LARGEST_GRAPH_UPLOAD = 500
    assert send().status_code == 413


def test_a_second_import_into_the_same_graph_is_refused(send: Callable[..., Any]) -> None:
    first = send().json()
    second = send()
    assert (second.status_code, second.json()["code"]) == (409, "conflict")
    folders = {path.name for path in upload_folder(uuid.UUID(first["id"])).parent.iterdir()}
    assert first["id"] in folders and import_jobs().count() == 1


def test_an_import_is_visible_only_to_its_user_and_administrators(
    administrator: Person, outsider: Person
) -> None:
    cast = make_cast()
    request = ImportRequest("Mine")
    job = begin_import(actor=cast.coordinator, import_request=request, files=["folder"])
    assert administrator.browser.get(f"{JOBS}/{job.pk}").status_code == 200
    assert outsider.browser.get(f"{JOBS}/{job.pk}").status_code == 404
    outsider.browser.force_login(cast.other_coordinator)
    assert outsider.browser.get(f"{JOBS}/{job.pk}").status_code == 404
    assert outsider.browser.get(f"{JOBS}?kind=graph-import").json()["results"] == []
    outsider.browser.force_login(cast.coordinator)
    listed = outsider.browser.get(f"{JOBS}?kind=graph-import").json()["results"]
    assert [it["parameters"]["name"] for it in listed] == ["Mine"]
