"""Requests of imports of papers. An import is a job of kind `paper-import`."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from backend.accounts.models import User
from backend.common.advisory_locks import AdvisoryLock, lock_in_transaction
from backend.common.errors import Conflict, DomainError
from backend.graphs.importers.common.record_builder import CONTROL_CHARACTERS, excerpt
from backend.graphs.literature.collections import PaperImport
from backend.graphs.policies import require_importer
from backend.graphs.uploads import remove_uploads, store_uploads
from backend.jobs.models import Job, JobQuerySet
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job
from backend.validation.faults import Fault

PAPER_IMPORT = "paper-import"
MAX_CONCURRENT_IMPORTS = 3
MAX_NAME, MAX_SOURCE = 200, 2_000


def paper_import_jobs() -> JobQuerySet:
    jobs: JobQuerySet = Job.objects.filter(kind=PAPER_IMPORT)
    return jobs


def request_of(job: Job) -> PaperImport:
    names = PaperImport.__dataclass_fields__
    return PaperImport(**{name: job.parameters[name] for name in names})


def request_paper_import(
    *, actor: User, request: PaperImport, files: Sequence[UploadedFile[bytes]]
) -> Job:
    """Store the uploaded files and queue the import."""
    require_importer(actor)
    job_id = uuid.uuid4()
    store_uploads(job_id, files)
    names = [excerpt(file.name or "file") for file in files]
    try:
        return _create_job(job_id, actor, request, names, is_local=False)
    except Conflict:
        remove_uploads(job_id)
        raise


def begin_paper_import(*, actor: User | None, request: PaperImport, files: Sequence[str]) -> Job:
    """Create an import of local files, which the caller then runs itself (a command)."""
    return _create_job(uuid.uuid4(), actor, request, files, is_local=True)


@transaction.atomic
def _create_job(
    job_id: uuid.UUID,
    actor: User | None,
    request: PaperImport,
    names: Sequence[str],
    *,
    is_local: bool,
) -> Job:
    """Allow one import at a time into a name, and a few at a time for one user."""
    _check_texts(request)
    lock_in_transaction(AdvisoryLock.PAPER_IMPORTS)
    active = paper_import_jobs().active()
    if active.filter(parameters__name=request.name).exists():
        raise Conflict(f"An import into '{request.name}' is running. Wait until it has finished.")
    if actor is not None and active.filter(owner=actor).count() >= MAX_CONCURRENT_IMPORTS:
        raise Conflict(
            f"{MAX_CONCURRENT_IMPORTS} of your imports are running. Wait until one has finished."
        )
    parameters = {**asdict(request), "files": list(names)}
    job_request = JobRequest(PAPER_IMPORT, parameters, id=job_id)
    return request_job(owner=actor, request=job_request, is_local=is_local).job


def _check_texts(request: PaperImport) -> None:
    for field, text, most in (
        ("name", request.name, MAX_NAME),
        ("licence", request.licence, MAX_NAME),
        ("source", request.source, MAX_SOURCE),
    ):
        is_missing = field != "source" and not text.strip()
        if is_missing or len(text) > most or CONTROL_CHARACTERS.search(text):
            expected = f"one line of at most {most:,} characters"
            message = f"The {field} is empty, too long or has control characters."
            raise DomainError(message, faults=[Fault(field, message, expected=expected)])
