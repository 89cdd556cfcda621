"""Which claims of a batch people verify: at random, or likelier where the verifier is unsure."""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from backend.common.errors import Conflict
from backend.evaluation.models.claim_studies import ClaimRule
from backend.evaluation.models.grounding import ClaimVerdict, GroundingState
from backend.science.judged_scores.claims import FloatArray, rationale_weights
from backend.science.judged_scores.verdict_sampling import choose_claims, judge_uncertainty
from backend.tracks.grounding_verdicts import EvidenceSource, Verdict


@dataclass(frozen=True, slots=True)
class VerifierClaim:
    """A claim with the verifier's verdict from one source. probability: of this verdict."""

    claim: int
    grounding: uuid.UUID
    is_supported: bool
    probability: float | None
    mentions: Sequence[Mapping[str, Any]]

    @property
    def support(self) -> float:
        """Of 'supported', from 0 to 1. Without a probability, 0 or 1."""
        sure = 1.0 if self.probability is None else self.probability
        return sure if self.is_supported else 1 - sure


@dataclass(frozen=True, slots=True)
class Choice:
    claim: int
    propensity: float


def list_judged_claims(batch: uuid.UUID, source: EvidenceSource) -> list[VerifierClaim]:
    """Of the rationales that are grounded, in the order of the file."""
    verdicts = ClaimVerdict.objects.filter(
        source=source,
        claim__grounding__batch=batch,
        claim__grounding__state=GroundingState.ENDED,
    )
    rows = verdicts.order_by(
        "claim__grounding__line", "claim__grounding", "claim__number"
    ).values_list("claim", "claim__grounding", "verdict", "probability", "claim__mentions")
    return [
        VerifierClaim(claim, grounding, verdict == Verdict.SUPPORTED, probability, mentions)
        for claim, grounding, verdict, probability, mentions in rows
    ]


def choose_from_batch(
    claims: Sequence[VerifierClaim], taken: Collection[int], budget: int, rule: str, seed: int
) -> Iterator[Choice]:
    """taken: claims that another study has. They are chosen at random alone, so that those of all
    studies together are a random choice.

    Raises Conflict where the verifier's probabilities, which an active choice needs, are missing.
    """
    weights = rationale_weights([str(one.grounding) for one in claims])
    places = [at for at, one in enumerate(claims) if one.claim not in taken]
    free = [claims[at] for at in places]
    scores = np.ones(len(free))
    if rule == ClaimRule.ACTIVE:
        scores = weights[places] * _uncertainty(free)
    sample = choose_claims(scores, min(budget, len(free)), seed=seed)
    for at in np.flatnonzero(sample.chosen).tolist():
        yield Choice(free[at].claim, float(sample.propensities[at]))


def _uncertainty(claims: Sequence[VerifierClaim]) -> FloatArray:
    """A claim without a probability counts as the least sure one: nothing is known of it."""
    known = [one.probability is not None for one in claims]
    if not any(known):
        message = "This verifier states no probabilities. Choose the claims at random."
        raise Conflict(message, code="no_probabilities")
    values = judge_uncertainty([min(max(one.support, 0.0), 1.0) for one in claims])
    return np.where(known, values, values.max())


def divide_budget(budget: int, counts: Sequence[int]) -> list[int]:
    """Claims of each batch, proportional to `counts`, at least one where there is one.

    By largest remainders, ties to the first. Their sum is the budget, or all claims; more where
    there are more batches than the budget.
    """
    total = sum(counts)
    if budget >= total:
        return list(counts)
    exact = [budget * one / total for one in counts]
    parts = [min(max(int(part), 1), one) for part, one in zip(exact, counts, strict=True)]
    by_remainder = sorted(range(len(counts)), key=lambda at: int(exact[at]) - exact[at])
    for at in by_remainder:
        if sum(parts) < budget and parts[at] < counts[at]:
            parts[at] += 1
    while sum(parts) > budget and max(parts) > 1:
        parts[parts.index(max(parts))] -= 1
    return parts
