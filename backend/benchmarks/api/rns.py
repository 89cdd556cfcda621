"""RNS of two sets of entities given by the client, and paths that explain pairs of them."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from backend.benchmarks.api.serializers import (
    ExplanationQuery,
    ExplanationsSerializer,
    RnsQuery,
    RnsScoresSerializer,
)
from backend.benchmarks.api.time_limit import run_with_time_limit
from backend.benchmarks.rns.explanations import Explanation, explain_pairs
from backend.benchmarks.rns.options import RnsOptions, parse_weights
from backend.benchmarks.rns.payloads import measures_payload, percentiles_payload
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.benchmarks.rns.set_scoring import compute_percentiles, measure_sets, parse_sets
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.base import SNAPSHOT_PARAMETER, GraphReadView
from backend.graphs.api.paths import entity_ref_payload, parse_ends, path_payload
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken

Payload = dict[str, Any]
SET_PARAMETERS = [
    OpenApiParameter(name, str, many=True, required=True, description="Entities: repeated.")
    for name in ("existing", "serendipity")
]


class SetScores(GraphReadView):
    # Public, and the most expensive request on a graph.
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "rns"

    @operation(
        "graph_rns",
        RnsScoresSerializer,
        409,
        429,
        parameters=[SNAPSHOT_PARAMETER],
        request=RnsQuery,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Compute RNS of two sets of entities, with a bar for each entity. Nothing is stored."""
        opened = self.get_open_graph(request, slug)
        query = validate(RnsQuery(data=request.data))
        body = run_with_time_limit(lambda stop: rns_payload(opened.snapshot, query, stop))
        return Response({"snapshot": opened.version.snapshot, **body})


class SetPaths(GraphReadView):
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "rns"

    @operation(
        "graph_serendipity_paths",
        ExplanationsSerializer,
        429,
        parameters=[ExplanationQuery, SNAPSHOT_PARAMETER, *SET_PARAMETERS],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the best explanations for every pair of an existing and a serendipitous entity."""
        opened = self.get_open_graph(request, slug)
        query = self.validated_query(request, ExplanationQuery)
        known, new = (
            parse_ends(opened, name, request.query_params.getlist(name))
            for name in ("existing", "serendipity")
        )
        result = run_with_time_limit(
            lambda stop: explain_pairs(opened.snapshot, known, new, stop, **query)
        )
        return Response(
            {"snapshot": opened.version.snapshot, **explanations_payload(result, query["order"])}
        )


def rns_payload(snapshot: Snapshot, query: Payload, stop: CancellationToken) -> Payload:
    weights = parse_weights(query.get("weights"))
    basis = open_scoring_context(snapshot, RnsOptions.parse(query), stop)
    existing, serendipity = parse_sets(basis, query["existing"], query["serendipity"])
    result = measure_sets(basis, existing, serendipity, weights)
    percentile = compute_percentiles(basis, result, weights) if query["percentile"] else None
    summary = percentiles_payload(percentile) if percentile else None
    return {**measures_payload(basis, result, weights), "percentile": summary}


def explanations_payload(result: Sequence[Explanation], order: str) -> Payload:
    pairs = [explanation_payload(one) for one in result]
    return {"order": order, "formula": result[0].formula, "pairs": pairs}


def explanation_payload(one: Explanation) -> Payload:
    paths = [
        {**path_payload(path), "notation": notation}
        for path, notation in zip(one.paths, one.notations, strict=True)
    ]
    return {
        "existing": entity_ref_payload(one.existing),
        "serendipity": entity_ref_payload(one.serendipity),
        "total": one.total,
        "shown": len(paths),
        "capped": one.capped,
        "summary": one.summary,
        "paths": paths,
    }
