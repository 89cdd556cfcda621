"""Which claims of a batch people verify: at random, or likelier where the verifier is unsure."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Q

from backend.common.errors import Conflict
from backend.evaluation.models.claim_studies import ClaimRule
from backend.evaluation.models.grounding import ClaimVerdict, GroundingState
from backend.science.judged_scores.claims import FloatArray, rationale_weights
from backend.science.judged_scores.verdict_sampling import (
    POOL_RATE,
    Sampling,
    choose_claims,
    judge_uncertainty,
)
from backend.tracks.grounding_verdicts import EvidenceSource, Verdict

LEAST_CONTINUED = 20
IS_OPEN = Q(verdict=Verdict.NOT_ENOUGH, probability=None, fault="")


@dataclass(frozen=True, slots=True)
class VerifierClaim:
    """A claim with the verifier's verdict from one source. support: the probability of 'supported'
    that it states, from 0 to 1, if any. is_open: left without a verdict for lack of evidence, so
    that the verifier was in no doubt."""

    claim: int
    grounding: uuid.UUID
    is_supported: bool
    support: float | None
    mentions: Sequence[Mapping[str, Any]]
    is_open: bool = False


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
    ordered = verdicts.annotate(is_open=IS_OPEN).order_by(
        "claim__grounding__line", "claim__grounding", "claim__number"
    )
    rows = ordered.values_list(
        "claim", "claim__grounding", "verdict", "support", "claim__mentions", "is_open"
    )
    return [
        VerifierClaim(claim, grounding, verdict == Verdict.SUPPORTED, support, mentions, is_open)
        for claim, grounding, verdict, support, mentions, is_open in rows
    ]


@dataclass(frozen=True, slots=True)
class EarlierChoice:
    """What the studies of a batch have so far. seed, budget: of their active choice, altogether."""

    taken: frozenset[int] = frozenset()
    seed: int = 0
    budget: int = 0


def choose_from_batch(
    claims: Sequence[VerifierClaim], earlier: EarlierChoice, budget: int, rule: str, seed: int
) -> Iterator[Choice]:
    """Claims that no other study has, such that those of all studies together are one choice:
    a random one, or an active one of the sum of the budgets, whose claims contain the earlier ones.

    Raises Conflict where the verifier's probabilities, which an active choice needs, are missing.
    """
    if rule == ClaimRule.ACTIVE:
        first = seed if not earlier.taken else earlier.seed
        chosen = choose_actively(claims, earlier.budget + budget, first)
        yield from (one for one in chosen if one.claim not in earlier.taken)
        return
    free = [one for one in claims if one.claim not in earlier.taken]
    sample = choose_claims(np.ones(len(free)), min(budget, len(free)), seed=seed)
    for at in np.flatnonzero(sample.chosen).tolist():
        yield Choice(free[at].claim, float(sample.propensities[at]))


def choose_actively(claims: Sequence[VerifierClaim], budget: int, seed: int) -> Iterator[Choice]:
    """By the verifier's doubt. Where it can be continued, the number of claims varies by chance."""
    weights = rationale_weights([str(one.grounding) for one in claims])
    scores = weights * _uncertainty(claims)
    sampling: Sampling = "poisson" if can_be_continued(budget, len(claims)) else "fixed_size"
    sample = choose_claims(scores, min(budget, len(claims)), seed=seed, sampling=sampling)
    for at in np.flatnonzero(sample.chosen).tolist():
        yield Choice(claims[at].claim, float(sample.propensities[at]))


def can_be_continued(budget: int, claims: int) -> bool:
    """Whether propensities are the same for any larger budget up to this one. Fewer claims than
    twenty could be none by chance."""
    return LEAST_CONTINUED <= budget <= most_continued(claims)


def most_continued(claims: int) -> int:
    """The largest budget of all rounds of an active choice together."""
    return int(POOL_RATE * claims)


def _uncertainty(claims: Sequence[VerifierClaim]) -> FloatArray:
    """A claim whose probability of support is not stated counts as the least sure one, and one left
    open as the surest: there was nothing to doubt.

    Raises Conflict where too few are stated.
    """
    if not takes_active_choice(claims):
        message = "The verifier states the probability of 'supported' for fewer than half of these "
        message += "claims. Choose them at random."
        raise Conflict(message, code="no_probabilities")
    values = judge_uncertainty([one.support or 0.0 for one in claims])
    known = np.array([one.support is not None for one in claims])
    least, most = values[known].min(), values[known].max()
    return np.where(known, values, np.where([one.is_open for one in claims], least, most))


def takes_active_choice(claims: Sequence[VerifierClaim]) -> bool:
    """Whether the probability of support is known of at least half of those that were judged."""
    known = sum(one.support is not None for one in claims)
    return known > 0 and 2 * known >= sum(not one.is_open for one in claims)


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
