"""What coordinators decide about a study's questions; what an adjudicator had seen, and why an
adjudication is revised."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.models.assignments import Assignment
from backend.benchmarks.models import Question
from backend.studies.models import Study


class QuestionDecisionManager(models.Manager["QuestionDecision"]):
    def current(
        self, study: Study, action: str, undoing: str
    ) -> dict[uuid.UUID, "QuestionDecision"]:
        """By question, its newest decision of these two actions, where that is not the second."""
        rows = self.filter(study=study, action__in=(action, undoing)).select_related("actor")
        newest = rows.order_by("question_id", "-id").distinct("question_id")
        return {one.question_id: one for one in newest if one.action == action}

    def excluded(self, study: Study) -> dict[uuid.UUID, "QuestionDecision"]:
        """The questions that are left out of the consensus."""
        actions = QuestionDecision.Action
        return self.current(study, actions.EXCLUDE, actions.INCLUDE)

    def to_adjudicate(self, study: Study) -> dict[uuid.UUID, "QuestionDecision"]:
        actions = QuestionDecision.Action
        return self.current(study, actions.ADJUDICATE, actions.LEAVE)


class QuestionDecision(models.Model):
    """A coordinator's decision; the newest of a question counts. The database alters none."""

    class Action(models.TextChoices):
        """leave: to the experts, without adjudication."""

        ADJUDICATE = "adjudicate"
        LEAVE = "leave"
        EXCLUDE = "exclude"
        INCLUDE = "include"

    study = models.ForeignKey(Study, models.CASCADE, related_name="decisions")
    question = models.ForeignKey(Question, models.PROTECT, related_name="+")
    action = models.CharField(max_length=10, choices=Action.choices)
    reason = models.TextField(blank=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = QuestionDecisionManager()

    class Meta:
        indexes = [models.Index(fields=["study", "question", "-id"])]


class ReopenedAdjudication(models.Model):
    """Why an adjudicator revises the blind answer, once; written before the revision."""

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="reopened")
    reason = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)


class AnswerReading(models.Model):
    """The first time that a coordinator was sent an expert's answer to a question, whatever showed
    it."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="+")
    question = models.ForeignKey(Question, models.PROTECT, related_name="+")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "reader", "question"], name="answer_reading_once"
            )
        ]


class Blinding(models.Model):
    """What an adjudicator had seen at the first answer. None for those of before it was recorded.
    answers_read_at: None as well where an imported file does not state it."""

    class State(models.TextChoices):
        """answers_read: an expert's answer to the question. partition: nothing of that is recorded,
        but the experts' common order was stored as a partition, which coordinators can read."""

        BLIND = "blind"
        ANSWERS_READ = "answers_read"
        PARTITION = "partition"

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="blinding")
    state = models.CharField(max_length=12, choices=State.choices)
    answers_read_at = models.DateTimeField(null=True)
