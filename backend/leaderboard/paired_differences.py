"""Differences between entries that were scored on the same items."""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.science.evaluation.comparisons import Comparison, adjust_by_holm


@dataclass(frozen=True)
class PairedDifference:
    """Of a metric, first minus second, in its unit, with its 95% interval. n: items. p_adjusted: by
    Holm over the differences that are stated together."""

    difference: float
    low: float | None
    high: float | None
    n: int
    p: float
    p_adjusted: float
    test: str


def adjust_differences(comparisons: Sequence[Comparison], scale: float) -> list[PairedDifference]:
    """Those that are stated together, in units of `scale`."""
    adjusted = adjust_by_holm([one.p_value for one in comparisons])
    return [
        PairedDifference(
            difference=scale * one.difference.value,
            low=None if one.difference.low is None else scale * one.difference.low,
            high=None if one.difference.high is None else scale * one.difference.high,
            n=one.difference.items,
            p=one.p_value,
            p_adjusted=p_adjusted,
            test=one.test,
        )
        for one, p_adjusted in zip(comparisons, adjusted, strict=True)
    ]
