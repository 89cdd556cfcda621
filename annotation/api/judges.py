"""Model judges of a study, for its coordinators alone."""

import uuid
from typing import Any

from django.db.models import Count
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.judge_answers import ImportedJudge, import_judge
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import MAX_JUDGE_NAME, Judge
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.parsers import require_body_size
from backend.common.serializers import serializer_of, validate
from backend.studies.policies import get_coordinated_study_or_raise

MAX_UPLOAD_BYTES = 50_000_000


class JudgeSerializer(serializers.Serializer[Judge]):
    name = serializers.CharField()
    answers = serializers.IntegerField(source="answer_count")
    questions = serializers.IntegerField(source="question_count")
    imported_at = serializers.DateTimeField()


class JudgesSerializer(serializers.Serializer[dict[str, object]]):
    can_import = serializers.BooleanField(
        help_text="Whether answers of this study kind are choices, by which judges are compared."
    )
    results = JudgeSerializer(many=True)


class JudgeImportSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=MAX_JUDGE_NAME, help_text="Of the model.")
    file = serializers.FileField(
        allow_empty_file=True,
        help_text="JSON Lines: qid, order (for sides), the fields of an answer, rationale.",
    )


ImportedJudgeSerializer = serializer_of(ImportedJudge)


class JudgesView(APIView):
    parser_classes = [MultiPartParser]

    @operation("study_judges", JudgesSerializer, 403)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        study = get_coordinated_study_or_raise(get_actor_or_raise(request), study_id)
        rows = Judge.objects.filter(study=study).annotate(
            answer_count=Count("answers"), question_count=Count("answers__entry", distinct=True)
        )
        can_import = bool(get_kind_or_raise(study.kind).choices)
        return Response(JudgesSerializer({"can_import": can_import, "results": rows}).data)

    @operation(
        "import_judge",
        ImportedJudgeSerializer,
        403,
        409,
        status=201,
        request={"multipart/form-data": JudgeImportSerializer},
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Import a model judge's answers, in place of those under its name; no expert sees them."""
        user = get_actor_or_raise(request)
        get_coordinated_study_or_raise(user, study_id)
        require_body_size(request, MAX_UPLOAD_BYTES)
        fields = validate(JudgeImportSerializer(data=request.data), is_form=True)
        imported = import_judge(
            actor=user, study_id=study_id, name=fields["name"], file=fields["file"].file
        )
        return Response(ImportedJudgeSerializer(imported).data, status=201)
