from celery import shared_task
from django.core.management import call_command

from backend.common import idempotency


@shared_task(name="common.delete_idempotency_records")
def delete_idempotency_records() -> int:
    """Delete stored responses that no page can still request."""
    return idempotency.delete_older_than()


@shared_task(name="common.clear_ended_sessions")
def clear_ended_sessions() -> None:
    """Delete expired sessions; each sign-in code that a visitor requests creates one."""
    call_command("clearsessions")
