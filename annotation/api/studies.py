"""A coordinator's routes: own studies, their dashboards and experts."""

import uuid
from dataclasses import fields as dataclass_fields

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.dashboard_serializers import (
    BatchesSerializer,
    DashboardSerializer,
    StudiesSerializer,
    StudyChangeSerializer,
    StudySerializer,
    StudyStatisticsSerializer,
)
from annotation.api.serializers import QualificationSerializer
from annotation.api.study_creation_serializers import (
    CloneSerializer,
    CreatedStudySerializer,
    NewStudyNameSerializer,
    NewStudySerializer,
)
from annotation.assignments import set_expert_batches
from annotation.dashboard import read_dashboard
from annotation.qualification import waive_qualification
from annotation.statistics_cache import read_statistics, show_statistics
from annotation.studies import list_coordinated_studies, study_details
from annotation.study_cloning import clone_study
from annotation.study_creation import Design, create_study_from_set
from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import User
from backend.benchmarks.policies import get_set_or_raise
from backend.common.errors import NotAllowed
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.studies.models import Study
from backend.studies.policies import get_coordinated_study_or_raise, may_import_studies
from backend.studies.services import change_study


class StudiesView(APIView):
    @operation("my_studies", StudiesSerializer)
    def get(self, request: Request) -> Response:
        rows = list_coordinated_studies(get_actor_or_raise(request))
        return Response(StudiesSerializer({"results": rows}).data)

    @operation(
        "create_study", CreatedStudySerializer, 404, 409, status=201, request=NewStudySerializer
    )
    def post(self, request: Request) -> Response:
        """A study of the questions of a set that you own; you become its coordinator."""
        user = get_actor_or_raise(request)
        if not may_import_studies(user):
            raise NotAllowed("Only administrators and coordinators can create a study.")
        fields = validate(NewStudySerializer(data=request.data))
        design = Design(**{one.name: fields.pop(one.name) for one in dataclass_fields(Design)})
        question_set = get_set_or_raise(user, fields.pop("question_set"))
        created = create_study_from_set(
            actor=user, question_set=question_set, design=design, **fields
        )
        return Response(CreatedStudySerializer(created).data, status=201)


class StudyView(APIView):
    @operation("study", StudySerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        user = get_actor_or_raise(request)
        return _study_response(user, get_coordinated_study_or_raise(user, study_id))

    @operation("change_study", StudySerializer, 409, request=StudyChangeSerializer)
    def patch(self, request: Request, study_id: uuid.UUID) -> Response:
        user = get_actor_or_raise(request)
        body = validate(StudyChangeSerializer(data=request.data))
        return _study_response(user, change_study(actor=user, study_id=study_id, **body))


class CloneView(APIView):
    @operation("clone_study", NewStudyNameSerializer, 403, 409, status=201, request=CloneSerializer)
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """A draft with the same design, questions and texts; you are its only member."""
        name = validate(CloneSerializer(data=request.data))["name"]
        clone = clone_study(actor=get_actor_or_raise(request), study_id=study_id, name=name)
        return Response(NewStudyNameSerializer(clone).data, status=201)


class DashboardView(APIView):
    @operation("study_board", DashboardSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        reader = get_actor_or_raise(request)
        study = get_coordinated_study_or_raise(reader, study_id)
        return Response(DashboardSerializer(read_dashboard(study, reader)).data)


class StatisticsView(APIView):
    @operation("study_statistics", StudyStatisticsSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """Sections of figures, as a worker last computed them; null until it has."""
        reader = get_actor_or_raise(request)
        study = get_coordinated_study_or_raise(reader, study_id)
        shown = show_statistics(read_statistics(study), study, reader)
        return Response(StudyStatisticsSerializer(shown).data)


class ExpertBatchesView(APIView):
    @operation("set_expert_batches", BatchesSerializer, 409, request=BatchesSerializer)
    def put(self, request: Request, study_id: uuid.UUID, expert_id: uuid.UUID) -> Response:
        body = validate(BatchesSerializer(data=request.data))
        batches = set_expert_batches(
            actor=get_actor_or_raise(request),
            study_id=study_id,
            expert_id=expert_id,
            batch_ids=body["batches"],
        )
        return Response(BatchesSerializer({"batches": [batch.id for batch in batches]}).data)


class QualificationView(APIView):
    @operation("waive_qualification", QualificationSerializer, 409, request=None)
    def post(self, request: Request, study_id: uuid.UUID, expert_id: uuid.UUID) -> Response:
        """Let an expert answer who has not passed the qualification."""
        waived = waive_qualification(
            actor=get_actor_or_raise(request), study_id=study_id, expert_id=expert_id
        )
        return Response(QualificationSerializer(waived).data)


def _study_response(user: User, study: Study) -> Response:
    return Response(StudySerializer(study_details(user, study)).data)
