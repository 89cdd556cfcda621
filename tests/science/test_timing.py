from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backend.science.timing import estimate_finish

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
def test_an_end_is_foretold_only_from_enough_answers_over_enough_time(
    hours: float, answers: int, left: int, expected_hours: float | None
) -> None:
    first = NOW - timedelta(hours=hours)
    found = estimate_finish(now=NOW, first=first, answers=answers, left=left)
    assert found == (None if expected_hours is None else NOW + timedelta(hours=expected_hours))


def test_without_a_first_answer_no_end_is_foretold() -> None:
    assert estimate_finish(now=NOW, first=None, answers=0, left=5) is None
