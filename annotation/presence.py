"""Who is at work. Kept in Redis for a minute at a time; nothing is lost when it is emptied."""

import uuid
from collections.abc import Iterable

from django.core.cache import cache

from annotation.live import tell
from annotation.models import Batch
from backend.accounts.models import User
from backend.common.queue import UNREACHABLE

AT_WORK_S = 60

Place = tuple[uuid.UUID, uuid.UUID]


def note_presence(*, actor: User, batch: Batch) -> None:
    """She had input in this batch. Boards are told when she begins, not at every beat."""
    key = _key((batch.id, actor.id))
    try:
        begins = cache.add(key, 1, timeout=AT_WORK_S)
        cache.touch(key, AT_WORK_S)
    except UNREACHABLE:
        return
    if begins:
        tell(batch.study_id, "presence")


def present_among(places: Iterable[Place]) -> set[Place]:
    """Of these pairs of batch and expert, the ones at work now."""
    by_key = {_key(place): place for place in places}
    try:
        return {by_key[key] for key in cache.get_many(by_key)}
    except UNREACHABLE:
        return set()


def _key(place: Place) -> str:
    batch, expert = place
    return f"at-work:{batch}:{expert}"
