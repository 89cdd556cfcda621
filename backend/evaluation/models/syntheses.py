"""Queries that models wrote from a graph's relations and documents (STaRK, section 2.4)."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from backend.benchmarks.models import QuestionSet
from backend.common.pluralize import pluralize
from backend.evaluation.models.paid_requests import PaidRequest
from backend.graphs.models import Version
from backend.llm.models import Endpoint


class QuerySynthesis(PaidRequest):
    """One request: queries of relational templates, and the question set that they become.

    name, set_owner: of the question set. writer: the endpoint that extracts properties and writes;
    rewriter: that puts queries in other words. prompt_version: of all prompts. most_answers: a
    relation with more entities is not drawn. hard, soft: properties of a query, at most.
    """

    budget_prefix = "syntheses:"
    name = models.CharField(max_length=200)
    set_owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    version = models.ForeignKey(Version, models.PROTECT, related_name="query_syntheses")
    writer = models.ForeignKey(Endpoint, models.PROTECT, related_name="written_syntheses")
    rewriter = models.ForeignKey(Endpoint, models.PROTECT, related_name="rewritten_syntheses")
    prompt_version = models.CharField(max_length=40)
    count = models.PositiveSmallIntegerField()
    seed = models.PositiveBigIntegerField()
    most_answers = models.PositiveSmallIntegerField()
    hard = models.PositiveSmallIntegerField()
    soft = models.PositiveSmallIntegerField()
    question_set = models.ForeignKey(
        QuestionSet, models.SET_NULL, null=True, related_name="query_syntheses"
    )

    class Meta(PaidRequest.Meta):
        indexes = [models.Index(fields=["owner", "-created_at"], name="syntheses_of_owner")]
        constraints = [
            models.UniqueConstraint(
                fields=["digest"],
                condition=models.Q(owner=None),
                name="synthesis_once_per_command",
            )
        ]

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        count = cls.objects.filter(version=version).count()
        return [pluralize(count, "synthesis of queries", "syntheses of queries")] * bool(count)


class SynthesisVerifier(models.Model):
    """number: from 1, in the order in which candidates are checked."""

    synthesis = models.ForeignKey(QuerySynthesis, models.CASCADE, related_name="verifiers")
    number = models.PositiveSmallIntegerField()
    endpoint = models.ForeignKey(Endpoint, models.PROTECT, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["synthesis", "number"], name="verifier_once"),
            models.UniqueConstraint(fields=["synthesis", "endpoint"], name="verifier_differs"),
        ]


class SynthesisStep(models.TextChoices):
    PROPERTIES = "properties"
    QUERY = "query"
    REWRITING = "rewriting"
    VERIFICATION = "verification"


class SynthesizedQuery(models.Model):
    """gold: number of the entity whose documents gave the properties. candidates: of all that have
    the relation, gold included. properties: objects with text, is_hard, source (its sentence).
    step: what comes next, or what the outcome is of. outcome: empty while it is open, `accepted`,
    or why it was dropped. first_text: before it was rewritten. words: of the text, by requirement.
    answers: numbers of entities, gold included; empty unless it was accepted."""

    synthesis = models.ForeignKey(QuerySynthesis, models.CASCADE, related_name="queries")
    number = models.PositiveIntegerField()
    template = models.CharField(max_length=60)
    role = models.CharField(max_length=20)
    relation = models.TextField()
    pattern = models.JSONField()
    entities = models.JSONField(default=list)
    gold = models.PositiveBigIntegerField()
    candidates = ArrayField(models.PositiveBigIntegerField())
    properties = models.JSONField(default=list)
    step = models.CharField(max_length=12, choices=SynthesisStep.choices)
    outcome = models.CharField(max_length=30, blank=True)
    reason = models.TextField(blank=True)
    first_text = models.TextField(blank=True)
    text = models.TextField(blank=True)
    words = models.JSONField(default=dict)
    answers = ArrayField(models.PositiveBigIntegerField(), default=list)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["synthesis", "number"], name="synthesized_query_once")
        ]


class CandidateVerdict(models.Model):
    """outcome: of the request. is_met: all hard properties; an unreadable answer does not count
    as one."""

    query = models.ForeignKey(SynthesizedQuery, models.CASCADE, related_name="verdicts")
    candidate = models.PositiveBigIntegerField()
    verifier = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=20)
    is_met = models.BooleanField()

    class Meta:
        ordering = ["candidate", "verifier"]
        constraints = [
            models.UniqueConstraint(
                fields=["query", "candidate", "verifier"], name="candidate_verdict_once"
            )
        ]
