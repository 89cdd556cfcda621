"""Questionnaire entries, items and answers of studies that compare two hypotheses.

An entry has the fields of every question (`text` is what both hypotheses answer) and

    {"background": "…",
     "hypotheses": [{"hypothesis": "…", "rationale": "…", "model": "…", "arm": "…", "score": 0.5},
                    {…}],
     "gap": 40.0, "least_gap": 30.0}

`model`, `arm`, `score`, `gap` (of the scores, in points) and `least_gap` (by which the pair was
chosen) are optional; no item holds them.
"""

from math import isfinite
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field, PlainValidator, ValidationInfo, field_validator

from annotation.kinds.base import Answer, FaultList
from annotation.kinds.items import Item
from backend.benchmarks.questionnaire import MAX_NAME_LENGTH, MAX_TEXT_LENGTH, QuestionEntry
from backend.validation.faults import Fault
from backend.validation.json_files import (
    FileModel,
    describe_value,
    is_absent,
    list_field,
    optional_text_field,
    text_field,
    value_error,
)

MAX_COMMENT_LENGTH = 10_000

Side = Literal["a", "b"]
Part = Literal["a", "b", "background"]
Choice = Literal["a_much", "a", "tie", "b", "b_much", "both_bad", "not_sure"]
SIDES: tuple[Side, ...] = get_args(Side)
CHOICES: tuple[Choice, ...] = get_args(Choice)

SIDE = "side"
AS_LISTED, SWAPPED = "as_listed", "swapped"
"""The arm of sides, and its levels: the first of the file on the left, or on the right."""


def optional_number_field() -> PlainValidator:
    def check(value: object) -> float | None:
        if is_absent(value):
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise value_error(f"This is {describe_value(value)}.", "a number")
        return float(value)

    return PlainValidator(check)


class HypothesisEntry(FileModel):
    list_name = "hypotheses"
    hypothesis: Annotated[str, text_field(MAX_TEXT_LENGTH)]
    rationale: Annotated[str, text_field(MAX_TEXT_LENGTH, empty=True)]
    model: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]
    arm: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]
    score: Annotated[float | None, optional_number_field()]


class PairEntry(QuestionEntry):
    background: Annotated[str, text_field(MAX_TEXT_LENGTH, empty=True)]
    hypotheses: Annotated[tuple[HypothesisEntry, ...], list_field(2, 2, "hypotheses")]
    gap: Annotated[float | None, optional_number_field()]
    least_gap: Annotated[float | None, optional_number_field()]


class ShownHypothesis(BaseModel):
    """id: 'a' stands on the left. sentences: of the rationale, which they are when joined."""

    id: Side
    hypothesis: str
    sentences: list[str]


class PairItem(Item):
    """background_sentences: of the background, which they are when joined."""

    background: str
    background_sentences: list[str]
    hypotheses: list[ShownHypothesis]

    def sentences_of(self, part: Part) -> list[str]:
        if part == "background":
            return self.background_sentences
        return next(one.sentences for one in self.hypotheses if one.id == part)


class DecidingSentence(Answer):
    """id: of the rationale, or the background. sentence: its place there, from 0."""

    id: Part
    sentence: Annotated[int, Field(ge=0)]


class PairAnswer(Answer):
    """choice: which hypothesis is better, and how much; None in a draft.

    because: the sentence that decided, if the expert marked one.
    """

    choice: Choice | None
    because: DecidingSentence | None
    comment: Annotated[str, Field(max_length=MAX_COMMENT_LENGTH)]

    @field_validator("because")
    @classmethod
    def _check_sentence(
        cls, value: DecidingSentence | None, info: ValidationInfo
    ) -> DecidingSentence | None:
        if value is None:
            return None
        count = len(_item(info).sentences_of(value.id))
        if value.sentence >= count:
            message = f"The text of '{value.id}' has no such sentence."
            expected = f"a number from 0 to {count - 1}" if count else "a part that has sentences"
            place = "payload.because.sentence"
            raise FaultList([Fault(place, message, "unknown_sentence", expected)])
        return value


def _item(info: ValidationInfo) -> PairItem:
    context: dict[str, Any] = info.context or {}
    item = context["item"]
    if not isinstance(item, PairItem):
        raise TypeError("the context of a pair's answer holds no pair")
    return item
