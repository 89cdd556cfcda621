"""Releases: made and changed by organisers, read by everyone once they are open."""

import json
import tempfile
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.token_authentication import READING_TOKEN_OR_SESSION, TOKEN_OR_SESSION
from backend.accounts.models import User
from backend.benchmarks.api.release_serializers import (
    ItemFilterSerializer,
    ItemPageFilterSerializer,
    ItemPageSerializer,
    NewReleaseSerializer,
    ReleaseChangeSerializer,
    ReleaseSerializer,
    ReleaseStateSerializer,
    ReleaseVersionSerializer,
)
from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.item_order import list_items
from backend.benchmarks.models import ItemReport, Release, ReleaseSplit
from backend.benchmarks.policies import (
    get_release_or_raise,
    require_release_organiser,
    visible_releases,
)
from backend.benchmarks.release_deletion import delete_draft
from backend.benchmarks.release_states import change_release_metadata, change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.downloads import download_headers
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.policies import visible_graphs
from backend.graphs.version_lookup import find_version_or_raise

ITEMS_PER_PAGE = 25
REQUEST_FIELDS = ("track", "name", "slug", "test_share", "seed", "masked_by", "partition", "cutoff")


def with_counts(releases: QuerySet[Release]) -> QuerySet[Release]:
    counts = {
        f"{split.value}_items": Count("items", filter=Q(items__split=split))
        for split in ReleaseSplit
    }
    # By the name of the relation: submissions are of a package above this one.
    related = releases.select_related(
        "graph_version__graph", "corrects", "unseals", "corrected_by__corrected_by"
    )
    return related.annotate(**counts, entries=entry_count(), open_reports=open_report_count())


def entry_count() -> Coalesce:
    standing = Release.objects.filter(
        pk=OuterRef("pk"),
        submissions__is_standing=True,
        submissions__error__isnull=True,  # else the board leaves it out
        submissions__split=ReleaseSplit.TEST,
    )
    counts = standing.values("pk").annotate(number=Count("submissions")).values("number")
    return Coalesce(Subquery(counts), 0)


def open_report_count() -> Coalesce:
    reports = ItemReport.objects.filter(item__release=OuterRef("pk"), state=ItemReport.State.OPEN)
    counts = reports.order_by().values("item__release").annotate(number=Count("pk"))
    return Coalesce(Subquery(counts.values("number")), 0)


def release_payload(user: User | None, slug: str) -> dict[str, Any]:
    release = with_counts(Release.objects.filter(slug=slug)).get()
    return dict(ReleaseSerializer(release, context={"user": user}).data)


