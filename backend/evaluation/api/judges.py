"""Verifiers of claims as judges: how often experts agree with them, and whether they drifted."""

from dataclasses import dataclass

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.openapi import operation
from backend.common.serializers import serializer_of
from backend.evaluation.api.claim_studies import VerifierAgreementSerializer
from backend.evaluation.grounding.judge_list import JudgedVerifier, list_verifiers
from backend.evaluation.judging.judge_checks import StoredCheck, list_checks
from backend.evaluation.models.grounding import Verifier


@dataclass(frozen=True)
class JudgesPage:
    """checks: of pinned judges against frozen sets of people's verdicts, the latest first."""

    verifiers: list[JudgedVerifier]
    checks: list[StoredCheck]


JudgedVerifierSerializer = serializer_of(
    JudgedVerifier,
    verifier=serializers.ChoiceField(Verifier.choices),
    agreements=VerifierAgreementSerializer(many=True),
)
JudgesSerializer = serializer_of(
    JudgesPage, "ClaimJudges", verifiers=JudgedVerifierSerializer(many=True)
)


class Judges(APIView):
    permission_classes = [AllowAny]

    @operation("judges_list", JudgesSerializer)
    def get(self, request: Request) -> Response:
        """Verifiers with experts' agreement over ended studies, and checks whether they drifted."""
        actor = get_actor(request)
        page = JudgesPage([*list_verifiers(actor)], [*list_checks(actor)])
        return Response(JudgesSerializer(page).data)
