"""Rates and mean levels of each scale by the source of what is rated, side by side."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from annotation.kinds.arm_sections import number_places, shape_of
from annotation.kinds.figures import (
    REASONS,
    TWO_WAY,
    Figure,
    Section,
    figure_of,
    study_share,
)
from annotation.kinds.ratings.schema import SOURCE
from annotation.kinds.scale_measures import RATE_LABELS, RATED_AS
from annotation.kinds.scale_statistics import RATES, level_of, list_scales
from annotation.kinds.study_table import StudyTable
from backend.science.judgements.contrasts import Row, difference_of_intervals, two_way_contrast
from backend.science.judgements.ratings import HIGHEST, LOWEST, Rate
from backend.science.judgements.tables import JudgementTable
from backend.science.judgements.two_way import MIN_ITEMS, ResampledStatistic, two_way_mean

MAX_SOURCES = 6
LONGEST_NAME = 200
UNIT = "ratings"
HYBRID = "from the intervals of both (Newcombe, 1998), since the ratings of one are all the same"
NO_SPREAD = "The resampled answers do not differ."
NOTE = (
    "Experts do not see the source. Each scale has the two rates of STaRK's Table 5 and the mean "
    "level. Intervals of differences are not adjusted for their number."
)

Rated = tuple[str, str, float]
"""Question, rater, and the number of the rating, from 0 to 1."""


@dataclass(frozen=True)
class LevelMeasure:
    """number: of a level, from 0 to 1. lowest, span: of what is shown of their mean."""

    name: str
    label: str
    method: str
    number: Callable[[int], float]
    lowest: float = 0
    span: float = 1

    def shown(self, statistic: ResampledStatistic, *, lowest: float) -> ResampledStatistic:
        def place(number: float | None) -> float | None:
            return None if number is None else lowest + self.span * number

        low, high = place(statistic.low), place(statistic.high)
        return replace(statistic, value=place(statistic.value), low=low, high=high)


@dataclass(frozen=True)
class Source:
    name: str
    questions: frozenset[str]


def _rate(rate: Rate) -> LevelMeasure:
    members = RATED_AS[rate]
    return LevelMeasure(rate, RATE_LABELS[rate], RATES, lambda level: float(level in members))


MEAN_LEVEL = LevelMeasure(
    "mean_level",
    "mean level",
    f"Levels from {LOWEST} to {HIGHEST}",
    lambda level: (level - LOWEST) / (HIGHEST - LOWEST),
    LOWEST,
    HIGHEST - LOWEST,
)
MEASURES = (_rate("positive"), _rate("non_negative"), MEAN_LEVEL)


def source_sections(table: StudyTable) -> list[Section]:
    """None unless the questions are from several sources, and somebody has rated one."""
    sources = _list_sources(table)
    if len(sources) < 2:
        return []
    figures = [
        figure
        for scale in list_scales(table.answers)
        for measure in MEASURES
        for figure in _figures(table, sources, scale, measure)
    ]
    return [Section("sources", "Rates by source", tuple(figures), NOTE)] if figures else []


def _list_sources(table: StudyTable) -> list[Source]:
    """By name."""
    sources: dict[str, list[str]] = {}
    for question, one in table.questions.items():
        if name := str(one.question.payload.get(SOURCE) or "")[:LONGEST_NAME]:
            sources.setdefault(name, []).append(question)
    return [Source(name, frozenset(sources[name])) for name in sorted(sources)[:MAX_SOURCES]]


def _figures(
    table: StudyTable, sources: Sequence[Source], scale: str, measure: LevelMeasure
) -> list[Figure]:
    """The measure of each source, then less that of the first."""
    levels = [(one, level_of(one, scale)) for one in table.answers]
    numbers = [
        (one.question, one.rater, measure.number(level))
        for one, level in levels
        if level is not None
    ]
    rated = [[one for one in numbers if one[0] in source.questions] for source in sources]
    name, label = f"{scale}.{measure.name}.source", f"{scale}: {measure.label}"
    means = [
        _mean_figure(table, measure, f"{name}_{place}", f"{label}, {one.name}", rated[place])
        for place, one in enumerate(sources)
    ]
    first = sources[0].name
    differences = [
        _difference_figure(
            table,
            measure,
            f"{name}_{place}_less_0",
            f"{label}, {one.name} less {first}",
            (rated[place], rated[0]),
        )
        for place, one in enumerate(sources)
        if place
    ]
    return [*means, *differences]


def _mean_figure(
    table: StudyTable, measure: LevelMeasure, name: str, label: str, rated: Sequence[Rated]
) -> Figure:
    """A rate of an open study has an interval that holds at every look."""
    if measure is MEAN_LEVEL:
        mean = measure.shown(_mean(table, rated), lowest=measure.lowest)
        method = f"{measure.method}. Mean{_over(table)}; {TWO_WAY}"
        return _with_spread(figure_of(name, label, UNIT, method, mean))
    rows = [(question, rater, bool(number)) for question, rater, number in rated]
    figure = study_share(table, name, label, rows, UNIT)
    return _with_spread(replace(figure, method=f"{measure.method}. {figure.method}"))


def _difference_figure(
    table: StudyTable,
    measure: LevelMeasure,
    name: str,
    label: str,
    rated: tuple[Sequence[Rated], Sequence[Rated]],
) -> Figure:
    statistic, interval = _difference(table, *rated)
    method = f"{measure.method}. Difference of means{_over(table)}; {interval}"
    shown = measure.shown(statistic, lowest=0)
    return _with_spread(figure_of(name, label, UNIT, method, shown))


def _difference(
    table: StudyTable, rated: Sequence[Rated], first: Sequence[Rated]
) -> tuple[ResampledStatistic, str]:
    """With the method of its interval."""
    effect = two_way_contrast(
        _rows(table, rated), _rows(table, first), shape_of(table), seed=table.seed
    )
    if effect.value is None:
        return effect, TWO_WAY
    if min(_count_questions(rated), _count_questions(first)) < MIN_ITEMS:
        return replace(effect, low=None, high=None, interval_reason="too_few_questions"), TWO_WAY
    if _is_constant(rated) or _is_constant(first):
        return difference_of_intervals(_mean(table, rated), _mean(table, first)), HYBRID
    return effect, TWO_WAY


def _mean(table: StudyTable, rated: Sequence[Rated]) -> ResampledStatistic:
    return two_way_mean(
        JudgementTable.of(rated).values,
        seed=table.seed,
        bounded=True,
        equal_items=_weighs_questions(table),
    )


def _rows(table: StudyTable, rated: Sequence[Rated]) -> list[Row]:
    """With the weights of the means."""
    raters, items = number_places(table)
    counts = Counter(question for question, *_ in rated) if _weighs_questions(table) else {}
    return [
        (items[question], (raters[rater],), number, 1 / counts.get(question, 1))
        for question, rater, number in rated
    ]


def _weighs_questions(table: StudyTable) -> bool:
    """As in `study_share`: whether each question weighs the same, not each rating."""
    return table.is_open or table.is_adaptive


def _over(table: StudyTable) -> str:
    return " over questions of their means" if _weighs_questions(table) else ""


def _count_questions(rated: Sequence[Rated]) -> int:
    return len({question for question, *_ in rated})


def _is_constant(rated: Sequence[Rated]) -> bool:
    return len({number for *_, number in rated}) == 1


def _with_spread(figure: Figure) -> Figure:
    """Without an interval of one point, which few raters or equal ratings make."""
    is_point = figure.low is not None and figure.low == figure.high
    if not is_point and figure.interval_reason != REASONS["one_category"]:
        return figure
    return replace(figure, low=None, high=None, interval_reason=NO_SPREAD)
