"""Hypotheses that a model proposed about backgrounds (TruthHypo, section 5)."""

from django.db import models

from backend.common.pluralize import pluralize
from backend.evaluation.models.grounding import Grounding, Verifier
from backend.evaluation.models.paid_requests import PaidRequest
from backend.graphs.models import Collection, Version
from backend.llm.models import Endpoint


class HypothesisProposal(PaidRequest):
    """One request: backgrounds, the hypotheses about them, their groundings.

    count: of hypotheses for a background. seed: of draws between equals and of the sides of pairs.
    least_gap: of the groundedness of a pair, in points. endpoint: of the model that proposes;
    verifier_endpoint: of the one that verifies, None for the plain verifier. Groundings have this
    id as their batch.
    """

    budget_prefix = "proposals:"
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

    class Meta(PaidRequest.Meta):
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
