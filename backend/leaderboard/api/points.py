"""All entries of a board as points of a chart."""

import time
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.leaderboard.api.board_fingerprints import Fingerprint, fingerprint_or_raise
from backend.leaderboard.api.board_serializers import EntryFilterSerializer
from backend.leaderboard.api.boards import chosen_rows, load_board
from backend.leaderboard.board_points import POINT_AXES, BoardPoints, collect_points
from backend.runtime.lru_cache import LruCache

CHARTS_IN_MEMORY = 64
# Every row of a standing is read for one, so visitors of one minute share it.
_charts: LruCache[BoardPoints] = LruCache(CHARTS_IN_MEMORY)

BoardPointsSerializer = serializer_of(BoardPoints)


class PointFilterSerializer(EntryFilterSerializer):
    x = serializers.ChoiceField(POINT_AXES)


class BoardPointsView(APIView):
    permission_classes = [AllowAny]

    @operation("boards_points", BoardPointsSerializer, parameters=[PointFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """The main metric against the cost or the parameters, with the Pareto front of all."""
        chosen = validate(PointFilterSerializer(data=request.query_params))
        fingerprint = fingerprint_or_raise(get_actor(request), slug, chosen)
        minute = int(time.time() // 60)  # names of anonymous entries appear with time
        sets = (frozenset(chosen.get(name, ())) for name in ("provenance", "hide"))
        view = (chosen["x"], chosen.get("slice"), chosen["text"], *sets)
        points = _charts.get_or_create(
            (fingerprint, view, minute), lambda: _read_points(fingerprint, chosen)
        )
        return Response(BoardPointsSerializer(points).data)


def _read_points(fingerprint: Fingerprint, chosen: Mapping[str, Any]) -> BoardPoints:
    release, standing = load_board(fingerprint)
    if standing is None:
        return BoardPoints(0, 0, [], [])
    track = get_track_or_raise(release.track)
    metric = track.get_metric(track.main_metric)
    return collect_points(
        chosen_rows(release, standing, {**chosen, "sort": "", "order": ""}),
        chosen["x"],
        f"{metric.id} {chosen.get('slice') or track.overall}",
        lower_is_better=metric.direction == "lower",
    )
