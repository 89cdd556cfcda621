"""Events of studies, stored for the webhooks that subscribe to them.

Bodies hold ids and counts alone: no question, answer, arm, message or person.
"""

import json
import uuid
from collections.abc import Mapping
from typing import Literal, get_args

from django.db import transaction
from django.utils import timezone

from backend.common.queue import enqueue
from backend.studies.models import Study, Webhook, WebhookDelivery

Event = Literal[
    "study.opened",
    "study.paused",
    "study.closed",
    "study.frozen",
    "answer.submitted",
    "batch.completed",
    "thread.message",
    "adjudication.submitted",
]
EVENTS: tuple[Event, ...] = get_args(Event)
TEST = "test"
DELIVER_TASK = "studies.deliver_webhook"

EVENT_OF_STATUS: Mapping[str, Event] = {
    Study.Status.OPEN: "study.opened",
    Study.Status.PAUSED: "study.paused",
    Study.Status.CLOSED: "study.closed",
    Study.Status.FROZEN: "study.frozen",
}

EventData = Mapping[str, uuid.UUID | int | str | None]


def record_event(
    study_id: uuid.UUID, event: Event, data: EventData | None = None, *, key: str = ""
) -> None:
    """Inside the transaction of what happened. Of events with the same key, the first counts."""
    for webhook in subscribed_webhooks(study_id, event):
        add_delivery(webhook, event, data or {}, key=key)


def subscribed_webhooks(study_id: uuid.UUID, event: Event) -> list[Webhook]:
    return list(Webhook.objects.filter(study=study_id, events__contains=[event]))


def add_delivery(webhook: Webhook, event: str, data: EventData, *, key: str = "") -> None:
    now, pk = timezone.now(), uuid.uuid4()
    content = {
        "id": pk,
        "event": event,
        "created_at": now.isoformat().replace("+00:00", "Z"),
        "study": webhook.study_id,
        "data": data,
    }
    body = json.dumps(content, default=str, separators=(",", ":"))
    delivery = WebhookDelivery(id=pk, webhook=webhook, event=event, key=key, body=body, due_at=now)
    WebhookDelivery.objects.bulk_create([delivery], ignore_conflicts=bool(key))
    enqueue_on_commit(pk)


def enqueue_on_commit(delivery_id: uuid.UUID) -> None:
    transaction.on_commit(lambda: enqueue(DELIVER_TASK, delivery=str(delivery_id)))
