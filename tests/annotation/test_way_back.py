"""Undoing a migration: it loses nothing, or says why it cannot be undone."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError

from annotation.models import Event
from tests.annotation.personas import Cast, body_of, client_of, event, make_cast, put

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE = "0004_nothing_is_deleted"


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def submit(cast: Cast, *ids: dict[str, str]) -> None:
    """The expert and her colleague each answer, with these ids of their events."""
    for person, named in zip((cast.expert, cast.colleague), ids, strict=True):
        body = body_of(cast.assignment(person), "submit", events=[event(**named)])
        assert put(client_of(person), cast.assignment(person), body).status_code == 200


def key_of_events() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid "
            "AND a.attnum = ANY(i.indkey) WHERE i.indrelid = 'annotation_event'::regclass "
            "AND i.indisprimary ORDER BY a.attname"
        )
        return [name for (name,) in cursor.fetchall()]


def go_back() -> None:
    call_command("migrate", "annotation", BEFORE, verbosity=0)


def go_on() -> None:
    call_command("migrate", verbosity=0)


def test_an_event_id_of_two_answers_keeps_the_tables_as_they_are(cast: Cast) -> None:
    shared = {"id": "9f2f1a52-6e5e-4a3c-9d07-0b5a3f4a4a11"}
    submit(cast, shared, shared)
    before = Event.objects.count()
    try:
        with pytest.raises(IrreversibleError, match=r"1 event id\(s\).*Restore a backup"):
            go_back()
        assert key_of_events() == ["id", "response_id"]
    finally:
        go_on()
    assert Event.objects.count() == before


def test_while_each_id_is_of_one_answer_it_is_undone_and_done_again(cast: Cast) -> None:
    submit(cast, {}, {})
    before = Event.objects.count()
    try:
        go_back()
        assert key_of_events() == ["id"]
    finally:
        go_on()
    assert key_of_events() == ["id", "response_id"]
    assert Event.objects.count() == before
