"""Tasks that no noun owns."""

from celery import shared_task
from django.core.management import call_command

from backend.common import repeats


@shared_task(name="common.forget_repeated_writes")
def forget_repeated_writes() -> int:
    """Remembered answers are of no use once no page can still be repeating the write."""
    return repeats.forget_older_than()


@shared_task(name="common.clear_ended_sessions")
def clear_ended_sessions() -> None:
    """Every code that a visitor asks for makes a session, which the database would keep."""
    call_command("clearsessions")
