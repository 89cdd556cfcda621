"""Runs: a language model answers the items of a release."""

import uuid
from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.benchmarks.models import Model, Question, Release
from backend.jobs.models import Job
from backend.llm.models import Endpoint


class RunState(models.TextChoices):
    ESTIMATING = "estimating"
    ESTIMATED = "estimated"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"
    CANCELLED = "cancelled"
    FAILED = "failed"


ALLOWED_RUN_TRANSITIONS: Mapping[RunState, frozenset[RunState]] = {
    RunState.ESTIMATING: frozenset({RunState.ESTIMATED, RunState.FAILED, RunState.CANCELLED}),
    RunState.ESTIMATED: frozenset({RunState.RUNNING, RunState.CANCELLED}),
    RunState.RUNNING: frozenset(
        {RunState.PAUSED, RunState.ENDED, RunState.FAILED, RunState.CANCELLED}
    ),
    RunState.PAUSED: frozenset({RunState.RUNNING, RunState.CANCELLED}),
    RunState.FAILED: frozenset({RunState.ESTIMATING, RunState.RUNNING, RunState.CANCELLED}),
    RunState.ENDED: frozenset(),
    RunState.CANCELLED: frozenset(),
}


class Run(models.Model):
    """One model task over the items of a release, at one endpoint.

    Its calls are those of the budget `run:<id>`. owner: None for a command. model: its predictions
    are submitted under. settings: temperature, max_items, split (empty for both). prompt_version:
    of the task's prompt when the run was made; another one cannot resume it.
    estimate: from sample items, see runs.estimates. job: the last one that worked on it.
    failures: items without an answer whose faults may pass, by item key: outcome and reason; the
    ledger has the others. error: why it failed or was paused, as a job's error.
    submissions: one for each split. version: grows with every change of state.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    release = models.ForeignKey(Release, models.PROTECT, related_name="runs")
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="runs")
    task = models.CharField(max_length=80)
    prompt_version = models.CharField(max_length=40)
    model = models.ForeignKey(Model, models.PROTECT, related_name="runs")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="model_runs"
    )
    settings = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.ESTIMATING)
    version = models.PositiveBigIntegerField(default=1)
    items = models.PositiveIntegerField(default=0)
    estimate = models.JSONField(null=True)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    failures = models.JSONField(default=dict)
    error = models.JSONField(null=True)
    submissions = models.ManyToManyField("evaluation.Submission", related_name="runs")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["owner", "-created_at"], name="runs_of_owner")]

    @property
    def subject(self) -> str:
        """Of its budget and its jobs."""
        return f"run:{self.pk}"

    @property
    def is_of_command(self) -> bool:
        return self.owner_id is None


class CandidateScoring(models.Model):
    """Scores that one language model gave to the candidates of a question, for SerenQA's ensemble.

    model: the endpoint's. cache_epoch: of the endpoint at that time; where it has another one now,
    another model is behind the name, and the scores are used no more. scores: by the position of
    the candidate, from 0 to 20, all different.
    """

    question = models.ForeignKey(Question, models.CASCADE, related_name="scorings")
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="scorings")
    model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=40)
    cache_epoch = models.PositiveIntegerField(default=0)
    scores = models.JSONField()
    is_retried = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "model", "prompt_version"], name="scoring_once_per_model"
            )
        ]
