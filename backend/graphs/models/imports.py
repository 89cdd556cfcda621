"""An import under way, or what became of it."""

import uuid
from datetime import timedelta
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from backend.accounts.models import User
from backend.graphs.models.graphs import Graph, Version

# A worker says every BEAT that it lives; one that was not heard for LEASE has lost its import.
BEAT = timedelta(seconds=10)
LEASE = timedelta(seconds=60)


class State(models.TextChoices):
    QUEUED = "queued"
    READING = "reading"
    BUILDING = "building"
    INDEXING = "indexing"
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"


WORKING = (State.READING, State.BUILDING, State.INDEXING)
ENDED = (State.DONE, State.REFUSED, State.FAILED, State.CANCELLED)

# Refused: by what the files hold. Failed: by this installation. Cancelled: by somebody who may.
# Back to queued: its worker died.
_STOPS = {State.REFUSED, State.FAILED, State.CANCELLED, State.QUEUED}
EDGES: dict[State, frozenset[State]] = {
    State.QUEUED: frozenset({State.READING, State.FAILED, State.CANCELLED}),
    State.READING: frozenset({State.BUILDING, State.DONE, *_STOPS}),
    State.BUILDING: frozenset({State.INDEXING, State.DONE, *_STOPS}),
    State.INDEXING: frozenset({State.DONE, *_STOPS}),
    State.DONE: frozenset(),
    State.REFUSED: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
}


class ImportQuerySet(models.QuerySet["GraphImport"]):
    def abandoned(self) -> Self:
        """Those that a worker began and does not work at any more."""
        silent = Q(heartbeat=None) | Q(heartbeat__lt=timezone.now() - LEASE)
        return self.filter(silent, state__in=WORKING)

    def unended(self) -> Self:
        return self.exclude(state__in=ENDED)


class GraphImport(models.Model):
    """Files that become a version of a graph, or a report of why they do not."""

    class Origin(models.TextChoices):
        UPLOAD = "upload"
        COMMAND = "command"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    format = models.CharField(max_length=32, blank=True)
    # What goes to a graph that this import makes: description, licence, citation, visibility.
    about = models.JSONField(default=dict)
    columns = models.JSONField(default=dict)
    # What people call each file. A file of an upload is stored under its place in this list.
    files = models.JSONField(default=list)
    origin = models.CharField(max_length=8, choices=Origin.choices)
    dry_run = models.BooleanField(default=False)
    actor = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    graph = models.ForeignKey(Graph, models.SET_NULL, null=True, related_name="imports")
    version = models.ForeignKey(Version, models.SET_NULL, null=True, related_name="+")

    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    doing = models.CharField(max_length=200, blank=True)
    percent = models.FloatField(default=0)
    seconds_left = models.FloatField(null=True)
    # Found, dropped and why, the first faults and, of a dry run, the first rows as understood.
    report = models.JSONField(default=dict)
    lease = models.UUIDField(null=True)
    heartbeat = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = ImportQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["heartbeat"],
                name="graphs_import_under_way",
                condition=~Q(state__in=ENDED),
            )
        ]

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED
