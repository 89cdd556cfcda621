"""How a study continues the choice of claims that earlier studies of a batch began."""

import uuid
from collections.abc import Sequence

from backend.common.errors import Conflict
from backend.evaluation.grounding.claim_choice import (
    EarlierChoice,
    VerifierClaim,
    can_be_continued,
    choose_actively,
    divide_budget,
    most_continued,
)
from backend.evaluation.models.claim_studies import ChosenClaim, ClaimRule, ClaimStudyBatch
from backend.tracks.grounding_verdicts import EvidenceSource


def read_earlier(
    batch: uuid.UUID, source: EvidenceSource, rule: str, claims: Sequence[VerifierClaim]
) -> EarlierChoice:
    """Of the studies of the same source. Raises Conflict where the rule does not continue it.

    An active choice of a fixed number of claims is none of a larger one, so that the propensities
    of both together are unknown.
    """
    rows = ClaimStudyBatch.objects.filter(batch=batch, claim_study__source=source)
    studies = [*rows.select_related("claim_study").order_by("claim_study__created_at")]
    if not studies:
        return EarlierChoice()
    if {one.claim_study.rule for one in studies} != {rule}:
        before = studies[0].claim_study.rule
        message = f"Another study has claims of this batch by the rule '{before}'. Use that rule."
        raise Conflict(message, code="choice_not_random")
    chosen = ChosenClaim.objects.filter(in_batch__in=studies)
    taken = frozenset(chosen.values_list("claim", flat=True))
    if rule != ClaimRule.ACTIVE:
        return EarlierChoice(taken)
    first = studies[0]
    earlier = EarlierChoice(
        taken, first.claim_study.seed + first.stratum, sum(map(read_budget, studies))
    )
    if len(taken) == len(claims):
        return earlier  # nothing is left to choose
    if not can_be_continued(earlier.budget, len(claims)):
        message = "This active choice has a fixed number of claims, so none can be added. "
        message += "Ground more rationales."
        raise Conflict(message, code="choice_not_continued")
    if {one.claim for one in choose_actively(claims, earlier.budget, earlier.seed)} != taken:
        message = "Verdicts or their probabilities have changed since this batch's active choice. "
        message += "Ground the rationales again."
        raise Conflict(message, code="choice_not_continued")
    return earlier


def require_continued(budget: int, claims: int) -> None:
    """budget: of all rounds together. Propensities of more than a quarter depend on it."""
    if budget > most_continued(claims):
        message = f"An active choice can be continued up to {most_continued(claims):,} claims of "
        message += "this batch, a quarter. Ground more rationales."
        raise Conflict(message, code="choice_not_continued")


def read_budget(one: ClaimStudyBatch) -> int:
    """How many claims of the batch were requested, as the study divided its own."""
    study = one.claim_study
    counts = [it.claims for it in study.batches.order_by("stratum")]
    return divide_budget(study.budget, counts)[one.stratum]
