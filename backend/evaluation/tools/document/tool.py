"""The free text that belongs to an entity, section by section."""

from pydantic import BaseModel, Field

from backend.common.errors import NotFound
from backend.evaluation.tools.base import Arguments, Tool, ToolResult
from backend.evaluation.tools.shapes import (
    EntityId,
    ToolEntity,
    cut_text,
    entity_number_or_raise,
    tool_entity,
)
from backend.graphs.graph_access import OpenGraph
from backend.graphs.snapshots.dated_view import DatedView

MAX_CHARACTERS = 10_000
MAX_SECTIONS = 100


class DocumentArguments(Arguments):
    id: EntityId
    section: int = Field(0, ge=0, lt=MAX_SECTIONS, description="Place in sections, from 0.")
    offset: int = Field(0, ge=0, le=10**9, description="First character of the section to read.")
    length: int = Field(4_000, ge=1, le=MAX_CHARACTERS, description="Most characters of text.")


class DocumentSection(BaseModel):
    title: str
    source: str
    characters: int


class DocumentResult(ToolResult):
    entity: ToolEntity
    sections: list[DocumentSection] = Field(description="Empty for an entity without a document.")
    undated: int | None = Field(
        description="Sections that the cut-off of the release leaves out: none has a date."
    )
    section: int
    text: str
    next_offset: int | None = Field(description="Give it as offset to read on.")


def run(opened: OpenGraph, arguments: DocumentArguments) -> DocumentResult:
    number = entity_number_or_raise(opened, arguments.id)
    view = opened.view
    sections = view.document(number)[:MAX_SECTIONS]
    if arguments.section >= max(len(sections), 1):
        message = f"This document has {len(sections)} sections. Choose one of them, from 0."
        raise NotFound(message, code="no_section")
    text = sections[arguments.section].text if sections else ""
    end = arguments.offset + arguments.length
    return DocumentResult(
        entity=tool_entity(view, number),
        sections=[
            DocumentSection(
                title=cut_text(one.title), source=cut_text(one.source), characters=len(one.text)
            )
            for one in sections
        ],
        undated=len(opened.snapshot.document(number)[:MAX_SECTIONS])
        if isinstance(view, DatedView)
        else None,
        section=arguments.section,
        text=text[arguments.offset : end],
        next_offset=end if end < len(text) else None,
    )


TOOL = Tool(
    name="document",
    description="The document of an entity: its sections, and the text of one of them in parts.",
    arguments=DocumentArguments,
    result=DocumentResult,
    run=run,
)
