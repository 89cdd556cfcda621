"""A study, who takes part, what each expert has to answer, and every answer she gave."""

import uuid
from typing import Self, TypedDict

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Cast, JSONObject

from backend.accounts.models import Invitation, User
from backend.benchmarks.models import Candidate, Question, QuestionSet


class StudyQuerySet(models.QuerySet["Study"]):
    def held(self, study_id: uuid.UUID) -> "Study":
        """As it is now, and stays until the transaction ends: closing it waits for that."""
        statement = "SELECT * FROM annotation_study WHERE id = %s FOR SHARE"
        return self.raw(statement, [study_id])[0]


class Study(models.Model):
    class Status(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    question_set = models.ForeignKey(QuestionSet, models.PROTECT, related_name="studies")
    is_demo = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = StudyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A person's role in a study; she may have both. Consent belongs to the expert's role."""

    class Role(models.TextChoices):
        EXPERT = "expert"
        COORDINATOR = "coordinator"

    study = models.ForeignKey(Study, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)
    consent_version = models.CharField(max_length=20, blank=True)
    consented_at = models.DateTimeField(null=True)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "user", "role"], name="member_once_per_role"),
            models.CheckConstraint(
                condition=Q(consented_at=None, consent_version="")
                | Q(consented_at__isnull=False) & ~Q(consent_version=""),
                name="member_consent_has_a_version",
            ),
        ]


class BatchQuerySet(models.QuerySet["Batch"]):
    def with_consent_of(self, user: User) -> Self:
        """consent_version: what she agreed to as an expert of the batch's study, if anything."""
        return self.annotate(consent_version=_consent(OuterRef("study"), user.id))


class Batch(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    name = models.TextField(blank=True)
    questions = models.ManyToManyField(Question, through="BatchQuestion", related_name="batches")

    objects = BatchQuerySet.as_manager()
    consent_version: str | None  # only there after with_consent_of

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="batch_number_once_per_study")
        ]


class BatchQuestion(models.Model):
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="entries")
    question = models.ForeignKey(Question, models.PROTECT, related_name="entries")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "question"], name="question_once_per_batch")
        ]


class StudyInvitation(models.Model):
    """An invitation to take part in a study, with the batches that come with accepting it."""

    invitation = models.OneToOneField(Invitation, models.CASCADE, related_name="for_study")
    study = models.ForeignKey(Study, models.CASCADE, related_name="invitations")
    batches = models.ManyToManyField(Batch, blank=True)


class Prior(TypedDict):
    """A candidate as far as the order that is shown first needs it."""

    id: str
    prior_rank: int


def _consent(study: OuterRef, user: OuterRef | uuid.UUID) -> Subquery:
    member = Member.objects.filter(study=study, user=user, role=Member.Role.EXPERT)
    return Subquery(member.values("consent_version"))


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def with_consent(self) -> Self:
        """consent_version: what the expert agreed to in this study, if anything."""
        return self.annotate(consent_version=_consent(OuterRef("study"), OuterRef("expert")))

    def with_prior(self) -> Self:
        """prior: the candidates' ids and prior ranks in the order of the file, in one row."""
        candidates = Candidate.objects.filter(question=OuterRef("question")).order_by("position")
        row = JSONObject(id=Cast("id", models.TextField()), prior_rank=F("prior_rank"))
        return self.annotate(prior=ArraySubquery(candidates.values_list(row)))

    def with_question(self) -> Self:
        """All that a page shows of them, in a number of queries that does not grow."""
        return self.select_related("question", "response", "study").prefetch_related(
            "question__candidates", "question__resources"
        )


