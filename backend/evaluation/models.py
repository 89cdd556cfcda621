"""Submissions of predictions, their evaluations and scores."""

import uuid
from collections.abc import Mapping
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from backend.accounts.models import Team, TeamMember, User
from backend.benchmarks.models import Item, Model, Question, Release, ReleaseSplit
from backend.evaluation.run_models import Run as Run  # so that Django finds it
from backend.evaluation.tool_models import ToolSession
from backend.studies.models import Study


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


class SubmissionState(models.TextChoices):
    QUEUED = "queued"
    SCORED = "scored"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


ALLOWED_TRANSITIONS: Mapping[SubmissionState, frozenset[SubmissionState]] = {
    SubmissionState.QUEUED: frozenset(
        {SubmissionState.SCORED, SubmissionState.FAILED, SubmissionState.WITHDRAWN}
    ),
    SubmissionState.SCORED: frozenset({SubmissionState.WITHDRAWN}),
    SubmissionState.FAILED: frozenset({SubmissionState.WITHDRAWN}),
    SubmissionState.WITHDRAWN: frozenset(),
}


class Provenance(models.TextChoices):
    """Set by the server alone."""

    EVALUATED = "evaluated", "evaluated here"
    REPRODUCED = "reproduced", "reproduced"
    SELF_REPORTED = "self_reported", "self-reported"
    BASELINE = "baseline", "baseline"


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def counted(self) -> Self:
        """Those that cost a query: on the test split, sent by a person, and not refunded."""
        return self.filter(
            split=ReleaseSplit.TEST,
            submitted_by__isnull=False,
            query_refunded_at=None,
            is_free=False,
            rescored_from=None,
        )

    def visible_to(self, user: User) -> Self:
        """A user's own, and those of their team's models."""
        teams = TeamMember.objects.current().filter(user=user).values("team")
        return self.filter(Q(submitted_by=user) | Q(model__team__in=teams))

    def standing(self) -> Self:
        return self.filter(is_standing=True, state=SubmissionState.SCORED)

    def ladder(self) -> Self:
        """Those that stood once: their figures were shown, also if they are withdrawn since.

        A withdrawn one that was free is left out; it is not scored again.
        """
        withdrawn = Q(state=SubmissionState.WITHDRAWN, is_free=False)
        return self.filter(Q(state=SubmissionState.SCORED) | withdrawn, is_improvement=True)


