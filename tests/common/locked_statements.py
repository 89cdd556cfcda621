"""What a block of code writes while it holds the lock of a row."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext


@contextmanager
def tables_written_locked(table: str) -> Iterator[list[str]]:
    """Filled at the end: tables of the inserts after the last lock of a row of the table."""
    written: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield written
    statements = [one["sql"] for one in captured.captured_queries]
    locks = [
        at
        for at, one in enumerate(statements)
        if f'FROM "{table}"' in one and (" FOR UPDATE" in one or " FOR NO KEY UPDATE" in one)
    ]
    assert locks, f"no row of {table} was locked"
    after = statements[locks[0] :]
    written += [one.split('"')[1] for one in after if one.startswith("INSERT INTO")]
