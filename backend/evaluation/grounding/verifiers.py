"""What finds claims in a rationale and gives verdicts on them."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Protocol

from backend.common.errors import DomainError
from backend.tracks.grounding_claims import MOST_CLAIMS, Claim, split_claims
from backend.tracks.grounding_plain import verify_claim
from backend.tracks.grounding_verdicts import ClaimContext, EvidenceSource, Judgement

Judgements = Mapping[EvidenceSource, Judgement]


class TooManyClaims(DomainError):
    code = "too_many_claims"

    def __init__(self) -> None:
        super().__init__(
            f"This rationale has more than {MOST_CLAIMS} claims. Divide it into shorter ones."
        )


class ClaimVerifier(Protocol):
    def find_claims(self, hypothesis: str, rationale: str) -> Sequence[Claim]:
        """Raises TooManyClaims, or DomainError where a model gives none that can be used."""

    def judge_claims(
        self, claims: Sequence[tuple[str, ClaimContext]], sources: Sequence[EvidenceSource]
    ) -> Sequence[Judgements]:
        """In the order of the claims."""


class PlainVerifier:
    """Words and edges alone; see `backend.tracks.grounding_plain`."""

    def find_claims(self, hypothesis: str, rationale: str) -> Sequence[Claim]:
        return find_plain_claims(rationale)

    def judge_claims(
        self, claims: Sequence[tuple[str, ClaimContext]], sources: Sequence[EvidenceSource]
    ) -> Sequence[Judgements]:
        return [
            {source: verify_claim(text, context.of(source)) for source in sources}
            for text, context in claims
        ]


def find_plain_claims(rationale: str) -> Sequence[Claim]:
    """Raises TooManyClaims before all of a long text is divided."""
    claims = [*islice(split_claims(rationale), MOST_CLAIMS + 1)]
    if len(claims) > MOST_CLAIMS:
        raise TooManyClaims()
    return claims
