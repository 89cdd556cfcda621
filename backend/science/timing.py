"""Time on task."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from backend.science.statistic import Statistic


def active_median(durations_ms: Sequence[int]) -> Statistic:
    """Median active time per question, in milliseconds; n counts the durations.

    The mean of the two middle ones when n is even. Pauses are taken out where the clock runs,
    not here; the median keeps one forgotten window from deciding the figure.
    No durations: no value, reason `no_durations`. Raises ValueError for a negative duration.
    """
    if any(duration < 0 for duration in durations_ms):
        raise ValueError("a duration cannot be negative")
    if not durations_ms:
        return Statistic(None, 0, "no_durations")
    return Statistic(float(median(durations_ms)), len(durations_ms))
