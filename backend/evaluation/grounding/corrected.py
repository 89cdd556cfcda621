"""The groundedness of a batch as its verifier has it, and corrected by people's verdicts."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.evaluation.grounding.batch_figures import BatchFigures, read_figures
from backend.evaluation.grounding.claim_choice import (
    VerifierClaim,
    list_judged_claims,
    takes_active_choice,
)
from backend.evaluation.grounding.claim_clusters import read_clusters
from backend.evaluation.grounding.claim_verdicts import (
    PeopleVerdicts,
    read_people_verdicts,
    studies_of_batch,
)
from backend.evaluation.grounding.groundedness import mean_with_failed
from backend.evaluation.models.claim_studies import ClaimStudy
from backend.evaluation.models.grounding import ClaimVerdict, Grounding, GroundingState
from backend.science.evaluation.estimates import Estimate
from backend.science.judged_scores.corrected_mean import CorrectedMean
from backend.science.judged_scores.judge_agreement import JudgeAgreement
from backend.science.judged_scores.reliability import Reliability
from backend.tracks.grounding_verdicts import EvidenceSource

NO_CLAIMS = "No rationale of this batch has a claim, so its groundedness is undefined."
NO_STUDY = (
    "No study verifies claims of this batch from this source yet. Its owner makes one, with the "
    "role of a coordinator, which administrators give."
)
NO_VERDICTS = "No expert has judged a claim yet. Invite experts to the study."
FEW_RATIONALES = (
    "An interval needs verdicts on rationales of at least 5 items or clusters. Wait for more."
)
ONE_VERDICT = "Experts and verifier gave all claims one verdict, so kappa is undefined."


@dataclass(frozen=True)
class IntervalFigure:
    """n: verified claims or rated texts behind it. low, high: both or neither."""

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
    """Verified claims whose probability of support is in [low, high). score: the mean of it."""

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
    """One source of evidence. undefined: rationales without a claim, in no figure. failed: those
    that could not be grounded; raw_at_least and corrected_at_least are the two figures if these had
    no supported claim.

    raw, corrected, people: means over rationales. raw has no interval that knows of the verifier's
    errors, so it has none here. corrected: None with the reason; its interval may be missing, with
    the reason too. is_final: whether all its studies have ended. effective_verdicts: verdicts on
    claims that would give the same interval without the verifier. more_to_halve: further claims to
    verify, see `plan`. has_probabilities: whether reliability is of probabilities, or of verdicts.
    with_probability: verified claims that reliability is of. takes_active_choice: whether studies
    may choose claims by the probabilities. error_by_chance, calibration_p: what
    the calibration error of a calibrated verifier would be in the mean, and the p-value of that.
    simulated: of the verified claims, those with a verdict by a simulated expert, as in the demo.
    """

    source: str
    rationales: int
    undefined: int
    failed: int
    claims: int
    raw: float | None
    raw_at_least: float | None
    corrected: IntervalFigure | None
    corrected_at_least: float | None
    reason: str
    people: IntervalFigure | None
    lambda_value: float | None
    effective_verdicts: float | None
    chosen: int
    verified: int
    simulated: int
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
    error_by_chance: float | None
    calibration_p: float | None
    has_probabilities: bool
    with_probability: int
    takes_active_choice: bool
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
    states = Counter(Grounding.objects.filter(batch=batch).values_list("state", flat=True))
    if not judged:
        return _assemble(source, states, judged, studies, people, None)
    figures = read_figures(judged, people, read_clusters([batch]))
    return _assemble(source, states, judged, studies, people, figures)


def _assemble(
    source: EvidenceSource,
    states: Mapping[str, int],
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
    raw = None if mean is None else mean.raw.value
    corrected = corrected_figure(mean)
    value = None if corrected is None else corrected.value
    failed = states.get(GroundingState.FAILED, 0)
    return CorrectedGroundedness(
        source=source.value,
        rationales=defined,
        undefined=states.get(GroundingState.ENDED, 0) - defined,
        failed=failed,
        claims=len(judged),
        raw=raw,
        raw_at_least=mean_with_failed(raw, defined, failed),
        corrected=corrected,
        corrected_at_least=mean_with_failed(value, defined, failed),
        reason=_reason(mean, studies),
        people=None if mean is None else figure_of_people(mean),
        lambda_value=mean.lambdas[0] if mean is not None and mean.lambdas else None,
        effective_verdicts=None if mean is None else mean.effective_verdicts,
        chosen=people.chosen,
        verified=verified,
        simulated=sum(
            people.verdicts[one.claim].is_simulated
            for one in judged
            if one.claim in people.verdicts
        ),
        waiting=people.waiting,
        not_sure=people.not_sure,
        excluded=people.excluded,
        is_final=bool(studies) and all(one.study.has_ended for one in studies),
        kappa=None if overall is None else figure_of(overall.kappa),
        kappa_reason=ONE_VERDICT if overall is not None and overall.kappa is None else "",
        agreement=None if overall is None else figure_of(overall.agreement),
        confusion=tuple(map(_confusion, agreements[1:])),
        **_calibration(None if figures is None else figures.reliability),
        has_probabilities=any(one.support is not None for one in judged),
        takes_active_choice=takes_active_choice(judged),
        more_to_halve=None if figures is None else figures.more,
        plan="" if figures is None else figures.plan,
        studies=tuple(map(describe_study, studies)),
    )


def _calibration(of: Reliability | None) -> dict[str, Any]:
    return {
        "reliability": () if of is None else _points(of),
        "with_probability": 0 if of is None else of.verdicts,
        "calibration_error": None if of is None else of.error,
        "error_by_chance": None if of is None else of.error_by_chance,
        "calibration_p": None if of is None else of.p_value,
    }


def describe_study(one: ClaimStudy) -> StudyOfClaims:
    study = one.study
    return StudyOfClaims(study.pk, study.name, study.status, one.rule, one.budget, one.seed)


def figure_of(estimate: Estimate | None) -> IntervalFigure | None:
    if estimate is None:
        return None
    low, high, n = estimate.low, estimate.high, estimate.items
    return IntervalFigure(estimate.value, low, high, n, estimate.approximate)


def figure_of_people(mean: CorrectedMean) -> IntervalFigure | None:
    """By the verdicts alone, with an interval of the same method."""
    if (people := mean.people) is None:
        return None
    return IntervalFigure(people.value, people.low, people.high, mean.verified, mean.approximate)


def corrected_figure(mean: CorrectedMean | None) -> IntervalFigure | None:
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
