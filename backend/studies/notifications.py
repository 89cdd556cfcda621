"""Notify open dashboards that a study changed. Redis holds all of it and may be emptied.

A dashboard that misses a message shows older numbers until it is read again.
"""

import time
import uuid
from typing import Literal

from django.core.cache import cache
from django.db import transaction

from backend.common.queue import CONNECTION_ERRORS, publish

ChangedPart = Literal["board", "agreement", "presence", "invitations"]

VERSION_TTL_S = 30 * 24 * 3600


def study_group(study_id: uuid.UUID) -> str:
    return f"study.{study_id}"


def dashboard_version(study_id: uuid.UUID) -> int:
    """Monotonic version of the dashboard, seeded from the clock so that it also increases
    after Redis was emptied."""
    try:
        result = cache.get_or_set(_version_key(study_id), _now_ms, timeout=VERSION_TTL_S)
    except CONNECTION_ERRORS:
        return 0  # every later version is higher
    return int(result or _now_ms())


def notify_on_commit(study_id: uuid.UUID, what: ChangedPart) -> None:
    transaction.on_commit(lambda: notify(study_id, what))


def notify(study_id: uuid.UUID, what: ChangedPart) -> None:
    """The change is committed already, so an unreachable Redis is not an error here."""
    key = _version_key(study_id)
    try:
        version = _next_version(key)
    except (*CONNECTION_ERRORS, ValueError):  # ValueError: Redis is being emptied
        return
    publish(study_group(study_id), what=what, version=version)


def _next_version(key: str) -> int:
    try:
        return cache.incr(key)
    except ValueError:  # the first one, or Redis was emptied
        cache.add(key, _now_ms(), timeout=VERSION_TTL_S)
        return cache.incr(key)


def _version_key(study_id: uuid.UUID) -> str:
    return f"board-version:{study_id}"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
