"""The evidence beside an expert's own question, and the graph that a coordinator pins for it."""

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.board_serializers import StudySerializer
from annotation.api.evidence_serializers import (
    AskedPathsSerializer,
    AssignmentEvidenceSerializer,
    EvidencePathsSerializer,
    NamedSerializer,
    PinSerializer,
)
from annotation.evidence import evidence_of, search_of
from annotation.pins import pin_graph
from annotation.policies import get_own_assignment_or_raise
from annotation.studies import study_for
from backend.accounts.api.actor import actor_of
from backend.common.schema import problems
from backend.graphs.api.operations import body_of_paths
from backend.graphs.api.waiting import while_read
from backend.graphs.paths import search_paths


class AssignmentEvidence(APIView):
    @extend_schema(
        operation_id="assignment_evidence",
        responses={200: AssignmentEvidenceSerializer, **problems(401, 403, 404)},
    )
    def get(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """What the study's graph says of each candidate of her question."""
        user = actor_of(request)
        assignment = get_own_assignment_or_raise(user, assignment_id)
        return Response(AssignmentEvidenceSerializer(evidence_of(user, assignment)).data)


class AssignmentEvidencePaths(APIView):
    @extend_schema(
        operation_id="assignment_evidence_paths",
        parameters=[AskedPathsSerializer],
        responses={200: EvidencePathsSerializer, **problems(401, 403, 404, 422, 503)},
    )
    def get(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """Paths of at most three steps to a candidate from what the question names."""
        user = actor_of(request)
        assignment = get_own_assignment_or_raise(user, assignment_id)
        asked = AskedPathsSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        candidate, hubs = asked.validated_data["candidate"], asked.validated_data["hubs"]
        search = search_of(user, assignment, candidate, hubs=hubs)
        question, opened = search.question, search.opened
        found = None
        if question is not None:
            report = while_read(lambda stop: search_paths(opened.snapshot, question, stop))
            found = {"snapshot": opened.version.snapshot, **body_of_paths(report)}
        named = [NamedSerializer(one).data for one in search.named]
        return Response({"candidate": candidate, "named": named, "paths": found})


class StudyGraph(APIView):
    @extend_schema(
        operation_id="pin_graph",
        request=PinSerializer,
        responses={200: StudySerializer, **problems(401, 403, 404, 409, 422)},
    )
    def put(self, request: Request, study_id: uuid.UUID) -> Response:
        """Choose the graph that shows evidence to the study's experts, or none."""
        user = actor_of(request)
        sent = PinSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        named = sent.validated_data["graph"] or ""
        study = pin_graph(actor=user, study_id=study_id, named=named)
        return Response(StudySerializer(study_for(user, study)).data)
