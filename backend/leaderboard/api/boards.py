"""Public boards of releases: standings and comparisons."""

import json
import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

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
from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.policies import get_release_or_raise
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.downloads import download_headers
from backend.common.errors import InstallationFault, NotFound
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.evaluation.models import Evaluation, Submission
from backend.leaderboard.anonymity import ShownNames, reveal_names
from backend.leaderboard.api.board_fingerprints import (
    Fingerprint,
    fingerprint_or_raise,
    standings_of,
)
from backend.leaderboard.api.board_serializers import (
    AuditSerializer,
    BoardFilterSerializer,
    BoardMetricSerializer,
    BoardPageSerializer,
    BoardSerializer,
    ComparisonFilterSerializer,
    EntryComparisonSerializer,
    ExportedBoardSerializer,
)
from backend.leaderboard.api.entry_figures import EntryFigures
from backend.leaderboard.api.groundedness import BoardGroundednessSerializer
from backend.leaderboard.api.judged import JudgedBoardSerializer
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

logger = logging.getLogger(__name__)

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
            return RenderedPage(_render_head(board, entries, offset), stored)
    return _select_page(fingerprint, chosen)


def _select_page(fingerprint: Fingerprint, chosen: Mapping[str, Any]) -> RenderedPage:
    """Rows that no job has compressed. An anonymous entry has a name from its date."""
    release, standing = load_board(fingerprint)
    texts, matching = select_page(release, standing, chosen)
    names = ShownNames()
    if any(UNNAMED in text for text in texts):
        stored = [json.loads(text) for text in texts]
        shown = reveal_names(stored)
        names = ShownNames.of(stored, shown)
        texts = [JSONRenderer().render(row).decode() for row in shown]
    board, _ = _render_board(fingerprint, chosen["split"])
    head = _render_head(board, matching, chosen["offset"])
    return RenderedPage(head, compress_rows(texts, QUICK_LEVEL), names)


@lru_cache(HEADS_IN_MEMORY)
def _render_board(fingerprint: Fingerprint, split: str) -> tuple[bytes, int]:
    """The description of the board as JSON without its end, and the number of entries."""
    release, standing = load_board(fingerprint)
    board = describe_board(release, split, standing)
    return JSONRenderer().render(board).removesuffix(b"}"), board["entries"]


def _render_head(board: bytes, matching: int, offset: int) -> bytes:
    return b'%s,"matching":%d,"offset":%d,"results":[' % (board, matching, offset)


@dataclass(frozen=True)
class ExportedBoard:
    """All entries that a filter leaves. figures: what is shown beside them."""

    board: dict[str, Any]
    rows: Rows
    figures: EntryFigures = field(default_factory=EntryFigures)

    @classmethod
    def read(cls, release: Release, chosen: Mapping[str, Any]) -> Self:
        standing = get_standing(release, chosen)
        board = describe_board(release, chosen["split"], standing)
        if standing is None:
            return cls(board, [])
        stored = chosen_rows(release, standing, chosen).values_list("content", flat=True)
        return cls(board, reveal_names(stored))

    def with_figures(self, actor: User | None, release: Release, *, has_bins: bool = True) -> Self:
        """Of the present standing; none where a file is lost, which costs no board."""
        split = self.board["split"]
        try:
            figures = EntryFigures.read(actor, release, split, has_bins=has_bins)
        except InstallationFault:
            logger.exception("The board %s is exported without figures.", release.slug)
            return self
        return replace(self, figures=figures.select({row["submission"] for row in self.rows}))

    def to_csv(self, slices: Sequence[str]) -> str:
        return board_csv(self.board, self.rows, slices, self.figures.columns())

    def to_json(self) -> dict[str, Any]:
        """Rows as they are stored, without the cost of checking them."""
        judged, grounded = self.figures.judged, self.figures.groundedness
        return {
            **self.board,
            "judged": judged and JudgedBoardSerializer(judged).data,
            "groundedness": grounded and BoardGroundednessSerializer(grounded).data,
            "results": self.rows,
        }


class BoardExport(APIView):
    """has_bins: whether the file has the bins of accuracy."""

    permission_classes = [AllowAny]
    has_bins: ClassVar[bool] = True

    def read(self, request: Request, slug: str) -> tuple[ExportedBoard, Mapping[str, Any]]:
        """The board, and the filter."""
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        chosen = validate(BoardFilterSerializer(data=request.query_params))
        exported = ExportedBoard.read(release, chosen)
        if "at" not in chosen:
            exported = exported.with_figures(actor, release, has_bins=self.has_bins)
        return exported, chosen


class BoardCsv(BoardExport):
    has_bins = False

    @operation(
        "boards_csv", {(200, "text/csv"): OpenApiTypes.STR}, parameters=[BoardFilterSerializer]
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """All entries as a table: every metric over the chosen slice, else over all slices."""
        exported, chosen = self.read(request, slug)
        slices = [chosen["slice"]] if "slice" in chosen else exported.board["slices"]
        return HttpResponse(
            exported.to_csv(slices),
            content_type="text/csv; charset=utf-8",
            headers=download_headers(f"{slug}-{chosen['split']}.csv"),
        )


class BoardJson(BoardExport):
    @operation("boards_json", ExportedBoardSerializer, parameters=[BoardFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """The board with all entries, scores over every slice."""
        exported, chosen = self.read(request, slug)
        headers = download_headers(f"{slug}-{chosen['split']}.json")
        return Response(exported.to_json(), headers=headers)


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
