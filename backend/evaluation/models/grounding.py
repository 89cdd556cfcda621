"""Groundings: which claims of a rationale a graph and papers support (TruthHypo's KnowHD)."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.common.pluralize import pluralize
from backend.graphs.models import Collection, Version
from backend.jobs.models import Job
from backend.llm.models import Endpoint
from backend.tracks.grounding_verdicts import EvidenceSource, Verdict

SOURCES = [(one.value, one.value) for one in EvidenceSource]
VERDICTS = [(one.value, one.value) for one in Verdict]


class GroundingState(models.TextChoices):
    QUEUED = "queued"
    ENDED = "ended"
    FAILED = "failed"


class Verifier(models.TextChoices):
    """PLAIN: by words and edges alone; MODEL: a language model at an endpoint."""

    PLAIN = "plain"
    MODEL = "model"


class Grounding(models.Model):
    """One rationale, its claims and their verdicts.

    owner: None for a command. batch: of the request or file that it came with, one job for all;
    line: in that file. item: the key of the item whose prediction has the rationale; None for one
    that is of no submission. literature: name, slug and digest of the collection, which may be
    deleted later. cutoff: PMID or year by the unit of the graph's dates. verifier_version: of the
    plain verifier, or of both prompts. model: the endpoint's. groundedness: counts and share by
    source; empty until it has ended.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="groundings"
    )
    is_public = models.BooleanField(default=False)
    hypothesis = models.TextField(blank=True)
    rationale = models.TextField()
    version = models.ForeignKey(Version, models.PROTECT, related_name="groundings")
    collection = models.ForeignKey(
        Collection, models.SET_NULL, null=True, related_name="groundings"
    )
    literature = models.JSONField(default=dict)
    cutoff = models.PositiveBigIntegerField(null=True)
    verifier = models.CharField(max_length=10, choices=Verifier.choices)
    verifier_version = models.CharField(max_length=40)
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, null=True, related_name="groundings")
    model = models.CharField(max_length=200, blank=True)
    batch = models.UUIDField(default=uuid.uuid4)
    line = models.PositiveIntegerField(null=True)
    item = models.JSONField(null=True)
    state = models.CharField(
        max_length=10, choices=GroundingState.choices, default=GroundingState.QUEUED
    )
    error = models.JSONField(null=True)
    groundedness = models.JSONField(default=dict)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["owner", "-created_at"], name="groundings_of_owner"),
            models.Index(fields=["batch", "line"], name="groundings_of_batch"),
        ]

    @property
    def model_size(self) -> str:
        """Of the model that verifies, where its endpoint states it."""
        return self.endpoint.size_label if self.endpoint else ""

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        count = cls.objects.filter(version=version).count()
        return [pluralize(count, "grounded rationale", "grounded rationales")] * bool(count)


class GroundedClaim(models.Model):
    """start, end: its characters in the rationale; null where a model's words are not in it.
    mentions: what was linked to what. context: identifiers of the papers and numbers of the edges
    that the verifier read; read: how many of the first of both, for each source. Before read was
    stored, all that the source has."""

    grounding = models.ForeignKey(Grounding, models.CASCADE, related_name="claims")
    number = models.PositiveIntegerField()
    text = models.TextField()
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    mentions = models.JSONField(default=list)
    context = models.JSONField(default=dict)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["grounding", "number"], name="claim_once_per_number")
        ]

    def context_of(self, source: str) -> tuple[list[str], list[int]]:
        """Papers and edges that the verifier read for its verdict from this source."""
        papers, edges = self.context.get("papers", []), self.context.get("edges", [])
        size = self.context.get("read", {}).get(source)
        if size is not None:
            return papers[: size["papers"]], edges[: size["edges"]]
        has_papers, has_edges = source != EvidenceSource.GRAPH, source != EvidenceSource.LITERATURE
        return papers if has_papers else [], edges if has_edges else []


class ClaimVerdict(models.Model):
    """From one source. probability: of this verdict, where the verifier has one. support: of
    'supported', the same after that verdict; null where it was not stated. fault: code of the
    reason why the verifier gave none; the verdict is then 'not enough'."""

    claim = models.ForeignKey(GroundedClaim, models.CASCADE, related_name="verdicts")
    source = models.CharField(max_length=10, choices=SOURCES)
    verdict = models.CharField(max_length=12, choices=VERDICTS)
    probability = models.FloatField(null=True)
    support = models.FloatField(null=True)
    fault = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "source"], name="verdict_once_per_source")
        ]


class EvidenceKind(models.TextChoices):
    EDGE = "edge"
    SENTENCE = "sentence"


class VerdictEvidence(models.Model):
    """An edge or a sentence that a verdict rests on, as it was then. content: of an edge its
    number, ends, relation, phrase and date; of a sentence its paper and place."""

    verdict = models.ForeignKey(ClaimVerdict, models.CASCADE, related_name="evidence")
    kind = models.CharField(max_length=10, choices=EvidenceKind.choices)
    stance = models.CharField(
        max_length=12, choices=[("supports", "supports"), ("contradicts", "contradicts")]
    )
    score = models.FloatField(null=True)
    content = models.JSONField()

    class Meta:
        ordering = ["pk"]
