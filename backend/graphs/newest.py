"""What most readers ask for, the newest version of a public graph, by one prepared question.

policies.visible_graphs says the same in Django's words, which take 2.5 ms to become SQL at each
request: four times what a search in a million names takes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection, models

from backend.graphs.models import Graph, Version

Row = TypeVar("Row", bound=models.Model)


def newest_public_version(slug: str) -> Version | None:
    """With its graph. None where there is no such graph, or it is not for everybody."""
    with connection.cursor() as cursor:
        cursor.execute(_question(), [slug, Graph.Visibility.PUBLIC])
        found = cursor.fetchone()
    if found is None:
        return None
    count = len(Version._meta.concrete_fields)
    version: Version = _made(Version, found[:count])
    version.graph = _made(Graph, found[count:])
    return version


def _made(model: type[Row], values: Sequence[Any]) -> Row:
    """As Django makes it, which has JSON sent as text."""
    fields = model._meta.concrete_fields
    read = [
        json.loads(value) if isinstance(field, models.JSONField) and value is not None else value
        for field, value in zip(fields, values, strict=True)
    ]
    return model.from_db(connection.alias, _columns(model), read)


@cache
def _question() -> str:
    """Columns of both tables, so that the rows are what Django would have made of them."""
    told = [f"{table}.{name}" for table, model in TABLES for name in _columns(model)]
    return (
        f"SELECT {', '.join(told)} "  # noqa: S608  the names of columns, from the models
        f"FROM {Version._meta.db_table} version JOIN {Graph._meta.db_table} graph "
        "ON graph.id = version.graph_id WHERE graph.slug = %s AND graph.visibility = %s "
        "AND version.ready_at IS NOT NULL ORDER BY version.number DESC LIMIT 1"
    )


@cache
def _columns(model: type[models.Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


TABLES: tuple[tuple[str, type[models.Model]], ...] = (("version", Version), ("graph", Graph))
