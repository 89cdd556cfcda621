"""Documents and edges that a question shows, as entries of a file and as items show them.

{"documents": [{"id": "…", "title": "…", "text": "…", "source": "…"}],
 "edges": [{"source": "…", "relation": "…", "target": "…", "origin": "…"}]}
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel
from pydantic_core import InitErrorDetails

from backend.benchmarks.questionnaire import MAX_NAME_LENGTH, QuestionEntry
from backend.runtime.sentences import split_sentences
from backend.validation.json_files import (
    FileModel,
    JsonObject,
    error_at,
    list_field,
    optional_text_field,
    text_field,
)

MAX_DOCUMENTS, MAX_EDGES = 50, 200
MAX_DOCUMENT_LENGTH = 50_000


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


class PassagesEntry(QuestionEntry):
    documents: Annotated[tuple[DocumentEntry, ...], list_field(0, MAX_DOCUMENTS, "documents")]
    edges: Annotated[tuple[EdgeEntry, ...], list_field(0, MAX_EDGES, "edges")]

    @classmethod
    def cross_field_errors(cls, value: JsonObject) -> Iterable[InitErrorDetails]:
        """Answers refer to documents by their ids."""
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


def show_documents(entries: Sequence[Mapping[str, Any]]) -> list[ShownDocument]:
    return [
        ShownDocument(
            id=one["id"],
            title=one["title"],
            source=one["source"],
            sentences=split_sentences(one["text"]),
        )
        for one in entries
    ]


def show_edges(entries: Sequence[Mapping[str, Any]]) -> list[Edge]:
    return [Edge.model_validate(one) for one in entries]


def edge_text(edge: Mapping[str, Any]) -> str:
    return f"{edge['source']} | {edge['relation']} | {edge['target']}"
