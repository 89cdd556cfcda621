import uuid

from celery import shared_task

from backend.studies.webhooks import delivery as deliveries


@shared_task(name="studies.deliver_webhook")
def deliver_webhook(delivery: str) -> None:
    deliveries.deliver(uuid.UUID(delivery))


@shared_task(name="studies.sweep_webhooks")
def sweep_webhooks() -> int:
    return deliveries.sweep()
