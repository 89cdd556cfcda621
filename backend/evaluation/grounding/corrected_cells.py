"""Groundedness of boards, corrected by the experts' verdicts of studies that have ended.

Open studies are left out: a figure that changes with an answer would show its expert the verdict.
"""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from backend.common.cached_results import get_or_compute
from backend.evaluation.grounding.batch_figures import read_figures
from backend.evaluation.grounding.claim_choice import list_judged_claims
from backend.evaluation.grounding.claim_clusters import item_clusters
from backend.evaluation.grounding.claim_verdicts import ENDED_CACHED_S, read_people_verdicts
from backend.evaluation.grounding.corrected import IntervalFigure, figure_of
from backend.evaluation.grounding.groundedness import (
    PERCENT,
    GroundedSubmission,
    mean_with_failed,
)
from backend.evaluation.models.claim_studies import ClaimStudy, ClaimStudyBatch
from backend.studies.models import ENDED_STATUSES
from backend.tracks.grounding_verdicts import EvidenceSource

BatchSource = tuple[uuid.UUID, EvidenceSource]


@dataclass(frozen=True)
class CorrectedCell:
    """In percent, by PPI++ over claims (Angelopoulos, Duchi and Zrnic, 2023). low, high: over the
    clusters of the track, as of the raw value; null for verdicts in fewer than 5 of them.
    at_least: the value if each rationale that could not be grounded had no supported claim.
    is_approximate: few clusters or few disagreements. verified: claims with a verdict of experts.
    effective_verdicts: those that would give the same interval without the verifier. kappa: of
    verifier and experts, from -1 to 1; null where they gave all claims one verdict."""

    source: str
    value: float
    at_least: float
    low: float | None
    high: float | None
    is_approximate: bool
    verified: int
    effective_verdicts: float | None
    kappa: IntervalFigure | None


def corrected_cells(
    groundings: Sequence[GroundedSubmission],
) -> Mapping[uuid.UUID, list[CorrectedCell]]:
    """Of the batches that have one, by source."""
    cells: dict[uuid.UUID, list[CorrectedCell]] = {}
    by_batch = {one.linked.batch: one for one in groundings}
    for (batch, source), studies in ended_studies([*by_batch]).items():
        one = by_batch[batch]
        names = (str(it.pk) for it in (one.submission.release, *studies))
        cell = get_or_compute(
            "-".join(["corrected-cell", str(batch), source, *names]),
            partial(correct, one, source, studies),
            form=CorrectedCell,
            timeout_s=ENDED_CACHED_S,
        )
        if cell is not None:
            cells.setdefault(batch, []).append(cell)
    return cells


def ended_studies(batches: Sequence[uuid.UUID]) -> Mapping[BatchSource, list[ClaimStudy]]:
    rows = ClaimStudyBatch.objects.filter(
        batch__in=batches, claim_study__study__status__in=ENDED_STATUSES
    ).order_by("claim_study__created_at")
    studies: dict[BatchSource, list[ClaimStudy]] = defaultdict(list)
    for row in rows.select_related("claim_study__study"):
        studies[row.batch, EvidenceSource(row.claim_study.source)].append(row.claim_study)
    return studies


def correct(
    grounded: GroundedSubmission, source: EvidenceSource, studies: Sequence[ClaimStudy]
) -> CorrectedCell | None:
    """None without a verdict. The figures are those of the page of the batch."""
    batch = grounded.linked.batch
    clusters = item_clusters(grounded.submission, batch)
    judged = [one for one in list_judged_claims(batch, source) if one.grounding in clusters]
    people = read_people_verdicts(batch, studies)
    if not judged or not people.verdicts:
        return None
    figures = read_figures(judged, people, clusters)
    mean = figures.mean
    defined = len({one.grounding for one in judged})
    at_least = mean_with_failed(mean.value, defined, grounded.batch.failed)
    if mean.value is None or at_least is None:
        return None
    return CorrectedCell(
        source=source.value,
        value=PERCENT * mean.value,
        at_least=PERCENT * at_least,
        low=None if mean.low is None else PERCENT * mean.low,
        high=None if mean.high is None else PERCENT * mean.high,
        is_approximate=mean.approximate,
        verified=mean.verified,
        effective_verdicts=mean.effective_verdicts,
        kappa=figure_of(figures.agreements[0].kappa),
    )
