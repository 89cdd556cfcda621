"""Tasks that no noun owns."""

from celery import shared_task

from backend.common import repeats


@shared_task(name="common.forget_repeated_writes")
def forget_repeated_writes() -> int:
    """Remembered answers are of no use once no page can still be repeating the write."""
    return repeats.forget_older_than()
