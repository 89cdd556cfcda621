"""Undoing migrations loses nothing that the older tables can hold."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.models import Response, Revision
from backend.graphs.import_service import ImportRequest, request_import
from backend.jobs.models import Job, JobState
from backend.jobs.services import cancel_job
from backend.studies.models import Study
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    make_cast,
    post_activity,
    put_response,
    response_body,
)
from tests.database_template import garbage_ignored, own_database
from tests.graphs.app.factories import make_uploads, run_import, run_small_import
from tests.personas import Person
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE_STUDY_KINDS_AND_JOBS = [
    ("annotation", "0007_study_pins_a_graph"),
    ("graphs", "0005_delete_entity"),
]


@pytest.fixture(autouse=True)
def _own_database(transactional_db: None) -> Iterator[None]:
    with own_database(is_migrated=True):
        yield


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def migrate_back() -> None:
    with garbage_ignored():
        MigrationExecutor(connection).migrate(BEFORE_STUDY_KINDS_AND_JOBS)


def migrate_forward() -> None:
    with garbage_ignored():
        call_command("migrate", verbosity=0)


def read_exports(study: Study) -> tuple[Any, str]:
    """The study as JSON and CSV, without the moment of the export and what older tables lack."""
    exported = json.loads("".join(export_json(study)))
    del exported["exported_at"]
    assignments = [
        assignment
        for batch in exported["batches"]
        for question in batch["questions"]
        for assignment in question["assignments"]
    ]
    for entry in (entry for one in assignments for entry in one["events"]):
        del entry["response_version"]  # only entries from before the log was separate have it
    for revision in (revision for one in assignments for revision in one["revisions"]):
        del revision["consent_version"], revision["guidelines_number"]  # columns of today
    return exported, "".join(export_csv(study))


def answer_in_every_way(cast: Cast) -> None:
    for number, intents in enumerate((["agree", "submit", "save"], ["not_sure", "skip"]), start=1):
        assignment, client = cast.assignment(number=number), client_of(cast.expert)
        for version, intent in enumerate(intents):
            body = response_body(
                assignment,
                intent,
                version=version,
                comment=f"{intent} \u2028 “=1+1”",
                confidence=version + 1,
                reasons=["new_to_me", "implausible"][:version],
                active_ms=100,
            )
            assert put_response(client, assignment, body).status_code == 200
        entry = activity_event("moved", new=[["a"], ["b"]])
        assert post_activity(client, assignment, activity_body(entry)).status_code == 200


def import_in_every_way(administrator: Person, folder: Path) -> Job:
    """An import that is done, one that is cancelled, and one that waits, which is returned."""
    run_small_import(folder, name="Done")
    cancel_job(actor=administrator.user, job=request_small_import(administrator, "Cancelled"))
    return request_small_import(administrator, "Waiting")


def request_small_import(administrator: Person, name: str) -> Job:
    return request_import(
        actor=administrator.user, import_request=ImportRequest(name), files=make_uploads()
    )


def job_fields(job: Job) -> dict[str, Any]:
    names = ("kind", "parameters", "subjects", "owner_id", "is_local", "state", "result", "error")
    return {name: getattr(job, name) for name in (*names, "created_at")}


def assert_older_imports() -> None:
    """The last one is then as if an older worker had it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, state FROM graphs_graphimport ORDER BY created_at")
        states = [("Done", "done"), ("Cancelled", "cancelled"), ("Waiting", "queued")]
        assert cursor.fetchall() == states
        cursor.execute("UPDATE graphs_graphimport SET state = 'indexing' WHERE name = 'Waiting'")


def assert_older_answers() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT state, comment FROM annotation_revision ORDER BY id")
        rows = [(state, comment.split()[0]) for state, comment in cursor.fetchall()]
        cursor.execute("SELECT DISTINCT state FROM annotation_response ORDER BY state")
        states = [state for (state,) in cursor.fetchall()]
    assert rows == [
        ("confirmed", "agree"),
        ("changed", "submit"),
        ("not_sure", "not_sure"),
        ("skipped", "skip"),
    ]
    assert states == ["draft", "skipped"]


@thorough
def test_answers_and_imports_are_kept_in_older_tables_and_history_is_never_rewritten(
    cast: Cast, administrator: Person, tmp_path: Path
) -> None:
    """In one test: the way back and the way forward take long."""
    answer_in_every_way(cast)
    waiting = import_in_every_way(administrator, tmp_path)
    before = read_exports(cast.study), {job.pk: job_fields(job) for job in Job.objects.all()}
    try:
        migrate_back()
        written = row_versions()
        assert_older_answers()
        assert_older_imports()
    finally:
        migrate_forward()
    assert row_versions() == written
    study = Study.objects.get(id=cast.study.id)
    after = read_exports(study), {job.pk: job_fields(job) for job in Job.objects.all()}
    assert after == before
    assert not Revision.objects.exclude(payload=None).exists()
    assert all(revision.answer["ranking"] for revision in Revision.objects.all())
    statuses = Response.objects.order_by("assignment__question__number")
    assert [one.status for one in statuses] == ["draft", "skipped"]
    assert run_import(waiting) is not None
    waiting.refresh_from_db()
    assert waiting.state == JobState.SUCCEEDED


def row_versions() -> list[tuple[object, ...]]:
    """Where PostgreSQL holds the rows of the history; writing a row moves it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, ctid, xmin FROM annotation_revision ORDER BY id")
        revisions: list[tuple[object, ...]] = cursor.fetchall()
        cursor.execute("SELECT id, ctid, xmin FROM annotation_event ORDER BY id")
        return [*revisions, *cursor.fetchall()]
