"""Submissions of predictions, and the states that they go through."""

import uuid
from collections.abc import Mapping
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from backend.accounts.models import Team, TeamMember, User
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.evaluation.models.scores import Evaluation
from backend.evaluation.models.tool_sessions import ToolSession


class SubmissionState(models.TextChoices):
    QUEUED = "queued"
    SEALED = "sealed"
    SCORED = "scored"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


ALLOWED_TRANSITIONS: Mapping[SubmissionState, frozenset[SubmissionState]] = {
    SubmissionState.QUEUED: frozenset(
        {SubmissionState.SCORED, SubmissionState.FAILED, SubmissionState.WITHDRAWN}
    ),
    SubmissionState.SEALED: frozenset({SubmissionState.WITHDRAWN}),
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


IS_SAMPLE = Q(declared__has_key="sample") & ~Q(declared__sample="")


def have_names(relation: str = "") -> Q:
    """Submissions that are not anonymous, or no longer. relation: the prefix that leads to them."""
    until = f"{relation}anonymous_until"
    return Q(**{until: None}) | Q(**{f"{until}__lte": timezone.now()})


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

    def entered_by(self, user: User) -> Self:
        """Those that a user submitted, whoever submitted them for a model of theirs, and those of
        teams that they are in or left later; also withdrawn ones."""
        is_since = Q(left_at=None) | Q(left_at__gt=OuterRef("created_at"))
        members = TeamMember.objects.filter(is_since, user=user)
        own = (
            Q(submitted_by=user)
            | Q(model__owner=user)
            | Exists(members.filter(team=OuterRef("team")))
            | Exists(members.filter(team=OuterRef("model__team")))
        )
        return self.filter(own).exclude(state=SubmissionState.FAILED)

    def scored(self) -> Self:
        """Without those that are left out since, see `error`."""
        return self.filter(state=SubmissionState.SCORED, error__isnull=True)

    def standing(self) -> Self:
        return self.scored().filter(is_standing=True)

    def without_samples(self) -> Self:
        """As `Submission.is_sample`."""
        return self.exclude(IS_SAMPLE)

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
    declared: what the submitter states: cost_usd, latency_s, hardware, sample, method,
        notes, knowledge_until. method: how the predictions were made.
    error: why it failed, and the `job` that did. Of a scored one: why it could not be scored again;
        the board leaves it out, and its evaluation is the earlier one.
    team: that of the submitter at the time; its queries are counted together.
    is_standing: the one that the board shows of this model; a sample only while the model has no
        other.
    is_final: chosen by the submitter before the closing; from then on it is the standing one.
    is_improvement: better than all figures of the model shown before it by more than the paired
        standard error (the Ladder); None before it is scored.
    is_free: made by an operator or on the dev split, so it costs no query.
    rescored_from: the submission to the release that this one corrects; all that is declared, its
        dates and its place in the Ladder come from there, and it costs no query.
    unsealed_from: the sealed submission whose predictions it has, with its date; it is free. A
        sealed one never has an evaluation.
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
    unsealed_from = models.ForeignKey("self", models.PROTECT, null=True, related_name="unsealed_as")
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
            models.CheckConstraint(
                condition=Q(evaluation=None) | ~Q(state=SubmissionState.SEALED),
                name="sealed_submission_has_no_evaluation",
            ),
            models.UniqueConstraint(
                fields=["release", "unsealed_from"],
                condition=Q(unsealed_from__isnull=False),
                name="unsealed_once_per_release",
            ),
        ]
        indexes = [
            models.Index(fields=["release", "submitted_by", "created_at"], name="submissions_of"),
            models.Index(fields=["predictions_digest"], name="submission_predictions"),
        ]

    @property
    def is_sample(self) -> bool:
        """Whether it declares to answer a part of the items, or to be one of several answers to
        them; then it is not ranked."""
        return bool(self.declared.get("sample"))

    @property
    def is_left_out(self) -> bool:
        """Whether its file was lost before it could be scored again."""
        return self.state == SubmissionState.SCORED and self.error is not None

    @property
    def is_on_board(self) -> bool:
        return self.is_standing and not self.is_left_out

    @property
    def is_anonymous(self) -> bool:
        return self.anonymous_until is not None and self.anonymous_until > timezone.now()
