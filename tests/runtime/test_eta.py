from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backend.runtime.eta import estimate_finish

NOW = datetime(2026, 1, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "answers", "left", "expected_hours"),
    [
        (10, 20, 40, 20),
        (10, 19, 40, None),
        (0.5, 20, 40, None),
        (1, 20, 1, 0.05),
        (10, 20, 0, None),
    ],
)
def test_an_estimate_needs_enough_items_over_enough_time(
    hours: float, answers: int, left: int, expected_hours: float | None
) -> None:
    first = NOW - timedelta(hours=hours)
    result = estimate_finish(now=NOW, started=first, completed=answers, remaining=left)
    assert result == (None if expected_hours is None else NOW + timedelta(hours=expected_hours))


def test_there_is_no_estimate_before_the_first_item() -> None:
    assert estimate_finish(now=NOW, started=None, completed=0, remaining=5) is None
