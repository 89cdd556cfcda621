"""The groundedness of a batch as its verifier has it, and corrected by people's verdicts."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.evaluation.grounding.batch_figures import BatchFigures, read_figures
from backend.evaluation.grounding.claim_choice import VerifierClaim, list_judged_claims
from backend.evaluation.grounding.claim_clusters import read_clusters
from backend.evaluation.grounding.claim_verdicts import (
    PeopleVerdicts,
    read_people_verdicts,
    studies_of_batch,
)
from backend.evaluation.models.claim_studies import ClaimStudy
from backend.evaluation.models.grounding import ClaimVerdict, Grounding, GroundingState
from backend.science.evaluation.estimates import Estimate
from backend.science.judged_scores.corrected_mean import CorrectedMean, IntervalEstimate
from backend.science.judged_scores.judge_agreement import JudgeAgreement
from backend.science.judged_scores.reliability import Reliability
from backend.tracks.grounding_verdicts import EvidenceSource

NO_CLAIMS = "No rationale of this batch has a claim, so its groundedness is undefined."
NO_STUDY = "No study verifies claims of this batch from this source yet. Coordinators can make one."
NO_VERDICTS = "No expert has judged a claim yet. Invite experts to the study."
FEW_RATIONALES = (
    "An interval needs verdicts on rationales of at least 5 items or clusters. Wait for more."
)
ONE_VERDICT = "Experts and verifier gave all claims one verdict, so kappa is undefined."


@dataclass(frozen=True)
class IntervalFigure:
    """n: verified claims behind it. low, high: both or neither."""

    value: float
    low: float | None
    high: float | None
    n: int
    is_approximate: bool = False


@dataclass(frozen=True)
class GroupConfusion:
    """Verified claims by people's and the verifier's verdict. group: a relation type, or the form
    of a claim with fewer than two entities. Claims whose experts differ count in parts."""

    group: str
    verdicts: int
    both: float
    people_alone: float
    verifier_alone: float
    neither: float
    false_support: IntervalFigure | None
    missed_support: IntervalFigure | None


@dataclass(frozen=True)
class ReliabilityPoint:
    """Verified claims whose probability of support is in [low, high)."""

    low: float
    high: float
    verdicts: int
    score: float
    observed: IntervalFigure


@dataclass(frozen=True)
class StudyOfClaims:
    id: uuid.UUID
    name: str
    status: str
    rule: str
    budget: int
    seed: int


@dataclass(frozen=True)
class CorrectedGroundedness:
    """One source of evidence. undefined: rationales without a claim, in no figure.

    raw, corrected, people: means over rationales. raw has no interval that knows of the verifier's
    errors, so it has none here. corrected: None with the reason; its interval may be missing, with
    the reason too. is_final: whether all its studies have ended. effective_verdicts: verdicts on
    claims that would give the same interval without the verifier. more_to_halve: further claims to
    verify, see `plan`. has_probabilities: whether reliability is of probabilities, or of verdicts.
    """

    source: str
    rationales: int
    undefined: int
    claims: int
    raw: float | None
    corrected: IntervalFigure | None
    reason: str
    people: IntervalFigure | None
    lambda_value: float | None
    effective_verdicts: float | None
    chosen: int
    verified: int
    waiting: int
    not_sure: int
    excluded: int
    is_final: bool
    kappa: IntervalFigure | None
    kappa_reason: str
    agreement: IntervalFigure | None
    confusion: tuple[GroupConfusion, ...]
    reliability: tuple[ReliabilityPoint, ...]
    calibration_error: float | None
    has_probabilities: bool
    more_to_halve: int | None
    plan: str
    studies: tuple[StudyOfClaims, ...]


def corrected_groundedness(batch: uuid.UUID) -> Mapping[EvidenceSource, CorrectedGroundedness]:
    """Of each source from which a claim of the batch was judged; of the graph where there is none.

    PPI++ (Angelopoulos, Duchi and Zrnic, 2023) over claims that weigh 1/claims of their rationale,
    clustered by item where the batch is a submission's, else by rationale; by inverse propensity
    where the choice was active.
    """
    verdicts = ClaimVerdict.objects.filter(claim__grounding__batch=batch)
    present = set(verdicts.order_by().values_list("source", flat=True).distinct())
    sources = [one for one in EvidenceSource if one in present] or [EvidenceSource.GRAPH]
    return {one: correct_source(batch, one) for one in sources}


def correct_source(batch: uuid.UUID, source: EvidenceSource) -> CorrectedGroundedness:
    judged, studies = list_judged_claims(batch, source), studies_of_batch(batch, source)
    people = read_people_verdicts(batch, studies)
    ended = Grounding.objects.filter(batch=batch, state=GroundingState.ENDED).count()
    if not judged:
        return _assemble(source, ended, judged, studies, people, None)
    figures = read_figures(judged, people, read_clusters([batch]))
    return _assemble(source, ended, judged, studies, people, figures)


def _assemble(
    source: EvidenceSource,
    ended: int,
    judged: Sequence[VerifierClaim],
    studies: Sequence[ClaimStudy],
    people: PeopleVerdicts,
    figures: BatchFigures | None,
) -> CorrectedGroundedness:
    defined = len({one.grounding for one in judged})
    mean = None if figures is None else figures.mean
    agreements = [] if figures is None else figures.agreements
    overall = agreements[0] if agreements else None
    verified = 0 if mean is None else mean.verified
    return CorrectedGroundedness(
        source=source.value,
        rationales=defined,
        undefined=ended - defined,
        claims=len(judged),
        raw=None if mean is None else mean.raw.value,
        corrected=_corrected(mean),
        reason=_reason(mean, studies),
        people=None if mean is None or mean.people is None else _of_interval(mean.people, verified),
        lambda_value=mean.lambdas[0] if mean is not None and mean.lambdas else None,
        effective_verdicts=None if mean is None else mean.effective_verdicts,
        chosen=people.chosen,
        verified=verified,
        waiting=people.waiting,
        not_sure=people.not_sure,
        excluded=people.excluded,
        is_final=bool(studies) and all(one.study.has_ended for one in studies),
        kappa=None if overall is None else figure_of(overall.kappa),
        kappa_reason=ONE_VERDICT if overall is not None and overall.kappa is None else "",
        agreement=None if overall is None else figure_of(overall.agreement),
        confusion=tuple(map(_confusion, agreements[1:])),
        reliability=() if figures is None else _points(figures.reliability),
        calibration_error=None if figures is None else figures.reliability.error,
        has_probabilities=any(one.probability is not None for one in judged),
        more_to_halve=None if figures is None else figures.more,
        plan="" if figures is None else figures.plan,
        studies=tuple(map(describe_study, studies)),
    )


def describe_study(one: ClaimStudy) -> StudyOfClaims:
    study = one.study
    return StudyOfClaims(study.pk, study.name, study.status, one.rule, one.budget, one.seed)


def figure_of(estimate: Estimate | None) -> IntervalFigure | None:
    if estimate is None:
        return None
    low, high, n = estimate.low, estimate.high, estimate.items
    return IntervalFigure(estimate.value, low, high, n, estimate.approximate)


def _of_interval(estimate: IntervalEstimate, n: int) -> IntervalFigure:
    return IntervalFigure(estimate.value, estimate.low, estimate.high, n)


def _corrected(mean: CorrectedMean | None) -> IntervalFigure | None:
    if mean is None or mean.value is None:
        return None
    return IntervalFigure(mean.value, mean.low, mean.high, mean.verified, mean.approximate)


def _reason(mean: CorrectedMean | None, studies: Sequence[ClaimStudy]) -> str:
    if mean is None:
        return NO_CLAIMS
    if not studies:
        return NO_STUDY
    if mean.value is None:
        return NO_VERDICTS
    return FEW_RATIONALES if mean.low is None else ""


def _confusion(one: JudgeAgreement) -> GroupConfusion:
    (both, people), (verifier, neither) = one.table
    false, missed = figure_of(one.false_support), figure_of(one.missed_support)
    return GroupConfusion(
        str(one.group), one.verdicts, both, people, verifier, neither, false, missed
    )


def _points(diagram: Reliability) -> tuple[ReliabilityPoint, ...]:
    return tuple(
        ReliabilityPoint(
            *(one.low, one.high, one.verdicts, one.score),
            IntervalFigure(
                one.observed.value,
                one.observed.low,
                one.observed.high,
                one.verdicts,
                one.observed.approximate,
            ),
        )
        for one in diagram.bins
    )
