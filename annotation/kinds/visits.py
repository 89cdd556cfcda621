"""Visits of an expert: answers one after another, without a long pause between two of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

VISIT_GAP = timedelta(minutes=30)


def number_visits(times: Sequence[datetime]) -> list[int]:
    """The visit of each answer, from 0. times: of one expert's answers, in order."""
    result = [0] * len(times)
    for place in range(1, len(times)):
        is_new = times[place] - times[place - 1] > VISIT_GAP
        result[place] = result[place - 1] + is_new
    return result


def start_of_visit(times: Sequence[datetime], now: datetime) -> datetime:
    """When the visit that goes on now began: now, if the last answer was too long ago."""
    every = [*times, now]
    visits = number_visits(every)
    return every[visits.index(visits[-1])]
