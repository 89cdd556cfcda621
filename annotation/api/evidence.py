"""Evidence for an expert's own assignment, and the graph that a coordinator pins for it."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.dashboard_serializers import StudySerializer
from annotation.api.evidence_serializers import (
    AssignmentEvidenceSerializer,
    EvidencePapersSerializer,
    EvidencePathsSerializer,
    LinkedEntitySerializer,
    PapersQuerySerializer,
    PathsQuerySerializer,
    PinGraphSerializer,
)
from annotation.evidence import build_path_query, load_candidate_papers, load_evidence
from annotation.policies import get_own_assignment_or_raise
from annotation.studies import study_details
from annotation.study_graph import pin_graph
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.api.cancellation import run_cancellable
from backend.graphs.api.paths import paths_payload
from backend.graphs.path_queries import search_paths


class AssignmentEvidenceView(APIView):
    @operation("assignment_evidence", AssignmentEvidenceSerializer, 403)
    def get(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """What the study's graph contains about each candidate of the question."""
        user = get_actor_or_raise(request)
        assignment = get_own_assignment_or_raise(user, assignment_id)
        return Response(AssignmentEvidenceSerializer(load_evidence(user, assignment)).data)


class AssignmentEvidencePathsView(APIView):
    @operation(
        "assignment_evidence_paths", EvidencePathsSerializer, 403, parameters=[PathsQuerySerializer]
    )
    def get(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """Paths of at most three steps to a candidate from the entities that the question names."""
        user = get_actor_or_raise(request)
        assignment = get_own_assignment_or_raise(user, assignment_id)
        query = validate(PathsQuerySerializer(data=request.query_params))
        candidate, hubs = query["candidate"], query["hubs"]
        search = build_path_query(user, assignment, candidate, hubs=hubs)
        question, opened = search.question, search.opened
        result = None
        if question is not None:
            report = run_cancellable(lambda stop: search_paths(opened.snapshot, question, stop))
            result = {"snapshot": opened.version.snapshot, **paths_payload(report)}
        named = [LinkedEntitySerializer(one).data for one in search.named]
        return Response({"candidate": candidate, "named": named, "paths": result})


class AssignmentEvidencePapersView(APIView):
    @operation(
        "assignment_evidence_papers",
        EvidencePapersSerializer,
        403,
        parameters=[PapersQuerySerializer],
    )
    def get(self, request: Request, assignment_id: uuid.UUID) -> Response:
        """Papers that name a candidate of the question."""
        user = get_actor_or_raise(request)
        assignment = get_own_assignment_or_raise(user, assignment_id)
        candidate = validate(PapersQuerySerializer(data=request.query_params))["candidate"]
        papers = load_candidate_papers(user, assignment, candidate)
        body = EvidencePapersSerializer({"candidate": candidate, "results": papers})
        return Response(body.data)


class StudyGraphView(APIView):
    @operation("pin_graph", StudySerializer, 409, request=PinGraphSerializer)
    def put(self, request: Request, study_id: uuid.UUID) -> Response:
        """Choose the graph that shows evidence to the study's experts; null for none."""
        user = get_actor_or_raise(request)
        body = validate(PinGraphSerializer(data=request.data))
        version_name = body["graph"] or ""
        study = pin_graph(actor=user, study_id=study_id, version_name=version_name)
        return Response(StudySerializer(study_details(user, study)).data)
