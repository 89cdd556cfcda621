"""What all requests have that one job works off with calls of models, within one budget."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.jobs.models import Job


class RequestState(models.TextChoices):
    QUEUED = "queued"
    ENDED = "ended"
    FAILED = "failed"


class PaidRequest(models.Model):
    """owner: None for a command, which finds what it began by the digest of its options. job: that
    works on it, or did last. budget_prefix: of the subjects of these budgets."""

    budget_prefix: ClassVar[str]
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="%(class)s_requests"
    )
    digest = models.CharField(max_length=64, blank=True)
    state = models.CharField(
        max_length=10, choices=RequestState.choices, default=RequestState.QUEUED
    )
    error = models.JSONField(null=True)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-created_at"]

    @property
    def subject(self) -> str:
        """Of its budget."""
        return f"{self.budget_prefix}{self.pk}"
