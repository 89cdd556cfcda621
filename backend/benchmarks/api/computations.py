"""Computations from a browser: asked for, a worker does them, the page asks how far they are."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.actor import actor_of
from backend.accounts.models import User
from backend.benchmarks.api.serializers import (
    ComputationBody,
    ComputationList,
    NewComputation,
    SetsFile,
)
from backend.benchmarks.models import Computation, Work
from backend.benchmarks.policies import (
    get_computation_or_raise,
    get_set_or_raise,
    own_computations,
    require_computing,
    require_own_set,
    require_scoring,
)
from backend.benchmarks.serendipity.computations import (
    Asked,
    Wanted,
    cancel_computation,
    request_computation,
)
from backend.benchmarks.serendipity.files import LARGEST_FILE, request_scoring, scores_of
from backend.benchmarks.serendipity.options import Options, weights_of
from backend.benchmarks.serendipity.partitioning import wanted_partition
from backend.common.errors import DomainError, Missing
from backend.common.schema import problems
from backend.graphs.api.reading import SNAPSHOT
from backend.graphs.naming import version_named
from backend.graphs.reading import open_graph


class Computations(APIView):
    @extend_schema(
        operation_id="computations_list", responses={200: ComputationList, **problems(401)}
    )
    def get(self, request: Request) -> Response:
        """Her latest computations; everybody's for administrators."""
        found = own_computations(actor_of(request))[:50]
        return Response(ComputationList({"results": found}).data)

    @extend_schema(
        operation_id="computations_create",
        request=NewComputation,
        responses={
            200: ComputationBody,
            202: ComputationBody,
            **problems(401, 403, 404, 422),
        },
    )
    def post(self, request: Request) -> Response:
        """Have it computed; 200 and the same one where it was asked for before."""
        actor = actor_of(request)
        require_computing(actor)
        sent = NewComputation(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = request_computation(actor=actor, wanted=wanted_of(actor, sent.validated_data))
        return answer(asked)


class OneComputation(APIView):
    @extend_schema(
        operation_id="computations_read", responses={200: ComputationBody, **problems(401, 404)}
    )
    def get(self, request: Request, computation_id: uuid.UUID) -> Response:
        """How far it is, then what became of it."""
        found = get_computation_or_raise(actor_of(request), computation_id)
        return Response(ComputationBody(found).data)


class CancelledComputation(APIView):
    @extend_schema(
        operation_id="computations_cancel",
        request=None,
        responses={200: ComputationBody, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, computation_id: uuid.UUID) -> Response:
        """Stop it: who asked for it, or an administrator."""
        actor = actor_of(request)
        found = get_computation_or_raise(actor, computation_id)
        cancel_computation(actor=actor, computation=found)
        return Response(ComputationBody(get_computation_or_raise(actor, computation_id)).data)


class SetsFiles(APIView):
    parser_classes = [MultiPartParser]

    @extend_schema(
        operation_id="graph_rns_files",
        parameters=[SNAPSHOT],
        request={"multipart/form-data": SetsFile},
        responses={
            200: ComputationBody,
            202: ComputationBody,
            **problems(401, 403, 404, 413, 422, 429),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Score a file of many sets, one JSON object a line."""
        actor = actor_of(request)
        require_scoring(actor)
        opened = open_graph(actor, slug, request.query_params.get("snapshot", ""))
        sent = SetsFile(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data
        content = asked["file"].read(LARGEST_FILE + 1)
        made = request_scoring(
            actor=actor,
            version=opened.version,
            options=Options.of(asked),
            weights=weights_of(None),
            content=content,
        )
        return answer(made)


class ScoresFile(APIView):
    @extend_schema(
        operation_id="computations_file",
        responses={(200, "application/jsonl"): OpenApiTypes.BINARY, **problems(401, 404)},
    )
    def get(self, request: Request, computation_id: uuid.UUID) -> HttpResponse:
        """The scores of a file of sets, one JSON object a line."""
        found = get_computation_or_raise(actor_of(request), computation_id)
        content = scores_of(found) if found.kind == Work.SCORING and found.has_ended else None
        if content is None:
            raise Missing("There is no file of results, or not yet.")
        name = content_disposition_header(True, f"rns-{found.pk}.jsonl") or "attachment"
        return HttpResponse(
            content,
            content_type="application/jsonl",
            headers={"Content-Disposition": name, "Cache-Control": "no-store"},
        )


def wanted_of(actor: User, asked: dict[str, object]) -> Wanted:
    """Raises DomainError for what is not there, or not hers to compute."""
    kind, options = Work(str(asked["kind"])), Options.of(asked)
    version = version_named(actor, str(asked["graph"]))
    if version is None:
        raise DomainError("No graph was named.", code="unknown_graph")
    if kind is Work.TRANSITION:
        return Wanted(kind, version, options.of_walk())
    if kind is Work.EMBEDDING:
        return Wanted(kind, version, {"method": options.method})
    set_id = asked.get("question_set")
    if not isinstance(set_id, uuid.UUID):
        raise DomainError("Name the question set that is to be partitioned.", code="no_set")
    question_set = get_set_or_raise(actor, set_id)
    require_own_set(actor, question_set)
    weights, size = asked.get("weights"), asked.get("size")
    given = weights_of(weights if isinstance(weights, dict) else None)
    whole = size if isinstance(size, int) else None
    return wanted_partition(question_set, version, options, given, whole)


def answer(asked: Asked) -> Response:
    row: Computation = asked.computation
    return Response(ComputationBody(row).data, status=202 if asked.is_new else 200)
