"""Paths of at most three steps between two sets of entities."""

from typing import Annotated

from django.conf import settings
from pydantic import BaseModel, Field

from backend.evaluation.tools.base import Arguments, Tool, ToolResult
from backend.evaluation.tools.shapes import (
    EntityId,
    FirstSeenUntil,
    ToolEdge,
    ToolEntity,
    direction_of,
    entity_number_or_raise,
    tool_entity,
    tool_evidence,
)
from backend.graphs.edge_phrases import ExplainedStep, relation_numbers
from backend.graphs.graph_access import OpenGraph
from backend.graphs.metapaths import MAX_KEY_LENGTH, parse_metapath
from backend.graphs.path_queries import (
    DEFAULT_HUB_LINKS,
    CapReason,
    ExplainedPath,
    ExplainedPaths,
    search_paths,
)
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.cancellation import CancellationToken
from backend.science.path_answers import MAX_HOPS
from backend.science.paths import PathQuery

MAX_ENDS = 10
MAX_PATHS = 50
MAX_METAPATHS = 20
# As for the ends of a search in the explorer, less: an agent sends many.
MAX_END_LINKS = 1_000_000


class PathArguments(Arguments):
    sources: list[EntityId] = Field(min_length=1, max_length=MAX_ENDS)
    targets: list[EntityId] = Field(min_length=1, max_length=MAX_ENDS)
    hops: int = Field(2, ge=1, le=MAX_HOPS, description="Most steps of a path.")
    relations: list[Annotated[str, Field(max_length=500)]] | None = Field(
        None, min_length=1, max_length=50, description="Only steps of these relations."
    )
    metapath: str | None = Field(
        None,
        max_length=MAX_KEY_LENGTH,
        description="Only paths of this key, such as Drug/>targets/Gene, and of its length.",
    )
    through_hubs: bool = Field(
        False, description=f"Also through entities with more than {DEFAULT_HUB_LINKS:,} edges."
    )
    first_seen_until: FirstSeenUntil = None
    limit: int = Field(10, ge=1, le=MAX_PATHS)


class ToolPath(BaseModel):
    """Step i leads from entity i to entity i + 1."""

    weight: float = Field(description="Probability that a random walk takes these steps.")
    metapath: str
    entities: list[ToolEntity]
    steps: list[ToolEdge]


class MetapathPaths(BaseModel):
    key: str
    phrase: str
    count: int


class PathResult(ToolResult):
    total: int
    hidden_through_hubs: int
    capped_by: CapReason | None = Field(
        description="Why the search ended early. Then counts are lower bounds, and a search that "
        "time ended may give other paths again."
    )
    undated: int | None = Field(
        description="Edges of the graph that a cut-off leaves out because they have no date."
    )
    metapaths: list[MetapathPaths]
    paths: list[ToolPath] = Field(description="The best first.")


def run(opened: OpenGraph, arguments: PathArguments) -> PathResult:
    view = opened.view_until(arguments.first_seen_until)
    answer = search_paths(
        view,
        build_query(opened, arguments),
        CancellationToken(),
        seconds=settings.PATH_SEARCH_SECONDS,
        max_links=MAX_END_LINKS,
    )
    undated = view.undated_count if isinstance(view, DatedView) else None
    return to_result(view, answer, undated)


def build_query(opened: OpenGraph, arguments: PathArguments) -> PathQuery:
    snapshot = opened.snapshot
    metapath = None if arguments.metapath is None else parse_metapath(snapshot, arguments.metapath)
    names = arguments.relations
    sources, targets = (
        list(dict.fromkeys(entity_number_or_raise(opened, one) for one in ids))
        for ids in (arguments.sources, arguments.targets)
    )
    return PathQuery(
        sources,
        targets,
        hops=arguments.hops if metapath is None else len(metapath.steps),
        relations=None if names is None else relation_numbers(snapshot, names),
        metapath=metapath,
        max_degree=None if arguments.through_hubs else DEFAULT_HUB_LINKS,
        limit=arguments.limit,
    )


def to_result(view: GraphView, answer: ExplainedPaths, undated: int | None) -> PathResult:
    return PathResult(
        total=answer.total,
        hidden_through_hubs=answer.hidden_through_hubs,
        capped_by=answer.capped_by,
        undated=undated,
        metapaths=[
            MetapathPaths(key=one.key, phrase=one.phrase, count=one.count)
            for one in answer.metapaths[:MAX_METAPATHS]
        ],
        paths=[to_path(view, one) for one in answer.paths],
    )


def to_path(view: GraphView, path: ExplainedPath) -> ToolPath:
    return ToolPath(
        weight=path.weight,
        metapath=path.metapath,
        entities=[tool_entity(view, one.number) for one in path.entities],
        steps=[to_edge(one, view) for one in path.steps],
    )


def to_edge(step: ExplainedStep, view: GraphView) -> ToolEdge:
    return ToolEdge(
        relation=step.relation,
        phrase=step.phrase,
        direction=direction_of(step.forward),
        symmetric=step.symmetric,
        evidence=tool_evidence(step.evidence, view),
    )


TOOL = Tool(
    name="paths",
    description="The best paths of one to three steps between entities, and how many there are by "
    "kind of path.",
    arguments=PathArguments,
    result=PathResult,
    run=run,
)
