"""Paths, parts of a graph, walks and exports."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import DomainError
from backend.common.schema import problems
from backend.graphs.api.operations_schema import (
    ExportBody,
    ExportQuery,
    PathsAnswer,
    PathsQuery,
    SubgraphAnswer,
    SubgraphQuery,
    WalkAnswer,
    WalkQuery,
)
from backend.graphs.api.reading import SNAPSHOT, GraphRead
from backend.graphs.api.waiting import in_turn, while_read
from backend.graphs.exporters.catalogue import exporter_or_raise
from backend.graphs.exporters.exported import Exported, Exporter, Provenance
from backend.graphs.exporting import exported_part, exported_whole
from backend.graphs.metapaths import kind_or_raise
from backend.graphs.neighbourhood import EntityRef, ExplainedStep, relation_numbers, star_of
from backend.graphs.paths import HUB, ExplainedPath, PathReport, search_paths
from backend.graphs.reading import OpenGraph
from backend.graphs.subgraph import MOST_ENTITIES, Subgraph, edge_numbers_among, subgraph_of
from backend.graphs.walks import SEEDS, Walk, WalkedStep, walk_from
from backend.science.paths import Question

Body = dict[str, Any]
MOST_ENDS = 100


class Paths(GraphRead):
    @extend_schema(
        operation_id="graph_paths",
        parameters=[PathsQuery, SNAPSHOT],
        responses={200: PathsAnswer, **problems(404, 422, 503)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Paths of at most three steps between entities, or between sets of them."""
        opened = self.opened(request, slug)
        question = question_of(opened, request, self.asked(request, PathsQuery))
        return self.answer(
            opened,
            lambda: body_of_paths(
                while_read(lambda stop: search_paths(opened.snapshot, question, stop))
            ),
        )

    def is_whole(self, body: Mapping[str, Any]) -> bool:
        return bool(body["capped_by"] != "time")


