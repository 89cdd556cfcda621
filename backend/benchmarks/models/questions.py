"""Question sets, questions and candidates. Text from files is stored byte for byte."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from backend.common.pluralize import pluralize
from backend.graphs.models import Version
from backend.studies.models import Study


class QuestionSet(models.Model):
    """hidden_with: the release whose test answers the answers to these questions give away."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    is_demo = models.BooleanField(default=False)
    hidden_with = models.ForeignKey(
        "benchmarks.Release", models.SET_NULL, null=True, related_name="hidden_sets"
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class StudyQuestions(models.Model):
    study = models.OneToOneField(Study, models.CASCADE, related_name="question_link")
    question_set = models.ForeignKey(QuestionSet, models.PROTECT, related_name="study_links")


class Question(models.Model):
    """Identified by (question set, the file's id). `number` is its position in the file.

    `batch_number` is that of its questionnaire file, 0 where the set has no batches.
    `payload` has the fields that the study kind of its questionnaire adds.
    `pattern_type` is one of the nine types, derived from the shape of the pattern; empty without a
    pattern or for another shape.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="questions")
    file_id = models.CharField(max_length=100)
    batch_number = models.PositiveIntegerField(default=0)
    number = models.PositiveIntegerField()
    text = models.TextField()
    category = models.TextField(blank=True)
    payload = models.JSONField(default=dict)
    pattern_type = models.CharField(max_length=3, blank=True)

    class Meta:
        ordering = ["batch_number", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["question_set", "file_id"], name="question_once_per_set"
            )
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def study_batch(self) -> int:
        """The number of its batch in studies, which have one batch where the set has none."""
        return self.batch_number or 1


class Resource(models.Model):
    """An entity mentioned in the question, with a link for the expert."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="resources")
    position = models.PositiveSmallIntegerField()
    name = models.TextField()
    link = models.TextField(blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["question", "position"], name="resource_position_once")
        ]


class Candidate(models.Model):
    """An answer to a question; `prior_rank` is its rank in the order shown first.

    `identifier` is the entity's identifier in the file, if the file has one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, models.CASCADE, related_name="candidates")
    position = models.PositiveSmallIntegerField()
    name = models.TextField()
    link = models.TextField(blank=True)
    identifier = models.TextField(blank=True)
    prior_rank = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["question", "position"], name="candidate_position_once")
        ]


class QuestionRecord(models.Model):
    """A question as its file has it, as strict JSON.

    Append-only: the `qa` record (with the pattern) never changes; a `partitions` record may be
    followed by a newer one.
    """

    class Kind(models.TextChoices):
        QA = "qa"
        PARTITIONS = "partitions"

    question = models.ForeignKey(Question, models.CASCADE, related_name="records")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    number = models.PositiveIntegerField(default=1)
    text = models.TextField()
    file = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "kind", "number"], name="record_once_per_number"
            )
        ]


class Partition(models.Model):
    """A split of a question's candidates by one method. Append-only: a newer one gets the next
    number.

    The two sets hold positions of candidates. `parameters` is the complete input of the method,
    `source` describes the origin, `version` is the graph it was computed on; `split` is the part of
    a benchmark ('dev', 'test'), if any. A void version has two empty sets: the method has no
    partition of the question any more.
    """

    class Method(models.TextChoices):
        LLM = "llm"
        EXPERT = "expert"
        RNS = "rns"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, models.CASCADE, related_name="partitions")
    method = models.CharField(max_length=6, choices=Method.choices)
    number = models.PositiveIntegerField()
    parameters = models.JSONField(default=dict)
    serendipity = ArrayField(models.PositiveSmallIntegerField())
    existing = ArrayField(models.PositiveSmallIntegerField())
    split = models.CharField(max_length=100, blank=True)
    source = models.TextField(blank=True)
    record = models.ForeignKey(QuestionRecord, models.RESTRICT, null=True, related_name="+")
    version = models.ForeignKey(Version, models.PROTECT, null=True, related_name="partitions")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["question_id", "method", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["question", "method", "number"], name="partition_once_per_number"
            ),
            models.CheckConstraint(
                condition=~models.Q(serendipity__overlap=models.F("existing")),
                name="partition_sets_apart",
            ),
        ]

    @classmethod
    def describe_references(cls, version: Version) -> list[str]:
        count = cls.objects.filter(version=version).count()
        forms = "partition of a question's answers", "partitions of answers"
        return [pluralize(count, *forms)] if count else []


class Resolution(models.Model):
    """The result of linking the names of a question set to one version of a graph.

    `questions` is the number of questions covered; it is lower than that of the set until a worker
    has resolved all. `counts` has the number of names by match method or by reason for no match.
    """

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="resolutions")
    version = models.ForeignKey(Version, models.CASCADE, related_name="resolutions")
    questions = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question_set", "version"], name="resolution_once_per_version"
            )
        ]


class MatchMethod(models.TextChoices):
    """What an entity was matched by, most reliable first."""

    IDENTIFIER = "identifier"
    CROSS_REFERENCE = "cross_reference"
    NAME = "name"


class UnmatchedReason(models.TextChoices):
    NOT_IN_GRAPH = "not_in_graph"
    SEVERAL_REFERENCES = "several_references"
    SEVERAL_NAMES = "several_names"
    OTHER_IDENTIFIER = "other_identifier"


class Match(models.Model):
    """The entity for a candidate, a resource or a mention in a question, or the reason for none.

    `entity` is the number in the version, `matched_on` the text or identifier that matched.
    """

    resolution = models.ForeignKey(Resolution, models.CASCADE, related_name="matches")
    question = models.ForeignKey(Question, models.CASCADE, related_name="+")
    candidate = models.ForeignKey(Candidate, models.CASCADE, null=True, related_name="+")
    resource = models.ForeignKey(Resource, models.CASCADE, null=True, related_name="+")
    mention = models.TextField(blank=True)
    entity = models.BigIntegerField(null=True)
    match_method = models.CharField(max_length=16, choices=MatchMethod.choices, blank=True)
    unmatched_reason = models.CharField(max_length=20, choices=UnmatchedReason.choices, blank=True)
    matched_on = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["resolution", "question"])]
        constraints = [
            models.UniqueConstraint(fields=["resolution", "candidate"], name="match_candidate"),
            models.UniqueConstraint(fields=["resolution", "resource"], name="match_resource"),
            models.CheckConstraint(
                condition=models.Q(candidate__isnull=False, resource=None, mention="")
                | models.Q(candidate=None, resource__isnull=False, mention="")
                | models.Q(candidate=None, resource=None) & ~models.Q(mention=""),
                name="match_of_one_thing",
            ),
            models.CheckConstraint(
                condition=models.Q(entity__isnull=False, unmatched_reason="")
                & ~models.Q(match_method="")
                | models.Q(entity=None, match_method="") & ~models.Q(unmatched_reason=""),
                name="match_or_unmatched_reason",
            ),
        ]
