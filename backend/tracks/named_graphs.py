"""A graph of named entities and relations in words, as baselines match questions with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class NamedRelation:
    """forward, backward: the phrases of both directions."""

    name: str
    forward: str
    backward: str
    is_symmetric: bool = False


class NamedGraph(Protocol):
    """Entities have numbers from 0. Texts are compared in their normal form."""

    @property
    def types(self) -> Sequence[str]: ...

    @property
    def relations(self) -> Sequence[NamedRelation]: ...

    def normalize(self, text: str) -> str:
        """Words separated by one space, without case and marks."""

    def find_by_name(self, name: str) -> Sequence[int]:
        """Entities of which this is a name or synonym in normal form, ascending."""

    def type_of(self, number: int) -> str: ...

    def neighbours(self, number: int, relation: str, *, outgoing: bool) -> Sequence[int]:
        """In order of their numbers, at most a thousand; of a symmetric relation both ways."""
