"""Questions with a known answer, and how the experts of a study answered them."""

from django.conf import settings
from django.db import models

from annotation.models.assignments import Assignment
from annotation.models.batches import BatchQuestion
from backend.studies.models import Study


class KnownAnswer(models.Model):
    """The answer to a question that checks experts and is no part of the study's results.

    payload: to the complete item. explanation: for experts, where the study shows whether they were
    right.
    """

    entry = models.OneToOneField(BatchQuestion, models.CASCADE, related_name="known_answer")
    payload = models.JSONField()
    explanation = models.TextField(blank=True)


class CheckedAnswer(models.Model):
    """The first answer to an assignment with a known answer. is_right: None for 'not sure'."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="check_result")
    is_right = models.BooleanField(null=True)


class QualificationWaiver(models.Model):
    """A coordinator lets an expert answer without having passed the qualification."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="qualification_waivers")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "expert"], name="qualification_waived_once")
        ]
