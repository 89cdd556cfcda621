"""Ratings: experts rate an object on scales from 1 to 5 (STaRK, section 2.5 and Table 5)."""

from typing import Any

from annotation.kinds.base import Json
from annotation.kinds.figures import Section
from annotation.kinds.items import Presentation, base_fields
from annotation.kinds.ratings.foreign import FOREIGN
from annotation.kinds.ratings.schema import SOURCE, RatingsAnswer, RatingsEntry, RatingsItem
from annotation.kinds.ratings.source_sections import source_sections
from annotation.kinds.scale_kind import LEVEL_COLUMNS, SCALE_COLUMNS, ScaleKind
from annotation.kinds.study_table import StudyTable
from backend.benchmarks.models import Question


class RatingsKind(ScaleKind[RatingsItem, RatingsAnswer]):
    name = "ratings"
    foreign = FOREIGN
    title = "Ratings"
    question_schema = RatingsEntry
    item_schema = RatingsItem
    answer_schema = RatingsAnswer
    activity_kinds = ("rated", "unsure", "comment")
    csv_item_columns = ("details", *SCALE_COLUMNS)
    csv_answer_columns = LEVEL_COLUMNS

    def build_item(self, question: Question, shown: Presentation) -> RatingsItem:
        return RatingsItem(
            **base_fields(question),
            details=question.payload["details"],
            scales=shown.in_order(question.payload["scales"]),
        )

    def can_use(self, question: Question) -> bool:
        """Only questions of its own files have scales."""
        return bool(question.payload.get("scales")) and "details" in question.payload

    def initial_answer(self, item: RatingsItem) -> RatingsAnswer:
        return RatingsAnswer.model_construct(
            levels=dict.fromkeys(item.scale_names), unsure={}, comment=""
        )

    def coordinator_cells(self, question: Question) -> dict[str, Json]:
        """The set that a question of a mixed set is from. Its table has it in `question_json`: one
        more column, and tables of before would be refused."""
        return {SOURCE: question.payload[SOURCE]} if question.payload.get(SOURCE) else {}

    def statistics(self, table: StudyTable) -> list[Section]:
        return [*source_sections(table), *super().statistics(table)]

    def item_cells(self, item: RatingsItem) -> dict[str, Any]:
        return {"details": item.details}


KIND = RatingsKind()
