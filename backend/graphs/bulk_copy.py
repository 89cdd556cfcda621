"""Bulk insert by PostgreSQL's COPY."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, cast

from django.db import connection, models, transaction
from psycopg import Cursor, sql

ROWS_PER_TRANSACTION = 50_000


def copy_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> int:
    """Insert rows, one chunk per transaction, and return their number.

    `columns` are the names of database columns.
    """
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    waiting, count = iter(rows), 0
    while chunk := list(islice(waiting, ROWS_PER_TRANSACTION)):
        with transaction.atomic(), connection.cursor() as wrapped:
            cursor = cast(Cursor[Any], wrapped.cursor)
            with cursor.copy(statement) as copy:
                for row in chunk:
                    copy.write_row(row)
        count += len(chunk)
    return count
