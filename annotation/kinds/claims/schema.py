"""Questionnaire entries, items and answers of studies that verify claims.

An entry has the fields of every question (`text` is the claim) and

    {"documents": [{"id": "…", "title": "…", "text": "…", "source": "…"}],
     "edges": [{"source": "…", "relation": "…", "target": "…", "origin": "…"}],
     "because": "required", "model": "…", "arm": "…", "verdict": "…"}

`because` is `required` unless it is `optional`. `title`, `source`, `origin`, `model`, `arm` and
`verdict` (of an automatic judge) are optional; no item holds the last three.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field, PlainValidator, ValidationInfo, field_validator
from pydantic_core import InitErrorDetails

from annotation.kinds.base import Answer
from annotation.kinds.items import Item
from annotation.kinds.marks import MAX_MARKS, check_marks, mark_key
from backend.benchmarks.questionnaire import MAX_NAME_LENGTH, QuestionEntry
from backend.validation.json_files import (
    FileModel,
    JsonObject,
    describe_value,
    error_at,
    is_absent,
    list_field,
    optional_text_field,
    text_field,
    value_error,
)

MAX_DOCUMENTS, MAX_EDGES = 50, 200
MAX_DOCUMENT_LENGTH = 50_000
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


class DocumentEntry(FileModel):
    list_name = "documents"
    id: Annotated[str, text_field(MAX_NAME_LENGTH)]
    title: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]
    text: Annotated[str, text_field(MAX_DOCUMENT_LENGTH)]
    source: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]


class EdgeEntry(FileModel):
    list_name = "edges"
    source: Annotated[str, text_field(MAX_NAME_LENGTH)]
    relation: Annotated[str, text_field(MAX_NAME_LENGTH)]
    target: Annotated[str, text_field(MAX_NAME_LENGTH)]
    origin: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]


class ClaimEntry(QuestionEntry):
    documents: Annotated[tuple[DocumentEntry, ...], list_field(0, MAX_DOCUMENTS, "documents")]
    edges: Annotated[tuple[EdgeEntry, ...], list_field(0, MAX_EDGES, "edges")]
    because: Annotated[str, because_field()]
    model: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]
    arm: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]
    verdict: Annotated[str, optional_text_field(MAX_NAME_LENGTH)]

    @classmethod
    def cross_field_errors(cls, value: JsonObject) -> Iterable[InitErrorDetails]:
        """Marks refer to documents by their ids."""
        documents = value.get("documents")
        places: dict[str, int] = {}
        for at, one in enumerate(documents if isinstance(documents, list) else ()):
            identifier = one.get("id") if isinstance(one, dict) else None
            if not isinstance(identifier, str):
                continue
            if identifier in places:
                message = f"The document at {places[identifier]} has this id already."
                yield error_at(("documents", at, "id"), message, "each once", "repeated")
            places.setdefault(identifier, at)


class ShownDocument(BaseModel):
    """sentences: of the text, which they are when joined."""

    id: str
    title: str
    source: str
    sentences: list[str]


class Edge(BaseModel):
    source: str
    relation: str
    target: str
    origin: str


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
            edge = self.edges[mark.number]
            return f"{edge.source} | {edge.relation} | {edge.target}"
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
