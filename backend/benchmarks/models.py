"""Questions and their candidates, as the files have them: text is kept byte for byte."""

import uuid
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from backend.common.leases import Leased, LeasedQuerySet
from backend.graphs.models import Version


class QuestionSet(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    is_demo = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Question(models.Model):
    """Its identity is (question set, the file's id). The number is its place in its file.

    `pattern_type` is one of the nine types, told from its pattern's shape; empty where there is
    no pattern, or one of another shape.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="questions")
    file_id = models.CharField(max_length=100)
    number = models.PositiveIntegerField()
    text = models.TextField()
    category = models.TextField(blank=True)
    pattern_type = models.CharField(max_length=3, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["question_set", "file_id"], name="question_once_per_set"
            )
        ]

    def __str__(self) -> str:
        return self.text


class Resource(models.Model):
    """Something named in the question that the reader may look up."""

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
    """An answer to a question; prior_rank is its rank in the order that is shown first.

    `identifier` is what its file calls the entity, where it says so by an identifier.
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


class Record(models.Model):
    """What a file says of a question, as strict JSON: all of it, so that nothing is lost.

    Append-only: the record of a question (`qa`, with its pattern) never changes, one of its
    partitions may be followed by another.
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
    """A split of a question's candidates by one method. A better one is added, none is altered.

    The two sets hold positions of candidates. `parameters` is all that the method was given,
    `source` says in words where the split is from, `version` on which graph it was computed;
    `split` is the part of a benchmark ('dev', 'test') that it belongs to, where it does.
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
    record = models.ForeignKey(Record, models.RESTRICT, null=True, related_name="+")
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


class Resolution(models.Model):
    """Which entities of one version of a graph the names of a question set stand for.

    A worker finds out; until it has, or when questions came since, `questions` is short of theirs.
    `counts` says of candidates and of resources how many were found in which way, or why not.
    """

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="resolutions")
    version = models.ForeignKey(Version, models.CASCADE, related_name="resolutions")
    questions = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)
    fault = models.TextField(blank=True)
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question_set", "version"], name="resolution_once_per_version"
            )
        ]


class How(models.TextChoices):
    """What an entity was recognised by, the surest first."""

    IDENTIFIER = "identifier"
    CROSS_REFERENCE = "cross_reference"
    NAME = "name"


class WhyNot(models.TextChoices):
    """Why nothing was recognised."""

    NOT_IN_GRAPH = "not_in_graph"
    SEVERAL_REFERENCES = "several_references"
    SEVERAL_NAMES = "several_names"
    OTHER_IDENTIFIER = "other_identifier"


class Match(models.Model):
    """What a candidate, a resource or a word of a question stands for, or why it is not known.

    `entity` is the entity's number in the version; `by` what it was recognised by.
    """

    resolution = models.ForeignKey(Resolution, models.CASCADE, related_name="matches")
    question = models.ForeignKey(Question, models.CASCADE, related_name="+")
    candidate = models.ForeignKey(Candidate, models.CASCADE, null=True, related_name="+")
    resource = models.ForeignKey(Resource, models.CASCADE, null=True, related_name="+")
    mention = models.TextField(blank=True)
    entity = models.BigIntegerField(null=True)
    how = models.CharField(max_length=16, choices=How.choices, blank=True)
    why_not = models.CharField(max_length=20, choices=WhyNot.choices, blank=True)
    by = models.TextField(blank=True)

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
                condition=models.Q(entity__isnull=False, why_not="") & ~models.Q(how="")
                | models.Q(entity=None, how="") & ~models.Q(why_not=""),
                name="match_or_why_not",
            ),
        ]


class Work(models.TextChoices):
    """What is computed in the background."""

    TRANSITION = "transition"
    EMBEDDING = "embedding"
    PARTITION = "partition"
    SCORING = "scoring"


class Progress(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ComputationQuerySet(LeasedQuerySet["Computation"]):
    pass


class Computation(Leased):
    """Something computed of one version of a graph, with its results in files beside the snapshot.

    `digest` says what is computed and with what: while one is under way or done, there is no
    second. `parameters` are all of that, `result` what is told of it.
    """

    WORKING = (Progress.RUNNING,)
    ENDED = (Progress.DONE, Progress.FAILED, Progress.CANCELLED)
    # Back to queued: its worker died.
    EDGES: ClassVar[Mapping[Any, Collection[str]]] = {
        Progress.QUEUED: {Progress.RUNNING, Progress.FAILED, Progress.CANCELLED},
        Progress.RUNNING: {Progress.DONE, Progress.FAILED, Progress.CANCELLED, Progress.QUEUED},
        Progress.DONE: {Progress.FAILED},  # its files were lost since
        Progress.FAILED: set(),
        Progress.CANCELLED: set(),
    }

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=16, choices=Work.choices)
    version = models.ForeignKey(Version, models.CASCADE, related_name="computations")
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, null=True, related_name="+")
    parameters = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=16, choices=Progress.choices, default=Progress.QUEUED)
    fault = models.TextField(blank=True)
    result = models.JSONField(default=dict)

    objects = ComputationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["digest"],
                name="computation_once",
                condition=~models.Q(state__in=["failed", "cancelled"]),
            )
        ]
        indexes = [models.Index(fields=["actor", "created_at"])]
