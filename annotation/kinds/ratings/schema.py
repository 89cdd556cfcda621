"""Questionnaire entries, items and answers of studies that rate objects on scales from 1 to 5.

An entry has the fields of every question (`text` is the object, such as a query) and

    {"details": "…",
     "scales": [{"name": "naturalness", "question": "…", "low": "…", "high": "…"}, …]}

`details` is optional plain text; `low` and `high` are the meanings of 1 and 5.
"""

from collections.abc import Iterable
from typing import Annotated

from pydantic_core import InitErrorDetails

from annotation.kinds.scales import ScaledAnswer, ScaledItem
from backend.benchmarks.questionnaire import MAX_TEXT_LENGTH, QuestionEntry
from backend.validation.faults import printable
from backend.validation.json_files import (
    FileModel,
    JsonObject,
    error_at,
    list_field,
    optional_text_field,
    text_field,
)

# In the payload of a question of a mixed set: the set that it is from, which no item has.
SOURCE = "source"
MAX_SCALES = 6
MAX_SCALE_NAME_LENGTH = 60
MAX_LABEL_LENGTH = 500


class ScaleEntry(FileModel):
    list_name = "scales"
    name: Annotated[str, text_field(MAX_SCALE_NAME_LENGTH)]
    question: Annotated[str, text_field(MAX_LABEL_LENGTH)]
    low: Annotated[str, text_field(MAX_LABEL_LENGTH)]
    high: Annotated[str, text_field(MAX_LABEL_LENGTH)]


class RatingsEntry(QuestionEntry):
    details: Annotated[str, optional_text_field(MAX_TEXT_LENGTH)]
    scales: Annotated[tuple[ScaleEntry, ...], list_field(1, MAX_SCALES, "scales")]

    @classmethod
    def cross_field_errors(cls, value: JsonObject) -> Iterable[InitErrorDetails]:
        """Answers refer to scales by their names."""
        scales = value.get("scales")
        known: set[str] = set()
        for place, scale in enumerate(scales[:MAX_SCALES] if isinstance(scales, list) else []):
            name = scale.get("name") if isinstance(scale, dict) else None
            if isinstance(name, str) and name in known:
                message = f"Another scale has the name '{printable(name)}'."
                yield error_at(("scales", place, "name"), message, "a name of its own", "repeated")
            if isinstance(name, str):
                known.add(name)


class RatingsItem(ScaledItem):
    details: str


class RatingsAnswer(ScaledAnswer):
    pass
