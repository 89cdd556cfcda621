"""The jobs of studies.

Each stores everything in one transaction, whose last step renews the lease: a job that was
cancelled or taken over stores nothing. A job whose worker died later finds what it stored.
"""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction

from annotation.archives import ArchiveInvalid, check_records, import_archive
from annotation.job_requests import ARCHIVE_IMPORT, FREEZING, require_importer
from annotation.kinds.registry import load_kind_jobs
from annotation.models import BatchQuestion, StudyRelease
from annotation.study_releases import freeze_study
from annotation.thread_digests import send_due_digests
from backend.accounts.models import User
from backend.common.errors import NotAllowed
from backend.graphs.uploads import remove_uploads, upload_path
from backend.jobs.context import JobContext
from backend.jobs.registry import job_kind
from backend.studies.models import Archive, Member, Study

Result = Mapping[str, Any]
load_kind_jobs()
READING_SHARE = 0.5  # of an import; the other half stores the answers and compares the export


@job_kind(FREEZING, queue="studies", time_limit=timedelta(minutes=30), sweep=send_due_digests)
def freeze(context: JobContext) -> Result:
    owner, parameters = _owner_or_raise(context), context.job.parameters
    of_job = StudyRelease.objects.filter(study=parameters["study"], slug=parameters["slug"])
    release = of_job.filter(created_at__gte=context.job.created_at).first()
    if release is None:
        context.report_progress("computing statistics and checksum", 0.1, is_forced=True)
        study_id = uuid.UUID(parameters["study"])
        with transaction.atomic():
            release = freeze_study(actor=owner, study_id=study_id, slug=parameters["slug"])
            context.report_progress("storing the release", 1)
    return {"slug": release.slug, "checksum": release.checksum}


@job_kind(
    ARCHIVE_IMPORT,
    queue="studies",
    time_limit=timedelta(minutes=30),
    clean_up=lambda job: remove_uploads(job.pk),
)
def import_study_archive(context: JobContext) -> Result:
    """Every line is read first, so that most faults are known before anything is stored."""
    owner = _owner_or_raise(context)
    require_importer(owner)
    archive = Archive.objects.filter(job=context.job.pk).first()
    study = _import(context, owner) if archive is None else archive.study
    return {
        "study": {"id": str(study.pk), "name": study.name},
        "experts": study.members.filter(role=Member.Role.EXPERT).count(),
        "questions": BatchQuestion.objects.filter(batch__study=study).count(),
        "assignments": study.assignments.count(),
    }


def _import(context: JobContext, owner: User) -> Study:
    parameters = context.job.parameters
    path = upload_path(context.job.pk, 0)
    size = path.stat().st_size or 1
    with path.open("rb") as file, _counting_faults(context):
        for _ in check_records(parameters["format"], file):
            context.report_progress("reading the file", READING_SHARE * file.tell() / size)
    context.report_progress("storing the answers", READING_SHARE, is_forced=True)
    with path.open("rb") as file, _counting_faults(context), transaction.atomic():
        imported = import_archive(
            actor=owner,
            name=parameters["name"],
            format_name=parameters["format"],
            file=file,
            job=context.job.pk,
        )
        context.report_progress("storing the answers", 1)
    return imported.study


@contextmanager
def _counting_faults(context: JobContext) -> Iterator[None]:
    """The error of a job lists the first faults alone."""
    try:
        yield
    except ArchiveInvalid as error:
        context.partial_result.update(error.data)
        raise


def _owner_or_raise(context: JobContext) -> User:
    owner = context.job.owner
    if owner is None or not owner.is_active:
        raise NotAllowed("The account that started this is closed. Start it again.")
    return owner
