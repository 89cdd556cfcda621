"""Tasks that a killed worker had in hand, given back at once when no worker can be alive.

Kombu gives them back by itself only after the visibility timeout, an hour. The calls below are
half private to Kombu, so its version is pinned and tests/config/test_recovery.py holds them.
"""

from typing import cast

import redis
from django.conf import settings
from kombu.transport.redis import Channel

from backend.config.celery import app

MANY = 100_000


def restore_unfinished_tasks() -> None:
    """Put every unacknowledged message back into its queue. Only where no worker runs."""
    with app.connection_for_write(transport_options={"visibility_timeout": 0}) as connection:
        channel = cast(Channel, connection.default_channel)
        _free_mutex(channel.unacked_mutex_key)
        channel.qos.restore_visible(num=MANY, interval=1)


def _free_mutex(key: str) -> None:
    """A worker killed during its own sweep leaves the mutex, and the sweep would do nothing."""
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.delete(f"{prefix}{key}", key)
