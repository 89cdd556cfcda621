"""Undoing the migration after which an event's id is of one response alone."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.executor import MigrationExecutor
from pytest_django.plugin import DjangoDbBlocker

from tests.database_template import garbage_ignored, own_database
from tests.migrations.test_database_from_before import BEFORE, LAST_MIGRATIONS
from tests.thorough import thorough

# Migrations that were released do not change; test_database_from_before.py begins earlier.
pytestmark = thorough


@pytest.fixture
def older_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Two of its events, of different responses, have one id. From today's tables to these,
    tests/annotation/test_reverse_migrations.py goes back."""
    with django_db_blocker.unblock(), own_database():
        migrate(*LAST_MIGRATIONS)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute((BEFORE / "tables.sql").read_text())
        yield


def migrate(*to: tuple[str, str]) -> None:
    with garbage_ignored():
        MigrationExecutor(connection).migrate([*to])


def migrate_back() -> None:
    migrate(("annotation", "0004_nothing_is_deleted"))


def event_primary_key() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid "
            "AND a.attnum = ANY(i.indkey) WHERE i.indrelid = 'annotation_event'::regclass "
            "AND i.indisprimary ORDER BY a.attname"
        )
        return [name for (name,) in cursor.fetchall()]


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


def test_an_event_id_of_two_answers_stops_the_undoing_until_each_is_of_one(
    older_database: None,
) -> None:
    """It goes on from where it stopped, and is done again. Both in one test: each way is slow."""
    before = count_events()
    with pytest.raises(IrreversibleError, match=r"1 event id\(s\).*Restore a backup"):
        migrate_back()
    assert event_primary_key() == ["id", "response_id"]
    assert count_events() == before
    give_each_event_an_id()
    migrate_back()
    assert event_primary_key() == ["id"]
    migrate(*LAST_MIGRATIONS)
    assert event_primary_key() == ["id", "response_id"]
    assert count_events() == before
