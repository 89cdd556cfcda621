"""Preference between two arms, from the graded choices of several raters on pairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from backend.science.evaluation.proportions import wilson_interval
from backend.science.judgements.choices import Outcome, PairChoice, outcome_by_pair
from backend.science.judgements.preference_tests import (
    PreferenceTest,
    TestName,
    sign_test,
    signed_rank_test,
    two_proportion_z,
)
from backend.science.judgements.tables import JudgementTable
from backend.science.judgements.two_way import DRAWS, ResampledStatistic, two_way_mean
from backend.science.optional_statistic import Statistic

BELIEVABLE: TestName = "sign_test"


@dataclass(frozen=True)
class PreferenceReport:
    """What the choices show about the first arm.

    outcomes: pairs by outcome; only those for one of the arms enter `tests` of counts.
    share_of_pairs: of the decided pairs, those for the first arm, with Wilson's interval for these
    raters. share_of_choices: of the choices for one arm, those for the first, with its interval
    over raters and pairs. tests: sign test, the printed z-test, signed rank. believed: the test
    whose p answers 'is there a preference?'.
    """

    outcomes: Mapping[Outcome, int]
    share_of_pairs: Statistic
    share_of_choices: ResampledStatistic
    tests: tuple[PreferenceTest, ...]
    believed: TestName = BELIEVABLE


def count_tests(first: int, second: int) -> tuple[PreferenceTest, PreferenceTest]:
    """The sign test and the printed z-test of numbers of pairs for each arm."""
    return sign_test(first, second), two_proportion_z(first, second)


def preference_report(
    choices: Sequence[PairChoice], *, seed: int, draws: int = DRAWS
) -> PreferenceReport:
    """Preference for the first arm, from choices in any order.

    A pair counts for an arm if more than half of its raters who are sure chose it; ties, both bad,
    splits and undecided pairs are left out and counted. The signed-rank test is of the mean grade
    of each pair with one. Without a decided pair shares are undefined: `all_tied`, or
    `too_few_items` without any choice.

    Raises ValueError if a rater judged a pair twice. Source: metrics as in TruthHypo, section 5;
    tests: `preference_tests`; intervals: `wilson_interval`, `two_way_mean`.
    """
    outcomes = Counter(outcome_by_pair(choices).values())
    first, second = outcomes["first"], outcomes["second"]
    return PreferenceReport(
        dict(outcomes),
        preference_share(first, second, judged=bool(choices)),
        _share_of_choices(choices, seed=seed, draws=draws),
        (*count_tests(first, second), signed_rank_test(_mean_grades(choices))),
    )


def preference_share(first: int, second: int, *, judged: bool = True) -> Statistic:
    """first / (first + second) with Wilson's interval; judged: whether there were any pairs."""
    n = first + second
    if n == 0:
        return Statistic(None, 0, "all_tied" if judged else "too_few_items")
    low, high = wilson_interval(first, n)
    return Statistic(first / n, n, low=low, high=high)


def _share_of_choices(
    choices: Sequence[PairChoice], *, seed: int, draws: int
) -> ResampledStatistic:
    decided = [one for one in choices if one.preference in ("first", "second")]
    table = JudgementTable.of(
        (one.pair, one.rater, float(one.preference == "first")) for one in decided
    )
    if choices and not decided:
        return ResampledStatistic(None, 0, "all_tied", interval_reason="all_tied")
    return two_way_mean(table.values, seed=seed, draws=draws, bounded=True)


def _mean_grades(choices: Sequence[PairChoice]) -> list[float]:
    grades: dict[str, list[int]] = defaultdict(list)
    for one in choices:
        if one.grade is not None:
            grades[one.pair].append(one.grade)
    return [float(np.mean(grades[pair])) for pair in sorted(grades)]
