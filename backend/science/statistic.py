"""The shape in which this room returns a number that may not exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Reason = Literal[
    "too_few_rankings",
    "too_few_items",
    "all_tied",
    "too_few_questions",
]
REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True)
class Statistic:
    """A number, what it rests on, and why it is missing when it is.

    value: the number, or None; then, and only then, `reason` says why.
    n: how many observations the value rests on; each function says what it counts.
    low, high: bounds of a confidence interval, both or neither.
    interval_reason: why an interval that was asked for is missing.
    left_out: observations that had no value of their own, counted by reason. They are
        never replaced by a zero.

    All fields are plain Python values, so that an answer can be sent as JSON.
    """

    value: float | None
    n: int
    reason: Reason | None = None
    low: float | None = None
    high: float | None = None
    interval_reason: Reason | None = None
    left_out: Mapping[Reason, int] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if (self.value is None) != (self.reason is not None):
            raise ValueError("a statistic has either a value or a reason for having none")
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has two bounds or none")