class Releases(ListAPIView[Release]):
    authentication_classes = READING_TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]
    parser_classes = [MultiPartParser]
    serializer_class = ReleaseSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "user": get_actor(self.request)}

    def get_queryset(self) -> QuerySet[Release]:
        return with_counts(visible_releases(get_actor(self.request)))

    @operation("releases_list", ReleaseSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Releases that you may see, the latest first."""
        return super().get(request, *args, **kwargs)

    @operation(
        "releases_create",
        ReleaseSerializer,
        404,
        409,
        status=201,
        request={"multipart/form-data": NewReleaseSerializer},
    )
    def post(self, request: Request) -> Response:
        """Freeze the items of a track's files as a draft. All faults are answered at once."""
        actor = get_actor_or_raise(request)
        require_release_organiser(actor)
        form = validate(NewReleaseSerializer(data=request.data), is_form=True)
        new = ReleaseRequest(
            graph_version=find_version_or_raise(actor, form.pop("graph", "")),
            **{name: form.pop(name) for name in REQUEST_FIELDS if name in form},
            metadata={name: value for name, value in form.items() if name != "files"},
        )
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, upload in enumerate(form["files"]):
                path = Path(folder) / str(number) / Path(upload.name or "items").name
                path.parent.mkdir()
                path.write_bytes(upload.read())
                paths.append(path)
            release = make_release(actor=actor, request=new, files=paths)
        return Response(release_payload(actor, release.slug), status=HTTPStatus.CREATED)


class ReleaseDetail(APIView):
    authentication_classes = READING_TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("releases_read", ReleaseSerializer)
    def get(self, request: Request, slug: str) -> Response:
        actor = get_actor(request)
        return Response(release_payload(actor, get_release_or_raise(actor, slug).slug))

    @operation("releases_change", ReleaseSerializer, 409, request=ReleaseChangeSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Change what is written about a release, its dates and its queries; never its items."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        fields = validate(ReleaseChangeSerializer(data=request.data))
        version = fields.pop("version")
        change_release_metadata(actor=actor, release=release, version=version, fields=fields)
        return Response(release_payload(actor, slug))

    @operation("releases_remove", None, 409, status=204, parameters=[ReleaseVersionSerializer])
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a draft with its items and masked graphs, unless something refers to it."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        version = validate(ReleaseVersionSerializer(data=request.query_params)).get("version")
        delete_draft(actor=actor, release=release, version=version)
        return Response(status=HTTPStatus.NO_CONTENT)


class ReleaseState(APIView):
    @operation("releases_change_state", ReleaseSerializer, 409, request=ReleaseStateSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Open, close or deprecate a release."""
        actor = get_actor_or_raise(request)
        release = get_release_or_raise(actor, slug)
        sent = validate(ReleaseStateSerializer(data=request.data))
        to, version = Release.State(sent["state"]), sent.get("version")
        change_release_state(actor=actor, release=release, to=to, version=version)
        return Response(release_payload(actor, slug))


class ReleaseItems(APIView):
    authentication_classes = TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(
        "releases_items",
        {(200, "application/jsonl"): OpenApiTypes.STR},
        parameters=[ItemFilterSerializer],
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """The public items of a split, one JSON object per line, in the order of their keys."""
        release = get_release_or_raise(get_actor(request), slug)
        split = validate(ItemFilterSerializer(data=request.query_params))["split"]
        name = f"{release.slug}-{split}-items.jsonl"
        lines = item_lines(release, split)
        return StreamingHttpResponse(
            lines, content_type="application/jsonl", headers=download_headers(name)
        )


class ReleaseEntities(APIView):
    authentication_classes = TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("releases_entities", {(200, "application/jsonl"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """All that a prediction may name, one JSON value per line. SerenQA's tracks also take
        other spellings of these identifiers.

        404 where predictions name no entities, or the release's graph is not visible to you.
        """
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        version, track = release.graph_version, get_track_or_raise(release.track)
        if (
            version is None
            or not (track.predicts_entities or track.reads_entity_types)
            or not visible_graphs(actor).filter(pk=version.graph_id).exists()
        ):
            raise NotFound("This release has no list of entities that you may see.")
        candidates = (
            get_entity_keys(version).candidates
            if track.predicts_entities
            else [one.id for one in open_version_snapshot(version).entities()]
        )
        return StreamingHttpResponse(
            (f"{json.dumps(id_, ensure_ascii=False)}\n" for id_ in candidates),
            content_type="application/jsonl",
            headers=download_headers(f"{release.slug}-entities.jsonl"),
        )


def item_lines(release: Release, split: str) -> Iterator[str]:
    rows = list_items(release, split).values_list("content", flat=True)
    for content in rows.iterator(2_000):
        yield json.dumps(content, ensure_ascii=False) + "\n"


class ReleaseItemPage(APIView):
    authentication_classes = TOKEN_OR_SESSION
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("releases_item_page", ItemPageSerializer, parameters=[ItemPageFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """25 public items of a split, for reading."""
        release = get_release_or_raise(get_actor(request), slug)
        chosen = validate(ItemPageFilterSerializer(data=request.query_params))
        rows = list_items(release, chosen["split"])
        first = chosen["offset"]
        contents = rows.values_list("content", flat=True)[first : first + ITEMS_PER_PAGE]
        page = {**chosen, "total": rows.count(), "results": list(contents)}
        return Response(ItemPageSerializer(page).data)
