"""What follows from the verdicts of verifier and people on the claims of a batch."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Self

import numpy as np

from backend.common.cached_results import get_or_compute
from backend.evaluation.grounding.claim_choice import VerifierClaim
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
            *(one.is_supported, one.probability),
            *(relation_type(one.mentions), None if known is None else astuple(known)),
        ]
        for one in judged
        for known in [people.verdicts.get(one.claim)]
    ]
    return f"batch-figures-{digest_of(to_bytes(json_text(rows)))}"


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
        support = np.clip([one.support for one in judged], 0.0, 1.0)
        scored = judged_claims(judged, people, support, clusters)
        groups = [relation_type(one.mentions) for one in judged]
        mean = corrected_mean(claims)
        more, plan = describe_plan(claims, mean)
        return cls(
            mean,
            judge_agreement(claims, seed=SEED, groups=groups),
            reliability(scored, seed=SEED),
            more,
            plan,
        )


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


def describe_plan(claims: JudgedClaims, mean: CorrectedMean) -> tuple[int | None, str]:
    if mean.low is None:
        return None, ""
    plan = plan_verdicts(claims)
    more = plan.more_to_halve()
    if more is None:
        return None, FULLY_VERIFIED
    text = "1 more verified claim halves" if more == 1 else f"{more:,} more verified claims halve"
    return more, f"{text} this interval."
