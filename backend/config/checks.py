"""Django's own checks of the database that we are given."""

from collections.abc import Sequence

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

PGVECTOR = (0, 8)  # the first with iterative scans, which filtered searches need


@register(Tags.database)
def pgvector_is_there(
    databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Run by migrate, so that an old server is named before anything is made on it."""
    found = [(alias, available_version(alias)) for alias in databases or ()]
    return [
        Error(
            f"PostgreSQL ('{alias}') has {'pgvector ' + version if version else 'no pgvector'}; "
            f"Serendib needs pgvector 0.8 or newer.",
            hint="Install it on the server, or use the image pgvector/pgvector:pg18.",
            id="serendib.E001",
        )
        for alias, version in found
        if parsed(version) < PGVECTOR
    ]


def available_version(alias: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
        row = cursor.fetchone()
    return str(row[0]) if row else ""


def parsed(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
