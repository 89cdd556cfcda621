"""Messages about a question between one expert and the coordinators of the study."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.benchmarks.models import Question
from backend.studies.models import Study

MAX_MESSAGE = 2000


class Thread(models.Model):
    """What one expert and the coordinators wrote about a question. No other expert sees it."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="threads")
    question = models.ForeignKey(Question, models.PROTECT, related_name="+")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    is_resolved = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["study", "question", "expert"], name="thread_once_per_expert"
            )
        ]


class ThreadMessage(models.Model):
    """The database refuses to alter it. Clients make the ids: one that is known adds nothing."""

    pk = models.CompositePrimaryKey("thread", "id")
    id = models.UUIDField()
    thread = models.ForeignKey(Thread, models.PROTECT, related_name="messages")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)


class ThreadReading(models.Model):
    """Up to when a person has read a thread."""

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="readings")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    read_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["thread", "reader"], name="thread_reading_once")
        ]


class ThreadDigest(models.Model):
    """The mail about new messages of a study. due_at: when the next one is sent, with all that was
    written since mailed_at; None while there is nothing new."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="thread_digest")
    due_at = models.DateTimeField(null=True, db_index=True)
    mailed_at = models.DateTimeField(null=True)


class PostponedThreadMail(models.Model):
    """A mail about a thread that its reader must not get yet, because the reader adjudicates the
    question blind. since: nothing newer than this has been mailed."""

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="postponed_mails")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["thread", "reader"], name="postponed_mail_once")
        ]
