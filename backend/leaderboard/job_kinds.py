"""The job that ranks the entries of a release after a change."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import list_models
from backend.evaluation.models import Submission, SubmissionState
from backend.evaluation.models.submissions import have_names
from backend.evaluation.services import STANDING
from backend.jobs.context import JobContext
from backend.jobs.models import Job, JobState
from backend.jobs.registry import JobRequest, job_kind
from backend.jobs.services import request_job
from backend.leaderboard.models import Standing
from backend.leaderboard.standings import compute_digest, standing_submissions, update_standing

RETRIED_AFTER = timedelta(minutes=10)
NOTHING = compute_digest([])


def request_missing_standings() -> None:
    """Also after a lost message, or when the date of an anonymous entry has come."""
    changed = Submission.objects.filter(evaluation__isnull=False).values_list("release", "split")
    for release_id, split in changed.order_by().distinct():
        release = Release.objects.get(pk=release_id)
        digest = compute_digest(standing_submissions(release, split))
        known = Standing.objects.filter(release=release, split=split).first()
        if (known.digest if known else NOTHING) != digest:
            parameters = {"release": str(release_id), "split": split}
            jobs = Job.objects.filter(kind=STANDING, parameters=parameters)
            failed = jobs.filter(state=JobState.FAILED, ended_at__gt=timezone.now() - RETRIED_AFTER)
            if not (jobs.active() | failed).exists():
                request_job(owner=None, request=JobRequest(STANDING, parameters))


def list_named_models() -> None:
    """Make models public whose result was on a draft, or anonymous until a date that has come."""
    named = Submission.objects.filter(have_names())
    unlisted = named.filter(
        state=SubmissionState.SCORED, is_improvement=True, model__listed_at=None
    )
    list_models(
        unlisted.exclude(release__state=Release.State.DRAFT).values_list("model", flat=True)
    )


def sweep() -> None:
    request_missing_standings()
    list_named_models()


@job_kind(STANDING, queue="quick", time_limit=timedelta(minutes=10), sweep=sweep)
def rank_entries(context: JobContext) -> Mapping[str, Any]:
    parameters = context.job.parameters
    release = Release.objects.get(pk=parameters["release"])
    context.report_progress("ranking entries", 0.1, is_forced=True)
    standing = update_standing(release, ReleaseSplit(parameters["split"]))
    return {"standing": standing.pk if standing else None}
