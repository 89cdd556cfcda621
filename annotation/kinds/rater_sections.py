"""Checks of single raters, from answers that are choices."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import numpy as np

from annotation.kinds.figures import (
    Figure,
    Section,
    figure_of,
    missing_figure,
    rater_figure,
)
from annotation.kinds.study_table import StudyAnswer, number_values
from annotation.kinds.visits import number_visits
from backend.science.judgements.study_level import LEVEL, adjust_over_study
from backend.science.judgements.tables import FloatArray
from backend.science.optional_statistic import Statistic
from backend.science.rater_checks.ability import AbilityTest, check_ability
from backend.science.rater_checks.answers import AgreementSeries, Answers, agreement_series
from backend.science.rater_checks.drift import Slope, find_change_points, regress_agreement
from backend.science.rater_checks.short_times import check_short_times
from backend.science.rater_checks.straight_lining import (
    check_commonest_choice,
    check_fast_answers,
    check_longest_run,
)

ChoiceOf = Callable[[StudyAnswer], Hashable]

PER_ANSWERS = 10  # the slope of the position is for ten answers more
CHANGE = (
    "Change point by cumulative sums of residuals on the agreement of the other raters, "
    "permutation test (Page, 1954; Freedman and Lane, 1983; Antoch and Huskova, 2001)"
)
COMMONEST = "Commonest choice against the raters of the same questions, Poisson binomial test"
RUNS = "Longest run of equal choices against the rater's own in random order, permutation test"
FAST = "Agreement of the fastest quarter of answers against the rest, permutation test"
SHORT = "Time below a third of the others' median for the same question, sign test"
ABILITY = "Agreement with the others against chance and against theirs, permutation tests"
SLOPE = (
    "Regression with effects of raters and questions, errors by rater (Cameron and Miller, 2015)"
)
CHECKS_NOTE = (
    "Only raters with enough answers are tested: 10, of drift 20; known questions count. "
    "A flag is a reason to look, never a verdict; repeated looks flag more."
)


def check_section(figures: Sequence[Figure]) -> Section:
    shown = tuple(figures) or (
        missing_figure(
            "rater_checks", "Checks of raters", "answers", ABILITY, "No rater has enough answers."
        ),
    )
    return Section("rater_checks", "Raters", shown, CHECKS_NOTE)


def choice_rater_sections(
    answers: Sequence[StudyAnswer], choice_of: ChoiceOf, *, seed: int
) -> list[Section]:
    """Of a kind whose choices have the same meaning for every question."""
    figures = [
        *choice_ability_figures(answers, choice_of, seed=seed),
        *choice_drift_figures(answers, choice_of, seed=seed),
        *straight_lining_figures(answers, choice_of, seed=seed),
    ]
    return [check_section(figures), fatigue_section(answers, choice_of)]


def drift_figures(series: Sequence[AgreementSeries], *, seed: int) -> list[Figure]:
    """Changes of agreement over time. The raters of the series have their names."""
    return [
        rater_figure(
            "drift",
            "Change of agreement over time",
            CHANGE,
            one.test,
            str(one.test.rater),
            note=f"After {one.place} answers: from {one.before:+.2f} to {one.after:+.2f}.",
        )
        for one in find_change_points(series, seed=seed)
    ]


def choice_drift_figures(
    answers: Sequence[StudyAnswer], choice_of: ChoiceOf, *, seed: int
) -> list[Figure]:
    """Changes of agreement, and fast answers that agree less. In order of time."""
    table, names = code_answers(answers, choice_of)
    named = [replace(one, rater=names[int(one.rater)]) for one in agreement_series(table)]
    return drift_figures(named, seed=seed) + time_figures(answers, choice_of, seed=seed)


def time_figures(answers: Sequence[StudyAnswer], choice_of: ChoiceOf, *, seed: int) -> list[Figure]:
    """Fast answers that agree less, and raters who take less than a third of the others' time."""
    table, names = code_answers(answers, choice_of)
    seconds = np.array(
        [np.nan if one.seconds is None else one.seconds for one in answers], dtype=np.float64
    )
    fast = [
        rater_figure("fast", "Loss of agreement when fast", FAST, one, names[int(one.rater)])
        for one in check_fast_answers(table, seconds, seed=seed)
    ]
    short = [
        rater_figure("short_times", "Time beside that of others", SHORT, one, names[int(one.rater)])
        for one in check_short_times(table.raters, table.items, seconds)
    ]
    return [*fast, *short]


