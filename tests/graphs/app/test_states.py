"""Imports as jobs: requests, permissions, and recovery. tests/jobs has what all jobs share."""

import os
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.common.errors import Conflict, NotAllowed
from backend.graphs import import_service
from backend.graphs.import_service import ImportRequest, begin_import, request_import
from backend.graphs.models import Version
from backend.graphs.uploads import upload_folder
from backend.graphs.versions import import_jobs
from backend.jobs.models import LEASE_DURATION, Job, JobState
from backend.jobs.runner import claim_job
from backend.jobs.services import sweep_jobs
from tests.graphs.app.factories import fail_at_phase, make_uploads, run_import, run_small_import
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(administrator: Person) -> Job:
    return request_import(
        actor=administrator.user, import_request=ImportRequest("Small"), files=make_uploads()
    )


def expire_lease(job: Job) -> None:
    Job.objects.filter(id=job.pk).update(heartbeat_at=timezone.now() - 2 * LEASE_DURATION)


def reload_job(job: Job) -> Job:
    job.refresh_from_db()
    return job


def test_an_import_of_a_dead_worker_is_queued_again_and_finishes(
    queued: Job, run_queued_tasks: Callable[[], list[str]]
) -> None:
    assert claim_job(queued.pk)
    assert sweep_jobs() == 0
    expire_lease(queued)
    Job.objects.filter(id=queued.pk).update(created_at=timezone.now() - 2 * LEASE_DURATION)
    assert sweep_jobs() == 1
    assert reload_job(queued).state == JobState.QUEUED
    assert "jobs.run" in run_queued_tasks()
    assert (reload_job(queued).state, queued.attempts) == (JobState.SUCCEEDED, 2)


def test_an_attempt_that_died_while_indexing_leaves_nothing_behind(
    queued: Job,
) -> None:
    class Killed(BaseException):
        """No handler catches it, as none catches a kill."""

    with pytest.raises(Killed):
        run_import(queued, on_progress=fail_at_phase("indexing", Killed()))
    assert reload_job(queued).phase == "indexing names"
    assert Version.objects.exists() and not Version.objects.ready().exists()
    expire_lease(queued)
    run_import(queued)
    assert reload_job(queued).state == JobState.SUCCEEDED
    assert Version.objects.get().ready_at


def test_uploads_are_stored_by_number_and_removed_with_the_end_of_the_import(
    administrator: Person, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    files = [*make_uploads(), SimpleUploadedFile("..\\..\\evil/../x.csv", b"a,b\n1,2\n")]
    job = request_import(
        actor=administrator.user, import_request=ImportRequest("Small"), files=files
    )
    assert sorted(it.name for it in upload_folder(job.pk).iterdir()) == ["0", "1", "2", "3"]
    with django_capture_on_commit_callbacks(execute=True):
        run_import(job)
    assert reload_job(job).state == JobState.SUCCEEDED
    assert not upload_folder(job.pk).exists()


def test_one_import_into_a_graph_at_a_time(queued: Job, administrator: Person) -> None:
    with pytest.raises(Conflict, match="is running"):
        request_import(
            actor=administrator.user, import_request=ImportRequest("Small"), files=make_uploads()
        )
    request_import(
        actor=administrator.user, import_request=ImportRequest("Other"), files=make_uploads()
    )


def test_one_person_has_few_imports_at_once(administrator: Person) -> None:
    for number in range(import_service.MAX_CONCURRENT_IMPORTS):
        request = ImportRequest(f"Graph {number}")
        request_import(actor=administrator.user, import_request=request, files=make_uploads())
    with pytest.raises(Conflict, match="of your imports"):
        request_import(
            actor=administrator.user, import_request=ImportRequest("More"), files=make_uploads()
        )


def test_only_coordinators_and_administrators_import(researcher: Person, outsider: Person) -> None:
    for person in (researcher, outsider):
        with pytest.raises(NotAllowed):
            request_import(
                actor=person.user, import_request=ImportRequest("Mine"), files=make_uploads()
            )
    assert not import_jobs().exists()


def test_permission_is_checked_again_after_the_files_are_read(tmp_path: Path) -> None:
    """Somebody took the name while the files waited."""
    ada, otto = (make_person(name, is_administrator=False).user for name in ("ada", "otto"))
    job = begin_import(actor=ada, import_request=ImportRequest("Small"), files=["x"])
    Job.objects.filter(id=job.pk).update(parameters={**job.parameters, "name": "Later"})
    run_small_import(tmp_path, actor=otto)
    Job.objects.filter(id=job.pk).update(parameters=job.parameters)
    run_import(job, tmp_path)
    assert (reload_job(job).state, (job.error or {})["code"]) == (JobState.FAILED, "USER_CONFLICT")
    assert Version.objects.count() == 1


def test_uploads_that_no_import_needs_are_deleted_after_a_day(queued: Job) -> None:
    lost, recent = upload_folder(uuid.uuid4()), upload_folder(uuid.uuid4())
    for folder in (lost, recent):
        folder.mkdir()
    for folder in (lost, upload_folder(queued.pk)):
        os.utime(folder, (0, 0))
    sweep_jobs()
    assert [it.is_dir() for it in (lost, recent, upload_folder(queued.pk))] == [False, True, True]
