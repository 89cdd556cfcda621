"""The demo graph: public knowledge about drugs that found a second use, imported once."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection

from backend.common.errors import Conflict, DomainError
from backend.graphs.imports import Wanted, begin_import, give_back
from backend.graphs.models import Graph, GraphImport, State, Version
from backend.graphs.pipeline import run_import

NAME = "Drug repurposing demo"
FOLDER = settings.FIXTURES / "graph"
LOCK = 7_361_003  # of PostgreSQL's advisory locks: one loading at a time
ABOUT = {
    "description": (
        "A small graph about drugs that found a second use, written for trying Serendib out. "
        "Each edge names the record or paper where the fact can be read. Not medical advice."
    ),
    "licence": "Apache-2.0",
    "citation": "Serendib demo graph",
    "visibility": Graph.Visibility.PUBLIC,
    "is_demo": True,
}


def load_demo_graph() -> tuple[Version, bool]:
    """The newest version of the demo graph, and whether it was imported now.

    It is imported again only when its files are others than those of the last time.
    """
    graph = Graph.objects.filter(name=NAME).first()
    if graph is not None and not graph.is_demo and graph.versions.ready().exists():
        raise Conflict(f"There is a graph named '{NAME}' that is not the demo. Rename it first.")
    with _alone():
        found = _loaded()
        return (found, False) if found is not None else (_import(), True)


@contextmanager
def _alone() -> Iterator[None]:
    """One loading at a time; what another left under way is then known to be dead."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        for row in GraphImport.objects.unended().filter(name=NAME, actor=None):
            give_back(row)
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def _loaded() -> Version | None:
    done = GraphImport.objects.filter(
        name=NAME, files=[_marked()], state=State.DONE, version__ready_at__isnull=False
    )
    found = done.select_related("version").order_by("-created_at").first()
    version = found.version if found else None
    return version if version and version.folder.is_dir() else None


def _marked() -> str:
    """The folder's name with a mark of what is in it."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.csv")):
        digest.update(path.read_bytes())
    return f"{FOLDER.name}@{digest.hexdigest()[:16]}"


def _import() -> Version:
    row = begin_import(actor=None, wanted=Wanted(NAME, "csv", about=ABOUT), files=[_marked()])
    run_import(row.pk, [FOLDER])
    row.refresh_from_db()
    if row.state != State.DONE or row.version is None:
        said = row.report.get("error", {}).get("detail", "It was stopped.")
        raise DomainError(f"The demo graph was not imported. {said}")
    return row.version
