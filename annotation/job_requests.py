"""Requests for the jobs of studies: freezing one, and importing one with its answers."""

import uuid

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from annotation.archives import check_import
from annotation.study_releases import check_can_freeze
from backend.accounts.models import User
from backend.common.errors import NotAllowed
from backend.graphs.uploads import remove_uploads, store_uploads
from backend.jobs.registry import JobRequest
from backend.jobs.services import RequestedJob, request_job
from backend.studies.policies import get_coordinated_study_or_raise, may_import_studies

FREEZING = "study-freeze"
ARCHIVE_IMPORT = "study-archive-import"


def request_freezing(*, actor: User, study_id: uuid.UUID, slug: str) -> RequestedJob:
    """Raises at once what can be known before the work, such as Conflict for an open study."""
    study = get_coordinated_study_or_raise(actor, study_id)
    check_can_freeze(study, slug)
    request = JobRequest(
        kind=FREEZING,
        parameters={"study": str(study.pk), "name": study.name, "slug": slug},
        subjects=[f"study:{study.pk}"],
    )
    return request_job(owner=actor, request=request)


def require_importer(actor: User) -> None:
    if not may_import_studies(actor):
        raise NotAllowed("Only administrators and coordinators can import a study.")


def request_archive_import(
    *, actor: User, name: str, format_name: str, file: "UploadedFile[bytes]"
) -> RequestedJob:
    require_importer(actor)
    check_import(name, format_name)
    request = JobRequest(kind=ARCHIVE_IMPORT, parameters={"name": name, "format": format_name})
    store_uploads(request.id, [file])
    try:
        with transaction.atomic():
            return request_job(owner=actor, request=request)
    except BaseException:
        remove_uploads(request.id)
        raise
