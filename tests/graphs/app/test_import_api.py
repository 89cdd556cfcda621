"""Graphs from a browser: sent, worked off, asked after."""

import resource
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from backend.config.celery import app
from backend.graphs.live import group_of
from backend.graphs.models import Graph, GraphImport, State
from backend.graphs.uploads import folder_of
from tests.annotation.personas import make_cast
from tests.graphs.app.making import EDGES, files_with, uploads
from tests.personas import Person

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/graph-imports"


@pytest.fixture
def send(
    administrator: Person, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> Callable[..., Any]:
    def sending(**fields: Any) -> Any:
        body = {"name": "Small", "files": uploads(), **fields}
        with django_capture_on_commit_callbacks(execute=True):
            return administrator.browser.post(ADDRESS, body, format="multipart")

    return sending


def test_a_sent_graph_is_queued_worked_off_and_told(
    send: Callable[..., Any], administrator: Person, work_off: Callable[[], list[str]]
) -> None:
    made = send(visibility="public", licence="CC0")
    assert made.status_code == 202 and made.json()["state"] == "queued"
    assert work_off() == ["graphs.run_import"]
    told = administrator.browser.get(f"{ADDRESS}/{made.json()['id']}").json()
    assert (told["state"], told["percent"], told["graph"]) == ("done", 100, "small")
    assert told["report"]["edges"] == 3 and told["snapshot"] == told["report"]["snapshot"]
    assert Graph.objects.public().get().licence == "CC0"


def test_large_files_are_taken_too(
    send: Callable[..., Any], administrator: Person, work_off: Callable[[], list[str]]
) -> None:
    """Django keeps what is larger than this in a file of its own."""
    rows = "".join(f"LOCAL:{number},{'x' * 990},Thing,,,\n" for number in range(3000))
    files = files_with(entities=str(files_with()["entities.csv"]) + rows)
    made = send(files=uploads(files)).json()
    work_off()
    told = administrator.browser.get(f"{ADDRESS}/{made['id']}").json()
    assert (told["state"], told["report"]["entities"]) == ("done", 3004)


def test_files_that_fill_the_disk_while_they_come_are_told_so(send: Callable[..., Any]) -> None:
    rows = "".join(f"LOCAL:{number},{'x' * 990},Thing,,,\n" for number in range(3000))
    large = uploads(files_with(entities=str(files_with()["entities.csv"]) + rows))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        answer = send(files=large)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (answer.status_code, answer.json()["code"]) == (507, "no_space")
    assert "There is no room on the disk" in answer.json()["detail"]
    assert not GraphImport.objects.exists()


def test_a_dry_run_shows_the_first_rows(
    send: Callable[..., Any], administrator: Person, work_off: Callable[[], list[str]]
) -> None:
    edges = EDGES.replace("source,", "from,")
    made = send(
        dry_run="true", mapping='{"source": "from"}', files=uploads(files_with(edges=edges))
    ).json()
    work_off()
    told = administrator.browser.get(f"{ADDRESS}/{made['id']}").json()
    assert told["state"] == "done" and told["graph"] is None
    assert told["report"]["first"]["edges"][0]["relation"] == "inhibits"
    assert not Graph.objects.exists()


def test_a_refusal_tells_which_rows(
    send: Callable[..., Any], administrator: Person, work_off: Callable[[], list[str]]
) -> None:
    made = send(files=uploads(files_with(edges=EDGES + "a,b\n" * 9))).json()
    work_off()
    told = administrator.browser.get(f"{ADDRESS}/{made['id']}").json()
    assert told["state"] == "refused"
    assert told["report"]["faults"][0]["line"] == 5
    assert told["report"]["error"]["code"] == "too_many_dropped"


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
def test_what_cannot_be_asked_is_refused_and_nothing_kept(
    send: Callable[..., Any], fields: dict[str, Any]
) -> None:
    assert send(**fields).status_code == 422
    assert not GraphImport.objects.exists()


def test_a_path_in_a_name_leads_nowhere(
    send: Callable[..., Any], work_off: Callable[[], list[str]]
) -> None:
    files = [*uploads(), SimpleUploadedFile("../../../evil\x1b[2J.csv", b"a,b\n1,2\n")]
    made = send(files=files).json()
    names = [path.name for path in folder_of(uuid.UUID(made["id"])).iterdir()]
    assert sorted(names) == ["0", "1", "2", "3"]
    assert "/" not in made["files"][3] and "\x1b" not in made["files"][3]
    work_off()


def test_more_than_the_limit_is_refused(send: Callable[..., Any], settings: Settings) -> None:
    settings.LARGEST_GRAPH_UPLOAD = 500
    assert send().status_code == 413


def test_another_import_into_the_same_graph_waits_for_its_turn(send: Callable[..., Any]) -> None:
    first = send().json()
    second = send()
    assert (second.status_code, second.json()["code"]) == (409, "conflict")
    folders = {path.name for path in folder_of(uuid.UUID(first["id"])).parent.iterdir()}
    assert first["id"] in folders and GraphImport.objects.count() == 1


def test_an_import_is_hers_and_administrators_alone(
    administrator: Person, outsider: Person
) -> None:
    cast = make_cast()
    row = GraphImport.objects.create(name="Hers", actor=cast.coordinator, origin="upload")
    address = f"{ADDRESS}/{row.pk}"
    assert administrator.browser.get(address).status_code == 200
    assert outsider.browser.get(address).status_code == 404
    outsider.browser.force_login(cast.other_coordinator)
    assert outsider.browser.get(address).status_code == 404
    assert outsider.browser.get(ADDRESS).json()["results"] == []
    outsider.browser.force_login(cast.coordinator)
    assert [it["name"] for it in outsider.browser.get(ADDRESS).json()["results"]] == ["Hers"]


def test_an_open_page_is_told_of_each_step(
    send: Callable[..., Any],
    work_off: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    heard: list[tuple[str, str]] = []
    monkeypatch.setattr(
        "backend.graphs.live.publish", lambda group, **event: heard.append((group, event["state"]))
    )
    made = send().json()
    with django_capture_on_commit_callbacks(execute=True):
        work_off()
    group = group_of(uuid.UUID(made["id"]))
    assert [*dict.fromkeys(heard)] == [
        (group, state) for state in (State.READING, State.BUILDING, State.INDEXING, State.DONE)
    ]


def test_the_sweeper_is_on_the_clock() -> None:
    assert app.conf.beat_schedule["sweep_imports"]["task"] == "graphs.sweep_imports"
