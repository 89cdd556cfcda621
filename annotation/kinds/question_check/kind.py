"""Checks of questions: experts rate the wording of a question, and may correct it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotation.kinds.base import Payload, SimulatedAnswer, SimulatedEvent
from annotation.kinds.items import (
    EVIDENCE_ARM,
    ORDER_ARM,
    Presentation,
    base_fields,
    hides_evidence,
    without_resources,
)
from annotation.kinds.question_check.schema import (
    SCALES,
    QuestionCheckAnswer,
    QuestionCheckEntry,
    QuestionCheckItem,
)
from annotation.kinds.scale_kind import LEVEL_COLUMNS, SCALE_COLUMNS, ScaleKind
from backend.benchmarks.models import Question
from backend.benchmarks.patterns.cypher import pattern_to_cypher
from backend.benchmarks.question_records import pattern_of
from backend.benchmarks.questionnaire import MAX_TEXT_LENGTH

FAULTY_LEVEL = 2


class QuestionCheckKind(ScaleKind[QuestionCheckItem, QuestionCheckAnswer]):
    name = "question_check"
    title = "Checks of questions"
    question_schema = QuestionCheckEntry
    item_schema = QuestionCheckItem
    answer_schema = QuestionCheckAnswer
    arms = (ORDER_ARM, EVIDENCE_ARM)
    activity_kinds = ("rated", "unsure", "comment", "corrected")
    csv_item_columns = ("pattern", "answers", *SCALE_COLUMNS)
    csv_answer_columns = (*LEVEL_COLUMNS, "correction")

    def build_item(self, question: Question, shown: Presentation) -> QuestionCheckItem:
        """Questions of an existing set are answered by their candidates."""
        names = [one.name for one in question.candidates.all()]
        fields = base_fields(question)
        source: Mapping[str, Any] = {"answers": names, **shown.fields, **question.payload}
        if hides_evidence(shown.arms):
            fields, source = without_resources(fields), {"answers": []}
        return QuestionCheckItem(
            **fields,
            scales=shown.in_order(SCALES),
            pattern=source.get("pattern", ""),
            answers=source["answers"],
        )

    def can_use(self, question: Question) -> bool:
        return True

    def fields_of(self, question: Question, prior: Sequence[Sequence[int]] | None) -> Payload:
        """The pattern in its record."""
        pattern = pattern_of(question)
        return {"pattern": pattern_to_cypher(pattern, by="name")} if pattern else {}

    def initial_answer(self, item: QuestionCheckItem) -> QuestionCheckAnswer:
        return QuestionCheckAnswer.model_construct(
            levels=dict.fromkeys(item.scale_names), unsure={}, comment="", correction=""
        )

    def item_cells(self, item: QuestionCheckItem) -> dict[str, Any]:
        return {"pattern": item.pattern, "answers": "\n".join(item.answers)}

    def answer_cells(self, payload: Payload | None) -> dict[str, Any]:
        return {"correction": payload["correction"] if payload else ""}

    def simulate(self, item: QuestionCheckItem, expert: int) -> SimulatedAnswer:
        """As ratings; a question with faulty grammar or clarity gets a wording, marked as such."""
        rated = super().simulate(item, expert)
        levels = [rated.payload["levels"][name] for name in ("Grammar", "Clarity")]
        is_faulty = any(level is not None and level <= FAULTY_LEVEL for level in levels)
        if not is_faulty:
            return replace(rated, payload={**rated.payload, "correction": ""})
        correction = f"Simulated wording: {item.text}"[:MAX_TEXT_LENGTH]
        *events, last = rated.events
        corrected = [*events, SimulatedEvent("corrected", "", correction), last]
        payload = {**rated.payload, "correction": correction}
        return replace(rated, payload=payload, events=corrected)


KIND = QuestionCheckKind()
