"""What ends with a rescoring that fails: a correction with its draft, submissions that wait."""

from django.db import transaction
from django.db.models import ProtectedError

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.release_deletion import delete_rows
from backend.evaluation.models import PoolStudy
from backend.evaluation.notifications import mail_failed_correction_on_commit
from backend.evaluation.rescoring import lock_release, waiting_submissions
from backend.evaluation.services import RESCORING, fail_submission
from backend.jobs.faults import PlatformFault, error_payload
from backend.jobs.models import UNSUCCESSFUL_STATES, Job


@transaction.atomic
def end_correction(release: Release, reason: str, *, owner: User | None) -> str:
    """Let the earlier release be corrected otherwise; what was done, in words.

    The draft is deleted, or parted from the earlier release if something refers to it by now.
    """
    locked = lock_release(release)
    earlier = locked.corrects
    if earlier is None or locked.state != Release.State.DRAFT:
        return reason
    done = "was deleted"
    if not delete_unused(locked):
        done = "stays as a draft that corrects nothing"
        PoolStudy.objects.filter(corrected_as=locked).update(corrected_as=None)
        locked.corrects = None
        locked.version += 1
        locked.save(update_fields=["corrects", "version"])
    detail = f"{reason} The correction '{locked.slug}' {done}. Correct '{earlier.slug}' otherwise."
    mail_failed_correction_on_commit(owner or earlier.created_by, earlier.name, detail)
    return detail


def delete_unused(release: Release) -> bool:
    """False if submissions, sessions or masked graphs of it exist already."""
    if release.graphs.exists():
        return False
    try:
        with transaction.atomic():
            delete_rows(release)
    except ProtectedError:
        return False
    return True


def end_waiting(job: Job) -> None:
    """After the last attempt: submissions that wait for one evaluator version have failed.

    Their error names the job. Unless another one was requested meanwhile, which they wait for.
    """
    release = Release.objects.filter(pk=job.parameters["release"]).first()
    if release is None or job.state not in UNSUCCESSFUL_STATES:
        return
    if Job.objects.active().filter(kind=RESCORING).about(release.subject).exists():
        return
    fault = PlatformFault(
        "rescoring_failed",
        "The entries of this release could not be scored by the present evaluator, so that this "
        "one cannot be compared with them. Submit it again later.",
    )
    error = {**error_payload(fault), "job": str(job.pk)}
    for one in waiting_submissions(release):
        fail_submission(submission_id=one.pk, error=error, is_refunded=True)
