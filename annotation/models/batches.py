"""Batches of a study, and how the study shows and assigns their questions."""

import uuid
from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import JSONObject

from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.studies.models import GuidelineVersion, Member, Study, StudyInvitation
from backend.studies.models.studies import MAX_TAG_LENGTH
from backend.studies.policies import up_to_date_members

SEED_BITS = 31
MAX_ADAPTIVE_SHARE = 0.8  # the rest is left to chance, for reliability


class StudyDesign(models.Model):
    """How a study assigns and shows its questions; a study without one has the defaults.

    arm_shares: by arm, the share of each level that is not the first, such as
    {"prior": {"hidden": 0.5}}. seed: of all that is drawn by chance. overlap: how many experts
    answer each question of a pool; None where whole batches are assigned. adaptive_share: of the
    draws from a pool, those of the question that informs most. repeat_share: of an
    expert's answered questions, those that come again in a later visit. gold_share: of what an
    expert gets, questions with a known answer. qualification_items: questions with a known answer
    that an expert answers first, of which qualification_minimum must be right.
    """

    class GoldFeedback(models.TextChoices):
        """When an expert learns whether a gold answer was right."""

        NEVER = "never"
        EACH = "each"
        BATCH_END = "batch_end"

    study = models.OneToOneField(Study, models.CASCADE, related_name="design")
    seed = models.PositiveBigIntegerField(default=0)
    arm_shares = models.JSONField(default=dict)
    overlap = models.PositiveSmallIntegerField(null=True)
    lease_minutes = models.PositiveIntegerField(default=60)
    adaptive_share = models.FloatField(default=0.0)
    repeat_share = models.FloatField(default=0)
    gold_share = models.FloatField(default=0.05)
    gold_feedback = models.CharField(
        max_length=9, choices=GoldFeedback.choices, default=GoldFeedback.NEVER
    )
    qualification_items = models.PositiveSmallIntegerField(default=0)
    qualification_minimum = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(overlap=None) | Q(overlap__gt=0), name="design_overlap_of_one_or_more"
            ),
            models.CheckConstraint(
                condition=Q(adaptive_share__gte=0, adaptive_share__lte=MAX_ADAPTIVE_SHARE),
                name="design_adaptive_share",
            ),
        ]


class BatchQuerySet(models.QuerySet["Batch"]):
    def with_consent_of(self, user: User) -> Self:
        """Annotate consent_version: what the user agreed to as an expert of the batch's study, if
        nothing newer has to be read."""
        return self.annotate(consent_version=consent_subquery(OuterRef("study"), user.id))

    def with_guidelines(self) -> Self:
        """Annotate guidelines: number, text and date of the study's newest ones."""
        newest = GuidelineVersion.objects.filter(study=OuterRef("study")).order_by("-number")
        shown = JSONObject(number="number", text="text", created_at="created_at")
        return self.annotate(guidelines=Subquery(newest.values_list(shown)[:1]))


class Batch(models.Model):
    """A group of questions that is assigned as a whole. Accepting an invitation that names
    batches assigns them. needed_tags: in a pool, experts without one of these get no question."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    name = models.TextField(blank=True)
    questions = models.ManyToManyField(Question, through="BatchQuestion", related_name="batches")
    invitations = models.ManyToManyField(StudyInvitation, blank=True, related_name="batches")
    needed_tags = ArrayField(models.CharField(max_length=MAX_TAG_LENGTH), default=list, blank=True)

    objects = BatchQuerySet.as_manager()
    consent_version: str | None  # only after with_consent_of
    guidelines: dict[str, Any] | None  # only after with_guidelines

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="batch_number_once_per_study")
        ]


class BatchQuestion(models.Model):
    """A question of a batch. payload: the fields that the study adds to the question's own, in the
    form of its kind; empty where the question's file has them."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="entries")
    question = models.ForeignKey(Question, models.PROTECT, related_name="entries")
    payload = models.JSONField(default=dict)

    returned: uuid.UUID | None  # only where a pool annotates it

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "question"], name="question_once_per_batch")
        ]


def consent_subquery(study: OuterRef, user: OuterRef | uuid.UUID) -> Subquery:
    member = up_to_date_members().filter(study=study, user=user, role=Member.Role.EXPERT)
    return Subquery(member.values("consent_version"))
