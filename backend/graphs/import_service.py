"""Requests of graph imports. An import is a job of kind `graph-import`; import_job.py runs it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from backend.accounts.models import User
from backend.common.advisory_locks import AdvisoryLock, lock_in_transaction
from backend.common.errors import Conflict
from backend.graphs.importers.common.record_builder import excerpt
from backend.graphs.importers.registry import get_format_or_raise
from backend.graphs.models import Graph
from backend.graphs.policies import may_change_graph, require_importer
from backend.graphs.uploads import delete_orphan_uploads, remove_uploads, store_uploads
from backend.graphs.versions import (
    GRAPH_IMPORT,
    delete_abandoned_versions,
    delete_orphan_snapshots,
    import_jobs,
)
from backend.jobs.models import Job
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job

MAX_CONCURRENT_IMPORTS = 3


@dataclass(frozen=True)
class ImportRequest:
    """Parameters of an import. `metadata` goes to the graph: licence, visibility and so on."""

    name: str
    format: str = ""
    column_mapping: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False


def request_import(
    *, actor: User, import_request: ImportRequest, files: Sequence[UploadedFile[bytes]]
) -> Job:
    """Store the uploaded files and queue the import."""
    require_importer(actor)
    job_id = uuid.uuid4()
    _check_request(actor, import_request)
    store_uploads(job_id, files)
    names = [excerpt(file.name or "file") for file in files]
    try:
        return _create_job(job_id, actor, import_request, names, is_local=False)
    except Conflict:
        remove_uploads(job_id)
        raise


def begin_import(*, actor: User | None, import_request: ImportRequest, files: Sequence[str]) -> Job:
    """Create an import of local files, which the caller then runs itself (a command)."""
    _check_request(actor, import_request)
    return _create_job(uuid.uuid4(), actor, import_request, files, is_local=True)


def delete_import_leftovers() -> None:
    """Delete versions and snapshots that no active import needs, and uploads of no active job."""
    delete_abandoned_versions()
    delete_orphan_snapshots()
    delete_orphan_uploads(set(Job.objects.active().values_list("id", flat=True)))


def _check_request(actor: User | None, request: ImportRequest) -> None:
    if request.format:
        get_format_or_raise(request.format)
    graph = Graph.objects.filter(name=request.name).first()
    if graph is not None and actor is not None and not may_change_graph(actor, graph):
        raise Conflict("A graph with this name already exists. Choose another name.")


@transaction.atomic
def _create_job(
    job_id: uuid.UUID,
    actor: User | None,
    request: ImportRequest,
    names: Sequence[str],
    *,
    is_local: bool,
) -> Job:
    _check_concurrency(actor, request)
    parameters = {
        "name": request.name,
        "format": request.format,
        "columns": dict(request.column_mapping),
        "metadata": dict(request.metadata),
        "dry_run": request.dry_run,
        "files": list(names),
    }
    job_request = JobRequest(GRAPH_IMPORT, parameters, id=job_id)
    return request_job(owner=actor, request=job_request, is_local=is_local).job


def _check_concurrency(actor: User | None, request: ImportRequest) -> None:
    """Allow one import at a time into a graph, and a few at a time for one user."""
    lock_in_transaction(AdvisoryLock.GRAPH_IMPORTS)
    active = import_jobs().active()
    same = active.filter(parameters__name=request.name, parameters__dry_run=False)
    if not request.dry_run and same.exists():
        raise Conflict(f"An import into '{request.name}' is running. Wait until it has finished.")
    if actor is not None and active.filter(owner=actor).count() >= MAX_CONCURRENT_IMPORTS:
        raise Conflict(
            f"{MAX_CONCURRENT_IMPORTS} of your imports are running. Wait until one has finished."
        )
