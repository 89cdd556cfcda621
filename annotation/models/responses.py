"""Every answer with its history, and the activity on the way to it."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models.assignments import Assignment
from annotation.models.batches import Batch

SKIPPED = "skipped"  # the outcome of a skipped assignment, in every study kind


class Status(models.TextChoices):
    """Where a response stands; the study kind's `outcome` is how it was submitted.

    draft: changed since the last submission, or never submitted.
    """

    UNTOUCHED = "untouched"
    DRAFT = "draft"
    SUBMITTED = "submitted"
    SKIPPED = "skipped"


class Action(models.TextChoices):
    """What a write does. Submitting and skipping make a revision."""

    SAVE = "save"
    SUBMIT = "submit"
    SKIP = "skip"


class ActivityKind(models.TextChoices):
    """Activity of every study kind; a kind adds its own."""

    OPENED = "opened"
    ACTIVE = "active"
    LINK_OPENED = "link_opened"
    DEFINITION_OPENED = "definition_opened"
    EVIDENCE_OPENED = "evidence_opened"
    EVIDENCE_VIEWED = "evidence_viewed"
    SUBMITTED = "submitted"
    SKIPPED = "skipped"
    REOPENED = "reopened"


class Response(models.Model):
    """An expert's current answer to one assignment. version counts accepted writes of it.

    A submitted answer that is changed again is a draft; its last revision counts until the next
    submission. The submitted_ fields repeat that revision's, so that progress is counted without
    reading the revisions. answer_ms is the active time at the first answer; a skip is no answer.
    """

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="response")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.UNTOUCHED)
    outcome = models.CharField(max_length=40, blank=True)
    payload = models.JSONField()
    active_ms = models.PositiveBigIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)
    submitted_number = models.PositiveIntegerField(default=0)
    submitted_outcome = models.CharField(max_length=40, blank=True)
    submitted_at = models.DateTimeField(null=True)
    answer_ms = models.PositiveBigIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(submitted_number=0, submitted_outcome="", submitted_at=None)
                | Q(submitted_number__gt=0, submitted_at__isnull=False) & ~Q(submitted_outcome=""),
                name="response_submitted_or_not",
            )
        ]


class RevisionManager(models.Manager["Revision"]):
    def get_queryset(self) -> models.QuerySet["Revision"]:
        return super().get_queryset().select_related("legacy")


class Revision(models.Model):
    """One submission of an answer. The newest counts; the database refuses to alter any.

    consent_version and guidelines_number: what the expert had agreed to when it was written; empty
    and None in submissions from before these were recorded, 0 where there were no guidelines.
    Submissions from before study kinds have no payload of their own: `answer` converts them.
    """

    response = models.ForeignKey(Response, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=40)
    payload = models.JSONField(null=True)
    active_ms = models.PositiveBigIntegerField(default=0)
    submitted_at = models.DateTimeField()
    consent_version = models.CharField(max_length=20, blank=True)
    guidelines_number = models.PositiveIntegerField(null=True)

    objects = RevisionManager()
    legacy: "LegacyRevision"

    class Meta:
        indexes = [models.Index(fields=["-submitted_at"])]
        constraints = [
            models.UniqueConstraint(fields=["response", "number"], name="revision_number_once"),
            models.CheckConstraint(condition=~Q(outcome=""), name="revision_has_an_outcome"),
        ]

    @property
    def status(self) -> Status:
        return Status.SKIPPED if self.outcome == SKIPPED else Status.SUBMITTED

    @property
    def answer(self) -> dict[str, Any]:
        payload: dict[str, Any] = self.legacy.payload if self.payload is None else self.payload
        return payload


class LegacyRevision(models.Model):
    """A database view: the payload of revisions that were written in columns of their own."""

    revision = models.OneToOneField(
        Revision, models.DO_NOTHING, primary_key=True, related_name="legacy"
    )
    payload = models.JSONField()

    class Meta:
        managed = False
        db_table = "annotation_legacy_revision"


class Event(models.Model):
    """One entry of an expert's activity log; the database refuses to alter it.

    Clients make the ids, so an id is unique only within a response, and sending an entry again
    changes nothing. Entries have no version: `response_version` is set only in entries from
    before the log was separate. `sequence` is the order of arrival; client_at is the device's
    clock; active_ms is the active time that the entry reports.
    """

    pk = models.CompositePrimaryKey("response", "id")
    id = models.UUIDField()
    response = models.ForeignKey(Response, models.PROTECT, related_name="events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    response_version = models.PositiveIntegerField(null=True)
    sequence = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    active_ms = models.PositiveBigIntegerField(default=0)
    client_at = models.DateTimeField()
    received_at = models.DateTimeField(default=timezone.now)
    interface = models.CharField(max_length=40)

    class Meta:
        indexes = [models.Index(fields=["response", "response_version", "sequence"])]


class BatchAgreement(models.Model):
    """The measures of a batch as a worker last computed them; version counts computations.

    revision_count: the batch's revisions at that time. With more by now, they are out of date.
    information: by question, that expected of one more answer, where pools draw by it.
    """

    batch = models.OneToOneField(Batch, models.CASCADE, related_name="agreement")
    statistics = models.JSONField()
    information = models.JSONField(default=dict)
    revision_count = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(auto_now=True)
