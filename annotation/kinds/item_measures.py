"""Measures of one item's answers, and their means over items."""

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.kinds.measures import Measure, measure_of
from backend.science.agreement import average_statistics
from backend.science.optional_statistic import Reason, Statistic

ItemStatistics = Mapping[str, Statistic]


def mean_of(values: Sequence[float], *, lack: Reason = "too_few_raters") -> Statistic:
    """lack: why there is no mean, if there are no values."""
    return Statistic(float(np.mean(values)), len(values)) if values else Statistic(None, 0, lack)


def list_measures(statistics: ItemStatistics, labels: Mapping[str, str]) -> list[Measure]:
    return [measure_of(name, label, statistics[name]) for name, label in labels.items()]


def average_measures(
    items: Sequence[ItemStatistics], labels: Mapping[str, str], *, seed: int
) -> list[Measure]:
    """Means over the items that have a value, from 0 to 1, with intervals over items."""
    means = {name: average_statistics([one[name] for one in items], seed=seed) for name in labels}
    return list_measures(means, labels)
