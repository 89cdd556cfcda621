"""Calls in two threads, of which one waits for the other's lock."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")


def run_and_close(call: Callable[[], Result]) -> Result:
    """In a thread of its own: its connection ends with it."""
    try:
        return call()
    finally:
        connection.close()


def wait_until_somebody_waits_for_a_lock(number: int = 1) -> None:
    limit = time.monotonic() + 30
    while time.monotonic() < limit:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            if cursor.fetchone()[0] >= number:
                return
        time.sleep(0.01)
    raise AssertionError("Nobody waits.")
