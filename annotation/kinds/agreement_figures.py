"""Agreement of raters on categories and on grades, and what is left of it without each rater."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from annotation.kinds.figures import REASONS, TWO_WAY, Figure, Section, figure_of, missing_figure
from annotation.kinds.study_table import StudyAnswer
from backend.science.judgements.alpha import AlphaLevel, krippendorff_alpha
from backend.science.judgements.kappa import Coefficient, Weighting, chance_corrected_agreement
from backend.science.judgements.tables import JudgementTable
from backend.science.optional_statistic import Statistic

ALPHA = "Krippendorff's alpha with gaps (Krippendorff, 2011)"
SAME = "Share of pairs of raters of a question"
KAPPA = "Kappa of several raters, with gaps (Conger, 1980)"
WEIGHTED_KAPPA = "Kappa of several raters, quadratic weights (Conger, 1980)"
AC1 = "AC1 (Gwet, 2008)"
AC2 = "AC2, AC1 with quadratic weights (Gwet, 2008)"
LEAVE_ONE_OUT = f"{ALPHA}, leaving out one rater at a time (Efron and Tibshirani, 1993)"
IS_EXTREME = "This is the end of a range over the raters."
IS_LEFT_OUT = "Compare it with the interval of alpha of all raters."
MIN_RATERS = 3


def agreement_table(answers: Sequence[StudyAnswer], numbers: Sequence[float]) -> JudgementTable:
    """numbers: of the answers: of categories, or grades; NaN for an answer without one."""
    return JudgementTable.of(
        (one.question, one.rater, value) for one, value in zip(answers, numbers, strict=True)
    )


def alpha_figure(
    name: str, label: str, table: JudgementTable, level: AlphaLevel, *, seed: int
) -> Figure:
    alpha = krippendorff_alpha(table.values, level=level, seed=seed)
    return figure_of(name, label, "paired answers", f"{ALPHA}; {TWO_WAY}", alpha)


def category_figures(
    table: JudgementTable, number: int, what: str, *, seed: int, prefix: str = ""
) -> list[Figure]:
    """Of categories 0 to number - 1. what: they are, as in 'Same verdict' and 'of verdicts'."""
    figures: list[tuple[str, str, str, Coefficient]] = [
        (f"same_{what}", f"Same {what}", SAME, "percent"),
        (f"kappa_{what}", f"Kappa of {what}s", KAPPA, "conger"),
        (f"ac1_{what}", f"AC1 of {what}s", AC1, "gwet"),
    ]
    return [
        _coefficient(prefix, row, table, range(number), "identity", seed=seed) for row in figures
    ]


def grade_figures(
    table: JudgementTable, grades: Sequence[int], what: str, *, seed: int, prefix: str = ""
) -> list[Figure]:
    """Of grades on a scale. what: they are, as in 'Weighted kappa of grades'."""
    figures: list[tuple[str, str, str, Coefficient]] = [
        (f"kappa_{what}", f"Weighted kappa of {what}s", WEIGHTED_KAPPA, "conger"),
        (f"ac2_{what}", f"AC2 of {what}s", AC2, "gwet"),
    ]
    return [_coefficient(prefix, row, table, grades, "quadratic", seed=seed) for row in figures]


def _coefficient(
    prefix: str,
    row: tuple[str, str, str, Coefficient],
    table: JudgementTable,
    categories: Sequence[int],
    weighting: Weighting,
    *,
    seed: int,
) -> Figure:
    name, label, method, coefficient = row
    result = chance_corrected_agreement(
        table.values,
        coefficient,
        seed=seed,
        weighting=weighting,
        categories=[float(one) for one in categories],
    )
    name, label = (f"{prefix}.{name}", f"{prefix}: {label}") if prefix else (name, label)
    return figure_of(name, label, "questions", f"{method}; {TWO_WAY}", result)


def leave_one_out_figures(
    table: JudgementTable, level: AlphaLevel, *, prefix: str = ""
) -> list[Figure]:
    """The range of alpha without one rater, and alpha without each: who lowers it, who holds it."""
    name = f"{prefix}.alpha_without" if prefix else "alpha_without"
    start = f"{prefix}: a" if prefix else "A"
    if len(table.raters) < MIN_RATERS:
        label, reason = f"{start}lpha without one rater", "It needs three raters."
        return [missing_figure(name, label, "raters", LEAVE_ONE_OUT, reason)]
    alphas = [_without(table, place, level) for place in range(len(table.raters))]
    single = [
        replace(
            figure_of(name, f"{start}lpha without the expert", "paired answers", LEAVE_ONE_OUT, it),
            interval_reason=IS_LEFT_OUT if it.reason is None else REASONS[it.reason],
            expert=rater,
        )
        for rater, it in zip(table.raters, alphas, strict=True)
    ]
    values = [one.value for one in alphas if one.value is not None]
    if not values:
        return single
    ends = [("lowest", min(values)), ("highest", max(values))]
    return [
        Figure(
            f"{name}_{end}",
            f"{start}lpha without one rater, {end}",
            value,
            len(values),
            "raters",
            LEAVE_ONE_OUT,
            interval_reason=IS_EXTREME,
        )
        for end, value in ends
    ] + single


def leave_one_out_section(figures: Sequence[Figure]) -> Section:
    note = "Alpha rises without an expert who answers unlike the others."
    return Section("leave_one_out", "Agreement without one rater", tuple(figures), note)


def _without(table: JudgementTable, place: int, level: AlphaLevel) -> Statistic:
    others = np.delete(table.values, place, axis=0)
    alpha = krippendorff_alpha(others, level=level, seed=0, draws=1)
    return Statistic(alpha.value, alpha.n, alpha.reason)
