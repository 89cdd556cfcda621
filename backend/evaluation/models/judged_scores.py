"""Files of a model judge's scores from 1 to 5, which the ratings of a study correct."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.studies.models import Study


class JudgedScores(models.Model):
    """name: of the file. digest: SHA-256 of it. lines: its scores, see judging.corrected_scores."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="judged_scores")
    name = models.CharField(max_length=255)
    digest = models.CharField(max_length=64)
    lines = models.JSONField()
    stored_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "digest"], name="judged_scores_once")
        ]
