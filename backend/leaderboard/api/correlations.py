"""How alike metrics order the entries over two slices, of a board and as printed."""

import time
import uuid
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.models import Item, Release
from backend.benchmarks.policies import get_release_or_raise
from backend.benchmarks.release_slices import read_slices
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.leaderboard.anonymity import reveal_names
from backend.leaderboard.api.board_serializers import StandingFilterSerializer
from backend.leaderboard.api.boards import get_standing
from backend.leaderboard.api.views import PublicRead, cache_decorators
from backend.leaderboard.models import Standing, StandingRow
from backend.leaderboard.published_results import load_published
from backend.leaderboard.slice_correlations import (
    CorrelatedMetric,
    EntryScores,
    MetricCorrelations,
    SliceCorrelation,
    board_correlations,
    merge_partitions,
    printed_correlations,
)
from backend.tracks.item_table import Masks

STANDINGS_IN_MEMORY, RELEASES_IN_MEMORY = 64, 256

MetricCorrelationsSerializer = serializer_of(
    MetricCorrelations,
    metric=serializer_of(CorrelatedMetric)(),
    pairs=serializer_of(SliceCorrelation)(many=True),
    entries=serializer_of(EntryScores)(many=True),
)


class SliceCorrelationsSerializer(serializers.Serializer[Any]):
    """Pearson's r between the entries' scores over two slices, for each metric."""

    track = serializers.CharField()
    metrics = MetricCorrelationsSerializer(many=True)
    reason = serializers.CharField(
        default="",
        help_text="Why there are none: no_board, no_graph, no_other_partition, other_questions, "
        "no_other_board, one_slice. Empty where there are some.",
    )


class BoardCorrelations(APIView):
    permission_classes = [AllowAny]

    @operation(
        "boards_correlations", SliceCorrelationsSerializer, parameters=[StandingFilterSerializer]
    )
    def get(self, request: Request, slug: str) -> Response:
        """How alike each metric orders the board's entries over two slices.

        Of a release of one partition: over the partitions of the track's releases on its graph.
        """
        release = get_release_or_raise(get_actor(request), slug)
        chosen = validate(StandingFilterSerializer(data=request.query_params))
        standing = get_standing(release, chosen)
        minute = int(time.time() // 60)  # names of anonymous entries appear with time
        boards = boards_by_partition(release, standing, chosen) if standing else ()
        metrics = _correlations(release.track, boards, minute) if boards else []
        reason = "" if metrics else find_reason(release, standing, chosen)
        payload = {"track": release.track, "metrics": metrics, "reason": reason}
        return Response(SliceCorrelationsSerializer(payload).data)


def find_reason(release: Release, standing: Standing | None, chosen: Mapping[str, Any]) -> str:
    """Why the board has nothing to correlate."""
    if standing is None:
        return "no_board"
    if not release.partition:
        return "one_slice"
    if release.graph_version_id is None:
        return "no_graph"
    others = [*_list_alike(release).exclude(partition=release.partition)]
    if not others:
        return "no_other_partition"
    same = [one for one in others if _questions(one.pk) == _questions(release.pk)]
    if not same:
        return "other_questions"
    return "one_slice" if any(get_standing(one, chosen) for one in same) else "no_other_board"


def _list_alike(release: Release) -> QuerySet[Release]:
    """Public releases of a partition on the same graph, the newest first; also this one."""
    alike = Release.objects.public().filter(
        track=release.track, graph_version=release.graph_version, is_demo=release.is_demo
    )
    others = alike.exclude(state=Release.State.DEPRECATED).exclude(partition="")
    return others.order_by("-created_at")


def boards_by_partition(
    release: Release, standing: Standing, chosen: Mapping[str, Any]
) -> tuple[tuple[str, int], ...]:
    """Partitions with the numbers of their standings; of each the newest release, or this one.

    Only of releases with the same questions: else their difference would be that of questions.
    """
    boards = {release.partition: standing.pk}
    if release.partition and release.graph_version_id is not None:
        for other in _list_alike(release):
            if other.partition in boards or _questions(other.pk) != _questions(release.pk):
                continue
            if board := get_standing(other, chosen):
                boards[other.partition] = board.pk
    return tuple(boards.items())


@lru_cache(RELEASES_IN_MEMORY)
def _questions(release: uuid.UUID) -> frozenset[str]:
    """Those of its roots, which never change."""
    items = Item.objects.filter(release=release)
    return frozenset(items.values_list("content__qid", flat=True).distinct().order_by())


@lru_cache(STANDINGS_IN_MEMORY)
def _correlations(
    slug: str, boards: tuple[tuple[str, int], ...], minute: int
) -> list[MetricCorrelations]:
    """Every row of a standing is read for it, so visitors of one minute share it."""
    track = get_track_or_raise(slug)
    rows = [(method, reveal_names(_contents(number))) for method, number in boards]
    if len(rows) == 1:
        return board_correlations(track, rows[0][1], _masks(boards[0][1]))
    return board_correlations(track, merge_partitions(track, rows))


def _masks(standing: int) -> Masks:
    """Of the slices that the present version of the track has."""
    board = Standing.objects.select_related("release").get(pk=standing)
    return read_slices(board.release, board.split)


def _contents(standing: int) -> QuerySet[StandingRow, Any]:
    return StandingRow.objects.filter(standing=standing).values_list("content", flat=True)


class PrintedCorrelations(PublicRead):
    @operation("leaderboards_correlations", SliceCorrelationsSerializer)
    @method_decorator(cache_decorators)
    def get(self, request: Request, track: str) -> Response:
        """How alike each printed metric orders the models over two slices, by a paper's table."""
        published = load_published()
        published.get_track_or_raise(track)
        metrics = printed_correlations(published.reported_values, track)
        return Response(SliceCorrelationsSerializer({"track": track, "metrics": metrics}).data)
