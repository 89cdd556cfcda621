"""Statements for many rows, of which several are sent at once.

The rows are one parameter, JSON that PostgreSQL reads: `bulk_create` and `bulk_update` build the
statement from every value, which takes ten times the processor time. Several statements are one
message to the server, since after each answer a thread waits some milliseconds for its turn beside
a busy event loop.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import AutoField, Model
from django.utils import timezone

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Statement:
    sql: str
    parameters: Sequence[Any]


def execute(*statements: Statement) -> list[Rows]:
    """In one message, inside the transaction of the caller; the rows of each that returns some."""
    message = ";\n".join(one.sql for one in statements)
    results: list[Rows] = []
    with connection.cursor() as cursor:
        cursor.execute(message, [value for one in statements for value in one.parameters])
        while True:
            if cursor.description is not None:
                results.append(cursor.fetchall())
            if not cursor.nextset():
                return results


def insertion(rows: Sequence[Model], *, ignore_conflicts: bool = False) -> list[Statement]:
    """Of one model; none where there are no rows. Keys that the database counts are not read
    back."""
    if not rows:
        return []
    model, now = type(rows[0]), timezone.now()
    names = _columns(model)
    values = [
        {name: now if is_time else getattr(row, name) for name, is_time in names} for row in rows
    ]
    columns = ", ".join(name for name, _ in names)
    table = model._meta.db_table
    conflict = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    statement = (
        f"INSERT INTO {table} ({columns}) SELECT {columns}"  # noqa: S608  names of the model
        f" FROM json_populate_recordset(NULL::{table}, %s::json){conflict}"
    )
    return [Statement(statement, [_to_json(values)])]


def change(model: type[Model], rows: Sequence[Model], columns: Sequence[str]) -> list[Statement]:
    """None where there are no rows."""
    if not rows:
        return []
    table = model._meta.db_table
    changes = ", ".join(f"{name} = new.{name}" for name in columns)
    statement = (
        f"UPDATE {table} SET {changes}"  # noqa: S608  names of the model
        f" FROM json_populate_recordset(NULL::{table}, %s::json) AS new"
        f" WHERE {table}.id = new.id"
    )
    values = [{name: getattr(row, name) for name in ("id", *columns)} for row in rows]
    return [Statement(statement, [_to_json(values)])]


@cache
def _columns(model: type[Model]) -> tuple[tuple[str, bool], ...]:
    """Name, and whether it is the time of writing."""
    return tuple(
        (field.attname, bool(getattr(field, "auto_now_add", False)))
        for field in model._meta.concrete_fields
        if not isinstance(field, AutoField)
    )


def _to_json(rows: Sequence[dict[str, Any]]) -> str:
    return json.dumps(rows, default=_to_text)


def _to_text(value: Any) -> str:
    """Bytes, decimals, UUIDs and times as PostgreSQL writes them."""
    return f"\\x{bytes(value).hex()}" if isinstance(value, bytes | memoryview) else str(value)
