"""Answers of model judges, which are no responses: they count nowhere and no expert sees them."""

import uuid

from django.conf import settings
from django.db import models

from annotation.models.batches import BatchQuestion
from backend.studies.models import Study

MAX_JUDGE_NAME = 200


class Judge(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="judges")
    name = models.CharField(max_length=MAX_JUDGE_NAME)
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    imported_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="judge_once_per_study")
        ]


class JudgeAnswer(models.Model):
    """order: the level of the kind's balanced arm, empty without one. payload: to the item as it
    is shown in this order."""

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="answers")
    entry = models.ForeignKey(BatchQuestion, models.CASCADE, related_name="judge_answers")
    order = models.CharField(max_length=40, blank=True)
    outcome = models.CharField(max_length=40)
    payload = models.JSONField()
    rationale = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "entry", "order"], name="judge_answers_once_per_order"
            )
        ]
