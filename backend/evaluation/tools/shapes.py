"""Entities and edges as all tools show them, and entities as all tools take them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from backend.common.errors import DomainError, NotFound
from backend.graphs.entity_details import entity_summary
from backend.graphs.entity_lookup import find_numbers
from backend.graphs.graph_access import OpenGraph
from backend.graphs.identifiers import canonicalize
from backend.graphs.snapshots.dated_view import MAX_DATE, DatedView
from backend.graphs.snapshots.graph_view import GraphView
from backend.validation.faults import printable

MAX_ID_LENGTH = 500
MAX_NAME_LENGTH = 300
MAX_PUBLICATIONS = 10
MAX_CANDIDATES = 5
MAX_SHOWN_ID = 100

Direction = Literal["outgoing", "incoming"]
EntityId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_ID_LENGTH,
        description="Identifier of an entity, as a result or the release's files have it.",
    ),
]


FirstSeenUntil = Annotated[
    int | None,
    Field(
        ge=1,
        le=MAX_DATE,
        description="Only edges first seen until this year or PubMed number; graph_schema has the "
        "unit, and the cut-off of the release, which no later one replaces. Undated edges are left "
        "out and counted.",
    ),
]


class ToolEntity(BaseModel):
    id: str = Field(description="Identifier in this graph; other tools take it.")
    curie: str = Field(description="The identifier with the usual spelling of its prefix.")
    name: str
    type: str
    degree: int = Field(description="Number of edges in both directions.")


class ToolEvidence(BaseModel):
    source: str
    score: float | None
    publications: list[str] = Field(description=f"At most {MAX_PUBLICATIONS} CURIEs.")
    first_seen: int | None = Field(description="In date_unit of graph_schema; null if undated.")
    date_source: str = Field(description="What states that date; 'synthetic' of a made-up one.")


class ToolEdge(BaseModel):
    relation: str
    phrase: str = Field(description="The relation in words, read in the direction walked.")
    direction: Direction
    symmetric: bool
    evidence: ToolEvidence | None


def cut_text(text: str, most: int = MAX_NAME_LENGTH) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def tool_entity(view: GraphView, number: int) -> ToolEntity:
    return tool_entity_of(entity_summary(view, number))


def tool_entity_of(summary: Mapping[str, Any]) -> ToolEntity:
    return ToolEntity(
        id=summary["id"],
        curie=canonicalize(summary["id"]),
        name=cut_text(summary["name"]),
        type=summary["type"],
        degree=summary["degree"],
    )


def tool_evidence(payload: dict[str, Any] | None, view: GraphView) -> ToolEvidence | None:
    if payload is None:
        return None
    shown = [one["curie"] for one in payload["publications"] if was_published(one["curie"], view)]
    curies = [cut_text(one) for one in shown[:MAX_PUBLICATIONS]]
    date = payload["first_seen"] or {"value": None, "source": ""}
    return ToolEvidence(
        source=cut_text(payload["source"]),
        score=payload["score"],
        publications=curies,
        first_seen=date["value"],
        date_source=cut_text(date["source"]),
    )


def was_published(curie: str, view: GraphView) -> bool:
    """Under a cut-off by PMID: whether it is one up to it. No date of a publication is known that
    a year could be compared with."""
    if not isinstance(view, DatedView):
        return True
    prefix, _, number = canonicalize(curie).partition(":")
    is_pmid = prefix == "PMID" and number.isdecimal() and view.dates.unit == "pmid"
    return is_pmid and int(number) <= view.until


def direction_of(outgoing: bool) -> Direction:
    return "outgoing" if outgoing else "incoming"


def entity_number_or_raise(opened: OpenGraph, identifier: str) -> int:
    """Also by the form that the files of a release give to an identifier without a prefix.

    Raises NotFound; DomainError for an identifier that entities of several types have.
    """
    view, shown = opened.snapshot, printable(identifier, 100)
    numbers = find_numbers(view, identifier)
    if not numbers:
        raise NotFound(
            f"This graph has no entity '{shown}'. Search for its name.", code="no_entity"
        )
    if len(numbers) > 1:
        ids = [view.entity_summary(number).id for number in numbers[:MAX_CANDIDATES]]
        candidates = ", ".join(cut_text(one, MAX_SHOWN_ID) for one in ids)
        detail = f"'{shown}' fits {len(numbers)} entities. Give one identifier: {candidates}."
        raise DomainError(detail, code="ambiguous_entity")
    return numbers[0]
