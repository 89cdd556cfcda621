"""A number that may be undefined, with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Reason = Literal[
    "too_few_rankings",
    "too_few_items",
    "all_tied",
    "too_few_questions",
    "too_few_raters",
    "no_overlap",
    "one_category",
    "too_many_degenerate_draws",
    "outside_range",
    "still_open",
]
REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True)
class Statistic:
    """A number, its sample size, and the reason if it is undefined.

    value: the number, or None; then, and only then, `reason` is set.
    n: number of observations behind the value; each function defines what it counts.
    low, high: bounds of a confidence interval, both or neither.
    interval_reason: why a requested interval is missing; `still_open`: the sample grows and
    is looked at meanwhile, for which an interval of one sample size does not hold.
    left_out: observations without a value of their own, counted by reason. They are never replaced
    by zero.

    All fields are plain Python values, so a Statistic can be serialized to JSON.
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
