"""Checks whether a pinned judge of claims has drifted."""

import uuid

from django.db import models
from django.utils import timezone

from backend.llm.models import Endpoint

MAX_OCCASION = 200


class JudgeCheck(models.Model):
    """A judge's answers to a frozen set of claims, compared with its stored ones.

    model: the endpoint's then. frozen: the name of the set's file; frozen_digest: SHA-256 of it.
    occasion: whose answers are repeated at no cost; a check of the same one replaces it.
    claims: with people's verdicts. report: see judging.drift.DriftReport.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="judge_checks")
    model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=40)
    votes = models.PositiveIntegerField()
    frozen = models.CharField(max_length=255)
    frozen_digest = models.CharField(max_length=64)
    occasion = models.CharField(max_length=MAX_OCCASION)
    claims = models.PositiveIntegerField()
    has_drifted = models.BooleanField()
    report = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=[
                    *("endpoint", "model", "prompt_version", "votes"),
                    *("frozen_digest", "occasion"),
                ],
                name="judge_check_once_per_occasion",
            )
        ]
