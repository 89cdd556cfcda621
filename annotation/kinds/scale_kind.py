"""What all kinds that rate on scales have in common: outcomes, measures and rows of exports."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from annotation.kinds.arm_sections import choice_arm_sections
from annotation.kinds.base import InvalidPayload, Json, Outcome, Payload, SimulatedAnswer, StudyKind
from annotation.kinds.figures import Section
from annotation.kinds.items import ORDER_ARM, Arm
from annotation.kinds.measures import Measure, share_of
from annotation.kinds.rater_sections import choice_rater_sections
from annotation.kinds.scale_measures import (
    RATE_LABELS,
    list_item_measures,
    measure_ratings,
    verdict_of,
)
from annotation.kinds.scale_simulation import simulate_ratings
from annotation.kinds.scale_statistics import scale_retest_section, scale_sections
from annotation.kinds.scales import ScaledAnswer, ScaledItem
from annotation.kinds.study_table import StudyTable
from backend.validation.faults import Fault

ItemT = TypeVar("ItemT", bound=ScaledItem)
AnswerT = TypeVar("AnswerT", bound=ScaledAnswer)
SCALE_COLUMNS = ("scale", "scale_question", "scale_low", "scale_high")
LEVEL_COLUMNS = ("level", "verdict", "not_sure_reason", "comment")


class ScaleKind(StudyKind[ItemT, AnswerT]):
    outcomes = (
        Outcome("rated", "Rated"),
        Outcome("not_sure", "Not sure", is_measured=False),
    )
    column_types = {"level": int}
    choices = ("positive", "tie", "negative")
    can_adapt = True
    arms: ClassVar[Sequence[Arm]] = (ORDER_ARM,)
    grades = tuple(range(1, 6))

    @abstractmethod
    def item_cells(self, item: ItemT) -> dict[str, Any]:
        """Of the kind's own columns about the item."""

    def answer_cells(self, payload: Payload | None) -> dict[str, Any]:
        """Of the kind's own columns about the answer."""
        return {}

    def outcome(self, answer: AnswerT, item: ItemT) -> str:
        """Not sure only where that is the answer to every scale."""
        faults = [
            Fault(f"payload.levels.{name}", "This scale has no level.", "no_level", "1 to 5")
            for name, level in answer.levels.items()
            if level is None and name not in answer.unsure
        ]
        if faults:
            sentence = "Some scales have no level yet. Rate them, or state why not."
            raise InvalidPayload(sentence, faults=faults)
        return "not_sure" if len(answer.unsure) == len(answer.levels) else "rated"

    def agreement(self, answers: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
        """The n-th answers to all items count as those of one expert."""
        return measure_ratings(
            [{UUID(int=at): one for at, one in enumerate(item)} for item in answers], seed=seed
        )

    def agreement_of_raters(
        self, answers: Sequence[Mapping[UUID, Payload]], *, seed: int
    ) -> list[Measure]:
        return measure_ratings(answers, seed=seed)

    def item_agreement(self, answers: Sequence[Payload]) -> list[Measure]:
        return list_item_measures(answers)

    def consensus(self, answers: Sequence[Payload]) -> Json:
        """The median level of each scale that somebody rated."""
        return dict(_medians(answers)) or None

    def compare(self, item: ItemT, own: Payload | None, others: Sequence[Payload]) -> str:
        levels, medians = own["levels"] if own else {}, _medians(others)
        parts = [
            f"{name} {medians[name]:g}" + (f" (you: {levels[name]})" if levels.get(name) else "")
            for name in item.scale_names
            if name in medians
        ]
        return f"The median of {len(others)} others: {', '.join(parts)}." if parts else ""

    def choice_of(self, payload: Payload) -> str:
        """The verdict of the median level over the scales."""
        grade = self.grade_of(payload)
        return "" if grade is None else verdict_of(round(grade))

    def grade_of(self, payload: Payload) -> float | None:
        """The median level over the scales."""
        levels = [level for level in payload["levels"].values() if level is not None]
        return float(median(levels)) if levels else None

    def statistics(self, table: StudyTable) -> list[Section]:
        sure = [one for one in table.answers if self.is_measured(one.outcome)]
        checked = [one for one in table.with_mixed_in().answers if self.is_measured(one.outcome)]
        return [
            *scale_sections(table),
            *choice_arm_sections(table, self, sure),
            *choice_rater_sections(
                checked, lambda one: self.choice_of(one.payload), seed=table.seed
            ),
            scale_retest_section(table),
        ]

    def is_result(self, measure: str) -> bool:
        return measure.rpartition(".")[2] in RATE_LABELS

    def shares(self, counts: Mapping[str, int]) -> list[Measure]:
        answered = counts["rated"] + counts["not_sure"]
        return [share_of("not_sure_share", "Not sure", counts["not_sure"], answered)]

    def is_right(self, answer: Payload, known: Payload) -> bool:
        """Within one step on each scale that the known answer has."""
        return all(
            answer["levels"][name] is not None and abs(answer["levels"][name] - level) <= 1
            for name, level in known["levels"].items()
            if level is not None
        )

    def comment(self, payload: Payload) -> str:
        return str(payload["comment"])

    def csv_rows(self, item: ItemT, payload: Payload | None, outcome: str) -> list[dict[str, Any]]:
        """One row per scale."""
        return [
            {
                **self.item_cells(item),
                "scale": one.name,
                "scale_question": one.question,
                "scale_low": one.low,
                "scale_high": one.high,
                **_level_cells(one.name, payload),
                **self.answer_cells(payload),
            }
            for one in item.scales
        ]

    def simulate(self, item: ItemT, expert: int) -> SimulatedAnswer:
        return simulate_ratings(expert, item)


def _medians(answers: Sequence[Payload]) -> dict[str, float]:
    levels: dict[str, list[int]] = {}
    for payload in answers:
        for name, level in payload["levels"].items():
            levels.setdefault(name, []).extend([] if level is None else [level])
    return {name: float(median(values)) for name, values in levels.items() if values}


def _level_cells(scale: str, payload: Payload | None) -> dict[str, Any]:
    level = payload and payload["levels"][scale]
    return {
        "level": level,
        "verdict": verdict_of(level) if level else "",
        "not_sure_reason": payload["unsure"].get(scale, "") if payload else "",
        "comment": payload["comment"] if payload else "",
    }
