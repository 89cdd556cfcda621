"""Empties the database after a test that commits.

Django's `flush` truncates every table and makes content types and permissions again: a quarter of
a second of processor time. Few tables have rows, so those are emptied, and these two stay.
"""

import os
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction
from psycopg import sql

from tests.services import OWN_SERVICES

# What migrations leave in every database, and no test changes.
STANDARD_TABLES = ["auth_permission", "django_content_type", "django_migrations"]
# A table that was never written to, or was truncated, has no page.
WRITTEN_TABLES = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  AND pg_relation_size(oid) > 0 AND relname <> ALL(%s)
"""
# The replica's role has no triggers, so neither foreign keys nor rows that stay are in the way.
WITHOUT_TRIGGERS = sql.SQL("SET LOCAL session_replication_role = replica")


def empty_tables(*_: Any) -> None:
    """On servers of somebody else, who may not let us switch off triggers, by `flush`."""
    if not os.environ.get(OWN_SERVICES):
        call_command("flush", verbosity=0, interactive=False)
        return
    if not (names := [sql.Identifier(table) for table in written_tables()]):
        return
    # Rows of a transaction that still runs elsewhere would otherwise be in the next test.
    lock = sql.SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(sql.SQL(", ").join(names))
    emptied = [sql.SQL("DELETE FROM {}").format(name) for name in names]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql.SQL(";").join([WITHOUT_TRIGGERS, lock, *emptied]))


def written_tables() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(WRITTEN_TABLES, [STANDARD_TABLES])
        return [name for (name,) in cursor.fetchall()]
