"""An import that somebody cancels: its worker stops and nothing of it stays."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from django.conf import settings
from django.db import connection

from backend.graphs import import_job
from backend.graphs.graph_access import open_graph, open_version_snapshot
from backend.graphs.import_service import ImportRequest, begin_import, request_import
from backend.graphs.models import Graph, Version
from backend.graphs.search.indexing import index_version
from backend.graphs.uploads import upload_folder
from backend.jobs.models import Job, JobState
from backend.jobs.services import cancel_job
from tests.annotation.personas import make_cast
from tests.graphs.app.factories import (
    at_phase,
    make_uploads,
    run_import,
    run_small_import,
    small_files_with_edges,
    version_of,
)
from tests.graphs.app.test_import_recovery import write_large_graph
from tests.graphs.importers.factories import write_files
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)
JOBS = "/api/v1/jobs"
LONGEST_S = 60


@pytest.fixture
def queued(administrator: Person) -> Job:
    return request_import(
        actor=administrator.user, import_request=ImportRequest("Small"), files=make_uploads()
    )


def reload_job(job: Job) -> Job:
    job.refresh_from_db()
    return job


@contextmanager
def paused_in_phase(phase: str, job: Job, paths: list[Path]) -> Iterator[Callable[[], object]]:
    """A worker has this import and pauses in this phase; what is yielded lets it go on."""
    reached, go_on = Event(), Event()

    def pause() -> None:
        reached.set()
        go_on.wait(LONGEST_S)

    def work() -> object:
        try:
            return run_import(job, *paths, on_progress=at_phase(phase, pause))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(work)
        assert reached.wait(LONGEST_S)

        def ended() -> object:
            go_on.set()
            return running.result(LONGEST_S)

        try:
            yield ended
        finally:
            go_on.set()


def snapshots() -> set[str]:
    return {path.name for path in Path(settings.SNAPSHOTS).iterdir() if path.name != ".lock"}


@pytest.mark.parametrize("phase", ["reading", "numbering entities", "indexing"])
def test_nothing_stays_of_an_import_cancelled_while_a_worker_has_it(
    tmp_path: Path, administrator: Person, phase: str
) -> None:
    before = run_small_import(tmp_path / "good", metadata={"visibility": Graph.Visibility.PUBLIC})
    files = snapshots()
    job = begin_import(
        actor=administrator.user, import_request=ImportRequest("Large"), files=["large"]
    )
    large = [write_large_graph(tmp_path / "large")]
    with paused_in_phase(phase, job, large) as ended:
        answer = administrator.browser.post(f"{JOBS}/{job.pk}/cancel")
        assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
        assert ended() is None
    assert reload_job(job).state == JobState.CANCELLED
    assert list(Version.objects.all()) == [version_of(before)]
    assert Graph.objects.count() == 1
    assert snapshots() <= files
    assert open_graph(None, "small").version == version_of(before)
    again = run_small_import(tmp_path / "large", {}, name="Large")
    assert again.state == JobState.SUCCEEDED


def test_an_import_cancelled_before_a_worker_claims_it_is_never_run(
    queued: Job, administrator: Person, run_queued_tasks: Callable[[], list[str]]
) -> None:
    cancel_job(actor=administrator.user, job=queued)
    run_queued_tasks()
    assert (reload_job(queued).state, queued.attempts) == (JobState.CANCELLED, 0)
    assert (queued.error or {})["detail"] == f"Cancelled by {administrator.user.name}."
    assert not upload_folder(queued.pk).exists()
    assert run_import(queued) is None and not Graph.objects.exists()


def test_a_version_of_the_same_content_that_another_import_makes_is_left_to_it(
    tmp_path: Path, administrator: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner cancels and imports the same again while the first worker still runs."""
    folder = write_files(
        tmp_path / "more", small_files_with_edges("DRUGBANK:DB00945,treats,HGNC:9604,,,")
    )

    def begin() -> Job:
        request = ImportRequest("Small")
        return begin_import(actor=administrator.user, import_request=request, files=["more"])

    first = begin()

    def cancel_and_repeat(*arguments: object, **more: object) -> None:
        monkeypatch.setattr(import_job, "index_version", index_version)
        cancel_job(actor=administrator.user, job=first)
        run_import(begin(), folder)

    # In place of the first worker's indexing: a progress callback would let that go on afterwards.
    monkeypatch.setattr(import_job, "index_version", cancel_and_repeat)
    assert run_import(first, folder) is None
    assert reload_job(first).state == JobState.CANCELLED
    version = Version.objects.get()
    assert version.ready_at and open_version_snapshot(version).entity_count == 4
    assert open_graph(administrator.user, "small").version == version


def test_only_the_owner_and_administrators_see_and_cancel_an_import(
    outsider: Person, administrator: Person
) -> None:
    cast = make_cast()
    request = ImportRequest("Mine")
    job = begin_import(actor=cast.coordinator, import_request=request, files=["folder"])
    of_command = begin_import(actor=None, import_request=ImportRequest("Other"), files=["folder"])
    for user in (outsider.user, cast.other_coordinator, cast.expert):
        outsider.browser.force_login(user)
        for one in (job, of_command):
            assert outsider.browser.post(f"{JOBS}/{one.pk}/cancel").status_code == 404
    assert reload_job(job).state == JobState.QUEUED
    outsider.browser.force_login(cast.coordinator)
    assert outsider.browser.post(f"{JOBS}/{job.pk}/cancel").json()["state"] == "cancelled"
    assert administrator.browser.post(f"{JOBS}/{of_command.pk}/cancel").status_code == 200
