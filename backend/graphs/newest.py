"""What most readers ask for, the newest version of a public graph, by one prepared question.

policies.visible_graphs says the same in Django's words, which take 2.5 ms to become SQL at each
request: four times what a search in a million names takes.
"""

from __future__ import annotations

from functools import cache

from django.db import connection, models

from backend.graphs.models import Graph, Version


def newest_public_version(slug: str) -> Version | None:
    """With its graph. None where there is no such graph, or it is not for everybody."""
    with connection.cursor() as cursor:
        cursor.execute(_question(), [slug, Graph.Visibility.PUBLIC])
        found = cursor.fetchone()
    if found is None:
        return None
    count = len(_columns(Version))
    version: Version = Version.from_db(connection.alias, _columns(Version), found[:count])
    version.graph = Graph.from_db(connection.alias, _columns(Graph), found[count:])
    return version


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
    """But for JSON, which few readers need: Django asks for it where it is read."""
    fields = model._meta.concrete_fields
    return [field.attname for field in fields if not isinstance(field, models.JSONField)]


TABLES: tuple[tuple[str, type[models.Model]], ...] = (("version", Version), ("graph", Graph))
