"""Releases as their organisers and visitors see them: contents, submissions, use of queries."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.token_authentication import TOKEN_OR_SESSION
from backend.benchmarks.policies import get_release_or_raise, require_release_organiser
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.api.serializers import ReceivedSubmissionSerializer
from backend.evaluation.models import Submission, SubmissionState
from backend.evaluation.queries import SubmitterQueries, list_submitters
from backend.evaluation.release_contents import SplitContents, count_contents
from backend.evaluation.submission_alerts import SubmissionAlert, list_alerts


class ReleaseContentsSerializer(serializers.Serializer[Any]):
    results = serializer_of(SplitContents)(many=True)


class ReleaseContents(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("releases_contents", ReleaseContentsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Items by split and slice, and the differences that they tell apart."""
        release = get_release_or_raise(get_actor(request), slug)
        return Response(ReleaseContentsSerializer({"results": count_contents(release)}).data)


class ReceivedFilterSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(SubmissionState.choices, required=False)


class ReceivedSubmissions(ListAPIView[Submission]):
    authentication_classes = TOKEN_OR_SESSION
    serializer_class = ReceivedSubmissionSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "user": get_actor_or_raise(self.request)}

    def get_queryset(self) -> QuerySet[Submission]:
        actor = get_actor_or_raise(self.request)
        release = get_release_or_raise(actor, self.kwargs["slug"])
        require_release_organiser(actor, release)
        chosen = validate(ReceivedFilterSerializer(data=self.request.query_params))
        rows = Submission.objects.filter(release=release, **chosen)
        return rows.select_related("release", "model", "evaluation", "submitted_by")

    @operation(
        "releases_submissions",
        ReceivedSubmissionSerializer(many=True),
        403,
        parameters=[ReceivedFilterSerializer],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """All submissions to a release of yours with their failures, the latest first."""
        return super().get(request, *args, **kwargs)


class SubmitterListSerializer(serializers.Serializer[Any]):
    results = serializer_of(SubmitterQueries)(many=True)
    alerts = serializer_of(SubmissionAlert)(many=True)


class ReleaseSubmitters(APIView):
    authentication_classes = TOKEN_OR_SESSION

    @operation("releases_submitters", SubmitterListSerializer, 403)
    def get(self, request: Request, slug: str) -> Response:
        """Who used how many queries of a release of yours, and what may be of one person."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        require_release_organiser(actor, release)
        payload = {"results": list_submitters(release), "alerts": list_alerts(release)}
        return Response(SubmitterListSerializer(payload).data)
