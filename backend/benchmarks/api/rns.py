"""RNS of one's own sets, and why the entities of one may matter beside those of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from backend.benchmarks.api.serializers import (
    ExplanationAnswer,
    ExplanationQuery,
    RnsAnswer,
    RnsQuery,
)
from backend.benchmarks.api.waited import while_waited
from backend.benchmarks.serendipity.basis import basis_of
from backend.benchmarks.serendipity.bodies import (
    body_of_entity,
    body_of_measures,
    body_of_percentiles,
)
from backend.benchmarks.serendipity.explanations import Explanation, explain_pairs
from backend.benchmarks.serendipity.measuring import measure, sets_in
from backend.benchmarks.serendipity.options import Options, weights_of
from backend.benchmarks.serendipity.percentile import percentiles_of
from backend.common.schema import problems
from backend.graphs.api.operations import ends_of, path_body
from backend.graphs.api.reading import SNAPSHOT, GraphRead
from backend.graphs.snapshots.opening import Snapshot
from backend.science.stopping import Stop

Body = dict[str, Any]
SETS = [
    OpenApiParameter(name, str, many=True, required=True, description="Entities: repeated.")
    for name in ("existing", "serendipity")
]


class OwnSets(GraphRead):
    # Nobody needs to sign in, and it is the dearest of all that is asked of a graph.
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "rns"

    @extend_schema(
        operation_id="graph_rns",
        parameters=[SNAPSHOT],
        request=RnsQuery,
        responses={200: RnsAnswer, **problems(404, 409, 422, 429, 503)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """RNS of two sets of entities, with the bar of each. Nothing is written by it."""
        opened = self.opened(request, slug)
        sent = RnsQuery(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data
        body = while_waited(lambda stop: measured(opened.snapshot, asked, stop))
        return Response({"snapshot": opened.version.snapshot, **body})


class OwnPaths(GraphRead):
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "rns"

    @extend_schema(
        operation_id="graph_serendipity_paths",
        parameters=[ExplanationQuery, SNAPSHOT, *SETS],
        responses={200: ExplanationAnswer, **problems(404, 422, 429, 503)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """For every pair of an existing and a serendipitous entity, its best explanations."""
        opened = self.opened(request, slug)
        asked = self.asked(request, ExplanationQuery)
        known, new = (
            ends_of(opened, name, request.query_params.getlist(name))
            for name in ("existing", "serendipity")
        )
        found = while_waited(lambda stop: explain_pairs(opened.snapshot, known, new, stop, **asked))
        return Response(
            {"snapshot": opened.version.snapshot, **body_of_explanations(found, asked["order"])}
        )


def measured(snapshot: Snapshot, asked: Body, stop: Stop) -> Body:
    weights = weights_of(asked.get("weights"))
    basis = basis_of(snapshot, Options.of(asked), stop)
    existing, serendipity = sets_in(basis, asked["existing"], asked["serendipity"])
    found = measure(basis, existing, serendipity, weights)
    percentile = percentiles_of(basis, found, weights) if asked["percentile"] else None
    told = body_of_percentiles(percentile) if percentile else None
    return {**body_of_measures(basis, found, weights), "percentile": told}


def body_of_explanations(found: Sequence[Explanation], order: str) -> Body:
    pairs = [body_of_explanation(one) for one in found]
    return {"order": order, "formula": found[0].formula, "pairs": pairs}


def body_of_explanation(one: Explanation) -> Body:
    paths = [
        {**path_body(path), "notation": notation}
        for path, notation in zip(one.paths, one.notations, strict=True)
    ]
    return {
        "existing": body_of_entity(one.existing),
        "serendipity": body_of_entity(one.serendipity),
        "found": one.found,
        "shown": len(paths),
        "capped": one.capped,
        "summary": one.summary,
        "paths": paths,
    }
