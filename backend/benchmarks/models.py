"""Questions and their candidates, as the files have them: text is kept byte for byte."""

import uuid

from django.conf import settings
from django.db import models


class QuestionSet(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, unique=True)
    is_demo = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Question(models.Model):
    """Its identity is (question set, the file's id). The number is its place in its file."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="questions")
    file_id = models.CharField(max_length=100)
    number = models.PositiveIntegerField()
    text = models.TextField()
    category = models.TextField(blank=True)

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
    """An answer to a question; prior_rank is its rank in the order that is shown first."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, models.CASCADE, related_name="candidates")
    position = models.PositiveSmallIntegerField()
    name = models.TextField()
    link = models.TextField(blank=True)
    prior_rank = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["question", "position"], name="candidate_position_once")
        ]
