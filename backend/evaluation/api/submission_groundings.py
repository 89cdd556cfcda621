"""Groundings of a submission's rationales: requested, and how much of them is supported."""

import uuid
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.api.token_authentication import TOKEN_OR_SESSION
from backend.accounts.models import User
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.api.budget_field import BudgetField
from backend.evaluation.api.claim_studies import VerifierAgreementSerializer
from backend.evaluation.grounding.services import GroundingSettings
from backend.evaluation.grounding.submission_overview import (
    GroundingView,
    SubmissionGroundings,
    describe_groundings,
)
from backend.evaluation.grounding.submissions import (
    ground_submission,
    require_groundable,
    settings_within,
)
from backend.evaluation.models import Submission
from backend.evaluation.policies import get_submission_or_raise
from backend.graphs.graph_access import open_graph
from backend.graphs.literature.policies import get_collection_or_raise
from backend.graphs.policies import get_graph_or_raise
from backend.llm.policies import get_usable_endpoint_or_raise

GroundingViewSerializer = serializer_of(
    GroundingView, agreements=VerifierAgreementSerializer(many=True)
)
SubmissionGroundingsSerializer = serializer_of(
    SubmissionGroundings, results=GroundingViewSerializer(many=True)
)


class NewSubmissionGroundingSerializer(serializers.Serializer[Any]):
    graph = serializers.SlugField(
        max_length=100, required=False, allow_null=True, help_text="Without it, the release's."
    )
    literature = serializers.SlugField(
        max_length=100, required=False, allow_null=True, help_text="A collection of papers."
    )
    endpoint = serializers.UUIDField(
        required=False, allow_null=True, help_text="Without it, the plain verifier works."
    )
    budget = BudgetField(
        default=Decimal(0),
        help_text="In US dollars, for the calls of the endpoint.",
    )


def read_settings(actor: User, submission: Submission, form: dict[str, Any]) -> GroundingSettings:
    """Raises NotFound for a graph, collection or endpoint that the actor may not use."""
    graph, literature, endpoint = (form.get(one) for one in ("graph", "literature", "endpoint"))
    chosen = settings_within(
        submission.release,
        version=open_graph(actor, graph).version if graph else None,
        collection=get_collection_or_raise(actor, literature) if literature else None,
        endpoint=get_usable_endpoint_or_raise(actor, endpoint) if endpoint else None,
        budget=form["budget"],
    )
    get_graph_or_raise(actor, chosen.version.graph.slug)
    return chosen


class SubmissionGroundingsView(APIView):
    authentication_classes = TOKEN_OR_SESSION

    @operation("submissions_groundings", SubmissionGroundingsSerializer)
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Groundedness of the submission's rationales by verifier, with accuracy by groundedness.

        Accuracy is shown of dev splits and once the answers are retired; before, to organisers.
        """
        actor = get_actor_or_raise(request)
        submission = get_submission_or_raise(actor, submission_id)
        return Response(groundings_payload(actor, submission))

    @operation(
        "submissions_ground",
        SubmissionGroundingsSerializer,
        409,
        status=202,
        request=NewSubmissionGroundingSerializer,
    )
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Ground its rationales, with nothing later than the release's cut-off. It is queued.

        The same settings are grounded once, unless some of the rationales failed.
        """
        actor = get_actor_or_raise(request)
        submission = get_submission_or_raise(actor, submission_id)
        form = validate(NewSubmissionGroundingSerializer(data=request.data))
        require_groundable(actor, submission)
        chosen = read_settings(actor, submission, form)
        ground_submission(actor=actor, submission=submission, settings=chosen)
        return Response(groundings_payload(actor, submission), status=HTTPStatus.ACCEPTED)


def groundings_payload(actor: User, submission: Submission) -> dict[str, Any]:
    return dict(SubmissionGroundingsSerializer(describe_groundings(actor, submission)).data)
