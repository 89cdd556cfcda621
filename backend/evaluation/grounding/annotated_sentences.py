"""Sentences whose mentions of entities were annotated by hand: `fixtures/mentions.jsonl`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

Half = Literal["dev", "test"]
MentionKind = Literal[
    "name",
    "synonym",
    "brand",
    "abbreviation",
    "symbol",
    "symbol that is a word",
    "spelling",
    "typo",
    "unlisted synonym",
    "ambiguous",
    "ordinary word",
    "not in the graph",
]


class AnnotatedMention(BaseModel):
    """text is sentence[start:end].

    identifier: of the entity in the graph, None if it has none. also_right: other entities that the
    words name as well, such as the protein of a gene.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    start: int
    end: int
    text: str
    kind: MentionKind
    identifier: str | None
    also_right: tuple[str, ...]

    @property
    def right(self) -> frozenset[str]:
        """Empty if a linker is right to leave the mention alone."""
        return frozenset((self.identifier, *self.also_right) if self.identifier else ())


class AnnotatedSentence(BaseModel):
    """mentions: all that the sentence has, in order and without overlaps."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    half: Half
    text: str
    mentions: tuple[AnnotatedMention, ...]
    source: str

    @model_validator(mode="after")
    def _check_places(self) -> Self:
        end = 0
        for one in self.mentions:
            if one.start < end or self.text[one.start : one.end] != one.text or not one.text:
                raise ValueError(f"{self.id}: '{one.text}' is not at {one.start}")
            if one.identifier is None and one.also_right:
                raise ValueError(f"{self.id}: '{one.text}' has no entity and others beside it")
            end = one.end
        return self


def read_sentences(path: Path) -> Sequence[AnnotatedSentence]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [AnnotatedSentence.model_validate_json(line) for line in lines]
