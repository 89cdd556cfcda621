"""Verdicts on claims, what they rest on, and the groundedness of a rationale (TruthHypo, 3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

MOST_CONTEXT_PAPERS = 8  # the paper's k for verification
MOST_CONTEXT_EDGES = 100


class Verdict(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH = "not_enough"


class EvidenceSource(StrEnum):
    """What a verdict may rest on: edges, papers, or both together."""

    GRAPH = "graph"
    LITERATURE = "literature"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a claim that names an entity. entities: identifiers that it may mean, the likeliest
    first; none where it is not linked. names: of the likeliest."""

    start: int
    end: int
    text: str
    entities: Sequence[str] = ()
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class NamedEntity:
    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class ContextEdge:
    """An edge in words. number: in its snapshot. first_seen: PMID or year, None if unknown;
    date_source: what states it. is_between: whether both ends are entities of the claim."""

    number: int
    source: NamedEntity
    target: NamedEntity
    relation: str
    forward: str
    backward: str
    is_symmetric: bool
    is_between: bool
    first_seen: int | None = None
    date_source: str = ""
    publications: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ContextPaper:
    """sentences: the title, then those of the abstract. score: by BM25."""

    id: str
    title: str
    date: str
    note: str
    sentences: Sequence[str]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class ContextSize:
    papers: int
    edges: int


@dataclass(frozen=True, slots=True)
class ClaimContext:
    mentions: Sequence[Mention] = ()
    edges: Sequence[ContextEdge] = ()
    papers: Sequence[ContextPaper] = ()

    def of(self, source: EvidenceSource) -> "ClaimContext":
        """The part that a verdict from this source may rest on."""
        edges = () if source == EvidenceSource.LITERATURE else self.edges
        papers = () if source == EvidenceSource.GRAPH else self.papers
        return ClaimContext(self.mentions, edges, papers)

    @property
    def size(self) -> ContextSize:
        return ContextSize(len(self.papers), len(self.edges))

    @property
    def is_empty(self) -> bool:
        return not self.edges and not self.papers


Stance = Literal["supports", "contradicts"]


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """What a verdict rests on: an edge of the context by its place, or a sentence of a paper by
    both places. score: how much of the claim it covers, None where a model chose it."""

    stance: Stance
    edge: int | None = None
    paper: int | None = None
    sentence: int | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """probability: of the verdict, where the verifier has one. support: of 'supported', likewise;
    after one of the two other verdicts it is not what that leaves. fault: code of the reason why
    there is none; the verdict is then not enough, and the fault is counted. read: how many of the
    first papers and edges of the context were read; None for all."""

    verdict: Verdict
    evidence: Sequence[EvidenceItem] = ()
    probability: float | None = None
    support: float | None = None
    fault: str = ""
    read: ContextSize | None = None


@dataclass(frozen=True, slots=True)
class Groundedness:
    """share: supported claims ÷ claims, None without claims: it is undefined, neither 0 nor 1."""

    supported: int
    contradicted: int
    claims: int

    @property
    def share(self) -> float | None:
        return self.supported / self.claims if self.claims else None


def count_verdicts(verdicts: Iterable[Verdict]) -> Groundedness:
    """Contradicted claims count as not supported, like those without enough evidence."""
    listed = list(verdicts)
    return Groundedness(
        listed.count(Verdict.SUPPORTED), listed.count(Verdict.CONTRADICTED), len(listed)
    )
