"""Committed rows that are made once and put back before each test that needs them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from django.db import connection, transaction
from psycopg import Copy, Cursor, sql

from tests.empty_tables import written_tables

READ, WRITE = sql.SQL("COPY {} TO STDOUT"), sql.SQL("COPY {} FROM STDIN")


@dataclass(frozen=True)
class SavedRows:
    """What every table has, as PostgreSQL copies it. Files of the rows are left where they are."""

    tables: dict[str, list[bytes]]

    @classmethod
    def of_database(cls) -> "SavedRows":
        return cls({table: read_rows(table) for table in written_tables()})

    def restore(self) -> None:
        """Into empty tables. Sequences have gone on since, so new rows get other numbers."""
        with transaction.atomic():  # foreign keys are checked at its end
            for table, rows in self.tables.items():
                with copying(WRITE, table) as copy:
                    for row in rows:
                        copy.write(row)


def read_rows(table: str) -> list[bytes]:
    with copying(READ, table) as copy:
        return [bytes(row) for row in copy]


@contextmanager
def copying(statement: sql.SQL, table: str) -> Iterator[Copy]:
    with connection.cursor() as wrapped:
        cursor = cast(Cursor[Any], wrapped.cursor)
        with cursor.copy(statement.format(sql.Identifier(table))) as copy:
            yield copy
