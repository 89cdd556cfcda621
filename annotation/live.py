"""Telling boards that something changed, and asking a worker for new statistics.

Everything here lives in Redis and may be lost: a board that missed a word reads older numbers
until it is read again, and then sees for itself that its statistics are out of date.
"""

import time
import uuid
from typing import Literal

from django.core.cache import cache
from django.db import transaction

from backend.common.queue import UNREACHABLE, enqueue, publish

What = Literal["board", "agreement", "presence", "invitations"]

VERSION_KEPT_S = 30 * 24 * 3600
# How long a request for statistics may go unanswered before it is made again.
ASKED_FOR_S = 60
# Between two computations of the same batch, so that a room full of experts does not keep a core
# busy with numbers that nobody had time to read.
REST_S = 1


def group_of(study_id: uuid.UUID) -> str:
    return f"study.{study_id}"


def board_version(study_id: uuid.UUID) -> int:
    """Grows with everything told. It begins at the clock, so that it grows even if forgotten."""
    try:
        found = cache.get_or_set(_version_key(study_id), _now_ms, timeout=VERSION_KEPT_S)
    except UNREACHABLE:
        return 0  # whatever is told once Redis is back is newer
    return int(found or _now_ms())


def tell_on_commit(study_id: uuid.UUID, what: What) -> None:
    transaction.on_commit(lambda: tell(study_id, what))


def tell(study_id: uuid.UUID, what: What) -> None:
    """What was written is written: a lost Redis may not turn it into an error."""
    key = _version_key(study_id)
    try:
        cache.add(key, _now_ms(), timeout=VERSION_KEPT_S)
        version = cache.incr(key)
    except (*UNREACHABLE, ValueError):  # the latter if Redis was emptied between the two
        return
    publish(group_of(study_id), what=what, version=version)


def ask_for_agreement_on_commit(batch_id: uuid.UUID) -> None:
    transaction.on_commit(lambda: ask_for_agreement(batch_id))


def ask_for_agreement(batch_id: uuid.UUID) -> None:
    """Once until it is answered: a worker takes the note down before it reads the answers."""
    try:
        first = cache.add(_asked_key(batch_id), 1, timeout=ASKED_FOR_S)
        rests = cache.get(_rest_key(batch_id)) is not None
    except UNREACHABLE:
        return  # the next look at the board asks again
    if first:
        wait = REST_S if rests else 0
        enqueue("annotation.recompute_agreement", after_s=wait, batch=str(batch_id))


def ask_for_resolution(study_id: uuid.UUID) -> None:
    """Which entities of the pinned graph the questions speak of; asked once in a while."""
    try:
        first = cache.add(f"resolution-asked:{study_id}", 1, timeout=ASKED_FOR_S)
    except UNREACHABLE:
        return  # the next look asks again
    if first:
        enqueue("annotation.resolve_study", study=str(study_id))


def take_resolution_request(study_id: uuid.UUID) -> None:
    cache.delete(f"resolution-asked:{study_id}")


def take_agreement_request(batch_id: uuid.UUID) -> None:
    cache.delete(_asked_key(batch_id))
    cache.set(_rest_key(batch_id), 1, timeout=REST_S)


def _version_key(study_id: uuid.UUID) -> str:
    return f"board-version:{study_id}"


def _rest_key(batch_id: uuid.UUID) -> str:
    return f"agreement-rests:{batch_id}"


def _asked_key(batch_id: uuid.UUID) -> str:
    return f"agreement-asked:{batch_id}"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
