"""Groundedness of the entries' rationales on a board, apart for each judge."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.accounts.models import User
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import get_release_or_raise
from backend.common.openapi import operation
from backend.common.serializers import serializer_of, validate
from backend.evaluation.api.claim_studies import VerifierAgreementSerializer
from backend.evaluation.grounding.accuracy_bins import AccuracyBins, bin_accuracy, may_see_bins
from backend.evaluation.grounding.corrected_cells import CorrectedCell, corrected_cells
from backend.evaluation.grounding.groundedness import (
    ClaimJudge,
    GroundednessCell,
    GroundedSubmission,
    latest_by_judge,
    list_groundings,
)
from backend.evaluation.grounding.policies import may_read_summary
from backend.evaluation.grounding.verifier_agreement import VerifierAgreement, agreements_from
from backend.evaluation.models import Submission


class GroundednessFilterSerializer(serializers.Serializer[Any]):
    split = serializers.ChoiceField(ReleaseSplit.choices, default=ReleaseSplit.TEST)


@dataclass(frozen=True)
class GroundedEntry:
    """corrected: by experts' verdicts of studies that have ended; by source, none without one."""

    submission: uuid.UUID
    cells: list[GroundednessCell]
    corrected: list[CorrectedCell]


@dataclass(frozen=True)
class JudgedColumns:
    """Of one judge. agreements: how often experts agree with it, by source, in ended studies.
    entries: those that stand and whose rationales it has judged. bins: accuracy by groundedness
    over their hypotheses, null where it would give answers away."""

    judge: ClaimJudge
    agreements: list[VerifierAgreement]
    entries: list[GroundedEntry]
    bins: AccuracyBins | None


@dataclass(frozen=True)
class BoardGroundednessColumns:
    split: str
    judges: list[JudgedColumns]


JudgedColumnsSerializer = serializer_of(
    JudgedColumns, agreements=VerifierAgreementSerializer(many=True)
)
BoardGroundednessSerializer = serializer_of(
    BoardGroundednessColumns, judges=JudgedColumnsSerializer(many=True)
)


class BoardGroundedness(APIView):
    permission_classes = [AllowAny]

    @operation(
        "boards_groundedness",
        BoardGroundednessSerializer,
        parameters=[GroundednessFilterSerializer],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Shares of supported claims of the entries that stand, by judge; none where none has."""
        actor = get_actor(request)
        release = get_release_or_raise(actor, slug)
        split = validate(GroundednessFilterSerializer(data=request.query_params))["split"]
        columns = BoardGroundednessColumns(split, read_columns(actor, release, split))
        return Response(BoardGroundednessSerializer(columns).data)


def read_columns(
    actor: User | None, release: Release, split: str, *, has_bins: bool = True
) -> list[JudgedColumns]:
    """has_bins: with them, each entry's file of components is read. Raises PlatformFault."""
    rows = Submission.objects.filter(release=release, split=split).standing()
    submissions = [*rows.select_related("release", "evaluation").order_by("created_at", "pk")]
    by_judge: dict[object, list[GroundedSubmission]] = {}
    readable = [one for one in list_groundings(submissions) if may_read_summary(actor, one.first)]
    latest = latest_by_judge(readable)
    for one in latest:
        by_judge.setdefault(one.judge_key, []).append(one)
    corrected = corrected_cells([one for one in latest if not one.batch.left_out])
    return [
        JudgedColumns(
            grounded[0].judge,
            agreements_from(grounded[0].first, grounded[0].batch.sources),
            [
                GroundedEntry(one.submission.pk, [*one.cells], corrected.get(one.linked.batch, []))
                for one in grounded
            ],
            board_bins(actor, grounded) if has_bins else None,
        )
        for grounded in by_judge.values()
    ]


def board_bins(actor: User | None, grounded: Sequence[GroundedSubmission]) -> AccuracyBins | None:
    shown = [one for one in grounded if may_see_bins(actor, one.submission)]
    return bin_accuracy(shown, shown[0].batch.widest) if shown else None
