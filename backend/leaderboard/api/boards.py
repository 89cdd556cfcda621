"""Public boards of releases: standings and comparisons."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.models import Release
from backend.benchmarks.policies import get_release_or_raise
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.downloads import download_headers
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.evaluation.models import Evaluation, Submission
from backend.leaderboard.anonymity import reveal_names
from backend.leaderboard.api.board_fingerprints import (
    Fingerprint,
    fingerprint_or_raise,
    standings_of,
)
from backend.leaderboard.api.board_serializers import (
    AuditSerializer,
    BoardExportSerializer,
    BoardFilterSerializer,
    BoardMetricSerializer,
    BoardPageSerializer,
    BoardSerializer,
    ComparisonFilterSerializer,
    EntryComparisonSerializer,
)
from backend.leaderboard.api.rendered_pages import RenderedPage, rendered_response
from backend.leaderboard.board_csv import board_csv
from backend.leaderboard.board_rows import (
    UNNAMED,
    BoardQuery,
    UnknownColumn,
    contents_at,
    list_contents,
    rows_between,
    select_rows,
    slices_of,
)
from backend.leaderboard.board_views import find_positions
from backend.leaderboard.comparisons import compare_evaluations, find_differing_items
from backend.leaderboard.models import Standing, StandingRow
from backend.leaderboard.standing_pages import (
    QUICK_LEVEL,
    ROWS_PER_PAGE,
    compress_rows,
    find_stored_rows,
)

QUERIES_IN_MEMORY, HEADS_IN_MEMORY = 1_024, 128
Rows = list[dict[str, Any]]
# Without these, a page is in order of the main metric, and has every entry.
VIEW_OPTIONS = ("slice", "sort", "text", "provenance", "hide")


class Board(APIView):
    permission_classes = [AllowAny]

    @operation("boards_read", BoardSerializer, parameters=[BoardPageSerializer])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """A page of the board in order of the main metric, of now or of an earlier time."""
        query = request.META.get("QUERY_STRING", "")
        chosen = _parse_query(query)
        fingerprint = fingerprint_or_raise(get_actor(request), slug, chosen)
        key = (fingerprint, query)
        return rendered_response(request, key, lambda: _render_page(fingerprint, chosen))


@lru_cache(QUERIES_IN_MEMORY)
def _parse_query(query: str) -> Mapping[str, Any]:
    chosen: Mapping[str, Any] = validate(BoardPageSerializer(data=QueryDict(query)))
    return chosen


def get_standing(release: Release, chosen: Mapping[str, Any]) -> Standing | None:
    return standings_of(chosen["split"], chosen.get("at")).filter(release=release).first()


def describe_board(release: Release, split: str, standing: Standing | None) -> dict[str, Any]:
    track, slices = get_track_or_raise(release.track), slices_of(standing)
    return {
        "release": release.slug,
        "name": release.name,
        "track": release.track,
        "split": split,
        "state": release.phase,
        "release_digest": release.digest,
        "evaluator_version": standing.evaluator_version if standing else track.version,
        "queries": release.queries,
        "main_metric": track.main_metric,
        "overall": track.overall,
        "metrics": BoardMetricSerializer(track.metrics, many=True).data,
        "default_slice": track.overall,
        "slices": slices,
        "standing": standing.digest if standing else None,
        "created_at": standing.created_at if standing else None,
        "entries": standing.entries if standing else 0,
        "audit": AuditSerializer(standing.audit).data if standing and standing.audit else None,
    }


def board_query(release: Release, standing: Standing, chosen: Mapping[str, Any]) -> BoardQuery:
    """Raises UnknownColumn for a slice that the board does not have."""
    if slice_ := chosen.get("slice"):
        slices = slices_of(standing)
        if slices and slice_ not in slices:
            raise UnknownColumn(f"There is no slice '{slice_}'. Known are: {', '.join(slices)}.")
    return BoardQuery(
        slice=slice_ or get_track_or_raise(release.track).overall,
        sort=chosen["sort"],
        is_descending=chosen["order"] == "descending",
        text=chosen["text"],
        provenances=frozenset(chosen.get("provenance", ())),
        hidden=frozenset(chosen.get("hide", ())),
    )


def chosen_rows(
    release: Release, standing: Standing, chosen: Mapping[str, Any]
) -> QuerySet[StandingRow]:
    """Raises UnknownColumn, also for a slice that the board does not have."""
    query = board_query(release, standing, chosen)
    return select_rows(standing, query, metric_ids(release))


def metric_ids(release: Release) -> list[str]:
    return [metric.id for metric in get_track_or_raise(release.track).metrics]


def select_page(
    release: Release, standing: Standing | None, chosen: Mapping[str, Any]
) -> tuple[list[str], int]:
    """Contents of the rows, and how many entries the filter leaves."""
    if standing is None:
        return [], 0
    query, offset = board_query(release, standing, chosen), chosen["offset"]
    end = offset + ROWS_PER_PAGE
    if query.has_all_in_order:
        return list_contents(rows_between(standing, offset, end)), standing.entries
    positions = find_positions(standing, query, metric_ids(release))
    return contents_at(standing, positions[offset:end]), len(positions)


@lru_cache(HEADS_IN_MEMORY)
def load_board(fingerprint: Fingerprint) -> tuple[Release, Standing | None]:
    number = fingerprint.standing
    standing = None if number is None else Standing.objects.get(pk=number)
    return Release.objects.get(pk=fingerprint.release), standing


def _render_page(fingerprint: Fingerprint, chosen: Mapping[str, Any]) -> RenderedPage:
    offset = chosen["offset"]
    if fingerprint.standing and not any(chosen.get(option) for option in VIEW_OPTIONS):
        stored = find_stored_rows(fingerprint.standing, offset)
        if stored is not None:
            board, entries = _render_board(fingerprint, chosen["split"])
            return RenderedPage(_render_head(board, entries, offset), stored, is_constant=True)
    return _select_page(fingerprint, chosen)


def _select_page(fingerprint: Fingerprint, chosen: Mapping[str, Any]) -> RenderedPage:
    """Rows that no job has compressed. An anonymous entry has a name from its date."""
    release, standing = load_board(fingerprint)
    texts, matching = select_page(release, standing, chosen)
    is_constant = not any(UNNAMED in text for text in texts)
    if not is_constant:
        named = reveal_names(map(json.loads, texts))
        is_constant = all(row["model"] for row in named)
        texts = [JSONRenderer().render(row).decode() for row in named]
    board, _ = _render_board(fingerprint, chosen["split"])
    head = _render_head(board, matching, chosen["offset"])
    return RenderedPage(head, compress_rows(texts, QUICK_LEVEL), is_constant)


@lru_cache(HEADS_IN_MEMORY)
def _render_board(fingerprint: Fingerprint, split: str) -> tuple[bytes, int]:
    """The description of the board as JSON without its end, and the number of entries."""
    release, standing = load_board(fingerprint)
    board = describe_board(release, split, standing)
    return JSONRenderer().render(board).removesuffix(b"}"), board["entries"]


def _render_head(board: bytes, matching: int, offset: int) -> bytes:
    return b'%s,"matching":%d,"offset":%d,"results":[' % (board, matching, offset)


def read_board(release: Release, chosen: Mapping[str, Any]) -> tuple[dict[str, Any], Rows]:
    """The board and all entries that the filter leaves."""
    standing = get_standing(release, chosen)
    board = describe_board(release, chosen["split"], standing)
    if standing is None:
        return board, []
    rows = chosen_rows(release, standing, chosen)
    return board, reveal_names(rows.values_list("content", flat=True))


class BoardExport(APIView):
    permission_classes = [AllowAny]

    def read(self, request: Request, slug: str) -> tuple[dict[str, Any], Rows, Mapping[str, Any]]:
        """The board, all entries that the filter leaves, and the filter."""
        release = get_release_or_raise(get_actor(request), slug)
        chosen = validate(BoardFilterSerializer(data=request.query_params))
        return *read_board(release, chosen), chosen


class BoardCsv(BoardExport):
    @operation(
        "boards_csv", {(200, "text/csv"): OpenApiTypes.STR}, parameters=[BoardFilterSerializer]
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """All entries as a table: every metric over the chosen slice, else over all slices."""
        board, rows, chosen = self.read(request, slug)
        slices = [chosen["slice"]] if "slice" in chosen else board["slices"]
        return HttpResponse(
            board_csv(board, rows, slices),
            content_type="text/csv; charset=utf-8",
            headers=download_headers(f"{slug}-{chosen['split']}.csv"),
        )


class BoardJson(BoardExport):
    @operation("boards_json", BoardExportSerializer, parameters=[BoardFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """The board with all entries, scores over every slice."""
        board, rows, chosen = self.read(request, slug)
        headers = download_headers(f"{slug}-{chosen['split']}.json")
        return Response({**board, "results": rows}, headers=headers)


class BoardComparison(APIView):
    """Limited: each pair takes seconds of processor time once."""

    permission_classes = [AllowAny]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "comparison"

    @operation(
        "boards_compare",
        EntryComparisonSerializer,
        429,
        parameters=[ComparisonFilterSerializer],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The paired difference of two entries, by slice."""
        release = get_release_or_raise(get_actor(request), slug)
        chosen = validate(ComparisonFilterSerializer(data=request.query_params))
        first, second = (standing_entry(release, chosen[name]) for name in ("first", "second"))
        if first.submission.split != second.submission.split:
            raise NotFound("The two entries are of different splits.")
        metric = chosen.get("metric") or get_track_or_raise(release.track).main_metric
        evaluations = first.evaluation, second.evaluation
        payload = {
            "metric": metric,
            "split": first.submission.split,
            "first": first.description,
            "second": second.description,
            "slices": compare_evaluations(release, metric, *evaluations),
            "items": find_differing_items(release, metric, *evaluations),
        }
        return Response(EntryComparisonSerializer(payload).data)


@dataclass(frozen=True)
class StandingEntry:
    submission: Submission
    evaluation: Evaluation

    @property
    def description(self) -> dict[str, Any]:
        one = self.submission
        return {"submission": one.pk, "name": None if one.is_anonymous else one.model.name}


def standing_entry(release: Release, submission_id: uuid.UUID) -> StandingEntry:
    rows = Submission.objects.filter(release=release, pk=submission_id).standing()
    submission = rows.select_related("evaluation", "model").first()
    if submission is None or submission.evaluation is None:
        raise NotFound("This entry does not stand on the board.")
    return StandingEntry(submission, submission.evaluation)
