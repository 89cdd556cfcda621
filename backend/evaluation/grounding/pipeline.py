"""From a rationale to its grounded claims: claims, links, context, verdicts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from backend.evaluation.grounding.context import Knowledge, LinkedContext
from backend.evaluation.grounding.verifiers import ClaimVerifier, Judgements
from backend.tracks.grounding_claims import Claim
from backend.tracks.grounding_verdicts import EvidenceSource, Groundedness, count_verdicts


@dataclass(frozen=True, slots=True)
class GroundedText:
    """One claim with all that its verdicts rest on."""

    claim: Claim
    linked: LinkedContext
    judgements: Judgements


@dataclass(frozen=True, slots=True)
class GroundedRationale:
    claims: Sequence[GroundedText]
    sources: Sequence[EvidenceSource]

    @property
    def groundedness(self) -> Mapping[EvidenceSource, Groundedness]:
        return {
            source: count_verdicts(one.judgements[source].verdict for one in self.claims)
            for source in self.sources
        }


def go_on() -> None:
    """The default of what is called between claims; what it raises ends the work."""


def ground_rationale(
    hypothesis: str,
    rationale: str,
    knowledge: Knowledge,
    verifier: ClaimVerifier,
    check: Callable[[], None] = go_on,
) -> GroundedRationale:
    """The contexts are those of the knowledge, which has nothing later than its cut-off."""
    claims = verifier.find_claims(hypothesis, rationale)
    contexts = []
    for one in claims:
        check()
        contexts.append(knowledge.find_context(one.text))
    questions = [(one.text, it.context) for one, it in zip(claims, contexts, strict=True)]
    judged = verifier.judge_claims(questions, knowledge.sources)
    texts = [GroundedText(*one) for one in zip(claims, contexts, judged, strict=True)]
    return GroundedRationale(texts, knowledge.sources)
