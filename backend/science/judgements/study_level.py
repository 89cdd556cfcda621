"""The level at which the checks of a study flag raters and items."""

from __future__ import annotations

from collections.abc import Sequence

from backend.science.evaluation.comparisons import adjust_by_holm

LEVEL = 0.05
CHECKS = 10


def adjust_over_study(p_values: Sequence[float]) -> list[float]:
    """p-values of one check of a study, adjusted over its tests and over the checks of the study.

    Holm's over the tests of the check, times 10: raters are checked for ability, change, fast
    answers, short times, constant choices, known answers and repeats, and all of them for trends;
    items for discrimination and for their keys. What is flagged has an adjusted p of at most 5%, so
    a study in which nothing is wrong has any flag at all with a probability of at most 5%.
    """
    return [min(1.0, CHECKS * one) for one in adjust_by_holm(p_values)]
