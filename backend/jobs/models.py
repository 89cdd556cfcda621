"""Background jobs: one row per job, whatever its kind."""

import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils import timezone

from backend.accounts.models import User

# After this long without a heartbeat (JOB_HEARTBEAT_SECONDS), a worker has lost its lease.
LEASE_DURATION = timedelta(seconds=60)


class JobState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED_STATES = (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)
UNSUCCESSFUL_STATES = (JobState.FAILED, JobState.CANCELLED)

ALLOWED_TRANSITIONS: Mapping[JobState, frozenset[JobState]] = {
    JobState.QUEUED: frozenset({JobState.RUNNING, JobState.FAILED, JobState.CANCELLED}),
    # Back to queued: the worker died, or a fault of the platform is worth another attempt.
    JobState.RUNNING: frozenset({*ENDED_STATES, JobState.QUEUED}),
    # Its result files were lost since.
    JobState.SUCCEEDED: frozenset({JobState.FAILED}),
    JobState.FAILED: frozenset(),
    JobState.CANCELLED: frozenset(),
}


class JobQuerySet(models.QuerySet["Job"]):
    def active(self) -> Self:
        return self.exclude(state__in=ENDED_STATES)

    def waiting(self) -> Self:
        """Jobs that a worker may claim."""
        return self.filter(state=JobState.QUEUED, is_local=False)

    def abandoned(self) -> Self:
        """Jobs whose worker has stopped renewing its lease."""
        expired = Q(heartbeat_at=None) | Q(heartbeat_at__lt=timezone.now() - LEASE_DURATION)
        return self.filter(expired, state=JobState.RUNNING)

    def about(self, subject: str) -> Self:
        return self.filter(subjects__contains=[subject])


class Job(models.Model):
    """A computation or import that runs outside of a request.

    digest: equal for jobs that would do the same work; while one of them is active or has
        succeeded, there is no second. Empty: never shared.
    subjects: what the job is about, as 'type:identifier'; kinds and pages filter by them.
    is_local: runs in the command that created it, and never in a worker.
    version: grows with every change that a page shows.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=64)
    parameters = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, blank=True)
    subjects = ArrayField(models.CharField(max_length=120), default=list)
    owner = models.ForeignKey(User, models.PROTECT, null=True, related_name="jobs")
    is_local = models.BooleanField(default=False)

    state = models.CharField(max_length=16, choices=JobState.choices, default=JobState.QUEUED)
    phase = models.CharField(max_length=200, blank=True)
    percent = models.FloatField(default=0)
    estimated_end_at = models.DateTimeField(null=True)
    version = models.PositiveBigIntegerField(default=1)

    lease = models.UUIDField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    result = models.JSONField(default=dict)
    # {code, detail, errors: [{place, message, code, expected}]}, see backend.jobs.faults.
    error = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects: ClassVar[Any] = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["digest"],
                name="job_once_per_digest",
                condition=~Q(digest="") & ~Q(state__in=UNSUCCESSFUL_STATES),
            )
        ]
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="jobs_of_owner"),
            models.Index(fields=["kind", "-created_at"], name="jobs_of_kind"),
            models.Index(
                fields=["heartbeat_at"], name="jobs_active", condition=~Q(state__in=ENDED_STATES)
            ),
            GinIndex(fields=["subjects"], name="jobs_about"),
        ]

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED_STATES
