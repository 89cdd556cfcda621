"""One entity: its names, its identifiers, and how many edges of which relation it has."""

from pydantic import BaseModel, Field

from backend.evaluation.tools.base import Arguments, Tool, ToolResult
from backend.evaluation.tools.shapes import (
    Direction,
    EntityId,
    ToolEntity,
    cut_text,
    direction_of,
    entity_number_or_raise,
    tool_entity,
)
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.entity_details import identifier_links
from backend.graphs.graph_access import OpenGraph
from backend.graphs.snapshots.records import RelationDegree

MAX_LISTED = 20  # synonyms, and identifiers
MAX_RELATIONS = 200


class EntityArguments(Arguments):
    id: EntityId


class RelationCount(BaseModel):
    relation: str
    phrase: str
    direction: Direction
    count: int


class EntityResult(ToolResult):
    entity: ToolEntity
    synonyms: list[str]
    identifiers: list[str] = Field(description="CURIEs: its own, then cross-references.")
    relations: list[RelationCount] = Field(description="Number of its edges by relation.")
    document_sections: int = Field(
        description="The tool document reads them; none under a cut-off, as they have no dates."
    )


def run(opened: OpenGraph, arguments: EntityArguments) -> EntityResult:
    view = opened.view
    number = entity_number_or_raise(opened, arguments.id)
    record = view.entity(number)
    links = identifier_links(record)[:MAX_LISTED]

    def count(degree: RelationDegree) -> RelationCount:
        return RelationCount(
            relation=view.relations[degree.relation].name,
            phrase=relation_phrase(view, degree.relation, forward=degree.outgoing),
            direction=direction_of(degree.outgoing),
            count=degree.count,
        )

    return EntityResult(
        entity=tool_entity(view, number),
        synonyms=[cut_text(one) for one in record.synonyms[:MAX_LISTED]],
        identifiers=[cut_text(link["curie"]) for link in links],
        relations=[count(one) for one in view.degrees(number)[:MAX_RELATIONS]],
        document_sections=len(view.document(number)),
    )


TOOL = Tool(
    name="entity",
    description="One entity: name, type, synonyms, identifiers, and its edges counted by relation.",
    arguments=EntityArguments,
    result=EntityResult,
    run=run,
)
