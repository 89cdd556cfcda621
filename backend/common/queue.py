"""Tasks are queued by name and messages published, both only once the transaction is committed.

By name, so that services need not import tasks; an architecture test checks that each exists.

The database is the truth and Redis a messenger that may be down or emptied at any time. A
committed write is therefore never answered with an error because its message could not be sent:
the failure is logged, with what is now waiting. Nothing is lost by that, on two conditions that
every caller keeps: a task finds its work in the database, so that whoever reads the result, or the
next write, can queue it again; and a page that hears nothing reads the state over HTTP.
"""

import logging
from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

UNREACHABLE = (OperationalError, RedisError, OSError)


def enqueue_on_commit(task: str, **ids: str) -> None:
    """Queue a task by its registered name; it gets ids only and reads the rest itself."""
    transaction.on_commit(lambda: enqueue(task, after_s=0, **ids))


def enqueue(task: str, *, after_s: float = 0, **ids: str) -> bool:
    """Whether it was queued. If not, the work stays in the database until it is asked for again."""
    try:
        if current_app.conf.task_always_eager:
            current_app.tasks[task].apply(kwargs=ids)
        else:
            current_app.send_task(task, kwargs=ids, countdown=after_s or None)
    except UNREACHABLE:
        logger.exception("The queue is unreachable; %s %s waits to be asked for again.", task, ids)
        return False
    return True


def publish(group: str, **event: Any) -> bool:
    """Tell a WebSocket group that something changed; the page then reads it over HTTP.

    Whether it was sent. For synchronous code in any thread; not for coroutines.
    """
    layer = get_channel_layer()
    if layer is None:
        return False
    try:
        async_to_sync(layer.group_send)(group, {"type": "changed", **event})
    except UNREACHABLE:
        logger.exception("The channel layer is unreachable; %s was not told %s.", group, event)
        return False
    return True
