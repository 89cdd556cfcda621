"""Attempts to deliver, with leases and growing pauses; at least once, so receivers check the id."""

import asyncio
import uuid
from datetime import timedelta

import httpx
from django.db.models import F, QuerySet
from django.utils import timezone

from backend.common.advisory_locks import AdvisoryLock, try_lock
from backend.common.queue import enqueue
from backend.studies.models import Webhook, WebhookDelivery
from backend.studies.models.webhooks import MAX_ERROR_LENGTH
from backend.studies.webhooks.addresses import AddressRefused, Target, resolve_target
from backend.studies.webhooks.events import DELIVER_TASK
from backend.studies.webhooks.name_lookup import LookupTooSlow
from backend.studies.webhooks.signatures import signed_headers

State = WebhookDelivery.State

ATTEMPT_SECONDS = 10.0
LEASE = timedelta(seconds=60)
PAUSES = (
    *(timedelta(minutes=minutes) for minutes in (1, 5, 30)),
    *(timedelta(hours=hours) for hours in (2, 8, 24)),
)
MAX_ATTEMPTS = len(PAUSES) + 1
SWEPT_AT_ONCE = 200
LOG_AGE = timedelta(days=30)


class NotDelivered(Exception):
    """One attempt failed. is_final: no other attempt would succeed."""

    def __init__(self, reason: str, *, is_final: bool = False) -> None:
        super().__init__(reason[:MAX_ERROR_LENGTH])
        self.is_final = is_final


def deliver(delivery_id: uuid.UUID) -> None:
    """One at a time of each webhook, so that a slow host does not occupy every worker."""
    webhook = Webhook.objects.filter(deliveries=delivery_id).first()
    if webhook is None:
        return
    with try_lock(AdvisoryLock.WEBHOOKS, str(webhook.pk)) as is_free:
        if is_free:
            _attempt(delivery_id)
    if is_free and (following := _due().filter(webhook=webhook).first()):
        enqueue(DELIVER_TASK, delivery=str(following.pk))


def _attempt(delivery_id: uuid.UUID) -> None:
    """Nothing if it is not due: it has ended, or another worker attempts it."""
    now = timezone.now()
    if not _due().filter(pk=delivery_id).update(due_at=now + LEASE, attempts=F("attempts") + 1):
        return
    delivery = WebhookDelivery.objects.select_related("webhook").get(pk=delivery_id)
    try:
        send(delivery)
    except NotDelivered as error:
        _record_failure(delivery, error)
    else:
        _settle(delivery, State.DELIVERED)


def _due() -> QuerySet[WebhookDelivery]:
    rows = WebhookDelivery.objects.filter(state=State.WAITING, due_at__lte=timezone.now())
    return rows.order_by("due_at")


def _record_failure(delivery: WebhookDelivery, error: NotDelivered) -> None:
    if error.is_final or delivery.attempts >= MAX_ATTEMPTS:
        _settle(delivery, State.FAILED, str(error))
        return
    due_at = timezone.now() + PAUSES[delivery.attempts - 1]
    _own(delivery).update(due_at=due_at, error=str(error))


def _settle(delivery: WebhookDelivery, state: State, error: str = "") -> None:
    _own(delivery).update(state=state, error=error, ended_at=timezone.now())


def _own(delivery: WebhookDelivery) -> QuerySet[WebhookDelivery]:
    """Empty once another attempt has begun."""
    return WebhookDelivery.objects.filter(
        pk=delivery.pk, state=State.WAITING, attempts=delivery.attempts
    )


def send(delivery: WebhookDelivery) -> None:
    """Raises NotDelivered."""
    try:
        target = resolve_target(delivery.webhook.address)
        status = asyncio.run(_post(target, delivery))
    except AddressRefused as error:
        raise NotDelivered(error.detail, is_final=True) from error
    except LookupTooSlow as error:
        raise NotDelivered("The host's name was not resolved in time.") from error
    except TimeoutError as error:
        raise NotDelivered(f"No answer came within {ATTEMPT_SECONDS:.0f} s.") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
        raise NotDelivered(f"The host cannot be reached ({type(error).__name__}).") from error
    if not 200 <= status < 300:
        note = " Redirects are not followed." if 300 <= status < 400 else ""
        raise NotDelivered(f"The host answered with status {status}.{note}")


async def _post(target: Target, delivery: WebhookDelivery) -> int:
    """The status of the answer, whose body is not read."""
    headers = {
        "host": target.url.netloc.decode("ascii"),
        "content-type": "application/json",
        "user-agent": "Serendib-Webhooks",
        **signed_headers(delivery.webhook_id, delivery.pk, delivery.body),
    }
    # Neither proxies nor credentials of the environment; its certificate authorities are used.
    client = httpx.AsyncClient(
        trust_env=False, verify=httpx.create_ssl_context(), timeout=ATTEMPT_SECONDS
    )
    async with asyncio.timeout(ATTEMPT_SECONDS), client:
        request = client.stream(
            "POST",
            target.url.copy_with(host=target.ip),
            content=delivery.body.encode(),
            headers=headers,
            extensions={"sni_hostname": target.url.raw_host.decode("ascii")},
            follow_redirects=False,
        )
        async with request as response:
            return response.status_code


def sweep() -> int:
    """Queue what is due, and what the queue lost; delete what ended long ago."""
    now = timezone.now()
    WebhookDelivery.objects.filter(ended_at__lt=now - LOG_AGE).delete()
    ids = list(_due().values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    return sum(enqueue(DELIVER_TASK, delivery=str(pk)) for pk in ids)
