"""Scores of model judges beside a study of ratings, for its coordinators alone."""

import uuid
from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.parsers import require_body_size
from backend.common.serializers import serializer_of, validate
from backend.evaluation.judging.stored_scores import (
    StoredScores,
    correct_stored,
    delete_scores,
    get_scores_or_raise,
    store_scores,
)
from backend.evaluation.models import JudgedScores
from backend.studies.policies import get_coordinated_study_or_raise

MAX_UPLOAD_BYTES = 20_000_000


class JudgedScoresFileSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class NewJudgedScoresSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        allow_empty_file=True, help_text="The JSON Lines that the command `judge` wrote."
    )


StoredScoresSerializer = serializer_of(StoredScores)


class StudyJudgedScores(APIView):
    parser_classes = [MultiPartParser]

    @operation("study_judged_scores", JudgedScoresFileSerializer(many=True), 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """Files of scores, the oldest first."""
        study = get_coordinated_study_or_raise(get_actor_or_raise(request), study_id)
        rows = JudgedScores.objects.filter(study=study).defer("lines")
        return Response(JudgedScoresFileSerializer(rows, many=True).data)

    @operation(
        "store_judged_scores",
        JudgedScoresFileSerializer,
        403,
        409,
        status=201,
        request={"multipart/form-data": NewJudgedScoresSerializer},
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Store a file of scores. The same file again is the one that is stored."""
        actor = get_actor_or_raise(request)
        get_coordinated_study_or_raise(actor, study_id)
        require_body_size(request, MAX_UPLOAD_BYTES)
        file = validate(NewJudgedScoresSerializer(data=request.data), is_form=True)["file"]
        stored = store_scores(actor=actor, study_id=study_id, name=file.name, content=file.read())
        return Response(JudgedScoresFileSerializer(stored).data, status=HTTPStatus.CREATED)


class StudyJudgedScoresDetail(APIView):
    @operation("study_judged_scores_read", StoredScoresSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID, scores_id: uuid.UUID) -> Response:
        """Each judge's mean, raw and corrected by the ratings of now."""
        stored = get_scores_or_raise(get_actor_or_raise(request), study_id, scores_id)
        return Response(StoredScoresSerializer(correct_stored(stored)).data)

    @operation("study_judged_scores_delete", None, 403, status=204)
    def delete(self, request: Request, study_id: uuid.UUID, scores_id: uuid.UUID) -> Response:
        actor = get_actor_or_raise(request)
        delete_scores(actor=actor, study_id=study_id, scores_id=scores_id)
        return Response(status=HTTPStatus.NO_CONTENT)
