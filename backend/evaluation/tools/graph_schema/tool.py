"""What the graph consists of."""

from collections import Counter

from pydantic import BaseModel, Field

from backend.evaluation.tools.base import Arguments, Tool, ToolResult
from backend.graphs.edge_kinds import list_edge_kinds
from backend.graphs.graph_access import OpenGraph
from backend.graphs.snapshots.dated_view import get_edge_dates

MAX_EDGE_KINDS = 500


class SchemaArguments(Arguments):
    edge_kinds: int = Field(100, ge=0, le=MAX_EDGE_KINDS, description="Most kinds of edges listed.")


class TypeCount(BaseModel):
    type: str
    count: int


class SchemaRelation(BaseModel):
    relation: str
    forward: str = Field(description="The phrase from source to target.")
    backward: str = Field(description="The phrase from target to source.")
    symmetric: bool
    count: int


class EdgeKind(BaseModel):
    source: str
    relation: str
    target: str
    count: int


class SchemaResult(ToolResult):
    entities: int
    edges: int
    date_unit: str | None = Field(
        description="Of first_seen_until: pmid or year; null where edges have no dates."
    )
    cutoff: int | None = Field(
        description="Of the release, in date_unit: later and undated edges are neither shown nor "
        "counted."
    )
    types: list[TypeCount]
    relations: list[SchemaRelation]
    edge_kinds: list[EdgeKind] = Field(description="Types that a relation joins, commonest first.")
    edge_kinds_total: int


def run(opened: OpenGraph, arguments: SchemaArguments) -> SchemaResult:
    snapshot = opened.snapshot
    counts = zip(snapshot.types, snapshot.manifest.type_counts, strict=True)
    kinds = list_edge_kinds(opened)
    edges: Counter[str] = Counter()
    for kind in kinds:
        edges[kind.relation] += kind.count
    dates = get_edge_dates(snapshot)
    return SchemaResult(
        entities=snapshot.entity_count,
        edges=edges.total(),
        date_unit=None if dates is None else dates.unit,
        cutoff=opened.until,
        types=[TypeCount(type=name, count=count) for name, count in counts],
        relations=[
            SchemaRelation(
                relation=one.name,
                forward=one.forward,
                backward=one.forward if one.symmetric else one.backward,
                symmetric=one.symmetric,
                count=edges[one.name],
            )
            for one in snapshot.relations
        ],
        edge_kinds=[EdgeKind(**vars(one)) for one in kinds[: arguments.edge_kinds]],
        edge_kinds_total=len(kinds),
    )


TOOL = Tool(
    name="graph_schema",
    description="Types of entities and relations of the graph, with their counts and phrases, and "
    "which types each relation joins. Call it first.",
    arguments=SchemaArguments,
    result=SchemaResult,
    run=run,
)
