"""Undoing a migration: it loses nothing, or says why it cannot be undone."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.models import Event, Response, Revision
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
from tests.database_template import garbage_ignored

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = "0004_nothing_is_deleted"
BEFORE_STUDY_KINDS = "0007_study_pins_a_graph"


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def submit(cast: Cast, *ids: dict[str, str]) -> None:
    """Two experts each answer, with these ids of their events."""
    for person, named in zip((cast.expert, cast.colleague), ids, strict=True):
        client, assignment = client_of(person), cast.assignment(person)
        body = response_body(assignment, "submit", comment="as typed", confidence=4)
        assert put_response(client, assignment, body).status_code == 200
        activity = activity_body(activity_event("moved", **named))
        assert post_activity(client, assignment, activity).status_code == 200


def event_primary_key() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid "
            "AND a.attnum = ANY(i.indkey) WHERE i.indrelid = 'annotation_event'::regclass "
            "AND i.indisprimary ORDER BY a.attname"
        )
        return [name for (name,) in cursor.fetchall()]


def migrate_back(to: str = BEFORE) -> None:
    with garbage_ignored():
        call_command("migrate", "annotation", to, verbosity=0)


def migrate_forward() -> None:
    with garbage_ignored():
        call_command("migrate", verbosity=0)


def test_an_event_id_of_two_answers_stops_the_undoing_until_each_is_of_one(cast: Cast) -> None:
    """It goes on from where it stopped, and is done again. Both in one test: each way is slow."""
    shared = {"id": "9f2f1a52-6e5e-4a3c-9d07-0b5a3f4a4a11"}
    submit(cast, shared, shared)
    before = Event.objects.count()
    try:
        with pytest.raises(IrreversibleError, match=r"1 event id\(s\).*Restore a backup"):
            migrate_back()
        assert event_primary_key() == ["id", "response_id"]
        assert count_events() == before
        give_each_event_an_id()
        migrate_back()
        assert event_primary_key() == ["id"]
    finally:
        migrate_forward()
    assert event_primary_key() == ["id", "response_id"]
    assert Event.objects.count() == before


def count_events() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM annotation_event")
        (result,) = cursor.fetchone()
        return int(result)


def give_each_event_an_id() -> None:
    """As a hand at the database might: the log itself refuses to be rewritten."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE annotation_event DISABLE TRIGGER USER")
        cursor.execute("UPDATE annotation_event SET id = gen_random_uuid()")
        cursor.execute("ALTER TABLE annotation_event ENABLE TRIGGER USER")


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


def test_answers_of_the_older_tables_are_exported_as_they_were_and_their_history_never_rewritten(
    cast: Cast,
) -> None:
    answer_in_every_way(cast)
    before = read_exports(cast.study)
    try:
        migrate_back(BEFORE_STUDY_KINDS)
        written = row_versions()
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
    finally:
        migrate_forward()
    assert row_versions() == written
    study = Study.objects.get(id=cast.study.id)
    assert read_exports(study) == before
    assert not Revision.objects.exclude(payload=None).exists()
    assert all(revision.answer["ranking"] for revision in Revision.objects.all())
    statuses = Response.objects.order_by("assignment__question__number")
    assert [one.status for one in statuses] == ["draft", "skipped"]


def row_versions() -> list[tuple[object, ...]]:
    """Where PostgreSQL holds the rows of the history; writing a row moves it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, ctid, xmin FROM annotation_revision ORDER BY id")
        revisions: list[tuple[object, ...]] = cursor.fetchall()
        cursor.execute("SELECT id, ctid, xmin FROM annotation_event ORDER BY id")
        return [*revisions, *cursor.fetchall()]
