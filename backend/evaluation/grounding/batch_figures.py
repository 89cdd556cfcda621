"""What follows from the verdicts of verifier and people on the claims of a batch."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Self

import numpy as np

from backend.common.cached_results import get_or_compute
from backend.evaluation.grounding.claim_choice import (
    VerifierClaim,
    can_be_continued,
    most_continued,
)
from backend.evaluation.grounding.claim_groups import relation_type
from backend.evaluation.grounding.claim_verdicts import PeopleVerdicts
from backend.evaluation.scoring import SEED
from backend.llm.call_keys import digest_of, json_text, to_bytes
from backend.science.judged_scores.claims import FloatArray, JudgedClaims, rationale_weights
from backend.science.judged_scores.corrected_mean import CorrectedMean, corrected_mean
from backend.science.judged_scores.judge_agreement import JudgeAgreement, judge_agreement
from backend.science.judged_scores.reliability import Reliability, reliability
from backend.science.judged_scores.verdict_plans import plan_verdicts

Clusters = Mapping[uuid.UUID, str]  # of each grounding, see claim_clusters
FIGURES_CACHED_S = 3_600
ACTIVELY_VERIFIED = (
    "An active choice takes at most {:,} claims here, which do not halve this interval. "
    "Ground more rationales."
)
FIXED_CHOICE = (
    "All {:,} claims of this active choice do not halve this interval, and none can be added. "
    "Ground more rationales."
)
FULLY_VERIFIED = "Verdicts on all claims do not halve this interval. Ground more rationales."


def read_figures(
    judged: Sequence[VerifierClaim], people: PeopleVerdicts, clusters: Clusters
) -> "BatchFigures":
    """From the cache by all the verdicts: a new answer or a claim left out is seen at once."""
    return get_or_compute(
        figures_key(judged, people, clusters),
        lambda: BatchFigures.of(judged, people, clusters),
        form=BatchFigures,
        timeout_s=FIGURES_CACHED_S,
    )


def figures_key(judged: Sequence[VerifierClaim], people: PeopleVerdicts, clusters: Clusters) -> str:
    rows = [
        [
            *(one.claim, str(one.grounding), clusters[one.grounding]),
            *(one.is_supported, one.support),
            *(relation_type(one.mentions), None if known is None else astuple(known)),
        ]
        for one in judged
        for known in [people.verdicts.get(one.claim)]
    ]
    counts = [people.chosen, people.requested, people.excluded]
    return f"batch-figures-{digest_of(to_bytes(json_text([counts, rows])))}"


@dataclass(frozen=True)
class BatchFigures:
    mean: CorrectedMean
    agreements: Sequence[JudgeAgreement]
    reliability: Reliability
    more: int | None
    plan: str

    @classmethod
    def of(
        cls, judged: Sequence[VerifierClaim], people: PeopleVerdicts, clusters: Clusters
    ) -> Self:
        verdict = np.array([float(one.is_supported) for one in judged])
        claims = judged_claims(judged, people, verdict, clusters)
        groups = [relation_type(one.mentions) for one in judged]
        mean = corrected_mean(claims)
        more, plan = describe_plan(claims, mean, people)
        return cls(
            mean,
            judge_agreement(claims, seed=SEED, groups=groups),
            reliability(scored_claims(judged, people, clusters), seed=SEED),
            more,
            plan,
        )


def scored_claims(
    judged: Sequence[VerifierClaim], people: PeopleVerdicts, clusters: Clusters
) -> JudgedClaims:
    """With the probability of support as the score, and verdicts of people on the claims that have
    one; by the verifier's verdicts where no claim has."""
    stated = {one.claim for one in judged if one.support is not None}
    scores = [float(one.is_supported) if one.support is None else one.support for one in judged]
    known = {at: one for at, one in people.verdicts.items() if at in stated or not stated}
    return judged_claims(judged, replace(people, verdicts=known), np.array(scores), clusters)


def judged_claims(
    judged: Sequence[VerifierClaim],
    people: PeopleVerdicts,
    scores: FloatArray,
    clusters: Clusters,
) -> JudgedClaims:
    rationales = [str(one.grounding) for one in judged]
    rows = [people.verdicts.get(one.claim) for one in judged]
    known = [None if row is None else row.propensity for row in rows]
    is_active = any(one is not None for one in known)
    return JudgedClaims.of(
        scores,
        [np.nan if row is None else row.people for row in rows],
        clusters=[clusters[one.grounding] for one in judged],
        weights=rationale_weights(rationales),
        propensities=[1.0 if one is None else one for one in known] if is_active else None,
    )


def describe_plan(
    claims: JudgedClaims, mean: CorrectedMean, people: PeopleVerdicts
) -> tuple[int | None, str]:
    """Verdicts that can be had: on chosen claims without one, then on further ones."""
    if not mean.can_be_planned:
        return None, ""
    plan = plan_verdicts(claims)
    more = plan.more_to_halve()
    if more is None:
        return None, FULLY_VERIFIED
    further = more - (people.chosen - people.excluded - mean.verified)
    if claims.propensities is not None and further > 0:
        refusal = find_refusal(claims.judge.size, people, further)
        if refusal:
            return None, refusal
    text = "1 more verified claim halves" if more == 1 else f"{more:,} more verified claims halve"
    return more, f"{text} this interval."


def find_refusal(claims: int, people: PeopleVerdicts, further: int) -> str:
    """Why an active choice cannot have so many further claims. What was requested counts, as in
    `claim_rounds`."""
    if not can_be_continued(people.requested, claims):
        return FIXED_CHOICE.format(people.chosen)
    most = most_continued(claims)
    return ACTIVELY_VERIFIED.format(most) if people.requested + further > most else ""
