"""Long work that one worker holds at a time, and that another takes over when that one dies.

A row is queued, claimed under a lease, kept by a heartbeat and ended. Its state moves along a table
of allowed edges, in one place, by compare-and-set: of two that try only one goes on.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar, Self, TypeVar

from django.db import DatabaseError, connection, models
from django.db.models import Q
from django.utils import timezone

logger = logging.getLogger(__name__)

# A worker says every BEAT that it lives; one that was not heard for LEASE has lost its work.
BEAT = timedelta(seconds=10)
LEASE = timedelta(seconds=60)
SAY_EVERY_S = 0.5
ENOUGH_S, ENOUGH_PERCENT = 3.0, 5.0


class Overtaken(Exception):
    """Somebody else moved this work on: whoever hears this lets go of it."""


class Leased(models.Model):
    """The model adds a `state` with its own words, and says which are which."""

    WORKING: ClassVar[Collection[str]]
    ENDED: ClassVar[Collection[str]]
    EDGES: ClassVar[Mapping[Any, Collection[str]]]
    doing = models.CharField(max_length=200, blank=True)
    percent = models.FloatField(default=0)
    seconds_left = models.FloatField(null=True)
    lease = models.UUIDField(null=True)
    heartbeat = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def now(self) -> str:
        """The state, which each model has in words of its own."""
        return str(getattr(self, "state"))  # noqa: B009  this base has no such field

    @property
    def has_ended(self) -> bool:
        return self.now in self.ENDED


Row = TypeVar("Row", bound=Leased)


class LeasedQuerySet(models.QuerySet[Row]):
    def abandoned(self) -> Self:
        """Those that a worker began and does not work at any more."""
        silent = Q(heartbeat=None) | Q(heartbeat__lt=timezone.now() - LEASE)
        return self.filter(silent, Q(("state__in", self.model.WORKING)))

    def unended(self) -> Self:
        return self.exclude(Q(("state__in", self.model.ENDED)))


def move(row: Leased, to: str, **fields: Any) -> None:
    """The only way from one state to another: along the table, and only for who holds the lease.

    Raises Overtaken.
    """
    before = [state for state in row.EDGES if to in row.EDGES[state]]
    _change(row, before, {"state": to, "heartbeat": timezone.now(), **fields})


def say(row: Leased, **fields: Any) -> None:
    """How far it is; also a sign of life. Raises Overtaken."""
    _change(row, [row.now], {"heartbeat": timezone.now(), **fields})


def _change(row: Leased, states: Collection[str], changes: Mapping[str, Any]) -> None:
    here = type(row)._default_manager.filter(Q(("state__in", states)), pk=row.pk, lease=row.lease)
    if not here.update(**changes):
        raise Overtaken
    for name, value in changes.items():
        setattr(row, name, value)


@contextmanager
def beating(row: Leased, lost: Callable[[], None] = lambda: None) -> Iterator[None]:
    """A sign of life now and then, also while the worker computes and says nothing itself.

    lost: called, in another thread, when somebody else has moved the work on.
    """
    ended = threading.Event()
    beats = threading.Thread(target=_beat, args=(row, row.lease, ended, lost), daemon=True)
    beats.start()
    try:
        yield
    finally:
        ended.set()
        beats.join()


def _beat(
    row: Leased, lease: uuid.UUID | None, ended: threading.Event, lost: Callable[[], None]
) -> None:
    while not ended.wait(BEAT.total_seconds()):
        here = type(row)._default_manager.filter(pk=row.pk)
        try:
            held = here.filter(lease=lease).update(heartbeat=timezone.now())
            if not held and here.exists():
                lost()
        except DatabaseError:
            logger.warning("The sign of life of %s %s could not be written.", type(row), row.pk)
        finally:
            connection.close()


class Pace:
    """When progress is worth writing down, and how long the rest will take."""

    def __init__(self) -> None:
        self.began = self.said = time.monotonic()

    def is_due(self) -> bool:
        now = time.monotonic()
        if now - self.said < SAY_EVERY_S:
            return False
        self.said = now
        return True

    def left(self, percent: float) -> float | None:
        """Time left, once enough has passed to tell."""
        seconds = time.monotonic() - self.began
        if seconds < ENOUGH_S or percent < ENOUGH_PERCENT:
            return None
        return seconds * (100 - percent) / percent
