"""The groundings of a submission as its page shows them."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from backend.accounts.models import User
from backend.evaluation.grounding.accuracy_bins import (
    AccuracyBin,
    AccuracyBins,
    bin_accuracy,
    may_see_bins,
)
from backend.evaluation.grounding.error_flags import ErrorFlags, count_error_flags
from backend.evaluation.grounding.groundedness import (
    ClaimJudge,
    GroundednessCell,
    GroundedSubmission,
    list_groundings,
)
from backend.evaluation.grounding.jobs import list_reasons
from backend.evaluation.grounding.policies import may_manage, may_read_summary
from backend.evaluation.grounding.submission_rationales import (
    find_rationale_track,
    read_predicted_items,
)
from backend.evaluation.grounding.verifier_agreement import VerifierAgreement, agreements_from
from backend.evaluation.models import Grounding, Submission, SubmissionState
from backend.runtime.lru_cache import LruCache
from backend.science.judged_scores.groundedness_figures import SMALLEST_GROUP

SUBMISSIONS_AT_ONCE = 500
_rationales: LruCache[int] = LruCache(SUBMISSIONS_AT_ONCE)
_flags: LruCache[ErrorFlags] = LruCache(SUBMISSIONS_AT_ONCE)


@dataclass(frozen=True)
class GroundingView:
    """rationales: all of them; queued: those that wait. bins, flags: null where the reader may not
    see the accuracy of parts of the items. batch: of the page on which experts correct it; null
    for those who may not see that. agreements: how often experts agree with the judge, by source,
    in all studies that have ended; empty until the grounding has ended."""

    id: uuid.UUID
    batch: uuid.UUID | None
    judge: ClaimJudge
    agreements: list[VerifierAgreement]
    created_at: datetime
    rationales: int
    queued: int
    failed: int
    reasons: list[str]
    cells: list[GroundednessCell]
    bins: AccuracyBins | None
    flags: ErrorFlags | None


@dataclass(frozen=True)
class SubmissionGroundings:
    """rationales: predictions that have one; null for a track without. cutoff: nothing later is
    read. are_bins_shown: whether the reader may see accuracy by groundedness. results: the latest
    first."""

    rationales: int | None
    may_ground: bool
    cutoff: int | None
    are_bins_shown: bool
    results: list[GroundingView]


def describe_groundings(user: User | None, submission: Submission) -> SubmissionGroundings:
    if find_rationale_track(submission.release) is None:
        return SubmissionGroundings(None, False, None, False, [])
    are_shown = may_see_bins(user, submission)
    groundings = reversed(list_groundings([submission]))
    readable = [one for one in groundings if may_read_summary(user, one.first)]
    count = count_rationales(submission)
    return SubmissionGroundings(
        rationales=count,
        may_ground=count > 0 and submission.state == SubmissionState.SCORED,
        cutoff=submission.release.cutoff,
        are_bins_shown=are_shown,
        results=[
            describe_grounding(
                one, are_bins_shown=are_shown, is_batch_shown=may_manage(user, one.first)
            )
            for one in readable
        ],
    )


def count_rationales(submission: Submission) -> int:
    """A stored file never changes."""
    return _rationales.get_or_create(
        submission.pk, lambda: len(read_predicted_items(submission).rows)
    )


def describe_grounding(
    one: GroundedSubmission, *, are_bins_shown: bool, is_batch_shown: bool
) -> GroundingView:
    has_figures = one.has_ended and bool(one.batch.positions.size)
    is_binned = has_figures and are_bins_shown
    return GroundingView(
        id=one.linked.pk,
        batch=one.linked.batch if is_batch_shown else None,
        judge=one.judge,
        agreements=agreements_from(one.first, one.batch.sources) if has_figures else [],
        created_at=one.linked.created_at,
        rationales=Grounding.objects.filter(batch=one.linked.batch).count(),
        queued=one.queued,
        failed=one.batch.failed if one.has_ended else 0,
        reasons=[str(it["detail"]) for it in list_reasons(one.linked.batch)],
        cells=[*one.cells] if has_figures else [],
        bins=bin_accuracy([one], one.batch.widest) if is_binned else None,
        flags=flags_of(one) if is_binned else None,
    )


def flags_of(one: GroundedSubmission) -> ErrorFlags:
    key = (one.linked.batch, one.submission.evaluation_id)
    return _flags.get_or_create(key, lambda: count_error_flags(one))


def summary_lines(views: Sequence[GroundingView]) -> list[str]:
    return [line for view in views for line in _lines(view)]


def _lines(view: GroundingView) -> list[str]:
    lines = [f"{judge_text(view.judge)}: {view.rationales:,} rationales, {view.failed:,} failed"]
    lines += [f"  {one.source:<10} {cell_text(one)}" for one in view.cells]
    if view.bins is not None:
        lines += [f"  {bin_text(one)}" for one in view.bins.bins]
    if view.batch is not None:
        lines.append(f"  batch {view.batch}: make_claim_study lets experts correct it")
    if view.flags is not None:
        flags = view.flags
        lines.append(
            f"  of {flags.failures:,} wrong ones with a groundedness of 80% or more: "
            f"{flags.denials:,} deny what their context states, {flags.echoes:,} echo it"
        )
    return lines


def judge_text(judge: ClaimJudge) -> str:
    size = f" ({judge.model_size})" if judge.model_size else ""
    name = f"{judge.model} at {judge.endpoint}{size}" if judge.model else judge.verifier
    papers = f" and {judge.literature_name}" if judge.literature else ""
    return f"{name}, version {judge.version}, on {judge.graph_name}{papers}"


def cell_text(one: GroundednessCell) -> str:
    undefined = f", {one.undefined:,} without a claim" if one.undefined else ""
    if one.failed:
        undefined += f", {one.failed:,} failed"
        undefined += "" if one.at_least is None else f": {one.at_least:.1f}% with these as 0"
    if one.value is None:
        return f"undefined{undefined}"
    interval = "" if one.low is None else f" ({one.low:.1f} to {one.high:.1f})"
    return f"{one.value:.1f}%{interval}, n {one.n:,}{undefined}"


def bin_text(one: AccuracyBin) -> str:
    accuracy = one.accuracy
    few = ", fewer than 10 in all" if accuracy.n < SMALLEST_GROUP else ""
    interval = "" if accuracy.low is None else f" ({accuracy.low:.1f} to {accuracy.high:.1f})"
    return (
        f"groundedness {one.low:.0f} to {one.high:.0f}%: "
        f"accuracy {accuracy.value:.1f}%{interval}, n {accuracy.n:,}{few}"
    )
