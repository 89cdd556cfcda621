"""Queries that models write from a graph's relations and documents."""

import uuid
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.benchmarks.policies import require_compute_permission
from backend.common.downloads import download_headers
from backend.common.idempotency import HEADER, StoredResponse, read_key, run_once
from backend.common.openapi import operation
from backend.common.pagination import CreatedAtCursorPagination
from backend.common.serializers import validate
from backend.evaluation.api.run_request_serializers import RunBudgetSerializer
from backend.evaluation.api.synthesis_serializers import (
    NewSynthesisSerializer,
    SynthesisOverviewSerializer,
    SynthesisSerializer,
)
from backend.evaluation.models.syntheses import QuerySynthesis
from backend.evaluation.synthesis.payloads import full_payload, summary_payload
from backend.evaluation.synthesis.policies import get_synthesis_or_raise, own_syntheses
from backend.evaluation.synthesis.results import restore_question_set, write_file
from backend.evaluation.synthesis.services import (
    SynthesisSettings,
    request_synthesis,
    resume_synthesis,
)
from backend.graphs.graph_access import open_graph
from backend.llm.policies import get_usable_endpoint_or_raise

KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="New for every synthesis, the same when it is repeated.",
)


def read_settings(actor: User, form: dict[str, Any]) -> SynthesisSettings:
    """Raises NotFound for a graph or endpoint that the actor may not use."""
    names = ("name", "budget", "count", "seed", "most_answers", "hard", "soft")
    return SynthesisSettings(
        version=open_graph(actor, form["graph"]).version,
        writer=get_usable_endpoint_or_raise(actor, form["writer"]),
        rewriter=get_usable_endpoint_or_raise(actor, form["rewriter"]),
        verifiers=[get_usable_endpoint_or_raise(actor, one) for one in form["verifiers"]],
        **{name: form[name] for name in names},
    )


def synthesis_payload(synthesis: QuerySynthesis) -> dict[str, Any]:
    return dict(SynthesisSerializer(full_payload(synthesis)).data)


class QuerySyntheses(ListAPIView[QuerySynthesis]):
    serializer_class = SynthesisOverviewSerializer
    pagination_class = CreatedAtCursorPagination

    def get_queryset(self) -> QuerySet[QuerySynthesis]:
        return own_syntheses(get_actor_or_raise(self.request))

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        if args:
            args = ([summary_payload(one) for one in args[0]], *args[1:])
        return super().get_serializer(*args, **kwargs)

    @operation("query_syntheses_list", SynthesisOverviewSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your syntheses of queries, the latest first."""
        return super().get(request, *args, **kwargs)

    @operation(
        "query_syntheses_create",
        SynthesisSerializer,
        404,
        409,
        status=202,
        request=NewSynthesisSerializer,
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        """Let models write queries of a graph with their answers, as a new question set."""
        actor, key = get_actor_or_raise(request), read_key(request)
        require_compute_permission(actor)
        form = validate(NewSynthesisSerializer(data=request.data))

        def write() -> StoredResponse:
            chosen = read_settings(actor, form)
            synthesis = request_synthesis(actor=actor, settings=chosen)
            return StoredResponse(synthesis_payload(synthesis), HTTPStatus.ACCEPTED)

        content = {"query_syntheses": "create", "body": request.data}
        stored = run_once(owner=actor.pk, key=key, content=content, write=write)
        return Response(stored.body, status=stored.status)


class QuerySynthesisDetail(APIView):
    @operation("query_syntheses_read", SynthesisSerializer)
    def get(self, request: Request, synthesis_id: uuid.UUID) -> Response:
        """One of yours, with its queries so far, their properties and verdicts."""
        synthesis = get_synthesis_or_raise(get_actor_or_raise(request), synthesis_id)
        return Response(synthesis_payload(synthesis))


class QuerySynthesisResume(APIView):
    @operation("query_syntheses_resume", SynthesisSerializer, 404, 409, request=RunBudgetSerializer)
    def post(self, request: Request, synthesis_id: uuid.UUID) -> Response:
        """Go on with a failed synthesis, with another budget. No answered call is repeated."""
        actor = get_actor_or_raise(request)
        synthesis = get_synthesis_or_raise(actor, synthesis_id)
        budget: Decimal = validate(RunBudgetSerializer(data=request.data))["budget"]
        resume_synthesis(synthesis=synthesis, budget=budget)
        return Response(synthesis_payload(get_synthesis_or_raise(actor, synthesis_id)))


class SynthesisQuestionSet(APIView):
    @operation("query_syntheses_restore_set", SynthesisSerializer, 404, 409, request=None)
    def post(self, request: Request, synthesis_id: uuid.UUID) -> Response:
        """Make the question set again, after it was deleted. No model is called."""
        actor = get_actor_or_raise(request)
        restore_question_set(get_synthesis_or_raise(actor, synthesis_id))
        return Response(synthesis_payload(get_synthesis_or_raise(actor, synthesis_id)))


class SynthesizedQueries(APIView):
    @operation("query_syntheses_queries", {(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, synthesis_id: uuid.UUID) -> HttpResponse:
        """The accepted queries with their answers, as `make_release stark-prime` reads them."""
        synthesis = get_synthesis_or_raise(get_actor_or_raise(request), synthesis_id)
        return HttpResponse(
            write_file(synthesis),
            content_type="text/csv; charset=utf-8",
            headers=download_headers("queries.csv"),
        )
