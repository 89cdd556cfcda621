"""Which groundings are of a submission's rationales."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.evaluation.models.submissions import Submission


class SubmissionGrounding(models.Model):
    """The rationales of a submission, grounded with one verifier, graph and collection of papers.

    batch: of its groundings, one for each prediction with a rationale; they have the settings.
    requested_by: None for a command.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="groundings")
    batch = models.UUIDField(unique=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at"]
