"""Hypotheses that a model proposes about backgrounds, and pairs of them for a study."""

import uuid
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.common.downloads import download_headers
from backend.common.idempotency import HEADER, StoredResponse, read_key, run_once
from backend.common.openapi import operation
from backend.common.pagination import CreatedAtCursorPagination
from backend.common.serializers import validate
from backend.evaluation.api.groundings import read_settings
from backend.evaluation.api.proposal_serializers import (
    NewProposalSerializer,
    PairEntrySerializer,
    ProposalSerializer,
    ProposalSummarySerializer,
)
from backend.evaluation.api.run_request_serializers import RunBudgetSerializer
from backend.evaluation.models.proposals import HypothesisProposal
from backend.evaluation.proposals.background_files import BackgroundRow
from backend.evaluation.proposals.pairs import select_pairs
from backend.evaluation.proposals.payloads import full_payload, summary_payload
from backend.evaluation.proposals.policies import get_proposal_or_raise, own_proposals
from backend.evaluation.proposals.services import (
    ProposalSettings,
    request_proposal,
    resume_proposal,
)
from backend.llm.policies import get_usable_endpoint_or_raise

KEY = OpenApiParameter(
    HEADER,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="New for every request for hypotheses, the same when it is repeated.",
)


def read_proposal_settings(actor: User, form: dict[str, Any]) -> ProposalSettings:
    """Raises NotFound for a graph, collection or endpoint that the actor may not use."""
    grounding = {**form, "endpoint": form.get("verifier"), "is_public": False}
    return ProposalSettings(
        endpoint=get_usable_endpoint_or_raise(actor, form["endpoint"]),
        grounding=read_settings(actor, grounding),
        count=form["count"],
        seed=form["seed"],
        least_gap=form["least_gap"],
    )


def proposal_payload(proposal: HypothesisProposal) -> dict[str, Any]:
    return dict(ProposalSerializer(full_payload(proposal)).data)


class HypothesisProposals(ListAPIView[HypothesisProposal]):
    serializer_class = ProposalSummarySerializer
    pagination_class = CreatedAtCursorPagination

    def get_queryset(self) -> QuerySet[HypothesisProposal]:
        return own_proposals(get_actor_or_raise(self.request))

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        if args:
            args = ([summary_payload(one) for one in args[0]], *args[1:])
        return super().get_serializer(*args, **kwargs)

    @operation("hypothesis_proposals_list", ProposalSummarySerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Your requests for hypotheses, the latest first."""
        return super().get(request, *args, **kwargs)

    @operation(
        "hypothesis_proposals_create",
        ProposalSerializer,
        404,
        409,
        429,
        status=202,
        request=NewProposalSerializer,
        parameters=[KEY],
    )
    def post(self, request: Request) -> Response:
        """Let a model propose hypotheses about backgrounds, and ground their rationales."""
        actor, key = get_actor_or_raise(request), read_key(request)
        form = validate(NewProposalSerializer(data=request.data))

        def write() -> StoredResponse:
            rows = [
                BackgroundRow(one["question"], one["background"]) for one in form["backgrounds"]
            ]
            chosen = read_proposal_settings(actor, form)
            proposal = request_proposal(actor=actor, rows=rows, settings=chosen)
            return StoredResponse(proposal_payload(proposal), HTTPStatus.ACCEPTED)

        content = {"hypothesis_proposals": "create", "body": request.data}
        stored = run_once(owner=actor.pk, key=key, content=content, write=write)
        return Response(stored.body, status=stored.status)


class HypothesisProposalDetail(APIView):
    @operation("hypothesis_proposals_read", ProposalSerializer)
    def get(self, request: Request, proposal_id: uuid.UUID) -> Response:
        """One of yours, with its hypotheses and their groundedness so far."""
        proposal = get_proposal_or_raise(get_actor_or_raise(request), proposal_id)
        return Response(proposal_payload(proposal))


class HypothesisProposalResume(APIView):
    @operation(
        "hypothesis_proposals_resume",
        ProposalSerializer,
        404,
        409,
        429,
        request=RunBudgetSerializer,
    )
    def post(self, request: Request, proposal_id: uuid.UUID) -> Response:
        """Go on with a failed request, with another budget. No answered call is repeated."""
        actor = get_actor_or_raise(request)
        proposal = get_proposal_or_raise(actor, proposal_id)
        budget: Decimal = validate(RunBudgetSerializer(data=request.data))["budget"]
        resume_proposal(proposal=proposal, budget=budget)
        return Response(proposal_payload(get_proposal_or_raise(actor, proposal_id)))


class HypothesisPairs(APIView):
    @operation("hypothesis_proposals_pairs", PairEntrySerializer(many=True))
    def get(self, request: Request, proposal_id: uuid.UUID) -> Response:
        """The pairs so far, as the file from which a study of hypothesis pairs is created."""
        proposal = get_proposal_or_raise(get_actor_or_raise(request), proposal_id)
        data = PairEntrySerializer(select_pairs(proposal).pairs, many=True).data
        return Response(data, headers=download_headers("batch1.json"))
