"""Redis carries messages; a write that is committed does not depend on it."""

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
import redis
from asgiref.sync import async_to_sync, sync_to_async
from celery import Celery, current_app
from celery.app import app_or_default
from channels.layers import get_channel_layer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings as django_settings
from django.db import transaction
from pytest_django import Settings

from backend.common import queue
from backend.common.models import IdempotencyRecord
from backend.config import settings as served

NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def celery_at(broker: str, prefix: str) -> Iterator[Celery]:
    """The project's Celery settings at another broker, for this thread only."""
    usual = app_or_default()
    app = Celery("elsewhere")
    app.config_from_object(django_settings, namespace="CELERY")
    options = {**served.CELERY_BROKER_TRANSPORT_OPTIONS, "global_keyprefix": prefix}
    app.conf.update(broker_url=broker, broker_transport_options=options)
    app.set_current()
    yield app
    app.close()
    usual.set_current()


@pytest.fixture
def own_broker() -> Iterator[str]:
    prefix = f"test-{uuid.uuid4()}-"
    for _ in celery_at(served.CELERY_BROKER_URL, prefix):
        yield prefix
    client = redis.Redis.from_url(django_settings.REDIS_URL)
    for name in client.scan_iter(f"{prefix}*"):
        client.delete(name)
    client.close()


@pytest.fixture
def no_redis(settings: Settings) -> Iterator[None]:
    layer = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": layer, "CONFIG": {"hosts": [NOBODY_LISTENS]}}}
    for _ in celery_at(NOBODY_LISTENS, "lost-"):
        yield


def test_every_thread_queues_through_the_same_application() -> None:
    names: list[object] = []
    thread = Thread(target=lambda: names.append(current_app.main))
    thread.start()
    thread.join()
    assert names == ["serendib"]


def test_a_task_is_queued_with_its_name_and_ids_to_be_run_not_before_its_time(
    own_broker: str,
) -> None:
    assert queue.enqueue("annotation.anything", after_s=60, batch="7")
    client = redis.Redis.from_url(django_settings.REDIS_URL)
    message = json.loads(client.lindex(f"{own_broker}quick", 0))  # type: ignore[arg-type]  # not async
    client.close()
    assert message["headers"]["task"] == "annotation.anything"
    assert message["headers"]["kwargsrepr"] == "{'batch': '7'}"
    wait = datetime.fromisoformat(message["headers"]["eta"]) - datetime.now(UTC)
    assert timedelta(0) < wait <= timedelta(seconds=60)


@pytest.mark.django_db(transaction=True)
def test_a_committed_write_survives_the_loss_of_redis(
    no_redis: None, caplog: pytest.LogCaptureFixture
) -> None:
    with transaction.atomic():
        IdempotencyRecord.objects.create(
            owner=uuid.uuid4(), key=uuid.uuid4(), fingerprint="", status=200, body={}
        )
        transaction.on_commit(lambda: queue.enqueue("annotation.anything", batch="7"))
        transaction.on_commit(lambda: queue.publish("study-1", what="board"))
    assert IdempotencyRecord.objects.count() == 1
    assert "annotation.anything {'batch': '7'} was not queued" in caplog.text
    assert "study-1 did not get {'what': 'board'}" in caplog.text


def test_a_message_reaches_its_group(settings: Settings) -> None:
    settings.CHANNEL_LAYERS = served.CHANNEL_LAYERS

    async def send_and_receive(group: str) -> object:
        layer = get_channel_layer()
        assert isinstance(layer, RedisPubSubChannelLayer)
        channel = await layer.new_channel()
        await layer.group_add(group, channel)
        assert await sync_to_async(queue.publish)(group, what="board")
        return await layer.receive(channel)

    message = async_to_sync(send_and_receive)(f"group-{uuid.uuid4()}")
    assert message == {"type": "changed", "what": "board"}
