"""The demo graph: public knowledge about drug repurposing, imported once."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection

from backend.common.advisory_locks import AdvisoryLock
from backend.common.errors import Conflict, DomainError
from backend.graphs.import_service import ImportRequest, begin_import
from backend.graphs.models import Graph, Version
from backend.graphs.versions import import_jobs, version_ids_of
from backend.jobs.models import JobState
from backend.jobs.runner import run_job
from backend.jobs.services import recover_job

DEMO_NAME = "Drug repurposing demo"
DEMO_FOLDER = settings.FIXTURES / "graph"
DEMO_LOCK_ID = AdvisoryLock.DEMO_GRAPH.value
DEMO_METADATA = {
    "description": (
        "A small graph about drug repurposing, for trying out Serendib. "
        "Each edge cites the record or paper that supports it. Not medical advice."
    ),
    "licence": "Apache-2.0",
    "citation": "Serendib demo graph",
    "visibility": Graph.Visibility.PUBLIC,
    "is_demo": True,
}


def load_demo_graph() -> tuple[Version, bool]:
    """Return the latest version of the demo graph, and whether it was imported just now.

    It is imported again only when its files have changed.
    """
    graph = Graph.objects.filter(name=DEMO_NAME).first()
    if graph is not None and not graph.is_demo and graph.versions.ready().exists():
        raise Conflict(
            f"There is a graph named '{DEMO_NAME}' that is not the demo. Rename it first."
        )
    with _exclusive_lock():
        version = _get_current_version()
        return (version, False) if version is not None else (_import_demo(), True)


@contextmanager
def _exclusive_lock() -> Iterator[None]:
    """Hold the lock of demo loading; unfinished imports found then are dead, so requeue them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [DEMO_LOCK_ID])
    try:
        for job in import_jobs().active().filter(parameters__name=DEMO_NAME, owner=None):
            recover_job(job)
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [DEMO_LOCK_ID])


def _get_current_version() -> Version | None:
    done = import_jobs().filter(
        state=JobState.SUCCEEDED,
        parameters__name=DEMO_NAME,
        parameters__files=[_content_label()],
    )
    for job in done.order_by("-created_at"):
        version = Version.objects.ready().filter(pk__in=version_ids_of(job)).first()
        if version is not None:
            return version if version.folder.is_dir() else None
    return None


def _content_label() -> str:
    """The folder's name with a digest of its files."""
    digest = hashlib.sha256()
    for path in sorted(DEMO_FOLDER.rglob("*.csv")):
        digest.update(path.read_bytes())
    return f"{DEMO_FOLDER.name}@{digest.hexdigest()[:16]}"


def _import_demo() -> Version:
    job = begin_import(
        actor=None,
        import_request=ImportRequest(DEMO_NAME, "csv", metadata=DEMO_METADATA),
        files=[_content_label()],
    )
    run_job(job.pk, inputs={"paths": [DEMO_FOLDER]})
    job.refresh_from_db()
    if job.state != JobState.SUCCEEDED:
        reason = (job.error or {}).get("detail", "The import was stopped.")
        raise DomainError(f"The demo graph was not imported. {reason}")
    return Version.objects.get(pk__in=version_ids_of(job))
