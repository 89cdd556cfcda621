"""Statistics of a study that rates on scales: rates, agreement and retest of each scale."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from annotation.kinds.agreement_figures import (
    agreement_table,
    alpha_figure,
    category_figures,
    grade_figures,
    leave_one_out_figures,
    leave_one_out_section,
)
from annotation.kinds.choice_sections import choice_retest_figures
from annotation.kinds.figures import Figure, Section, missing_figure, study_share
from annotation.kinds.scale_measures import RATE_LABELS, RATED_AS, Verdict, verdict_of
from annotation.kinds.study_table import StudyAnswer, StudyTable
from backend.science.judgements.ratings import HIGHEST, LOWEST, Rate

UNSURE = "not_sure"
VERDICTS: Sequence[Verdict] = ("negative", "tie", "positive")
LEVELS = range(LOWEST, HIGHEST + 1)
MAX_SCALES = 12  # items may have scales of their own
RATES = "Levels 4 and 5, 3, and 1 and 2 (Wu et al., 2024)"


def scale_sections(table: StudyTable) -> list[Section]:
    scales = list_scales(table.answers)
    return [
        _rate_section(table, scales),
        _agreement_section(table.random_part(), scales, table.random_note),
        _leave_one_out_section(table.random_part(), scales),
    ]


def scale_retest_section(table: StudyTable) -> Section:
    scales = list_scales(table.answers)
    repeats, seed = table.random_part().repeats, table.seed
    figures = [
        choice_retest_figures(repeats, partial(level_of, scale=scale), seed=seed, prefix=scale)[0]
        for scale in scales
    ] or [choice_retest_figures(repeats, lambda _: None, seed=seed)[0]]
    note = f"Questions that a rater answered twice: {len(repeats)}."
    return Section("retest", "Test and retest", tuple(chain.from_iterable(figures)), note)


def list_scales(answers: Sequence[StudyAnswer]) -> list[str]:
    """Those with levels, in the order of names; of many, those with the most."""
    counts = Counter(
        name
        for one in answers
        for name, level in one.payload["levels"].items()
        if level is not None
    )
    return sorted(name for name, _ in counts.most_common(MAX_SCALES))


def level_of(answer: StudyAnswer, scale: str) -> int | None:
    level: int | None = answer.payload["levels"].get(scale)
    return level


def _rate_section(table: StudyTable, scales: Sequence[str]) -> Section:
    """The rates of STaRK's Table 5. 'Not sure' is of all answers, as in Progress."""
    figures = [
        _rate_figure(table, scale, rate, members)
        for scale in scales
        for rate, members in RATED_AS.items()
    ]
    rows = [(one.question, one.rater, one.outcome == UNSURE) for one in table.answers]
    unsure = study_share(table, "not_sure_share", "Not sure", rows)
    note = "Rates are of the levels given; answers without a level on a scale are left out of it."
    return Section("rates", "Rates of each scale", (*figures, unsure), note)


def _rate_figure(table: StudyTable, scale: str, rate: Rate, members: Collection[int]) -> Figure:
    rows = [
        (one.question, one.rater, level in members)
        for one in table.answers
        if (level := level_of(one, scale)) is not None
    ]
    label = f"{scale}: {RATE_LABELS[rate]}"
    figure = study_share(table, f"{scale}.{rate}", label, rows, "ratings")
    return replace(figure, method=f"{RATES}. {figure.method}")


def _agreement_section(table: StudyTable, scales: Sequence[str], random_note: str) -> Section:
    figures = [figure for scale in scales for figure in _scale_agreement(table, scale)]
    note = f"Verdicts are negative (1 and 2), tie (3), positive (4 and 5).{random_note}"
    return Section("agreement", "Agreement", tuple(figures) or _nothing("Agreement"), note)


def _scale_agreement(table: StudyTable, scale: str) -> list[Figure]:
    answers, levels = _rated(table, scale)
    verdicts = [float(VERDICTS.index(verdict_of(int(one)))) for one in levels]
    judged, graded = agreement_table(answers, verdicts), agreement_table(answers, levels)
    seed = table.seed
    alpha = alpha_figure(
        f"{scale}.alpha_ordinal", f"{scale}: Alpha of levels", graded, "ordinal", seed=seed
    )
    return [
        alpha,
        *grade_figures(graded, LEVELS, "level", seed=seed, prefix=scale),
        *category_figures(judged, len(VERDICTS), "verdict", seed=seed, prefix=scale),
    ]


def _leave_one_out_section(table: StudyTable, scales: Sequence[str]) -> Section:
    figures = [
        figure
        for scale in scales
        for figure in leave_one_out_figures(
            agreement_table(*_rated(table, scale)), "ordinal", prefix=scale
        )
    ]
    return leave_one_out_section(figures or _nothing("Alpha without one rater"))


def _rated(table: StudyTable, scale: str) -> tuple[list[StudyAnswer], list[float]]:
    rows = [(one, level_of(one, scale)) for one in table.answers]
    levels = [(one, float(level)) for one, level in rows if level is not None]
    return [one for one, _ in levels], [level for _, level in levels]


def _nothing(label: str) -> tuple[Figure, ...]:
    return (missing_figure("no_levels", label, "ratings", RATES, "Nobody has rated yet."),)
