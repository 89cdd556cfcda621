"""Unjudged answers of a board, and the studies that judge them."""

import uuid

from django.db import models

from backend.accounts.models import User
from backend.benchmarks.models import Item, Question, Release, ReleaseSplit
from backend.evaluation.models.scores import Evaluation
from backend.evaluation.models.submissions import Submission
from backend.studies.models import Study


class AnswerPool(models.Model):
    """The unjudged answers that the entries of a board rank high, as they were last counted.

    digest: SHA-256 of the items, the standing submissions with their evaluations, and the depth.
    answers: how many distinct ones are among the first `depth` of any entry; unjudged: those
    without a label, of which the first to judge are stored. is_partial: whether the board has more
    entries than are pooled.
    """

    release = models.ForeignKey(Release, models.CASCADE, related_name="pools")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    digest = models.CharField(max_length=64)
    depth = models.PositiveIntegerField()
    entries = models.PositiveIntegerField()
    answers = models.PositiveIntegerField()
    unjudged = models.PositiveIntegerField()
    is_partial = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "split"], name="one_pool_of_a_board")
        ]


class PooledAnswer(models.Model):
    """An answer to judge. Hidden: it is a part of the predictions of others.

    position: in the order of judging, from 1. answer: as predictions write it. effect: expected
    change of the order of the board by one verdict. ranks: by submission, from 1.
    """

    pool = models.ForeignKey(AnswerPool, models.CASCADE, related_name="pooled")
    position = models.PositiveIntegerField()
    item = models.ForeignKey(Item, models.CASCADE, related_name="+")
    answer = models.JSONField()
    chance = models.FloatField()
    effect = models.FloatField()
    ranks = models.JSONField()

    class Meta:
        ordering = ["pool_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "position"], name="pooled_position_once")
        ]


class EntryJudgement(models.Model):
    """How much of an entry's answers is judged, and what its main metric can be.

    evaluation: of the value and bounds; another one of the submission makes them outdated.
    judged: judged@k, a share; None for an entry without answers. low, high: over the pooled
    answers, see backend.science.answer_pools.favourable_verdicts.
    """

    pool = models.ForeignKey(AnswerPool, models.CASCADE, related_name="judgements")
    submission = models.ForeignKey(Submission, models.CASCADE, related_name="judgements")
    evaluation = models.ForeignKey(Evaluation, models.CASCADE, null=True, related_name="+")
    judged = models.FloatField(null=True)
    value = models.FloatField()
    low = models.FloatField()
    high = models.FloatField()


class PoolStudy(models.Model):
    """A study of a release's unjudged answers. corrected_as: the release that has its verdicts."""

    study = models.OneToOneField(Study, models.CASCADE, primary_key=True, related_name="pool_study")
    release = models.ForeignKey(Release, models.CASCADE, related_name="pool_studies")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    corrected_as = models.ForeignKey(
        Release, models.SET_NULL, null=True, related_name="verdict_studies"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    @classmethod
    def refuse_judge(cls, study: uuid.UUID, user: uuid.UUID) -> str:
        """Why the user must not judge it: an entry of the board is theirs, or of their team."""
        pool_study = cls.objects.filter(pk=study).select_related("release").first()
        if pool_study is None:
            return ""
        board = Submission.objects.filter(
            release__in=pool_study.release.chain(), split=pool_study.split
        )
        if not board.entered_by(User(pk=user)).exists():
            return ""
        return (
            "You or your team submitted an entry whose answers this study judges. "
            "Other experts must judge them."
        )


class PoolStudyAnswer(models.Model):
    """What a question of such a study is about."""

    pool_study = models.ForeignKey(PoolStudy, models.CASCADE, related_name="answers")
    question = models.OneToOneField(Question, models.CASCADE, related_name="+")
    item_key = models.TextField()
    answer = models.JSONField()
