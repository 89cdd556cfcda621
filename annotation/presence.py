"""Which experts are active now: in Redis, for a minute at a time. Losing it loses no data."""

import uuid
from collections.abc import Iterable

from django.core.cache import cache

from annotation.models import Batch
from backend.accounts.models import User
from backend.common.queue import CONNECTION_ERRORS
from backend.studies.notifications import notify

PRESENCE_TTL_S = 60

BatchExpert = tuple[uuid.UUID, uuid.UUID]


def record_presence(*, actor: User, batch: Batch) -> None:
    """The expert was active in this batch. Dashboards are notified of the first time only."""
    key = _key((batch.id, actor.id))
    try:
        is_first = cache.add(key, 1, timeout=PRESENCE_TTL_S)
        cache.touch(key, PRESENCE_TTL_S)
    except CONNECTION_ERRORS:
        return
    if is_first:
        notify(batch.study_id, "presence")


def find_present(places: Iterable[BatchExpert]) -> set[BatchExpert]:
    """The pairs of batch and expert that are active now."""
    by_key = {_key(place): place for place in places}
    try:
        return {by_key[key] for key in cache.get_many(by_key)}
    except CONNECTION_ERRORS:
        return set()


def _key(place: BatchExpert) -> str:
    batch, expert = place
    return f"at-work:{batch}:{expert}"
