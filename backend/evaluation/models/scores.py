"""Evaluations of predictions, their scores, and what became of their queries."""

import uuid

from django.db import models
from django.db.models import Q

from backend.benchmarks.models import Release, ReleaseSplit


class Evaluation(models.Model):
    """One scoring of predictions. Never changes: the same key gives the same scores.

    key: SHA-256 of the predictions' digest, the release's digest, the split, the evaluator's track
        and version, and the seed. The components of all items are an array file of this name.
    answered: how many of the `items` of the split have a prediction.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=64, unique=True)
    release = models.ForeignKey(Release, models.PROTECT, related_name="evaluations")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    predictions_digest = models.CharField(max_length=64)
    evaluator_version = models.CharField(max_length=20)
    seed = models.PositiveBigIntegerField()
    items = models.PositiveIntegerField()
    answered = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["release", "predictions_digest"], name="evaluation_of")]


class IntervalReason(models.TextChoices):
    """Why an interval is approximate (few clusters) or missing (too few, or a value of 0/0)."""

    FEW_CLUSTERS = "few_clusters"
    TOO_FEW_CLUSTERS = "too_few_clusters"
    UNDEFINED = "undefined"


class Score(models.Model):
    """A metric over a slice: value and 95 % interval in the metric's unit, n items.

    method: of the interval. reason: why there is no interval.
    """

    evaluation = models.ForeignKey(Evaluation, models.CASCADE, related_name="scores")
    metric = models.CharField(max_length=60)
    slice = models.CharField(max_length=60)
    value = models.FloatField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n = models.PositiveIntegerField()
    clusters = models.PositiveIntegerField()
    coverage = models.FloatField()
    method = models.CharField(max_length=20, blank=True)
    reason = models.CharField(max_length=40, blank=True)

    @property
    def interval_reason(self) -> str:
        """Empty for an interval that is not approximate."""
        return IntervalReason.FEW_CLUSTERS if self.method == "jackknife" else self.reason

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evaluation", "metric", "slice"], name="score_once_per_slice"
            ),
            models.CheckConstraint(
                condition=Q(low=None, high=None) | Q(low__isnull=False, high__isnull=False),
                name="score_interval_complete",
            ),
        ]


class QueryOutcome(models.Model):
    """What became of the queries of an evaluation's predictions.

    failures: item, kind and message of each query that was not executed, in the order of the file.
    """

    evaluation = models.OneToOneField(
        Evaluation, models.CASCADE, primary_key=True, related_name="query_outcome"
    )
    queries = models.PositiveIntegerField()
    failures = models.JSONField()
