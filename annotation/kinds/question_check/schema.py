"""Questionnaire entries, items and answers of studies that check questions (SerenQA, section 4.1).

An entry has the fields of every question (`text` is what is checked) and

    {"pattern": "MATCH …", "answers": ["…", "…"]}

Both are optional, and plain text: the graph pattern behind the question, and what answers it.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from annotation.kinds.scales import RatingScale, ScaledAnswer, ScaledItem
from backend.benchmarks.questionnaire import MAX_NAME_LENGTH, MAX_TEXT_LENGTH, QuestionEntry
from backend.validation.json_files import (
    is_absent,
    list_field,
    optional_text_field,
    text_field,
)

MAX_ANSWERS = 1000

SCALES = (
    RatingScale(
        name="Grammar",
        question="Is it grammatical English?",
        low="Cannot be read",
        high="No mistake",
    ),
    RatingScale(
        name="Clarity",
        question="Can it be understood, and does it mean what the pattern means?",
        low="Not at all",
        high="Entirely",
    ),
    RatingScale(
        name="Biological relevance",
        question="Would a biologist or physician want the answer?",
        low="Nobody",
        high="Many",
    ),
)

Name = Annotated[str, text_field(MAX_NAME_LENGTH)]
OPTIONAL = BeforeValidator(lambda value: [] if is_absent(value) else value)


class QuestionCheckEntry(QuestionEntry):
    pattern: Annotated[str, optional_text_field(MAX_TEXT_LENGTH)]
    answers: Annotated[tuple[Name, ...], list_field(0, MAX_ANSWERS, "answers"), OPTIONAL]


class QuestionCheckItem(ScaledItem):
    """pattern: empty where the question has none. answers: names, in the order of the file."""

    pattern: str
    answers: list[str]


class QuestionCheckAnswer(ScaledAnswer):
    """correction: a better wording of the question, beside the original; empty without one."""

    correction: Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]

    @field_validator("correction")
    @classmethod
    def _leave_out_original(cls, value: str, info: ValidationInfo) -> str:
        """The original wording corrects nothing."""
        context: dict[str, Any] = info.context or {}
        return "" if value == context["item"].text else value
