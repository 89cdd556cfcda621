"""Rows of SerenQA's retrieval: questions, hidden answers and predictions."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, Strict, StringConstraints
from pydantic.dataclasses import dataclass as schema

from backend.tracks.serenqa import (
    Identifier,
    QuestionId,
    SourceQuestion,
    Text,
    integer_as_text,
)

MOST_RETURNED = 20_000
MOST_CHARACTERS = 20_000  # of a query, as the evaluator runs it
NOT_TEXT = re.compile("[\0\ud800-\udfff]")
FULL = "full"
FORBID = ConfigDict(extra="forbid")


@schema(frozen=True, slots=True, config=FORBID)
class QuestionItem:
    """graph: 'full', or the method whose masked graph the question is about.

    pattern: '1.1' to '4.3', shape: 'one-hop' and so on; both empty for another pattern.
    """

    question_id: QuestionId
    question: Text
    pattern: Annotated[str, StringConstraints(max_length=10)] = ""
    shape: Annotated[str, StringConstraints(max_length=20)] = ""
    graph: Literal["full", "llm", "expert", "rns"] = "full"


@schema(frozen=True, slots=True, config=FORBID)
class GoldAnswer:
    """spellings: what names the entity besides the file's identifier."""

    id: Identifier
    types: tuple[str, ...] = ()
    spellings: tuple[str, ...] = ()


@schema(frozen=True, slots=True, config=FORBID)
class AnswerSplit:
    """judged: answers that experts judged true on the masked graph; no mask is about them.

    Without any they are not written, so that the digests of releases stay.
    """

    serendipity: tuple[Identifier, ...]
    existing: tuple[Identifier, ...]
    judged: Annotated[tuple[Identifier, ...], Field(exclude_if=lambda value: not value)] = ()


@schema(frozen=True, slots=True, config=FORBID)
class QuestionAnswer:
    """All answers A, the pattern that finds them, and their partitions by method.

    is_counted: False for a question that the masked graph leaves out.
    """

    answers: Annotated[tuple[GoldAnswer, ...], Field(min_length=1)]
    graph_query: dict[str, Any]
    partitions: dict[str, AnswerSplit] = Field(default_factory=dict)
    is_counted: bool = True


Returned = Annotated[
    str,
    BeforeValidator(integer_as_text),
    Strict(),
    StringConstraints(min_length=1, max_length=2_000, pattern=r"^[^\x00-\x1f\x7f]*$"),
]


@schema(frozen=True, slots=True, config=FORBID)
class RetrievalPrediction:
    """Either of the two."""

    question_id: QuestionId
    answers: Annotated[tuple[Returned, ...], Field(max_length=MOST_RETURNED)] | None = None
    cypher: Annotated[str, Strict(), StringConstraints(max_length=MOST_CHARACTERS)] | None = None


@dataclass(frozen=True, slots=True)
class QueryOutput:
    """What a query of a prediction returned; None if it was not executed."""

    question_id: str
    answers: tuple[str, ...] | None


def to_item(question: SourceQuestion) -> QuestionItem:
    return QuestionItem(
        question.id, question.text, question.pattern_type, question.shape, graph="full"
    )


def to_answer(question: SourceQuestion) -> QuestionAnswer:
    return QuestionAnswer(
        tuple(GoldAnswer(one.id, one.types) for one in question.answers),
        question.graph_query_as_json(),
        {
            method: AnswerSplit(one.serendipity, one.existing)
            for method, one in question.partitions.items()
        },
    )
