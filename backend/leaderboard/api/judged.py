"""How much of each entry's answers is judged, and the bounds of what is not."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import F
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import get_release_or_raise
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.answer_pools import find_pool, is_outdated
from backend.evaluation.models import EntryJudgement, Submission
from backend.evaluation.visibility import shows_pool_figures


class JudgedFilterSerializer(serializers.Serializer[Any]):
    split = serializers.ChoiceField(ReleaseSplit.choices, default=ReleaseSplit.TEST)


@dataclass(frozen=True)
class JudgedEntryRow:
    """judged: a share, null without answers. low, high: of the main metric, in its unit."""

    submission: uuid.UUID
    judged: float | None
    low: float
    high: float


@dataclass(frozen=True)
class JudgedBoard:
    """depth: the k of judged@k; null where no answers are pooled. is_outdated: whether the board
    has changed since. entries: those that stand, with the evaluation that the bounds are of."""

    split: str
    metric: str
    depth: int | None
    is_outdated: bool
    entries: list[JudgedEntryRow]


JudgedBoardSerializer = serializer_of(JudgedBoard)


class BoardJudged(APIView):
    permission_classes = [AllowAny]

    @operation("boards_judged", JudgedBoardSerializer, parameters=[JudgedFilterSerializer])
    def get(self, request: Request, slug: str) -> Response:
        """judged@k of the entries that stand, and bounds of the main metric.

        Of test items on a masked graph, its organiser alone reads them.
        """
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        split = validate(JudgedFilterSerializer(data=request.query_params))["split"]
        is_shown = shows_pool_figures(actor, release, split)
        return Response(JudgedBoardSerializer(read_judged_board(release, split, is_shown)).data)


def read_judged_board(release: Release, split: str, is_shown: bool) -> JudgedBoard:
    pool = find_pool(release, split) if is_shown else None
    rows = EntryJudgement.objects.none()
    if pool is not None:
        rows = pool.judgements.filter(
            submission__in=Submission.objects.standing(), submission__evaluation=F("evaluation")
        ).order_by("pk")
    return JudgedBoard(
        split,
        get_track_or_raise(release.track).main_metric,
        None if pool is None else pool.depth,
        pool is not None and is_outdated(pool),
        [JudgedEntryRow(one.submission_id, one.judged, one.low, one.high) for one in rows],
    )
