"""Tasks are queued by name and only once the transaction is committed.

By name, so that services need not import tasks; an architecture test checks that each exists.
"""

from typing import Any

from asgiref.sync import async_to_sync
from celery import current_app
from channels.layers import get_channel_layer
from django.db import transaction


def enqueue_on_commit(task: str, **ids: str) -> None:
    """Queue a task by its registered name; it gets ids only and reads the rest itself."""
    transaction.on_commit(lambda: current_app.send_task(task, kwargs=ids))


def publish_on_commit(group: str, **event: Any) -> None:
    """Tell a WebSocket group that something changed; the page then reads it over HTTP."""
    transaction.on_commit(lambda: publish(group, **event))


def publish(group: str, **event: Any) -> None:
    layer = get_channel_layer()
    if layer is not None:
        async_to_sync(layer.group_send)(group, {"type": "changed", **event})
