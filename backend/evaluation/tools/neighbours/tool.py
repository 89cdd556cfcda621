"""The edges of one entity, page by page."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from backend.common.errors import NotFound
from backend.evaluation.tools.base import Arguments, Tool, ToolResult
from backend.evaluation.tools.shapes import (
    Direction,
    EntityId,
    FirstSeenUntil,
    ToolEdge,
    ToolEntity,
    direction_of,
    entity_number_or_raise,
    tool_entity,
    tool_entity_of,
    tool_evidence,
)
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.entity_details import neighbours_payload, relation_number_or_raise
from backend.graphs.graph_access import OpenGraph
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.graph_view import GraphView

MAX_NEIGHBOURS = 100


class NeighbourArguments(Arguments):
    id: EntityId
    relation: str | None = Field(
        None, max_length=500, description="A relation of graph_schema; all relations without it."
    )
    direction: Literal["outgoing", "incoming", "both"] = Field(
        "both", description="Edges of a symmetric relation are stored in one direction only."
    )
    first_seen_until: FirstSeenUntil = None
    limit: int = Field(25, ge=1, le=MAX_NEIGHBOURS)
    after: str | None = Field(
        None,
        pattern=r"^(outgoing|incoming):[0-9]{0,18}$",
        description="The value next of the page before.",
    )


class Neighbour(BaseModel):
    edge: ToolEdge
    entity: ToolEntity


class NeighbourResult(ToolResult):
    entity: ToolEntity
    total: int = Field(description="Edges of all pages.")
    undated: int | None = Field(
        description="Edges of all pages that a cut-off leaves out because they have no date."
    )
    neighbours: list[Neighbour]
    next: str | None = Field(description="Give it as after to read the next page.")


def run(opened: OpenGraph, arguments: NeighbourArguments) -> NeighbourResult:
    number = entity_number_or_raise(opened, arguments.id)
    ways: list[Direction] = ["outgoing", "incoming"]
    if arguments.direction != "both":
        ways = [arguments.direction]
    first, edge = place_of(arguments.after, ways)
    rows: list[Neighbour] = []
    view = opened.view_until(arguments.first_seen_until)
    total, undated, following = 0, 0, None
    for position, way in enumerate(ways):
        after = edge if position == first else None
        space = arguments.limit - len(rows) if position >= first else 0
        page = read_page(view, number, arguments.relation, way, after, space)
        total += page["count"]
        undated += page["undated"] or 0
        if position >= first and following is None:
            rows += [to_neighbour(view, way, one) for one in page["results"][:space]]
            following = next_place(way, page, space)
    return NeighbourResult(
        entity=tool_entity(view, number),
        total=total,
        undated=undated if isinstance(view, DatedView) else None,
        neighbours=rows,
        next=following,
    )


def place_of(after: str | None, ways: list[Direction]) -> tuple[int, int | None]:
    """The position of the direction where the page begins, and the last edge read of it."""
    if after is None:
        return 0, None
    way, _, edge = after.partition(":")
    position = next((at for at, one in enumerate(ways) if one == way), None)
    if position is None:
        raise NotFound("This page does not exist. Start again at the first page.", code="no_page")
    return position, int(edge) if edge else None


def read_page(
    view: GraphView,
    number: int,
    relation: str | None,
    way: Direction,
    after: int | None,
    space: int,
) -> dict[str, Any]:
    """With at least one row, since the count is of the same page."""
    return neighbours_payload(
        view,
        number,
        relation=relation,
        outgoing=way == "outgoing",
        after=after,
        limit=max(space, 1),
    )


def next_place(way: Direction, page: dict[str, Any], space: int) -> str | None:
    """None if this direction is read to its end."""
    if space == 0:
        return f"{way}:" if page["count"] else None
    return None if page["next"] is None else f"{way}:{page['next']}"


def to_neighbour(view: GraphView, way: Direction, row: dict[str, Any]) -> Neighbour:
    relation = relation_number_or_raise(view, row["relation"])
    return Neighbour(
        edge=ToolEdge(
            relation=row["relation"],
            phrase=relation_phrase(view, relation, forward=way == "outgoing"),
            direction=direction_of(way == "outgoing"),
            symmetric=view.relations[relation].symmetric,
            evidence=tool_evidence(row["evidence"], view),
        ),
        entity=tool_entity_of(row["entity"]),
    )


TOOL = Tool(
    name="neighbours",
    description="The edges of an entity with the entities at their other ends, by relation and "
    "direction, page by page.",
    arguments=NeighbourArguments,
    result=NeighbourResult,
    run=run,
)
