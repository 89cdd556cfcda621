"""Entries that cannot be scored again, as their stored file of predictions is lost or damaged.

They hold nobody else: the board leaves them out with their reason, so that it has scores of one
version alone. Their earlier result stays at its address. Their query is given back, and a later
scoring takes those in whose file was restored.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from backend.benchmarks.models import Release
from backend.evaluation.models import Submission, SubmissionQuerySet, SubmissionState
from backend.evaluation.notifications import mail_result_on_commit
from backend.evaluation.services import get_origin
from backend.jobs.faults import PlatformFault, error_payload

LOST = "PLATFORM_FILE_LOST"


def leave_out(lost: Iterable[Submission]) -> None:
    """Also from the Ladder. The release's row must be locked. Raises as `require_files`."""
    for one in lost:
        require_files()
        row = Submission.objects.filter(pk=one.pk)
        row.filter(state=SubmissionState.WITHDRAWN).update(is_improvement=False)
        if row.scored().update(error=loss_of(one)):
            refund(one)
            one.refresh_from_db()
            mail_result_on_commit(one)


def leave_out_of_correction(
    release: Release, one: Submission, copy: Callable[..., Submission]
) -> None:
    """The one to the earlier release stays on its board; the copy has failed, once."""
    require_files()
    if one.state == SubmissionState.WITHDRAWN:
        leave_out([one])
    elif not Submission.objects.filter(rescored_from=one).exists():
        refund(one)
        one.refresh_from_db()
        failed = copy(
            one,
            release=release,
            state=SubmissionState.FAILED,
            error=loss_of(one),
            predictions_digest=one.predictions_digest,
            is_improvement=None,
        )
        failed.save(force_insert=True)
        mail_result_on_commit(failed)


def take_left_out(
    release: Release, restored: Sequence[Submission]
) -> Mapping[uuid.UUID, uuid.UUID]:
    """Remove failed copies, whose file is back; their keys are those of the new copies."""
    failed = Submission.objects.filter(
        release=release, rescored_from__in=restored, state=SubmissionState.FAILED
    )
    keys = {one.rescored_from_id: one.pk for one in failed if one.rescored_from_id}
    failed.delete()
    return keys


def require_files() -> None:
    """Raises PlatformFault if all files are missing: then a folder is, and no entry is lost."""
    if not any(Path(settings.PREDICTIONS).glob("??/*")):
        message = "The folder of predictions is empty. An administrator must restore it."
        raise PlatformFault("files_missing", message, is_retried=True)


def loss_of(submission: Submission) -> Mapping[str, Any]:
    detail = (
        f"The stored file of submission {submission.pk} is lost or damaged, so that it could not "
        "be scored again, and the board leaves it out. Submit it again."
    )
    return error_payload(PlatformFault("file_lost", detail))


def refund(submission: Submission) -> None:
    """That of the submission as it was submitted, if it cost one."""
    paid = Submission.objects.filter(pk=get_origin(submission).pk).counted()
    paid.update(query_refunded_at=timezone.now())


def left_out_submissions(release: Release) -> SubmissionQuerySet:
    """Those that may be scored once their file is restored, also for the corrected release."""
    own = Q(release=release, state=SubmissionState.SCORED, error__isnull=False)
    failed = Q(rescored_as__state=SubmissionState.FAILED, rescored_as__error__code=LOST)
    earlier = Q(release=release.corrects_id, state=SubmissionState.SCORED) & failed
    conditions = own | earlier if release.corrects_id else own
    return Submission.objects.filter(conditions).order_by("created_at", "pk")
