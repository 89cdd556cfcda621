"""The effect of each arm: a mean under each of its levels, with that under the first subtracted."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from annotation.kinds.base import AnyKind
from annotation.kinds.figures import TWO_WAY, Figure, Section, figure_of
from annotation.kinds.items import Arm
from annotation.kinds.study_table import StudyAnswer, StudyTable
from backend.science.judgements.contrasts import Row, two_way_contrast

WEIGHTED = "means weighted by inverse propensity (Hájek, 1971)"


def choice_arm_sections(
    table: StudyTable, kind: AnyKind, answers: Sequence[StudyAnswer]
) -> list[Section]:
    """Of each arm that was drawn: its effect on the share of each choice of the kind."""
    return [
        arm_section(
            arm,
            [
                _choice_effect(table, kind, answers, arm, level, choice)
                for level in arm.levels[1:]
                for choice in kind.choices
            ],
        )
        for arm in kind.arms
        if any(arm.name in one.arms for one in answers)
    ]


def arm_section(arm: Arm, figures: Sequence[Figure]) -> Section:
    note = f"Each figure is a mean with the {arm.name} {arm.levels[0]} subtracted."
    return Section(f"arm_{arm.name}", f"Effect of the {arm.name}", tuple(figures), note)


def _choice_effect(
    table: StudyTable,
    kind: AnyKind,
    answers: Sequence[StudyAnswer],
    arm: Arm,
    level: str,
    choice: str,
) -> Figure:
    raters, items = number_places(table)
    rows: Mapping[str, list[Row]] = defaultdict(list)
    for one in answers:
        if arm.name in one.arms:
            value = float(kind.choice_of(one.payload) == choice)
            row = (items[one.question], (raters[one.rater],), value, 1 / one.propensity)
            rows[one.arms[arm.name]].append(row)
    label = f"Share of '{choice.replace('_', ' ')}'"
    return contrast_figure(table, arm, level, f"share_{choice}", label, "answers", "Share", rows)


def contrast_figure(
    table: StudyTable,
    arm: Arm,
    level: str,
    name: str,
    label: str,
    unit: str,
    method: str,
    rows: Mapping[str, Sequence[Row]],
) -> Figure:
    first, others = rows.get(arm.levels[0], []), rows.get(level, [])
    effect = two_way_contrast(others, first, shape_of(table), seed=table.seed)
    means = ", ".join(
        f"{one} {_mean(values):.2f} (n {len(values)})" if values else f"{one}: none"
        for one, values in ((arm.levels[0], first), (level, others))
    )
    return figure_of(
        f"{name}_{level}",
        f"{label}: {level} less {arm.levels[0]}",
        unit,
        f"{method}; {WEIGHTED}; {TWO_WAY}",
        effect,
        note=f"Means: {means}.",
    )


def _mean(rows: Sequence[Row]) -> float:
    return sum(value * weight for *_, value, weight in rows) / sum(row[-1] for row in rows)


def number_places(table: StudyTable) -> tuple[dict[str, int], dict[str, int]]:
    """The number of each rater and of each question."""
    raters = sorted({one.rater for one in table.answers})
    return {name: place for place, name in enumerate(raters)}, {
        name: place for place, name in enumerate(table.questions)
    }


def shape_of(table: StudyTable) -> tuple[int, int]:
    raters, items = number_places(table)
    return len(raters), len(items)
