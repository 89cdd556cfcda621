"""Webhooks of a study, for its coordinators, and the hosts that administrators allow."""

import re
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError, NotAllowed, NotFound
from backend.studies.models import Study, Webhook, WebhookDelivery, WebhookHost
from backend.studies.policies import NOT_FOUND_MESSAGE, get_coordinated_study_or_raise
from backend.studies.webhooks.addresses import check_address
from backend.studies.webhooks.events import (
    EVENTS,
    TEST,
    Event,
    add_delivery,
    enqueue_on_commit,
)
from backend.studies.webhooks.signatures import secret_of
from backend.validation.faults import Fault

MAX_WEBHOOKS = 10
SHOWN_DELIVERIES = 20
LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"(?=.{{1,253}}(:|$)){LABEL}(\.{LABEL})*(:[0-9]{{1,5}})?")

State = WebhookDelivery.State


@dataclass(frozen=True)
class ShownDelivery:
    id: uuid.UUID
    event: str
    state: State
    attempts: int
    error: str
    created_at: datetime
    next_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True)
class ShownWebhook:
    """deliveries: the newest ones."""

    id: uuid.UUID
    address: str
    events: list[Event]
    created_at: datetime
    deliveries: list[ShownDelivery]


@dataclass(frozen=True)
class StudyWebhooks:
    hosts: list[str]
    webhooks: list[ShownWebhook]


def list_webhooks(*, actor: User, study_id: uuid.UUID) -> StudyWebhooks:
    study = get_coordinated_study_or_raise(actor, study_id)
    hosts = WebhookHost.objects.order_by("host").values_list("host", flat=True)
    return StudyWebhooks(
        list(hosts), [_view(one) for one in study.webhooks.order_by("created_at", "id")]
    )


def _view(webhook: Webhook) -> ShownWebhook:
    return ShownWebhook(
        id=webhook.id,
        address=webhook.address,
        events=[event for event in EVENTS if event in webhook.events],
        created_at=webhook.created_at,
        deliveries=[
            ShownDelivery(
                id=one.id,
                event=one.event,
                state=State(one.state),
                attempts=one.attempts,
                error=one.error,
                created_at=one.created_at,
                next_at=one.due_at if one.state == State.WAITING else None,
                ended_at=one.ended_at,
            )
            for one in webhook.deliveries.order_by("-created_at", "-id")[:SHOWN_DELIVERIES]
        ],
    )


@transaction.atomic
def add_webhook(
    *, actor: User, study_id: uuid.UUID, address: str, events: Collection[Event]
) -> tuple[ShownWebhook, str]:
    """The webhook and its secret, which is shown once. Raises AddressRefused."""
    get_coordinated_study_or_raise(actor, study_id)
    study = Study.objects.select_for_update().get(id=study_id)
    if study.webhooks.count() >= MAX_WEBHOOKS:
        raise Conflict(f"A study has at most {MAX_WEBHOOKS} webhooks. Remove one first.")
    url = check_address(address)
    webhook = Webhook.objects.create(
        study=study, address=str(url), events=sorted({*events}), created_by=actor
    )
    return _view(webhook), secret_of(webhook.id)


def remove_webhook(*, actor: User, webhook_id: uuid.UUID) -> None:
    """With its log; what waits is not sent."""
    get_webhook_or_raise(actor, webhook_id).delete()


@transaction.atomic
def send_test(*, actor: User, webhook_id: uuid.UUID) -> None:
    add_delivery(get_webhook_or_raise(actor, webhook_id), TEST, {})


@transaction.atomic
def send_again(*, actor: User, delivery_id: uuid.UUID) -> None:
    """With the same id and body; the attempts start anew. Raises Conflict while it waits."""
    delivery = WebhookDelivery.objects.filter(pk=delivery_id).first()
    if delivery is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    get_webhook_or_raise(actor, delivery.webhook_id)
    ended = WebhookDelivery.objects.filter(pk=delivery_id).exclude(state=State.WAITING)
    changes = {"state": State.WAITING, "attempts": 0, "error": "", "ended_at": None}
    if not ended.update(**changes, due_at=timezone.now()):
        raise Conflict("This delivery still waits for its next attempt.", code="waiting")
    enqueue_on_commit(delivery_id)


def get_webhook_or_raise(actor: User, webhook_id: uuid.UUID) -> Webhook:
    webhook = Webhook.objects.filter(pk=webhook_id).first()
    if webhook is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    get_coordinated_study_or_raise(actor, webhook.study_id)
    return webhook


def list_hosts(*, actor: User) -> list[WebhookHost]:
    _require_administrator(actor)
    return list(WebhookHost.objects.order_by("host"))


def allow_host(*, actor: User, host: str) -> WebhookHost:
    """Allowing a host twice changes nothing."""
    _require_administrator(actor)
    cleaned = host.strip().lower().removesuffix(":443")
    if not HOST.fullmatch(cleaned):
        message = "Enter a host without https://, such as hooks.example.org."
        fault = Fault("host", message, "host_invalid", "a host name, and a port if not 443")
        raise DomainError(message, code="host_invalid", faults=[fault])
    row, _ = WebhookHost.objects.get_or_create(host=cleaned, defaults={"created_by": actor})
    return row


def refuse_host(*, actor: User, host_id: int) -> None:
    """Webhooks to it stay; their deliveries fail from now on."""
    _require_administrator(actor)
    WebhookHost.objects.filter(pk=host_id).delete()


def _require_administrator(actor: User) -> None:
    if not actor.is_administrator:
        raise NotAllowed("Only an administrator can allow hosts of webhooks.")