class Submission(models.Model):
    """A file of predictions by a model for one split of a release.

    file_digest: SHA-256 of the file as it was sent; predictions_digest: of its canonical rows,
        equal for equal predictions in any format or order.
    session: the tool calls on the release's graph that the predictions were made with.
    declared: what the submitter states: cost_usd, latency_s, hardware, sample, notes.
    team: that of the submitter at the time; its queries are counted together.
    is_standing: the one that the board shows of this model.
    is_final: chosen by the submitter before the closing; from then on it is the standing one.
    is_improvement: better than all figures of the model shown before it by more than the paired
        standard error (the Ladder); None before it is scored.
    is_free: made by an operator or on the dev split, so it costs no query.
    rescored_from: the submission to the release that this one corrects; all that is declared, its
        dates and its place in the Ladder come from there, and it costs no query.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    release = models.ForeignKey(Release, models.PROTECT, related_name="submissions")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    model = models.ForeignKey(Model, models.PROTECT, related_name="submissions")
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="submissions"
    )
    team = models.ForeignKey(Team, models.PROTECT, null=True, related_name="submissions")
    state = models.CharField(
        max_length=10, choices=SubmissionState.choices, default=SubmissionState.QUEUED
    )
    provenance = models.CharField(
        max_length=13, choices=Provenance.choices, default=Provenance.EVALUATED
    )
    file_name = models.CharField(max_length=255)
    file_digest = models.CharField(max_length=64)
    file_size = models.PositiveBigIntegerField()
    predictions_digest = models.CharField(max_length=64)
    declared = models.JSONField(default=dict)
    evaluation = models.ForeignKey(
        Evaluation, models.PROTECT, null=True, related_name="submissions"
    )
    session = models.ForeignKey(ToolSession, models.PROTECT, null=True, related_name="submissions")
    error = models.JSONField(null=True)
    rescored_from = models.OneToOneField(
        "self", models.PROTECT, null=True, related_name="rescored_as"
    )
    is_standing = models.BooleanField(default=False)
    is_final = models.BooleanField(default=False)
    is_improvement = models.BooleanField(null=True)
    is_free = models.BooleanField(default=False)
    query_refunded_at = models.DateTimeField(null=True)
    anonymous_until = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    withdrawal_reason = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "split", "model"],
                condition=Q(is_standing=True),
                name="one_standing_submission",
            ),
            models.UniqueConstraint(
                fields=["release", "split", "model"],
                condition=Q(is_final=True),
                name="one_final_submission",
            ),
            models.CheckConstraint(
                condition=Q(state=SubmissionState.SCORED, evaluation__isnull=False)
                | ~Q(state=SubmissionState.SCORED),
                name="scored_submission_has_evaluation",
            ),
            models.CheckConstraint(
                condition=Q(is_standing=False, is_final=False) | Q(state=SubmissionState.SCORED),
                name="standing_submission_is_scored",
            ),
        ]
        indexes = [
            models.Index(fields=["release", "submitted_by", "created_at"], name="submissions_of"),
            models.Index(fields=["predictions_digest"], name="submission_predictions"),
        ]

    @property
    def is_sample(self) -> bool:
        """Whether it declares to answer a part of the items only; then it is not ranked."""
        return bool(self.declared.get("sample"))

    @property
    def is_anonymous(self) -> bool:
        return self.anonymous_until is not None and self.anonymous_until > timezone.now()


class AnswerPool(models.Model):
    """The unjudged answers that the entries of a board rank high, as they were last counted.

    digest: SHA-256 of the items, the standing submissions with their evaluations, and the depth.
    answers: how many distinct ones are among the first `depth` of any entry; unjudged: those
    without a label, of which the first to judge are stored. is_partial: whether the board has more
    entries than are pooled.
    """

    release = models.ForeignKey(Release, models.CASCADE, related_name="pools")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    digest = models.CharField(max_length=64)
    depth = models.PositiveIntegerField()
    entries = models.PositiveIntegerField()
    answers = models.PositiveIntegerField()
    unjudged = models.PositiveIntegerField()
    is_partial = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "split"], name="one_pool_of_a_board")
        ]


class PooledAnswer(models.Model):
    """An answer to judge. Hidden: it is a part of the predictions of others.

    position: in the order of judging, from 1. answer: as predictions write it. effect: expected
    change of the order of the board by one verdict. ranks: by submission, from 1.
    """

    pool = models.ForeignKey(AnswerPool, models.CASCADE, related_name="pooled")
    position = models.PositiveIntegerField()
    item = models.ForeignKey(Item, models.CASCADE, related_name="+")
    answer = models.JSONField()
    chance = models.FloatField()
    effect = models.FloatField()
    ranks = models.JSONField()

    class Meta:
        ordering = ["pool_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "position"], name="pooled_position_once")
        ]


class EntryJudgement(models.Model):
    """How much of an entry's answers is judged, and what its main metric can be.

    evaluation: of the value and bounds; another one of the submission makes them outdated.
    judged: judged@k, a share; None for an entry without answers. low, high: over the pooled
    answers, see backend.science.answer_pools.favourable_verdicts.
    """

    pool = models.ForeignKey(AnswerPool, models.CASCADE, related_name="judgements")
    submission = models.ForeignKey(Submission, models.CASCADE, related_name="judgements")
    evaluation = models.ForeignKey(Evaluation, models.CASCADE, null=True, related_name="+")
    judged = models.FloatField(null=True)
    value = models.FloatField()
    low = models.FloatField()
    high = models.FloatField()


class PoolStudy(models.Model):
    """A study of a release's unjudged answers. corrected_as: the release that has its verdicts."""

    study = models.OneToOneField(Study, models.CASCADE, primary_key=True, related_name="pool_study")
    release = models.ForeignKey(Release, models.CASCADE, related_name="pool_studies")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    corrected_as = models.ForeignKey(
        Release, models.SET_NULL, null=True, related_name="verdict_studies"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]


class PoolStudyAnswer(models.Model):
    """What a question of such a study is about."""

    pool_study = models.ForeignKey(PoolStudy, models.CASCADE, related_name="answers")
    question = models.OneToOneField(Question, models.CASCADE, related_name="+")
    item_key = models.TextField()
    answer = models.JSONField()