class Assignment(models.Model):
    """One question for one expert."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="assignments")
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="assignments")
    question = models.ForeignKey(Question, models.PROTECT, related_name="assignments")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AssignmentQuerySet.as_manager()
    consent_version: str | None  # only there after with_consent
    prior: list[Prior]  # only there after with_prior

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "question", "expert"], name="assignment_once_per_expert"
            )
        ]
        indexes = [models.Index(fields=["expert", "batch"])]


class State(models.TextChoices):
    """Where an answer stands. Not looking, agreeing and changing are never confused.

    draft: something was changed and nothing submitted yet. confirmed: submitted, and the order
    equals the prior. changed: submitted, and it does not.
    """

    UNTOUCHED = "untouched"
    DRAFT = "draft"
    CONFIRMED = "confirmed"
    CHANGED = "changed"
    NOT_SURE = "not_sure"
    SKIPPED = "skipped"


ANSWERED = (State.CONFIRMED, State.CHANGED, State.NOT_SURE)
RANKED = (State.CONFIRMED, State.CHANGED)
SUBMITTED = (*ANSWERED, State.SKIPPED)


class Action(models.TextChoices):
    """What a write does. All but save make a revision."""

    SAVE = "save"
    AGREE = "agree"
    SUBMIT = "submit"
    NOT_SURE = "not_sure"
    SKIP = "skip"


class ReasonTag(models.TextChoices):
    """Why she ordered as she did; optional, any number."""

    NEW_TO_ME = "new_to_me"
    UNEXPECTED_MECHANISM = "unexpected_mechanism"
    CLINICALLY_USEFUL = "clinically_useful"
    WELL_KNOWN = "well_known"
    NOT_RELEVANT = "not_relevant"
    IMPLAUSIBLE = "implausible"


class UnsureReason(models.TextChoices):
    """Why she cannot order the candidates."""

    OUTSIDE_MY_FIELD = "outside_my_field"
    QUESTION_UNCLEAR = "question_unclear"
    CANDIDATES_UNKNOWN = "candidates_unknown"
    TOO_CLOSE = "too_close"
    OTHER = "other"


class EventKind(models.TextChoices):
    OPENED = "opened"
    MOVED = "moved"
    TIED = "tied"
    UNTIED = "untied"
    UNDONE = "undone"
    REDONE = "redone"
    CONFIDENCE = "confidence"
    REASONS = "reasons"
    COMMENT = "comment"
    LINK_OPENED = "link_opened"
    DEFINITION_OPENED = "definition_opened"
    AGREED = "agreed"
    SUBMITTED = "submitted"
    NOT_SURE = "not_sure"
    SKIPPED = "skipped"
    REOPENED = "reopened"


class Answer(models.Model):
    """What both the current response and its submitted revisions hold.

    ranking: ordered groups of candidate ids, a weak order over exactly the question's candidates.
    """

    ranking = models.JSONField()
    confidence = models.PositiveSmallIntegerField(null=True)
    reasons = ArrayField(models.CharField(max_length=40), default=list)
    comment = models.TextField(blank=True)
    unsure_reason = models.CharField(max_length=40, blank=True)
    active_ms = models.PositiveBigIntegerField(default=0)

    class Meta:
        abstract = True


class Response(Answer):
    """Her current answer to one assignment. version counts accepted writes of it: none while she
    only looked, which adds to active_ms and to the events.

    A submitted answer that is being changed again has state draft; its last revision still
    counts until the next is submitted. The submitted_ fields repeat that revision's, so that
    progress is counted without reading the revisions. answer_ms is the active time when she
    first answered; a skip is not an answer.
    """

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="response")
    state = models.CharField(max_length=10, choices=State.choices, default=State.UNTOUCHED)
    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)
    submitted_number = models.PositiveIntegerField(default=0)
    submitted_state = models.CharField(max_length=10, choices=State.choices, blank=True)
    submitted_at = models.DateTimeField(null=True)
    answer_ms = models.PositiveBigIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(confidence=None) | Q(confidence__gte=1, confidence__lte=5),
                name="response_confidence_one_to_five",
            ),
            models.CheckConstraint(
                condition=Q(submitted_number=0, submitted_state="", submitted_at=None)
                | Q(
                    submitted_number__gt=0,
                    submitted_state__in=SUBMITTED,
                    submitted_at__isnull=False,
                ),
                name="response_submitted_or_not",
            ),
        ]


class Revision(Answer):
    """One submission of an answer. The newest counts; the database refuses to alter any."""

    response = models.ForeignKey(Response, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices)
    submitted_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["-submitted_at"])]
        constraints = [
            models.UniqueConstraint(fields=["response", "number"], name="revision_number_once"),
            models.CheckConstraint(
                condition=Q(confidence=None) | Q(confidence__gte=1, confidence__lte=5),
                name="revision_confidence_one_to_five",
            ),
            models.CheckConstraint(condition=Q(state__in=SUBMITTED), name="revision_is_submitted"),
        ]


class Event(models.Model):
    """One thing an expert did; the database refuses to alter it.

    version and place put events in order whatever her clock says: the version of the answer that
    it led to or, where she only looked, left as it was; and how many of that version came before
    it. id and client_at are kept as her device told them; only within a response is an id unique.
    """

    pk = models.CompositePrimaryKey("response", "id")
    id = models.UUIDField()
    response = models.ForeignKey(Response, models.PROTECT, related_name="events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    version = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    kind = models.CharField(max_length=24, choices=EventKind.choices)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    client_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)
    interface = models.CharField(max_length=40)

    class Meta:
        indexes = [models.Index(fields=["response", "version", "place"])]


class BatchAgreement(models.Model):
    """The statistics of a batch as a worker last computed them; version counts computations.

    revisions: how many the batch had then. They are out of date when it has more by now.
    """

    batch = models.OneToOneField(Batch, models.CASCADE, related_name="agreement")
    statistics = models.JSONField()
    revisions = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField(auto_now=True)
