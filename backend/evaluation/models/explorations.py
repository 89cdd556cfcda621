"""Guided explorations: what a run has walked from each root."""

from decimal import Decimal

from django.db import models
from django.utils import timezone

from backend.evaluation.models.runs import Run
from backend.llm.models.budgets import money_field


class Exploration(models.Model):
    """One root of a run, as it was after its last phase.

    item_key: of the run's item, `dev:12`; its requests have this key with `#` and the step.
    state: of `serenqa_exploration.guided_state`; digest: of its JSON. level: the one that is worked
    on. ending: why it ended, empty before. calls to cost: of all requests so far.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="explorations")
    item_key = models.CharField(max_length=100)
    state = models.JSONField()
    digest = models.CharField(max_length=64)
    level = models.PositiveSmallIntegerField()
    has_ended = models.BooleanField(default=False)
    ending = models.CharField(max_length=20, blank=True)
    leaves = models.PositiveSmallIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    is_retried = models.BooleanField(default=False)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    latency_ms = models.PositiveIntegerField(default=0)
    cost = money_field(default=Decimal(0))
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "item_key"], name="exploration_once_for_a_root")
        ]
