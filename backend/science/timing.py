"""How long work takes."""

from __future__ import annotations

from datetime import datetime, timedelta

PACE_NEEDS_ANSWERS = 20
PACE_NEEDS_TIME = timedelta(hours=1)


def estimate_finish(
    *, now: datetime, first: datetime | None, answers: int, left: int
) -> datetime | None:
    """When the rest is done if it goes on as it went since the first of these answers.

    finish = now + (now - first) * left / answers: the answers are spread evenly over the time
    from the first of them, nights and pauses included, and so is what is left.

    None when nothing is left, without a first answer, and while there is too little to tell by:
    fewer than PACE_NEEDS_ANSWERS answers, or less than PACE_NEEDS_TIME since the first.
    """
    if first is None or left == 0 or answers < PACE_NEEDS_ANSWERS:
        return None
    if now - first < PACE_NEEDS_TIME:
        return None
    return now + (now - first) * left / answers
