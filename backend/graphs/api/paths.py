import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import DomainError
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.cancellation import run_cancellable
from backend.graphs.api.operations_schema import (
    PathsQuery,
    PathsSerializer,
    SubgraphQuery,
    SubgraphSerializer,
    WalkQuery,
    WalkSerializer,
)
from backend.graphs.edge_phrases import EntityRef, relation_numbers
from backend.graphs.graph_access import OpenGraph
from backend.graphs.metapaths import parse_metapath
from backend.graphs.path_queries import (
    DEFAULT_HUB_LINKS,
    ExplainedPath,
    ExplainedPaths,
    search_paths,
)
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.subgraph_queries import MAX_ENTITIES, Subgraph, find_subgraph
from backend.graphs.walk_queries import SEED_LIMIT, Walk, walk_randomly
from backend.science.paths import PathQuery

Payload = dict[str, Any]
MAX_ENDS = 100
PATHS_MEMBERS = (
    *("shown", "total", "hidden_through_hubs", "hub_links", "capped_by", "summary"),
    *("order", "formula", "other_metapaths"),
)


class PathsView(GraphReadView):
    @operation("graph_paths", PathsSerializer, parameters=[PathsQuery, SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """Paths of at most three steps between two entities or two sets of entities."""
        opened = self.get_open_graph(request, slug)
        query = self.validated_query(request, PathsQuery)
        question = build_path_question(opened, request, query)
        view = opened.view_until(query.get("first_seen_until"))
        return self.respond(
            opened,
            lambda: {
                "undated": count_undated(view),
                **paths_payload(
                    run_cancellable(
                        lambda stop: search_paths(
                            view, question, stop, seconds=settings.PATH_SEARCH_SECONDS
                        )
                    )
                ),
            },
        )

    def is_complete(self, body: Mapping[str, Any]) -> bool:
        return bool(body["capped_by"] != "time")


class SubgraphView(GraphReadView):
    @operation(
        "graph_subgraph", SubgraphSerializer, parameters=[SNAPSHOT_PARAMETER], request=SubgraphQuery
    )
    def post(self, request: Request, slug: str) -> Response:
        """All edges between the given entities."""
        opened = self.get_open_graph(request, slug)
        data = validate(SubgraphQuery(data=request.data))
        numbers = [opened.entity_number_or_raise(one) for one in data["ids"]]
        only = relation_numbers(opened.snapshot, data["relations"]) if data["relations"] else None
        view = opened.view_until(data.get("first_seen_until"))
        subgraph = run_cancellable(
            lambda stop: find_subgraph(view, numbers, stop, relations=only, limit=data["limit"])
        )
        return self.respond(
            opened, lambda: {"undated": count_undated(view), **subgraph_payload(subgraph)}
        )


class RandomWalkView(GraphReadView):
    @operation("graph_walk", WalkSerializer, parameters=[WalkQuery, SNAPSHOT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """A random walk. The same seed and snapshot give the same walk."""
        opened = self.get_open_graph(request, slug)
        query = self.validated_query(request, WalkQuery)
        seed = query.get("seed", secrets.randbelow(SEED_LIMIT))
        start = opened.entity_number_or_raise(query["from"])
        view = opened.view_until(query.get("first_seen_until"))
        walk = run_cancellable(
            lambda stop: walk_randomly(
                view,
                start,
                query["steps"],
                seed=seed,
                restart=query["restart"],
                stop=stop,
            )
        )
        body = {"seed": seed, "undated": count_undated(view), **walk_payload(walk)}
        return self.respond(opened, lambda: body)

    def is_cacheable(self) -> bool:
        return "seed" in self.request.query_params


def count_undated(view: GraphView) -> int | None:
    """Edges of the graph that a cut-off leaves out because they have no date."""
    return view.undated_count if isinstance(view, DatedView) else None


def build_path_question(opened: OpenGraph, request: Request, query: Mapping[str, Any]) -> PathQuery:
    kind = parse_metapath(opened.snapshot, query["metapath"]) if query["metapath"] else None
    names = request.query_params.getlist("relations")
    return PathQuery(
        parse_ends(opened, "from", request.query_params.getlist("from")),
        parse_ends(opened, "to", request.query_params.getlist("to")),
        hops=len(kind.steps) if kind else query["hops"],
        relations=relation_numbers(opened.snapshot, names) if names else None,
        metapath=kind,
        shortest_only=query["shortest"],
        max_degree=None if query["hubs"] else query.get("hub_links", DEFAULT_HUB_LINKS),
        order=query["order"],
        limit=query["limit"],
    )


def parse_ends(opened: OpenGraph, place: str, texts: Sequence[str]) -> list[int]:
    """Parse entity ids from repeated or comma-separated values.

    A value that is the id of an entity is not split, even if it has a comma.
    """
    numbers = dict.fromkeys(number for text in texts for number in resolve_entities(opened, text))
    if not numbers or len(numbers) > MAX_ENDS:
        raise DomainError(
            f"Give 1 to {MAX_ENDS} entities in '{place}'.", code="ends", data={"place": place}
        )
    return list(numbers)


def resolve_entities(opened: OpenGraph, text: str) -> Iterator[int]:
    whole = opened.snapshot.find_number(text)
    if whole is not None:
        yield whole
        return
    for place, part in enumerate(filter(None, text.split(","))):
        if place > MAX_ENTITIES:
            raise DomainError(f"Give at most {MAX_ENTITIES:,} entities.", code="too_many")
        yield opened.entity_number_or_raise(part)


def paths_payload(report: ExplainedPaths) -> Payload:
    return {
        **{name: getattr(report, name) for name in PATHS_MEMBERS},
        "capped": report.capped_by is not None,
        "metapaths": [asdict(one) for one in report.metapaths],
        "paths": [path_payload(one) for one in report.paths],
    }


def path_payload(path: ExplainedPath) -> Payload:
    """Entities and steps alternate in `steps`."""
    steps: list[Payload] = [{"entity": entity_ref_payload(path.entities[0])}]
    for step, entity in zip(path.steps, path.entities[1:], strict=True):
        steps += [asdict(step), {"entity": entity_ref_payload(entity)}]
    return {"rank": path.rank, "weight": path.weight, "metapath": path.metapath, "steps": steps}


def entity_ref_payload(entity: EntityRef) -> Payload:
    return {name: getattr(entity, name) for name in ("id", "name", "type", "degree")}


def subgraph_payload(subgraph: Subgraph) -> Payload:
    ids = {one.number: one.id for one in subgraph.entities}
    return {
        "entities": [entity_ref_payload(one) for one in subgraph.entities],
        "edges": [
            {"source": ids[one.source], "target": ids[one.target], **asdict(one.step)}
            for one in subgraph.edges
        ],
        "shown": len(subgraph.edges),
        "total": subgraph.edge_count,
        "capped": subgraph.capped is not None or subgraph.edge_count > len(subgraph.edges),
    }


def walk_payload(walk: Walk) -> Payload:
    steps = [
        {"step": one.step and asdict(one.step), "entity": entity_ref_payload(one.entity)}
        for one in walk.steps
    ]
    return {"start": entity_ref_payload(walk.start), "steps": steps, "ended": walk.ended}
