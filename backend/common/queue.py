"""Queues tasks by name and publishes notifications.

By name, so that services need not import tasks; an architecture test checks that each task exists.

The database holds the state; Redis may be down or emptied at any time. A committed write therefore
never fails because its message could not be sent: the failure is logged. Nothing is lost, because
a task finds its work in the database, so that a later read or write can queue it again, and
because a page without notifications reads the state over HTTP.
"""

import logging
from functools import cache
from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

CONNECTION_ERRORS = (OperationalError, RedisError, OSError)


def enqueue(
    task: str,
    *,
    after_s: float = 0,
    queue: str | None = None,
    time_limit_s: float | None = None,
    expires_s: float | None = None,
    **ids: str,
) -> bool:
    """Queue a task by its registered name; False if the queue is unreachable.

    It gets ids only and reads the rest itself.

    queue, time_limit_s: instead of those that the settings give to the task. expires_s: a worker
    that gets to it later leaves it out.
    """
    options: dict[str, Any] = {
        "queue": queue,
        "time_limit": time_limit_s,
        "countdown": after_s or None,
        "expires": expires_s,
    }
    given = {name: value for name, value in options.items() if value is not None}
    try:
        current_app.send_task(task, kwargs=ids, **given)
    except CONNECTION_ERRORS:
        logger.exception("The queue is unreachable; %s %s was not queued.", task, ids)
        return False
    return True


def publish(group: str, **event: Any) -> bool:
    """Notify a WebSocket group of a change; False if the channel layer is unreachable.

    For synchronous code in any thread; not for coroutines.
    """
    layer = get_channel_layer()
    if layer is None:
        return False
    message = {"type": "changed", **event}
    try:
        if isinstance(layer, RedisPubSubChannelLayer):
            _publish_to_redis(layer, group, message)
        else:
            async_to_sync(layer.group_send)(group, message)
    except CONNECTION_ERRORS:
        logger.exception("The channel layer is unreachable; %s did not get %s.", group, event)
        return False
    return True


def publish_on_commit(group: str, **event: Any) -> None:
    def send() -> None:
        publish(group, **event)

    transaction.on_commit(send)


def _publish_to_redis(layer: Any, group: str, message: dict[str, Any]) -> None:
    """As the layer's `group_send`, without the server's event loop: that took ten times as long."""
    layers: dict[str, dict[str, Any]] = settings.CHANNEL_LAYERS
    config = layers["default"]["CONFIG"]
    channel = f"{config.get('prefix', 'asgi')}__group__{group}"
    _redis_at(config["hosts"][0]).publish(channel, layer.serialize(message))


@cache
def _redis_at(address: str) -> Redis:
    """Shared by threads and forked processes: each command takes a connection of its pool."""
    # A write of an expert waits for this: not longer than for the broker.
    return Redis.from_url(address, socket_connect_timeout=1, socket_timeout=1)
