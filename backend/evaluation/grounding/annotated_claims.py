"""Claims from public facts, half of them false: `fixtures/claims.jsonl`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

SEED = 1
ClaimRelation = Literal[
    "drug-disease",
    "contraindication",
    "drug-target",
    "gene-disease",
    "side effect",
    "metabolism",
    "mechanism",
    "phenotype",
    "interaction",
]
ClaimForm = Literal[
    "plain", "negation", "opposite relation", "wrong direction", "swapped entity", "overstated"
]


class ClaimEdge(BaseModel):
    """Of the demo graph, by identifiers."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    source: str
    relation: str
    target: str


class AnnotatedClaim(BaseModel):
    """source: where the fact can be read. edges and papers (keys of the demo's papers) that decide
    the claim; none where the demo does not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str = Field(pattern=r"^c\d{3}$")
    text: str = Field(min_length=10, max_length=300)
    is_true: bool
    relation: ClaimRelation
    form: ClaimForm
    source: str = Field(min_length=4)
    edges: tuple[ClaimEdge, ...]
    papers: tuple[str, ...]

    @property
    def is_decided(self) -> bool:
        """Whether the demo has what decides it."""
        return bool(self.edges or self.papers)

    @model_validator(mode="after")
    def _check_form(self) -> Self:
        if self.is_true and self.form not in ("plain", "negation"):
            raise ValueError(f"{self.id}: a true claim is plain or a negation")
        if not self.is_true and self.form == "plain":
            raise ValueError(f"{self.id}: a false claim has a form that makes it false")
        return self


def draw_claims(claims: Sequence[AnnotatedClaim], count: int) -> Sequence[AnnotatedClaim]:
    """So many claims, as many true as false, in their order; the same ones each time. All of them
    if there are no more. An odd number is rounded down.
    """
    draws = np.random.default_rng(SEED)
    groups = [[one.id for one in claims if one.is_true is truth] for truth in (True, False)]
    chosen = {
        str(one)
        for group in groups
        for one in draws.choice(group, min(count // 2, len(group)), replace=False)
    }
    return [one for one in claims if one.id in chosen]


def read_claims(path: Path) -> Sequence[AnnotatedClaim]:
    """Raises ValueError for a repeated claim."""
    lines = path.read_text(encoding="utf-8").splitlines()
    claims = [AnnotatedClaim.model_validate_json(line) for line in lines]
    for field, values in (("id", [it.id for it in claims]), ("text", [it.text for it in claims])):
        if repeated := [one for one, count in Counter(values).items() if count > 1]:
            raise ValueError(f"{field} twice: {repeated[0]}")
    return claims
