"""From hypotheses with groundedness to the pairs file that a study of hypothesis pairs imports.

Of each background, the hypothesis with the highest groundedness and the one with the lowest are a
pair, if they are at least so many points apart (TruthHypo, section 5).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from backend.evaluation.models.grounding import GroundingState
from backend.evaluation.models.proposals import (
    HypothesisProposal,
    ProposalBackground,
    ProposedHypothesis,
)
from backend.evaluation.proposals.background_files import NO_QUESTION
from backend.tracks.grounding_verdicts import EvidenceSource

CATEGORY = "open-ended"
HIGHER, LOWER = "higher groundedness", "lower groundedness"  # for coordinators alone
POINTS = 100
TOLERANCE = 1e-9  # of shares: 0.8 - 0.5 is 30 points


@dataclass(frozen=True)
class GradedHypothesis:
    """share: its groundedness from 0 to 1; None where it is undefined or was not computed."""

    hypothesis: str
    rationale: str
    share: float | None


@dataclass(frozen=True)
class GradedBackground:
    number: int
    question: str
    background: str
    hypotheses: Sequence[GradedHypothesis]


@dataclass
class PairSelection:
    """pairs: entries of a questionnaire. undefined: hypotheses whose rationale has no claims.
    ungraded: those that could not be grounded. close: backgrounds without two hypotheses that are
    far enough apart. unanswered: backgrounds without hypotheses, by outcome."""

    pairs: list[dict[str, Any]] = field(default_factory=list)
    hypotheses: int = 0
    undefined: int = 0
    ungraded: int = 0
    close: int = 0
    unanswered: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "pairs": len(self.pairs)}


def source_of(proposal: HypothesisProposal) -> EvidenceSource:
    return EvidenceSource.BOTH if proposal.literature else EvidenceSource.GRAPH


def select_pairs(proposal: HypothesisProposal) -> PairSelection:
    """Of what has been grounded so far. The same result for the same proposal."""
    result, source = PairSelection(), source_of(proposal)
    rows = proposal.backgrounds.prefetch_related("hypotheses__grounding")
    for row in rows.order_by("number"):
        listed = [*row.hypotheses.all()]
        if not listed:
            outcome = row.outcome or "not_requested"
            result.unanswered[outcome] = result.unanswered.get(outcome, 0) + 1
            continue
        graded = [grade(one, source) for one in listed]
        result.hypotheses += len(listed)
        ended = [is_grounded(one) for one in listed]
        result.ungraded += ended.count(False)
        result.undefined += sum(
            one.share is None and is_ended for one, is_ended in zip(graded, ended, strict=True)
        )
        background = describe_background(row, graded)
        entry = make_pair(background, proposal.least_gap, proposal.seed, proposal.model)
        if entry is None:
            result.close += 1
        else:
            result.pairs.append(entry)
    number_pairs(result.pairs)
    return result


def describe_background(
    row: ProposalBackground, graded: Sequence[GradedHypothesis]
) -> GradedBackground:
    return GradedBackground(row.number, row.question, row.background, graded)


def is_grounded(one: ProposedHypothesis) -> bool:
    return one.grounding is not None and one.grounding.state == GroundingState.ENDED


def grade(one: ProposedHypothesis, source: EvidenceSource) -> GradedHypothesis:
    share = None
    if one.grounding is not None and one.grounding.state == GroundingState.ENDED:
        counts: Mapping[str, Any] = one.grounding.groundedness.get(source, {})
        share = counts.get("share")
    return GradedHypothesis(one.hypothesis, one.rationale, share)


def make_pair(
    background: GradedBackground, least_gap: float, seed: int, model: str
) -> dict[str, Any] | None:
    """None where no two are so far apart. Chance decides between equals and which one stands
    first, so that no place depends on the groundedness."""
    draws = np.random.default_rng([seed, background.number])
    known = [one for one in background.hypotheses if one.share is not None]
    if len(known) < 2:
        return None
    shares = [one.share or 0.0 for one in known]
    highest = draw_one([one for one in known if one.share == max(shares)], draws)
    lowest = draw_one([one for one in known if one.share == min(shares)], draws)
    gap = max(shares) - min(shares)
    if gap == 0 or gap < least_gap / POINTS - TOLERANCE:
        return None
    both = [(highest, HIGHER), (lowest, LOWER)]
    if draws.random() < 0.5:
        both.reverse()
    return {
        "qid": background.number,
        "text": background.question if background.question.strip() else NO_QUESTION,
        "category": CATEGORY,
        "background": background.background,
        "hypotheses": [describe_side(one, arm, model) for one, arm in both],
        "gap": round(POINTS * gap, 6),
        "least_gap": least_gap,
    }


def draw_one(equals: Sequence[GradedHypothesis], draws: np.random.Generator) -> GradedHypothesis:
    return equals[int(draws.integers(len(equals)))]


def describe_side(one: GradedHypothesis, arm: str, model: str) -> dict[str, Any]:
    return {
        "hypothesis": one.hypothesis,
        "rationale": one.rationale,
        "model": model,
        "arm": arm,
        "score": one.share,
    }


def number_pairs(pairs: Iterable[dict[str, Any]]) -> None:
    for number, one in enumerate(pairs, start=1):
        one["question_number"] = number
