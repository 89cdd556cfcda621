"""Sealed releases: made, listed with what is sealed, and opened by a later version of the graph."""

from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.token_authentication import TOKEN_OR_SESSION
from backend.benchmarks.api.release_serializers import ReleaseSerializer
from backend.benchmarks.api.releases import release_payload
from backend.benchmarks.models import Release
from backend.benchmarks.policies import get_release_or_raise, require_release_organiser
from backend.benchmarks.sealed_releases import (
    SealedRequest,
    later_versions,
    make_sealed_release,
)
from backend.common.errors import NotFound
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.evaluation.models import Submission
from backend.evaluation.sealing import request_unsealing, sealed_submissions
from backend.graphs.policies import visible_graphs
from backend.graphs.version_lookup import find_version_or_raise
from backend.jobs.api.serializers import JobSerializer

MOST_LISTED = 500


class NewSealedReleaseSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=200)
    slug = serializers.SlugField(max_length=100, required=False, allow_blank=True, default="")
    graph = OneLineField(max_length=120, help_text="Its newest version; edges need years.")
    subjects = serializers.CharField(
        max_length=500, trim_whitespace=False, help_text="The type of the first entity of a pair."
    )
    objects = serializers.CharField(max_length=500, trim_whitespace=False)


class SealedReleases(APIView):
    @operation(
        "sealed_releases_create",
        ReleaseSerializer,
        404,
        409,
        status=201,
        request=NewSealedReleaseSerializer,
    )
    def post(self, request: Request) -> Response:
        """A draft of all pairs of two types that no edge of the newest version joins."""
        actor = get_actor_or_raise(request)
        require_release_organiser(actor)
        form = validate(NewSealedReleaseSerializer(data=request.data))
        version = find_version_or_raise(actor, form.pop("graph"))
        if version is None:
            raise NotFound("Name a graph.", code="unknown_graph")
        release = make_sealed_release(actor=actor, request=SealedRequest(version=version, **form))
        return Response(release_payload(actor, release.slug), status=HTTPStatus.CREATED)


class SealedEntrySerializer(serializers.Serializer[Submission]):
    """Public: what was sealed and when, and no score. model: null while it is anonymous."""

    submission = serializers.UUIDField(source="pk")
    model = serializers.SerializerMethodField()
    sealed_at = serializers.DateTimeField(source="created_at")
    file_digest = serializers.CharField(help_text="SHA-256 of the file as it was sent.")
    predictions_digest = serializers.CharField(help_text="Of its canonical rows.")
    knowledge_until = serializers.IntegerField(
        source="declared.knowledge_until", default=None, allow_null=True
    )

    def get_model(self, submission: Submission) -> str | None:
        return None if submission.is_anonymous else submission.model.name


class DatedBoardSerializer(serializers.Serializer[Release]):
    slug = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(source="graph_version.number")
    created_at = serializers.DateTimeField()


class LaterVersionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    has_board = serializers.BooleanField()


class SealedContentsSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    entries = SealedEntrySerializer(many=True, help_text="The earliest first, at most 500.")
    boards = DatedBoardSerializer(many=True)
    later_versions = LaterVersionSerializer(many=True)


class SealedContents(APIView):
    authentication_classes = TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("sealed_releases_read", SealedContentsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """What is sealed on a release, and the boards that later versions of its graph made."""
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        if not release.is_sealed or release.graph_version is None:
            raise NotFound("Nothing is sealed on this release.")
        boards = list(release.unsealed_as.select_related("graph_version").order_by("created_at"))
        scored = {one.graph_version_id for one in boards}
        is_visible = visible_graphs(actor).filter(pk=release.graph_version.graph_id).exists()
        later = later_versions(release.graph_version) if is_visible else []
        entries = sealed_submissions(release)
        payload = {
            "count": entries.count(),
            "entries": entries[:MOST_LISTED],
            "boards": boards,
            "later_versions": [
                {
                    "number": one.number,
                    "created_at": one.created_at,
                    "has_board": one.pk in scored,
                }
                for one in later
            ],
        }
        return Response(SealedContentsSerializer(payload).data)


class UnsealSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(
        required=False, min_value=1, help_text="Number of a later version; the newest without it."
    )
    until = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=9_999,
        help_text="The last year whose links count; the last of the version without it.",
    )


class ReleaseUnsealing(APIView):
    @operation("sealed_releases_unseal", JobSerializer, 409, status=202, request=UnsealSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Score all sealed predictions by a later version of the graph, on a board of its own."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        require_release_organiser(actor, release)
        form = validate(UnsealSerializer(data=request.data))
        version = None
        if "version" in form and release.graph_version is not None:
            version = later_versions(release.graph_version).filter(number=form["version"]).first()
            if version is None:
                raise NotFound("The graph has no later version with this number.")
        job = request_unsealing(
            actor=actor, release=release, version=version, until=form.get("until")
        )
        payload = JobSerializer(job, context={"user": actor}).data
        return Response(payload, status=HTTPStatus.ACCEPTED)
