"""What people decided about the claims of a batch."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.kinds.registry import get_kind_or_raise
from annotation.question_list import AnsweredQuestion, summarize_questions
from backend.evaluation.grounding.claim_rounds import read_budget
from backend.evaluation.models.claim_studies import (
    ChosenClaim,
    ClaimRule,
    ClaimStudy,
    ClaimStudyBatch,
)
from backend.studies.models import Study
from backend.tracks.grounding_verdicts import EvidenceSource

UNSURE = "not_sure"
ENDED_CACHED_S = 300  # a coordinator may still leave out a claim of a study that has ended


@dataclass(frozen=True, slots=True)
class PeopleVerdict:
    """people: the mean of the raters' verdicts, supported 1, else 0. propensity: None where claims
    were chosen at random. is_simulated: whether one of these raters is simulated."""

    claim: int
    people: float
    propensity: float | None
    is_simulated: bool = False


@dataclass(frozen=True)
class PeopleVerdicts:
    """chosen: claims of the studies. requested: how many these were to be, from which the number of
    an active choice differs by chance. waiting: those without a verdict, or with fewer than the
    study needs. not_sure: answers, which count as none. excluded: claims that a coordinator left
    out, or made a check of experts."""

    verdicts: Mapping[int, PeopleVerdict]
    chosen: int
    requested: int
    waiting: int
    not_sure: int
    excluded: int


def studies_of_batch(batch: uuid.UUID, source: EvidenceSource) -> Sequence[ClaimStudy]:
    studies = ClaimStudy.objects.filter(batches__batch=batch, source=source)
    return [*studies.select_related("study").order_by("created_at")]


def read_people_verdicts(batch: uuid.UUID, studies: Iterable[ClaimStudy]) -> PeopleVerdicts:
    """From the submitted answers, whether the study is open or not."""
    verdicts: dict[int, PeopleVerdict] = {}
    chosen = requested = waiting = not_sure = excluded = 0
    for one in studies:
        in_batch = ClaimStudyBatch.objects.get(claim_study=one, batch=batch)
        requested += read_budget(in_batch)
        rows = rows_by_question(one.study)
        for claim in ChosenClaim.objects.filter(in_batch=in_batch):
            chosen += 1
            row = rows.get(claim.question_id)
            if row is None or row.excluded is not None or row.has_known_answer:
                excluded += 1
                continue
            not_sure += row.outcomes.get(UNSURE, 0)
            waiting += row.answered < max(row.requested, 1)
            mean = mean_support(row)
            if mean is not None:
                known = claim.propensity if one.rule == ClaimRule.ACTIVE else None
                simulated = has_simulated(row)
                verdicts[claim.claim_id] = PeopleVerdict(claim.claim_id, mean, known, simulated)
    return PeopleVerdicts(verdicts, chosen, requested, waiting, not_sure, excluded)


def rows_by_question(study: Study) -> dict[uuid.UUID, AnsweredQuestion]:
    kind = get_kind_or_raise(study.kind)
    return {one.question_id: one for one in summarize_questions(study, kind)}


def mean_support(row: AnsweredQuestion) -> float | None:
    """The share of the raters' verdicts that is 'supported'; None without one."""
    decided = [one.outcome for one in row.answers if one.outcome in DECIDED]
    return decided.count("supported") / len(decided) if decided else None


def has_simulated(row: AnsweredQuestion) -> bool:
    """Whether a verdict on it is by a simulated expert, as the demo's are."""
    return any(one.expert.is_simulated for one in row.answers if one.outcome in DECIDED)


DECIDED = ("supported", "contradicted", "not_enough")