class SubgraphOf(GraphRead):
    @extend_schema(
        operation_id="graph_subgraph",
        parameters=[SNAPSHOT],
        request=SubgraphQuery,
        responses={200: SubgraphAnswer, **problems(404, 422, 503)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """All edges among some entities."""
        opened = self.opened(request, slug)
        query = SubgraphQuery(data=request.data)
        query.is_valid(raise_exception=True)
        asked = query.validated_data
        numbers = [opened.number_or_raise(one) for one in asked["ids"]]
        only = relation_numbers(opened.snapshot, asked["relations"]) if asked["relations"] else None
        found = while_read(
            lambda stop: subgraph_of(
                opened.snapshot, numbers, stop, relations=only, limit=asked["limit"]
            )
        )
        return self.answer(opened, lambda: body_of_subgraph(found))


class RandomWalk(GraphRead):
    @extend_schema(
        operation_id="graph_walk",
        parameters=[WalkQuery, SNAPSHOT],
        responses={200: WalkAnswer, **problems(404, 422, 503)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """A random walk. The same seed on the same snapshot gives the same walk."""
        opened = self.opened(request, slug)
        asked = self.asked(request, WalkQuery)
        seed = asked.get("seed", secrets.randbelow(SEEDS))
        start = opened.number_or_raise(asked["from"])
        found = while_read(
            lambda stop: walk_from(
                opened.snapshot,
                start,
                asked["steps"],
                seed=seed,
                restart=asked["restart"],
                stop=stop,
            )
        )
        return self.answer(opened, lambda: {"seed": seed, **body_of_walk(found)})

    def follows_from_address(self) -> bool:
        return "seed" in self.request.query_params


class Export(GraphRead):
    @extend_schema(
        operation_id="graph_export",
        parameters=[ExportQuery, SNAPSHOT],
        responses={(200, "*/*"): OpenApiTypes.BINARY, **problems(404, 422, 503)},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Some entities with the edges among them, one with its own edges, or the whole graph."""
        opened = self.opened(request, slug)
        asked = self.asked(request, ExportQuery)
        exporter = exporter_or_raise(asked["format"])
        exported = exported_of(opened, exporter, request, asked)
        return download(request, opened, exporter, exporter.write(exported))

    @extend_schema(
        operation_id="graph_export_part",
        parameters=[SNAPSHOT],
        request=ExportBody,
        responses={(200, "*/*"): OpenApiTypes.BINARY, **problems(403, 404, 422, 503)},
    )
    def post(self, request: Request, slug: str) -> StreamingHttpResponse:
        """The same of entities that are too many for an address. Nothing is written here."""
        opened = self.opened(request, slug)
        body = ExportBody(data=request.data)
        body.is_valid(raise_exception=True)
        asked = body.validated_data
        exporter = exporter_or_raise(asked["format"])
        numbers = sorted({opened.number_or_raise(one) for one in asked["ids"]})
        exported = exported_among(opened, numbers, asked["limit"])
        return download(request, opened, exporter, exporter.write(exported))


def question_of(opened: OpenGraph, request: Request, asked: Mapping[str, Any]) -> Question:
    kind = kind_or_raise(opened.snapshot, asked["metapath"]) if asked["metapath"] else None
    names = request.query_params.getlist("relations")
    return Question(
        ends_of(opened, "from", request.query_params.getlist("from")),
        ends_of(opened, "to", request.query_params.getlist("to")),
        hops=len(kind.steps) if kind else asked["hops"],
        relations=relation_numbers(opened.snapshot, names) if names else None,
        metapath=kind,
        shortest=asked["shortest"],
        hub=None if asked["hubs"] else asked.get("hub_links", HUB),
        order=asked["order"],
        limit=asked["limit"],
    )


def ends_of(opened: OpenGraph, place: str, texts: Sequence[str]) -> list[int]:
    """Entities, each as a value of its own or several in one with commas between them.

    An id that has a comma itself is taken as it stands.
    """
    found = dict.fromkeys(number for text in texts for number in named(opened, text))
    if not found or len(found) > MOST_ENDS:
        raise DomainError(
            f"Name 1 to {MOST_ENDS} entities in '{place}'.", code="ends", data={"place": place}
        )
    return list(found)


def named(opened: OpenGraph, text: str) -> Iterator[int]:
    whole = opened.snapshot.number_of(text)
    if whole is not None:
        yield whole
        return
    for place, part in enumerate(filter(None, text.split(","))):
        if place > MOST_ENTITIES:
            raise DomainError(f"Name {MOST_ENTITIES:,} entities at most.", code="too_many")
        yield opened.number_or_raise(part)


def exported_of(
    opened: OpenGraph, exporter: Exporter, request: Request, asked: Mapping[str, Any]
) -> Exported:
    view, provenance = opened.snapshot, provenance_of(opened)
    ids = request.query_params.getlist("ids")
    if ids:
        numbers = sorted({number for text in ids for number in named(opened, text)})
        return exported_among(opened, numbers, asked["limit"])
    if asked["around"]:
        relation = None
        if asked["relation"]:
            (relation,) = relation_numbers(view, [asked["relation"]])
        ways = [asked["outgoing"]] if asked["outgoing"] is not None else [True, False]
        centre = opened.number_or_raise(asked["around"])
        star = star_of(view, centre, relation, ways=ways, limit=asked["limit"])
        return exported_part(view, star.numbers, star.edges, provenance)
    return exported_whole(view, exporter, provenance)


def exported_among(opened: OpenGraph, numbers: list[int], limit: int) -> Exported:
    view = opened.snapshot
    edges, _ = while_read(lambda stop: edge_numbers_among(view, numbers, stop, limit=limit))
    return exported_part(view, numbers, edges, provenance_of(opened))


def provenance_of(opened: OpenGraph) -> Provenance:
    graph = opened.graph
    return Provenance(
        graph.name, opened.version.snapshot, graph.licence, graph.citation, graph.source_url
    )


def download(
    request: Request, opened: OpenGraph, exporter: Exporter, pieces: Iterator[bytes]
) -> StreamingHttpResponse:
    over_asgi = isinstance(request._request, ASGIRequest)
    name = f"{opened.graph.slug}-{opened.version.snapshot[:12]}{exporter.suffix}"
    return StreamingHttpResponse(
        in_turn(pieces) if over_asgi else pieces,
        content_type=exporter.content_type,
        headers={
            "Content-Disposition": content_disposition_header(True, name) or "attachment",
            "Cache-Control": "no-store",
        },
    )


def body_of_paths(report: PathReport) -> Body:
    return {
        "shown": report.shown,
        "found": report.found,
        "hidden_through_hubs": report.hidden_through_hubs,
        "hub_links": report.hub_links,
        "capped": report.capped is not None,
        "capped_by": report.capped,
        "summary": report.summary,
        "order": report.order,
        "formula": report.formula,
        "metapaths": [asdict(one) for one in report.metapaths],
        "other_metapaths": report.other_metapaths,
        "paths": [path_body(one) for one in report.paths],
    }


def path_body(path: ExplainedPath) -> Body:
    """Entities and steps in turn."""
    turns: list[Body] = [{"entity": entity_body(path.entities[0])}]
    for step, entity in zip(path.steps, path.entities[1:], strict=True):
        turns += [step_body(step), {"entity": entity_body(entity)}]
    return {
        "rank": path.rank,
        "weight": path.weight,
        "metapath": path.metapath,
        "steps": turns,
    }


def entity_body(entity: EntityRef) -> Body:
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "degree": entity.degree,
    }


def step_body(step: ExplainedStep) -> Body:
    return asdict(step)


def body_of_subgraph(found: Subgraph) -> Body:
    ids = {one.number: one.id for one in found.entities}
    return {
        "entities": [entity_body(one) for one in found.entities],
        "edges": [
            {"source": ids[one.source], "target": ids[one.target], **step_body(one.step)}
            for one in found.edges
        ],
        "shown": len(found.edges),
        "found": found.edge_count,
        "capped": found.capped is not None or found.edge_count > len(found.edges),
    }


def body_of_walk(walk: Walk) -> Body:
    return {
        "start": entity_body(walk.start),
        "steps": [walked_body(one) for one in walk.steps],
        "ended": walk.ended,
    }


def walked_body(one: WalkedStep) -> Body:
    step = step_body(one.step) if one.step else None
    return {"step": step, "entity": entity_body(one.entity)}
