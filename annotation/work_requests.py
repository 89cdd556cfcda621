"""Requests for work in the background: agreement of a batch, links and statistics of a study.

The marks that keep a request from being made twice live in Redis and may be lost: then reading
the dashboard makes the request again.
"""

import time
import uuid
from math import ceil

from django.core.cache import cache
from django.db import transaction

from backend.common.queue import CONNECTION_ERRORS, enqueue

# How long a request may go unanswered before it is made again.
REQUEST_TTL_S = 60
# Between two computations of one batch, so that many experts at once do not keep a core busy: as
# many times as long as the last one took, within limits.
MIN_INTERVAL_S, MAX_INTERVAL_S = 1, 30
PAUSE_FACTOR = 4


def request_agreement_on_commit(batch_id: uuid.UUID) -> None:
    transaction.on_commit(lambda: request_agreement(batch_id))


def request_agreement(batch_id: uuid.UUID) -> None:
    """One request at a time: the worker clears the mark before it reads the answers."""
    try:
        if not cache.add(_request_key(batch_id), 1, timeout=REQUEST_TTL_S):
            return
        pause_ends: float | None = cache.get(_cooldown_key(batch_id))
    except CONNECTION_ERRORS:
        return  # reading the dashboard requests it again
    wait = 0 if pause_ends is None else max(MIN_INTERVAL_S, pause_ends - time.time())
    enqueue("annotation.recompute_agreement", after_s=wait, batch=str(batch_id))


def request_statistics(study_id: uuid.UUID) -> None:
    """At most once per REQUEST_TTL_S: they take seconds, and open studies change all the time."""
    try:
        first = cache.add(f"statistics-requested:{study_id}", 1, timeout=REQUEST_TTL_S)
    except CONNECTION_ERRORS:
        return  # reading the statistics requests them again
    if first:
        enqueue("annotation.recompute_statistics", queue="studies", study=str(study_id))


def request_resolution(study_id: uuid.UUID) -> None:
    """Link the study's questions to entities of its graph; at most once per REQUEST_TTL_S."""
    try:
        first = cache.add(_resolution_key(study_id), 1, timeout=REQUEST_TTL_S)
    except CONNECTION_ERRORS:
        return  # reading the evidence requests it again
    if first:
        enqueue("annotation.resolve_study", study=str(study_id))


def clear_resolution_request(study_id: uuid.UUID) -> None:
    cache.delete(_resolution_key(study_id))


def clear_agreement_request(batch_id: uuid.UUID) -> None:
    cache.delete(_request_key(batch_id))
    pause_agreement(batch_id, 0)


def pause_agreement(batch_id: uuid.UUID, took_s: float) -> None:
    """Large batches take seconds, which their experts' own requests need."""
    pause = min(max(PAUSE_FACTOR * took_s, MIN_INTERVAL_S), MAX_INTERVAL_S)
    cache.set(_cooldown_key(batch_id), time.time() + pause, timeout=ceil(pause))


def _resolution_key(study_id: uuid.UUID) -> str:
    return f"resolution-requested:{study_id}"


def _cooldown_key(batch_id: uuid.UUID) -> str:
    return f"agreement-cooldown:{batch_id}"


def _request_key(batch_id: uuid.UUID) -> str:
    return f"agreement-requested:{batch_id}"
