"""Queues the unfinished tasks of a killed worker again, at once, when no worker can be alive.

Kombu does so only after the visibility timeout of an hour. The calls below are partly private to
Kombu, so its version is pinned and tests/config/test_recovery.py covers them.
"""

from typing import cast

import redis
from django.conf import settings
from kombu.transport.redis import Channel

from backend.config.celery import app

MAX_RESTORED = 100_000


def restore_unfinished_tasks() -> None:
    """Put every unacknowledged message back into its queue. Only while no worker runs."""
    with app.connection_for_write(transport_options={"visibility_timeout": 0}) as connection:
        channel = cast(Channel, connection.default_channel)
        _release_mutex(channel.unacked_mutex_key)
        channel.qos.restore_visible(num=MAX_RESTORED, interval=1)


def _release_mutex(key: str) -> None:
    """Delete the mutex that a worker leaves if it is killed while it restores messages itself."""
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(f"{prefix}{key}", key)
