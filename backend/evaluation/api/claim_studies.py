"""Experts verify claims of a batch of groundings, and its groundedness is corrected by them."""

import uuid
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.study_creation import MAX_OVERLAP
from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.common.bounds import MAX_SEED
from backend.common.downloads import download_headers
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, shadowing_field, validate
from backend.evaluation.api.grounding_serializers import SOURCES
from backend.evaluation.grounding.batches import GroundingBatch, export_batch, read_batch
from backend.evaluation.grounding.claim_studies import (
    DEFAULT_CLAIMS,
    MOST_STUDY_CLAIMS,
    NewClaimStudy,
    make_claim_study,
)
from backend.evaluation.grounding.corrected import CorrectedGroundedness, StudyOfClaims
from backend.evaluation.grounding.policies import get_grounding_or_raise
from backend.evaluation.grounding.verifier_agreement import VerifierAgreement, verifier_agreements
from backend.evaluation.models.claim_studies import ClaimRule
from backend.evaluation.models.grounding import Verifier
from backend.studies.models import Study
from backend.tracks.grounding_verdicts import EvidenceSource

StudyOfClaimsSerializer = serializer_of(
    StudyOfClaims,
    status=serializers.ChoiceField(Study.Status.choices),
    rule=serializers.ChoiceField(ClaimRule.choices),
)
CorrectedGroundednessSerializer = serializer_of(
    CorrectedGroundedness,
    source=shadowing_field(serializers.ChoiceField(SOURCES)),
    studies=StudyOfClaimsSerializer(many=True),
)
GroundingBatchSerializer = serializer_of(
    GroundingBatch,
    verifier=serializers.ChoiceField(Verifier.choices),
    sources=CorrectedGroundednessSerializer(many=True),
)
VerifierAgreementSerializer = serializer_of(
    VerifierAgreement, source=shadowing_field(serializers.ChoiceField(SOURCES))
)


class NewClaimStudySerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=200)
    claims = serializers.IntegerField(
        min_value=1, max_value=MOST_STUDY_CLAIMS, default=DEFAULT_CLAIMS
    )
    rule = serializers.ChoiceField(ClaimRule.choices, default=ClaimRule.RANDOM)
    source = shadowing_field(
        serializers.ChoiceField(
            SOURCES,
            required=False,
            allow_null=True,
            help_text="Of the verdicts to compare with; the widest that there is without it.",
        )
    )
    overlap = serializers.IntegerField(min_value=1, max_value=MAX_OVERLAP, default=3)
    seed = serializers.IntegerField(
        min_value=0, max_value=MAX_SEED, required=False, allow_null=True, help_text="Else drawn."
    )


class CreatedClaimStudySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="study.id")
    name = serializers.CharField(source="study.name")
    questions = serializers.IntegerField()
    seed = serializers.IntegerField()


class BatchDetail(APIView):
    @operation("grounding_batches_read", GroundingBatchSerializer)
    def get(self, request: Request, grounding_batch: uuid.UUID) -> Response:
        """Raw groundedness of each source, and corrected by what experts decided so far."""
        batch = read_batch(get_actor_or_raise(request), grounding_batch)
        return Response(GroundingBatchSerializer(batch).data)


class BatchCsv(APIView):
    @operation("grounding_batches_csv", {(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, grounding_batch: uuid.UUID) -> HttpResponse:
        """A row for each figure."""
        batch = read_batch(get_actor_or_raise(request), grounding_batch)
        headers = download_headers(f"grounding-batch-{grounding_batch}.csv")
        content_type = "text/csv; charset=utf-8"
        return HttpResponse(export_batch(batch), content_type=content_type, headers=headers)


class ClaimStudies(APIView):
    @operation(
        "grounding_batches_study",
        CreatedClaimStudySerializer,
        403,
        409,
        status=201,
        request=NewClaimStudySerializer,
    )
    def post(self, request: Request, grounding_batch: uuid.UUID) -> Response:
        """Make a study in which experts verify claims; you become its coordinator."""
        actor = get_actor_or_raise(request)
        form = validate(NewClaimStudySerializer(data=request.data))
        source = form.pop("source", None)
        new = NewClaimStudy(**form, source=EvidenceSource(source) if source else None)
        created = make_claim_study(actor=actor, batches=[grounding_batch], request=new)
        return Response(CreatedClaimStudySerializer(created).data, status=HTTPStatus.CREATED)


class GroundingAgreement(APIView):
    permission_classes = [AllowAny]

    @operation("groundings_agreement", VerifierAgreementSerializer(many=True))
    def get(self, request: Request, grounding_id: uuid.UUID) -> Response:
        """How often experts agree with this verifier, over all studies that have ended."""
        grounding = get_grounding_or_raise(get_actor(request), grounding_id)
        return Response(VerifierAgreementSerializer(verifier_agreements(grounding), many=True).data)
