"""Estimates of completion times."""

from datetime import datetime, timedelta

MIN_COMPLETED = 20
MIN_ELAPSED = timedelta(hours=1)


def estimate_finish(
    *, now: datetime, started: datetime | None, completed: int, remaining: int
) -> datetime | None:
    """When the remaining items are done at the average rate since the first completed one.

    finish = now + (now - started) * remaining / completed. The rate averages over the whole time
    since `started`, nights and pauses included.

    Returns None if nothing remains, if nothing has started, or if the data are too few: fewer than
    MIN_COMPLETED items, or less than MIN_ELAPSED since the first.
    """
    if started is None or remaining == 0 or completed < MIN_COMPLETED:
        return None
    if now - started < MIN_ELAPSED:
        return None
    return now + (now - started) * remaining / completed
