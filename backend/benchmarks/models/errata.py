"""Reports of faulty items, and what a corrected release changed."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from backend.benchmarks.models.releases import Item, Release, ReleaseSplit


class Correction(models.Model):
    """One item that a release changed of the release that it corrects. Which are changed is not
    public where the split is hidden; how many are is."""

    class Action(models.TextChoices):
        WITHDRAW = "withdraw"
        ANSWER = "answer"
        ITEM = "item"

    release = models.ForeignKey(Release, models.CASCADE, related_name="corrections")
    split = models.CharField(max_length=4, choices=ReleaseSplit.choices)
    key = models.TextField()
    action = models.CharField(max_length=8, choices=Action.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "key"], name="item_corrected_once")
        ]


class ItemReportQuerySet(models.QuerySet["ItemReport"]):
    def of_release(self, release: Release) -> Self:
        return self.filter(item__release=release)


class ItemReport(models.Model):
    """Somebody's doubt about an item, and the organiser's decision with a reply."""

    class Kind(models.TextChoices):
        WRONG_ANSWER = "wrong_answer"
        AMBIGUOUS = "ambiguous"
        DUPLICATE = "duplicate"
        OTHER = "other"

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DISMISSED = "dismissed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="item_reports"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    text = models.CharField(max_length=2_000)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    reply = models.CharField(max_length=2_000, blank=True)
    decided_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ItemReportQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "reporter"],
                condition=Q(state="open"),
                name="one_open_report_of_an_item",
            ),
            models.CheckConstraint(
                condition=Q(state="open", decided_at=None)
                | (~Q(state="open") & Q(decided_at__isnull=False)),
                name="report_decided_with_date",
            ),
        ]
