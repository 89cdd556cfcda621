"""Figures about a study: a number, its interval or why there is none, and the method behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from annotation.kinds.study_table import StudyTable
from backend.science.evaluation.estimates import Estimate
from backend.science.judgements.confidence_sequences import current_mean
from backend.science.judgements.tables import JudgementTable
from backend.science.judgements.two_way import ResampledStatistic, two_way_mean
from backend.science.optional_statistic import Reason, Statistic
from backend.science.rater_checks.rater_tests import RaterTest

OPEN_STUDY = "The study is open: this interval is shown once it is closed."
REASONS: Mapping[Reason, str] = {
    "too_few_rankings": "Fewer than two raters answered the same question.",
    "too_few_items": "There are too few answers.",
    "all_tied": "Every answer is a tie.",
    "too_few_questions": "There are too few questions.",
    "too_few_raters": "There are too few raters.",
    "no_overlap": "No question has two answers.",
    "one_category": "All answers are the same.",
    "too_many_degenerate_draws": "The number does not exist in most of the resampled answers.",
    "outside_range": "Too few questions have two answers: the number is outside of its range.",
    "still_open": OPEN_STUDY,
}
OPEN_TEST = "The study is open: the p-value is shown once it is closed."
IS_TEST = "This is the statistic of a test; its p-value stands beside it."
IS_PROBABILITY = "This is itself a probability over resampled raters."
IS_COUNT = "This is a count."

TWO_WAY = "pigeonhole bootstrap over raters and questions (Owen, 2007)"
SEQUENCE = (
    "for these raters: asymptotic confidence sequence over questions (Waudby-Smith et al., 2024)"
)
PER_QUESTION = "Mean over questions of their share"
SPREAD = "against the spread of raters, random effect on the logit (Williams, 1982)"
HOLM = "adjusted over the raters and the checks of the study (Holm, 1979)"


@dataclass(frozen=True)
class Figure:
    """n counts `unit`. method: with its source, as name and year.

    Without a value `reason` is a sentence, without an interval `interval_reason` is one.
    is_sequence: the interval holds at every look, so that open studies show it. adjusted_p: over
    the tests and checks of the study. is_flagged: something to look at. expert, question: what the
    figure is about, empty for all.
    """

    name: str
    label: str
    value: float | None
    n: int
    unit: str
    method: str
    low: float | None = None
    high: float | None = None
    reason: str = ""
    interval_reason: str = ""
    is_sequence: bool = False
    p_value: float | None = None
    adjusted_p: float | None = None
    is_flagged: bool = False
    expert: str = ""
    note: str = ""
    question: str = ""


@dataclass(frozen=True)
class Section:
    """note: what the figures have in common, and what was left out."""

    name: str
    title: str
    figures: tuple[Figure, ...]
    note: str = ""


def figure_of(
    name: str, label: str, unit: str, method: str, statistic: Statistic, *, note: str = ""
) -> Figure:
    reason = statistic.reason or statistic.interval_reason
    has_interval = statistic.low is not None
    if isinstance(statistic, ResampledStatistic) and has_interval and statistic.draws:
        scope = "" if statistic.raters_resampled else "Holds for these raters alone."
        note = " ".join(filter(None, (note, scope)))
    return Figure(
        name,
        label,
        statistic.value,
        statistic.n,
        unit,
        method,
        statistic.low,
        statistic.high,
        REASONS[statistic.reason] if statistic.reason else "",
        "" if has_interval else REASONS[reason or "too_few_questions"],
        note=note,
    )


def estimate_figure(
    name: str, label: str, unit: str, method: str, estimate: Estimate | None
) -> Figure:
    """None: there was nothing to estimate from."""
    if estimate is None or estimate.reason == "undefined":
        lack = Statistic(None, 0, "too_few_items", interval_reason="too_few_items")
        return figure_of(name, label, unit, method, lack)
    reason: Reason | None = "too_few_questions" if estimate.reason else None
    number = Statistic(
        estimate.value,
        estimate.items,
        low=estimate.low,
        high=estimate.high,
        interval_reason=reason,
    )
    return figure_of(name, label, unit, method, number)


def missing_figure(name: str, label: str, unit: str, method: str, reason: str) -> Figure:
    return Figure(name, label, None, 0, unit, method, reason=reason, interval_reason=reason)


def count_figure(
    name: str, label: str, count: int, n: int, unit: str, method: str, *, note: str = ""
) -> Figure:
    return Figure(name, label, count, n, unit, method, interval_reason=IS_COUNT, note=note)


def rater_figure(
    name: str, label: str, method: str, test: RaterTest, expert: str, *, note: str = ""
) -> Figure:
    """The value of a test of one rater, with what was expected of a rater like the others."""
    expected = f"Expected: {test.expected:.2f}."
    return Figure(
        name,
        label,
        test.value,
        test.n,
        "answers",
        f"{method}; {HOLM}",
        interval_reason=IS_TEST,
        p_value=test.p_value,
        adjusted_p=test.adjusted,
        is_flagged=test.flagged,
        expert=expert,
        note=" ".join(filter(None, (expected, note))),
    )


def share_figure(
    name: str,
    label: str,
    rows: Sequence[tuple[str, str, bool]],
    *,
    is_open: bool,
    seed: int,
    basis: str,
    equal_questions: bool = False,
) -> Figure:
    """The share of answers that are so, from (question, rater, whether) in order of time.

    Of an open study: the mean over questions of their shares, with a confidence sequence in the
    order of their first answers. Of a closed one: the share of the answers, with its interval over
    raters and questions. basis: the plural of what is counted. equal_questions: also of a closed
    study the mean over questions, for those that draw questions by information: before they are
    finished, questions that divide experts have more answers.
    """
    if not is_open:
        table = JudgementTable.of((question, rater, float(so)) for question, rater, so in rows)
        share = two_way_mean(table.values, seed=seed, bounded=True, equal_items=equal_questions)
        method = PER_QUESTION if equal_questions else "Share"
        return figure_of(name, label, basis, f"{method}; {TWO_WAY}", share)
    means: dict[str, list[bool]] = {}
    for question, _, so in rows:
        means.setdefault(question, []).append(so)
    values = [sum(one) / len(one) for one in means.values()]
    figure = figure_of(
        name,
        f"{label}, mean over questions",
        "questions",
        f"{PER_QUESTION}; {SEQUENCE}",
        current_mean(values, bounded=True),
    )
    return replace(figure, is_sequence=True, note=_pooled_note(rows, basis))


def study_share(
    table: StudyTable,
    name: str,
    label: str,
    rows: Sequence[tuple[str, str, bool]],
    basis: str = "answers",
) -> Figure:
    """As `share_figure`, of rows from the answers of a study."""
    return share_figure(
        name,
        label,
        rows,
        is_open=table.is_open,
        seed=table.seed,
        basis=basis,
        equal_questions=table.is_adaptive,
    )


def _pooled_note(rows: Sequence[tuple[str, str, bool]], basis: str) -> str:
    """The share that Progress shows, which differs where questions have unequal numbers."""
    if not rows:
        return ""
    count, total = sum(so for *_, so in rows), len(rows)
    return f"Of all {total} {basis}: {count / total:.2f}."


def as_of_open_study(sections: Sequence[Section]) -> list[Section]:
    """An interval or a p-value for one look is wrong where people look every day: none is left."""
    return [replace(one, figures=tuple(map(_as_of_open_study, one.figures))) for one in sections]


def _as_of_open_study(figure: Figure) -> Figure:
    if figure.is_sequence:
        return figure
    has_interval = figure.low is not None
    if not has_interval and figure.p_value is None:
        return figure
    reason = OPEN_STUDY if has_interval else OPEN_TEST
    return replace(
        figure, low=None, high=None, interval_reason=reason, p_value=None, adjusted_p=None
    )
