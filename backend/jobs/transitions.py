"""The state machine of jobs: every write to a job that is under way, by compare-and-set."""

import uuid
from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from backend.common.queue import publish
from backend.jobs.faults import LeaseLost
from backend.jobs.models import ALLOWED_TRANSITIONS, Job, JobState

ADMINISTRATORS_GROUP = "jobs.all"


def owner_group(user_id: uuid.UUID) -> str:
    return f"jobs.owner.{user_id}"


def job_group(job_id: uuid.UUID) -> str:
    return f"jobs.job.{job_id}"


def transition(job: Job, to: JobState, **fields: Any) -> None:
    """The only way from one state to another: along ALLOWED_TRANSITIONS, and only for the holder
    of the lease. Raises LeaseLost."""
    sources = [state for state, targets in ALLOWED_TRANSITIONS.items() if to in targets]
    _compare_and_set(job, sources, {"state": to, "heartbeat_at": timezone.now(), **fields})


def update_running(job: Job, **fields: Any) -> None:
    """Write progress or subjects of a running job; also a heartbeat. Raises LeaseLost."""
    _compare_and_set(job, [JobState.RUNNING], {"heartbeat_at": timezone.now(), **fields})


def _compare_and_set(job: Job, states: Collection[str], changes: Mapping[str, Any]) -> None:
    row = Job.objects.filter(pk=job.pk, state__in=states, lease=job.lease)
    if not row.update(**changes, version=F("version") + 1):
        raise LeaseLost
    for name, value in changes.items():
        setattr(job, name, value)
    job.version += 1
    notify_on_commit(job)


def notify_on_commit(job: Job) -> None:
    """Announce the job's id and version to open pages, which then read it over HTTP."""
    groups = [ADMINISTRATORS_GROUP, job_group(job.pk)]
    if job.owner_id is not None:
        groups.append(owner_group(job.owner_id))
    event = {"what": "job", "id": str(job.pk), "version": job.version}

    def send() -> None:
        # Without a channel layer, the first failure stands for all.
        all(publish(group, **event) for group in groups)

    transaction.on_commit(send)
