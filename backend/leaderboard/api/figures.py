"""The data of a track's figures, as JSON and as a table."""

import csv
import io
import time
from functools import lru_cache
from typing import Any, cast

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.policies import get_release_or_raise
from backend.common.downloads import download_headers
from backend.common.errors import DomainError, NotFound
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.leaderboard.api.boards import get_standing
from backend.leaderboard.figures import (
    FigureAxis,
    FigureBoard,
    FigureData,
    FigureEntry,
    FigureName,
    FigureValue,
    build_figure,
    figure_rows,
    figures_of_track,
)
from backend.leaderboard.model_matrix import main_boards
from backend.leaderboard.published_results import load_published
from backend.validation.csv_escaping import escape

FIGURES_IN_MEMORY = 64

FigureSerializer = serializer_of(
    FigureData,
    "Figure",
    axes=serializer_of(FigureAxis)(many=True),
    entries=serializer_of(FigureEntry, values=serializer_of(FigureValue)(many=True))(many=True),
)


class FigureFilterSerializer(serializers.Serializer[Any]):
    release = serializers.CharField(
        required=False,
        max_length=100,
        help_text="Whose test board is compared; the track's main one without it.",
    )


class FigureView(APIView):
    permission_classes = [AllowAny]

    def read(self, request: Request, track: str, figure: str) -> FigureData:
        """Raises NotFound for an unknown track, and for a figure that it does not have."""
        load_published().get_track_or_raise(track)
        known = figures_of_track(track)
        if figure not in known:
            raise NotFound(f"This track has no figure of this name. It has: {', '.join(known)}.")
        boards = {
            one.release.track: FigureBoard(one.release.slug, one.pk, one.release.partition)
            for one in main_boards()
        }
        chosen = validate(FigureFilterSerializer(data=request.query_params))
        if slug := chosen.get("release"):
            release = get_release_or_raise(get_actor(request), slug)
            if release.track != track:
                message = "This release is of another track. Choose one of this track."
                raise DomainError(message, code="other_track")
            boards.pop(track, None)
            if standing := get_standing(release, {"split": ReleaseSplit.TEST}):
                boards[track] = FigureBoard(release.slug, standing.pk, release.partition)
        minute = int(time.time() // 60)  # names of anonymous entries appear with time
        return _figure(cast(FigureName, figure), track, tuple(boards.items()), minute)


@lru_cache(FIGURES_IN_MEMORY)
def _figure(
    figure: FigureName, track: str, boards: tuple[tuple[str, FigureBoard], ...], minute: int
) -> FigureData:
    return build_figure(figure, track, dict(boards))


class Figure(FigureView):
    @operation("leaderboards_figure", FigureSerializer, parameters=[FigureFilterSerializer])
    def get(self, request: Request, track: str, figure: str) -> Response:
        """Printed and evaluated entries by axes: `scale`, `profile` or `complexity`."""
        return Response(FigureSerializer(self.read(request, track, figure)).data)


class FigureCsv(FigureView):
    @operation(
        "leaderboards_figure_csv",
        {(200, "text/csv"): OpenApiTypes.STR},
        parameters=[FigureFilterSerializer],
    )
    def get(self, request: Request, track: str, figure: str) -> HttpResponse:
        """The same as a table, a line for each value."""
        buffer = io.StringIO(newline="")
        writer = csv.writer(buffer, lineterminator="\r\n")
        for row in figure_rows(self.read(request, track, figure)):
            writer.writerow([escape("" if cell is None else str(cell)) for cell in row])
        return HttpResponse(
            buffer.getvalue(),
            content_type="text/csv; charset=utf-8",
            headers=download_headers(f"{track}-{figure}.csv"),
        )
