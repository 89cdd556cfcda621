"""Public results at their permanent addresses, in the forms that other places read."""

import json
import uuid
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.common.downloads import download_headers
from backend.common.errors import NotFound
from backend.common.openapi import operation
from backend.evaluation.cases import has_cases
from backend.evaluation.tool_sessions import readable_session
from backend.leaderboard.api.board_serializers import BoardResultSerializer
from backend.leaderboard.badges import draw_badge
from backend.leaderboard.board_rows import slices_of
from backend.leaderboard.citations import cite_result
from backend.leaderboard.every_eval_ever import describe_result
from backend.leaderboard.every_eval_ever_samples import (
    describe_samples_file,
    list_samples_or_raise,
    sampled_metric,
)
from backend.leaderboard.results import PublicResult, get_result_or_raise

BADGE_SECONDS = 300


class Result(APIView):
    permission_classes = [AllowAny]

    @operation("results_read", BoardResultSerializer)
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """A result that stands or stood on a public board."""
        actor = get_actor(request)
        result = get_result_or_raise(actor, submission_id)
        session = readable_session(actor, result.submission)
        return Response(BoardResultSerializer({**_payload(result), "session": session}).data)


def _payload(result: PublicResult) -> dict[str, Any]:
    submission, release = result.submission, result.release
    session = submission.session if result.content is not None else None
    later = release.public_correction
    declared = submission.declared if result.content else {}
    # What submitters write of themselves is hidden with the name.
    texts = {} if submission.is_anonymous else declared
    return {
        "submission": submission.pk,
        "release": release.slug,
        "release_name": release.name,
        "release_digest": release.digest,
        "track": release.track,
        "split": submission.split,
        "evaluator_version": result.standing.evaluator_version,
        "main_metric": result.track.main_metric,
        "metrics": result.track.metrics,
        "slices": slices_of(result.standing),
        "queries": release.queries,
        "standing_at": result.standing.created_at,
        "is_standing": submission.is_on_board,
        "is_left_out": submission.is_left_out,
        "corrected_by": later.slug if later else None,
        "corrected_by_name": later.name if later else None,
        "hardware": declared.get("hardware"),
        "method": texts.get("method"),
        "notes": texts.get("notes"),
        "tool_calls": None if session is None else session.calls,
        "withdrawn_at": submission.withdrawn_at,
        "withdrawn_by": result.withdrawn_by,
        "withdrawal_reason": submission.withdrawal_reason,
        "key": result.key or None,
        "url": result.url,
        "bibtex": cite_result(result),
        "has_cases": result.content is not None and has_cases(submission, result.track),
        "entry": result.content,
    }


class ResultBadge(APIView):
    # The same for every user, so that a shared cache may store it.
    authentication_classes = []
    permission_classes = [AllowAny]

    @operation("results_badge", {(200, "image/svg+xml"): OpenApiTypes.STR})
    def get(self, request: Request, submission_id: uuid.UUID) -> HttpResponse:
        """Rank set and score as an SVG image, for a page or a readme elsewhere."""
        image = draw_badge(get_result_or_raise(None, submission_id))
        headers = {"Cache-Control": f"public, max-age={BADGE_SECONDS}"}
        return HttpResponse(image, content_type="image/svg+xml; charset=utf-8", headers=headers)


class ResultCitation(APIView):
    permission_classes = [AllowAny]

    @operation("results_citation", {(200, "application/x-bibtex"): OpenApiTypes.STR})
    def get(self, request: Request, submission_id: uuid.UUID) -> HttpResponse:
        """The result as a BibTeX entry."""
        result = get_result_or_raise(get_actor(request), submission_id)
        return bibtex_response(cite_result(result), f"{result.submission.pk}.bib")


def bibtex_response(text: str, name: str) -> HttpResponse:
    content_type = "application/x-bibtex; charset=utf-8"
    return HttpResponse(text, content_type=content_type, headers=download_headers(name))


class ResultRecord(APIView):
    permission_classes = [AllowAny]

    @operation("results_record", {(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """The result in the exchange format of Every Eval Ever; of a dev split, with its items."""
        result = get_result_or_raise(get_actor(request), submission_id)
        if result.content is None:
            raise NotFound("This result was withdrawn.", code="withdrawn")
        record = describe_result(result)
        if sampled_metric(result) is not None:
            record["detailed_evaluation_results"] = describe_samples_file(result, record)
        return Response(record)


class ResultSamples(APIView):
    permission_classes = [AllowAny]

    @operation("results_samples", {(200, "application/jsonl"): OpenApiTypes.STR})
    def get(self, request: Request, submission_id: uuid.UUID) -> StreamingHttpResponse:
        """Items of a dev split with answers and predictions, a record of Every Eval Ever a line."""
        result = get_result_or_raise(get_actor(request), submission_id)
        if result.content is None:
            raise NotFound("This result was withdrawn.", code="withdrawn")
        samples = list_samples_or_raise(result)
        return StreamingHttpResponse(
            (json.dumps(one) + "\n" for one in samples),
            content_type="application/jsonl",
            headers=download_headers(f"{submission_id}_samples.jsonl"),
        )
