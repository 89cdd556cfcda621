"""Questionnaire entries, items and answers of studies that verify claims.

An entry has the fields of every question (`text` is the claim) and

    {"documents": [{"id": "…", "title": "…", "text": "…", "source": "…"}],
     "edges": [{"source": "…", "relation": "…", "target": "…", "origin": "…"}],
     "because": "required", "model": "…", "arm": "…", "verdict": "…"}

`because` is `required` unless it is `optional`. `title`, `source`, `origin`, `model`, `arm` and
`verdict` (of an automatic judge) are optional; no item holds the last three.
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, PlainValidator, ValidationInfo, field_validator

from annotation.kinds.base import Answer
from annotation.kinds.items import Item
from annotation.kinds.marks import MAX_MARKS, check_marks, mark_key
from annotation.kinds.passages import Edge, PassagesEntry, ShownDocument, edge_text
from backend.benchmarks.questionnaire import MAX_NAME_LENGTH
from backend.validation.json_files import (
    describe_value,
    is_absent,
    optional_text_field,
    value_error,
)

MAX_COMMENT_LENGTH = 10_000

Verdict = Literal["supported", "contradicted", "not_enough", "not_sure"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
BECAUSE_POLICIES = ("required", "optional")


def because_field() -> PlainValidator:
    def check(value: object) -> str:
        if is_absent(value):
            return BECAUSE_POLICIES[0]
        if isinstance(value, str) and value in BECAUSE_POLICIES:
            return value
        raise value_error(f"This is {describe_value(value)}.", " or ".join(BECAUSE_POLICIES))

    return PlainValidator(check)


class ClaimEntry(PassagesEntry):
    because: Annotated[str, because_field()]
    model: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]
    arm: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]
    verdict: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]


class Mark(Answer):
    """number: the place of a sentence in the document, or of an edge without one; from 0."""

    document: str | None
    number: Annotated[int, Field(ge=0)]


class ClaimItem(Item):
    """is_because_required: whether 'supported' and 'contradicted' need a mark."""

    documents: list[ShownDocument]
    edges: list[Edge]
    is_because_required: bool

    def marks(self) -> list[Mark]:
        """All that can be marked, in the order in which it is shown."""
        sentences = [(one.id, len(one.sentences)) for one in self.documents]
        every = [*sentences, (None, len(self.edges))]
        return [Mark(document=name, number=at) for name, count in every for at in range(count)]

    def text_of(self, mark: Mark) -> str:
        if mark.document is None:
            return edge_text(self.edges[mark.number].model_dump())
        texts = next(one.sentences for one in self.documents if one.id == mark.document)
        return texts[mark.number].strip()


class ClaimAnswer(Answer):
    """verdict: None in a draft. because: the sentences and edges that decided."""

    verdict: Verdict | None
    because: Annotated[list[Mark], Field(max_length=MAX_MARKS)]
    comment: Annotated[str, Field(max_length=MAX_COMMENT_LENGTH)]

    @field_validator("because")
    @classmethod
    def _check_marks(cls, value: list[Mark], info: ValidationInfo) -> list[Mark]:
        known = {mark_key(one.model_dump()) for one in _item(info).marks()}
        unknown = "The claim has no such sentence or edge."
        check_marks(
            value, key=lambda mark: mark_key(mark.model_dump()), known=known, unknown=unknown
        )
        return value


def _item(info: ValidationInfo) -> ClaimItem:
    context: dict[str, Any] = info.context or {}
    item = context["item"]
    if not isinstance(item, ClaimItem):
        raise TypeError("the context of a claim's answer holds no claim")
    return item
