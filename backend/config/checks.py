from collections.abc import Iterable, Sequence

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

MIN_PGVECTOR = (0, 8)  # the first version with iterative scans, which filtered searches need


@register(Tags.database)
def check_pgvector(databases: Sequence[str] | None = None, **kwargs: object) -> list[CheckMessage]:
    """Run by migrate, so that an old server is reported before any table is created."""
    return version_errors([(alias, available_version(alias)) for alias in databases or ()])


def version_errors(versions: Iterable[tuple[str, str]]) -> list[CheckMessage]:
    """Of databases and their version of pgvector, "" where there is none."""
    return [
        Error(
            f"PostgreSQL ('{alias}') has {'pgvector ' + version if version else 'no pgvector'}; "
            f"Serendib needs pgvector 0.8 or newer.",
            hint="Install it on the server, or use the image pgvector/pgvector:pg18.",
            id="serendib.E001",
        )
        for alias, version in versions
        if tuple(int(part) for part in version.split(".") if part.isdigit()) < MIN_PGVECTOR
    ]


def available_version(alias: str) -> str:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
        row = cursor.fetchone()
    return str(row[0]) if row else ""
