"""Questions that an expert must not judge."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models

from backend.benchmarks.models import Question
from backend.studies.models import Study


class ConflictOfInterest(models.Model):
    """The expert never gets the question again. declared_by: the expert or a coordinator."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="conflicts")
    question = models.ForeignKey(Question, models.PROTECT, related_name="+")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    reason = models.TextField()
    declared_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    declared_at = models.DateTimeField(auto_now_add=True)

    @classmethod
    def questions_of(cls, study: Study, expert: uuid.UUID) -> models.QuerySet[Any, Any]:
        """As rows of `question`, for subqueries."""
        return cls.objects.filter(study=study, expert=expert).order_by().values("question")

    class Meta:
        ordering = ["declared_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "question", "expert"], name="conflict_once_per_question"
            )
        ]