def straight_lining_figures(
    answers: Sequence[StudyAnswer], choice_of: ChoiceOf, *, seed: int
) -> list[Figure]:
    """choice_of has the same meaning for every question. Runs flag nobody: files may be sorted."""
    table, names = code_answers(answers, choice_of)
    choices = list(dict.fromkeys(map(choice_of, answers)))
    runs = [
        rater_figure("longest_run", "Longest run of one choice", RUNS, one, names[int(one.rater)])
        for one in check_longest_run(table, seed=seed)
    ]
    commonest = [
        rater_figure(
            "straight_lining",
            "Share of the commonest choice",
            COMMONEST,
            one.test,
            names[int(one.test.rater)],
            note=f"Choice: {str(choices[one.choice]).replace('_', ' ')}.",
        )
        for one in check_commonest_choice(table)
    ]
    return [*commonest, *(replace(one, is_flagged=False) for one in runs)]


def ability_figures(tests: Sequence[AbilityTest], names: Sequence[str] | None) -> list[Figure]:
    """Flagged: no better than chance, and worse than the others. names: of numbered raters."""
    figures = []
    for one in tests:
        rater = one.below_others.rater
        expert = names[int(rater)] if names is not None else str(rater)
        above = one.above_chance
        chance = f"Against chance: {above.value:.2f}, {'better' if above.flagged else 'no better'}."
        figure = rater_figure(
            "ability", "Agreement with the others", ABILITY, one.below_others, expert, note=chance
        )
        figures.append(replace(figure, is_flagged=one.flagged))
    return figures


def choice_ability_figures(
    answers: Sequence[StudyAnswer], choice_of: ChoiceOf, *, seed: int
) -> list[Figure]:
    table, names = code_answers(answers, choice_of)
    return ability_figures(check_ability(table, seed=seed), names)


def fatigue_section(answers: Sequence[StudyAnswer], choice_of: ChoiceOf) -> Section:
    """Trends of agreement with position, visit and hour, adjusted over them. In order of time."""
    table, _ = code_answers(answers, choice_of)
    covariates = {
        "position": _positions(answers) / PER_ANSWERS,
        "visit": _visits(answers),
        "hour": np.array([_hour(one) for one in answers], dtype=np.float64),
    }
    slopes = regress_agreement(table, covariates)
    labels = {
        "position": f"For {PER_ANSWERS} more answers",
        "visit": "For one more visit",
        "hour": "For one hour later on the day (UTC)",
    }
    compared = int(table.compared.sum())
    adjusted = iter(
        adjust_over_study([it.p_value for it in slopes.values() if it.p_value is not None])
    )
    figures = tuple(
        _slope_figure(
            name,
            labels[name],
            slope,
            compared,
            None if slope.p_value is None else next(adjusted),
        )
        for name, slope in slopes.items()
    )
    note = "Change of the agreement with others. A visit ends after 30 minutes without an answer."
    return Section("fatigue", "Fatigue", figures, note)


def code_answers(answers: Sequence[StudyAnswer], choice_of: ChoiceOf) -> tuple[Answers, list[str]]:
    """The answers as numbers, and the names of the raters by number."""
    table = Answers(
        number_values(one.rater for one in answers),
        number_values(one.question for one in answers),
        number_values(map(choice_of, answers)),
    )
    return table, list(dict.fromkeys(one.rater for one in answers))


def choices_by_question(
    answers: Sequence[StudyAnswer], choice_of: ChoiceOf
) -> Callable[[StudyAnswer], int]:
    """Choices numbered within each question, where they mean nothing across questions."""
    known: dict[str, dict[Hashable, int]] = {}
    for one in answers:
        places = known.setdefault(one.question, {})
        places.setdefault(choice_of(one), len(places))
    return lambda one: known[one.question][choice_of(one)]


def _positions(answers: Sequence[StudyAnswer]) -> FloatArray:
    """How many answers the rater gave before."""
    counts: dict[str, int] = {}
    result = []
    for one in answers:
        result.append(counts.get(one.rater, 0))
        counts[one.rater] = result[-1] + 1
    return np.array(result, dtype=np.float64)


def _hour(answer: StudyAnswer) -> float:
    return answer.submitted_at.hour + answer.submitted_at.minute / 60


def _visits(answers: Sequence[StudyAnswer]) -> FloatArray:
    result = np.zeros(len(answers))
    for rater in dict.fromkeys(one.rater for one in answers):
        own = [place for place, one in enumerate(answers) if one.rater == rater]
        result[own] = number_visits([answers[place].submitted_at for place in own])
    return result


def _slope_figure(
    name: str, label: str, slope: Slope, compared: int, adjusted: float | None
) -> Figure:
    if slope.value is None:
        reasons = {
            "too_few_raters": "A trend needs five raters.",
            "no_variation": "It does not vary within raters and questions.",
        }
        reason = reasons[slope.reason or "too_few_raters"]
        return missing_figure(name, label, "answers", SLOPE, reason)
    number = Statistic(slope.value, compared, low=slope.low, high=slope.high)
    figure = figure_of(name, label, "answers", SLOPE, number)
    is_flagged = slope.value < 0 and adjusted is not None and adjusted <= LEVEL
    return replace(figure, p_value=slope.p_value, adjusted_p=adjusted, is_flagged=is_flagged)
