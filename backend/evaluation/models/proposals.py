"""Hypotheses that a model proposed about backgrounds (TruthHypo, section 5)."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.common.pluralize import pluralize
from backend.evaluation.models.grounding import Grounding, Verifier
from backend.graphs.models import Collection, Version
from backend.jobs.models import Job
from backend.llm.models import Endpoint


class ProposalState(models.TextChoices):
    QUEUED = "queued"
    ENDED = "ended"
    FAILED = "failed"


class HypothesisProposal(models.Model):
    """One request: backgrounds, the hypotheses about them, their groundings.

    owner: None for a command, which finds what it began by the digest of file and options. count:
    of hypotheses for a background. seed: of draws between equals and of the sides of pairs.
    least_gap: of the groundedness of a pair, in points. endpoint: of the model that proposes;
    verifier_endpoint: of the one that verifies, None for the plain verifier. Groundings have this
    id as their batch.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="hypothesis_proposals"
    )
    digest = models.CharField(max_length=64, blank=True)
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="hypothesis_proposals")
    model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=40)
    count = models.PositiveSmallIntegerField()
    seed = models.PositiveBigIntegerField()
    least_gap = models.FloatField()
    version = models.ForeignKey(Version, models.PROTECT, related_name="hypothesis_proposals")
    collection = models.ForeignKey(
        Collection, models.SET_NULL, null=True, related_name="hypothesis_proposals"
    )
    literature = models.JSONField(default=dict)
    cutoff = models.PositiveBigIntegerField(null=True)
    verifier = models.CharField(max_length=10, choices=Verifier.choices)
    verifier_version = models.CharField(max_length=40)
    verifier_endpoint = models.ForeignKey(
        Endpoint, models.PROTECT, null=True, related_name="verified_proposals"
    )
    state = models.CharField(
        max_length=10, choices=ProposalState.choices, default=ProposalState.QUEUED
    )
    error = models.JSONField(null=True)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["owner", "-created_at"], name="proposals_of_owner")]
        constraints = [
            models.UniqueConstraint(
                fields=["digest"],
                condition=models.Q(owner=None),
                name="proposal_once_per_command",
            )
        ]

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        count = cls.objects.filter(version=version).count()
        return [pluralize(count, "request for hypotheses", "requests for hypotheses")] * bool(count)

    @property
    def subject(self) -> str:
        """Of its budget."""
        return f"proposals:{self.pk}"


class ProposalBackground(models.Model):
    """outcome: how the request for its hypotheses ended; empty before. reason: of a failure."""

    proposal = models.ForeignKey(HypothesisProposal, models.CASCADE, related_name="backgrounds")
    number = models.PositiveIntegerField()
    question = models.TextField()
    background = models.TextField()
    outcome = models.CharField(max_length=20, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["proposal", "number"], name="background_once_per_number"
            )
        ]


class ProposedHypothesis(models.Model):
    """number: in the model's answer."""

    background = models.ForeignKey(ProposalBackground, models.CASCADE, related_name="hypotheses")
    number = models.PositiveSmallIntegerField()
    hypothesis = models.TextField()
    rationale = models.TextField()
    grounding = models.OneToOneField(
        Grounding, models.SET_NULL, null=True, related_name="proposed_hypothesis"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["background", "number"], name="hypothesis_once_per_number"
            )
        ]
