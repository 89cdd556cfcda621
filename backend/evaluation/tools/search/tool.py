"""Entities by name, by document, or by both."""

from typing import Annotated

from pydantic import BaseModel, Field

from backend.common.errors import DomainError
from backend.evaluation.tools.base import Arguments, Tool, ToolResult
from backend.evaluation.tools.shapes import ToolEntity, cut_text, tool_entity
from backend.graphs.graph_access import OpenGraph
from backend.graphs.search.query import SearchMode, SearchResult, search_graph
from backend.graphs.snapshots.dated_view import DatedView
from backend.validation.faults import printable

MAX_QUERY_LENGTH = 500
MAX_RESULTS = 50
MAX_TYPES = 50


class SearchArguments(Arguments):
    query: str = Field(min_length=1, max_length=MAX_QUERY_LENGTH)
    mode: SearchMode = Field("names", description="What is searched; hybrid fuses both rankings.")
    types: list[Annotated[str, Field(max_length=MAX_QUERY_LENGTH)]] | None = Field(
        None, max_length=MAX_TYPES, description="Only entities of these types."
    )
    limit: int = Field(10, ge=1, le=MAX_RESULTS)


class Passage(BaseModel):
    section: str
    text: str
    source: str


class Hit(BaseModel):
    entity: ToolEntity
    matched_by: str = Field(description="identifier, name, synonym, prefix, typo or document")
    matched_text: str
    passage: Passage | None = Field(description="Of its document, where that matched.")


class MatchCount(BaseModel):
    type: str
    count: int


class SearchToolResult(ToolResult):
    hits: list[Hit] = Field(description="The best first.")
    matches_by_type: list[MatchCount] = Field(description="All matches, also of other types.")


def run(opened: OpenGraph, arguments: SearchArguments) -> SearchToolResult:
    for name in arguments.types or ():
        if name not in opened.snapshot.types:
            message = f"This graph has no type '{printable(name)}'. Choose one of graph_schema."
            raise DomainError(message, code="no_type")
    if arguments.mode != "names" and isinstance(opened.view, DatedView):
        message = "Documents have no dates, and this release has a cut-off. Search by names."
        raise DomainError(message, code="undated_documents")
    answer = search_graph(
        opened,
        arguments.query,
        mode=arguments.mode,
        types=arguments.types,
        limit=arguments.limit,
    )
    return SearchToolResult(
        hits=[to_hit(opened, one) for one in answer.results],
        matches_by_type=[
            MatchCount(type=name, count=count) for name, count in answer.facets[:MAX_TYPES]
        ],
    )


def to_hit(opened: OpenGraph, result: SearchResult) -> Hit:
    snippet = result.snippet
    return Hit(
        entity=tool_entity(opened.view, result.entity),
        matched_by=result.match_kind,
        matched_text=cut_text(result.text),
        passage=None
        if snippet is None
        else Passage(
            section=cut_text(snippet.title),
            text=cut_text(snippet.text, 1_000),
            source=cut_text(snippet.source),
        ),
    )


TOOL = Tool(
    name="search",
    description="Entities whose name, synonym, identifier or document matches a query.",
    arguments=SearchArguments,
    result=SearchToolResult,
    run=run,
)
