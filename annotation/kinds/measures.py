"""Measures: numbers about answers, as dashboards show them."""

from typing import TypedDict

from backend.science.optional_statistic import Reason, Statistic


class Measure(TypedDict):
    """A number with its 95 % interval and the number of observations, or why there is none."""

    name: str
    label: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: Reason | None
    interval_reason: Reason | None


def measure_of(name: str, label: str, statistic: Statistic) -> Measure:
    return {
        "name": name,
        "label": label,
        "value": statistic.value,
        "low": statistic.low,
        "high": statistic.high,
        "n": statistic.n,
        "reason": statistic.reason,
        "interval_reason": statistic.interval_reason,
    }


def share_of(name: str, label: str, part: int, whole: int) -> Measure:
    """part / whole without an interval; undefined (`too_few_questions`) where whole is 0."""
    share = Statistic(part / whole, whole) if whole else Statistic(None, 0, "too_few_questions")
    return measure_of(name, label, share)
