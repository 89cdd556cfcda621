"""What a linker of entities returns."""

from dataclasses import dataclass
from typing import Literal, Protocol

LinkMethod = Literal["exact", "synonym", "typo", "bm25"]


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """A part of a text that names an entity: text[start:end], which ends with a letter or digit.

    identifier: None if several entities of one type have this name; they are the alternatives.
    Otherwise alternatives are entities that have the same name but match less well, such as the
    protein of a gene. score: 1 for a name, less by the share of edited letters for a typo; of BM25
    its score, which is comparable within one text alone.
    """

    start: int
    end: int
    text: str
    identifier: str | None
    name: str
    type: str
    method: LinkMethod
    score: float
    alternatives: tuple[str, ...] = ()


class Linker(Protocol):
    """Links entities of one version of a graph. The same text gives the same mentions."""

    def link(self, text: str) -> list[LinkedMention]:
        """Mentions in order, without overlaps. Text after MAX_CHARACTERS is not read."""
        ...

    def link_mention(self, mention: str) -> LinkedMention | None:
        """The entity that a whole text names, such as one that a model extracted from a claim."""
        ...
