"""Ensembles of models that score the candidates of a question set."""

import uuid
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.benchmarks.policies import get_set_or_raise, require_compute_permission
from backend.common.idempotency import HEADER, StoredResponse, read_key, run_once
from backend.common.openapi import operation
from backend.common.pagination import CreatedAtCursorPagination
from backend.common.serializers import validate
from backend.evaluation.api.budget_field import BudgetField
from backend.evaluation.api.proposal_serializers import ProposalBudgetSerializer
from backend.evaluation.api.run_request_serializers import RunBudgetSerializer
from backend.evaluation.ensembles.services import (
    MOST_ENDPOINTS,
    ensemble_payloads,
    get_ensemble_or_raise,
    request_ensemble,
    resume_ensemble,
    visible_ensembles,
)
from backend.evaluation.models.ensembles import CandidateEnsemble
from backend.evaluation.models.paid_requests import RequestState
from backend.jobs.api.serializers import JobErrorSerializer
from backend.llm.policies import get_usable_endpoint_or_raise

KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="New for every ensemble, the same when it is repeated.",
)


class NewEnsembleSerializer(serializers.Serializer[Any]):
    question_set = serializers.UUIDField()
    endpoints = serializers.ListField(
        child=serializers.UUIDField(),
        min_length=1,
        max_length=MOST_ENDPOINTS,
        help_text="Of different models; each scores every candidate.",
    )
    budget = BudgetField(
        default=Decimal(0),
        help_text="In US dollars, for all calls.",
    )


class EnsembleSetSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class EnsembleEndpointSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    model = serializers.CharField()
    size_label = serializers.CharField(
        allow_blank=True, help_text="Such as “135-million-parameter model”; empty if not known."
    )


class EnsembleCountsSerializer(serializers.Serializer[Any]):
    """Of requests: one question to one model. known: scored by an earlier ensemble, at no cost."""

    scored = serializers.IntegerField()
    known = serializers.IntegerField()
    failed = serializers.IntegerField()
    partitions = serializers.IntegerField(help_text="Questions that all models have scored.")
    left_out = serializers.IntegerField(help_text="Questions with one candidate or too many.")


class EnsembleSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(RequestState.choices)
    error = JobErrorSerializer(allow_null=True)
    owner = serializers.CharField(help_text="Who requested it and pays.")
    question_set = EnsembleSetSerializer()
    endpoints = EnsembleEndpointSerializer(many=True)
    prompt_version = serializers.CharField()
    result = EnsembleCountsSerializer(allow_null=True)
    job = serializers.UUIDField(allow_null=True)
    budget = ProposalBudgetSerializer()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


def payload_of(ensemble: CandidateEnsemble) -> dict[str, Any]:
    return dict(EnsembleSerializer(ensemble_payloads([ensemble])[0]).data)


class CandidateEnsembles(ListAPIView[CandidateEnsemble]):
    serializer_class = EnsembleSerializer
    pagination_class = CreatedAtCursorPagination

    def get_queryset(self) -> QuerySet[CandidateEnsemble]:
        return visible_ensembles(get_actor_or_raise(self.request))

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        if args:
            args = (ensemble_payloads(args[0]), *args[1:])
        return super().get_serializer(*args, **kwargs)

    @operation("candidate_ensembles_list", EnsembleSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your ensembles, the latest first; administrators see those of everybody."""
        return super().get(request, *args, **kwargs)

    @operation(
        "candidate_ensembles_create",
        EnsembleSerializer,
        404,
        409,
        status=202,
        request=NewEnsembleSerializer,
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        """Let models score the candidates of a set; the best fifth are its partition `llm`."""
        actor, key = get_actor_or_raise(request), read_key(request)
        require_compute_permission(actor)
        form = validate(NewEnsembleSerializer(data=request.data))

        def write() -> StoredResponse:
            ensemble = request_ensemble(
                actor=actor,
                question_set=get_set_or_raise(actor, form["question_set"]),
                endpoints=[get_usable_endpoint_or_raise(actor, one) for one in form["endpoints"]],
                budget=form["budget"],
            )
            return StoredResponse(payload_of(ensemble), HTTPStatus.ACCEPTED)

        content = {"candidate_ensembles": "create", "body": request.data}
        stored = run_once(owner=actor.pk, key=key, content=content, write=write)
        return Response(stored.body, status=stored.status)


class CandidateEnsembleDetail(APIView):
    @operation("candidate_ensembles_read", EnsembleSerializer)
    def get(self, request: Request, ensemble_id: uuid.UUID) -> Response:
        """Who requested it, its endpoints, what was scored, and what it cost."""
        ensemble = get_ensemble_or_raise(get_actor_or_raise(request), ensemble_id)
        return Response(payload_of(ensemble))


class CandidateEnsembleResume(APIView):
    @operation(
        "candidate_ensembles_resume", EnsembleSerializer, 404, 409, request=RunBudgetSerializer
    )
    def post(self, request: Request, ensemble_id: uuid.UUID) -> Response:
        """Go on with a failed ensemble, with another budget. No answered call is repeated."""
        actor = get_actor_or_raise(request)
        ensemble = get_ensemble_or_raise(actor, ensemble_id)
        budget: Decimal = validate(RunBudgetSerializer(data=request.data))["budget"]
        resume_ensemble(actor=actor, ensemble=ensemble, budget=budget)
        return Response(payload_of(get_ensemble_or_raise(actor, ensemble_id)))
