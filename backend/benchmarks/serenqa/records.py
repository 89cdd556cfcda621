"""What SerenQA's files say: questions with their patterns, and partitions of their answers.

Every record keeps all of its file's object, also fields that nobody asked for, so that it can be
written again without loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from backend.benchmarks.patterns.shapes import PATTERN_TYPES, Pattern
from backend.benchmarks.reading import Faults, Object
from backend.common.errors import DomainError
from backend.common.words import counted

# The files' words for the methods, and ours; `sscore` is the partition that RNS guided.
METHODS: Mapping[str, str] = MappingProxyType({"llm": "llm", "sscore": "rns", "expert": "expert"})
FILE_WORDS: Mapping[str, str] = MappingProxyType({ours: word for word, ours in METHODS.items()})
# The files number the types. Which number means which is nowhere said, and the paper's example
# contradicts its table; where we write a number, it is the place in Table 4.
TYPE_NUMBERS: Mapping[str, int] = MappingProxyType(
    {name: place for place, name in enumerate(PATTERN_TYPES, start=1)}
)


@dataclass(frozen=True)
class Answer:
    """An entity as the file names it."""

    id: str
    name: str


@dataclass(frozen=True)
class QARecord:
    """`said_type`: what the file says of the pattern's type, as it is written there."""

    place: str
    qid: str
    text: str
    answers: tuple[Answer, ...]
    pattern: Pattern
    category: str
    cypher: str
    said_type: str
    record: Object


@dataclass(frozen=True)
class Split:
    """One partition: which answers are serendipitous and which are known, by identifier.

    `method` is ours, `split` the file's word for the part of the benchmark ('test'), `paths` lead
    from known answers to serendipitous ones in the files' own notation.
    """

    method: str
    serendipity: tuple[str, ...]
    existing: tuple[str, ...]
    split: str
    paths: tuple[str, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True)
class PartitionRecord:
    place: str
    qid: str
    text: str
    splits: tuple[Split, ...]
    record: Object


@dataclass(frozen=True)
class SerenQA:
    questions: tuple[QARecord, ...]
    partitions: tuple[PartitionRecord, ...]
    notices: tuple[str, ...]


class SerenQAInvalid(DomainError):
    code = "serenqa_invalid"

    @classmethod
    def of(cls, faults: Faults) -> SerenQAInvalid:
        rest = faults.total - len(faults.listed)
        more = f" The first {len(faults.listed)} are listed." if rest else ""
        many = counted(faults.total, "fault")
        detail = f"Nothing was imported, because the files have {many}.{more}"
        return cls(detail, faults=faults.listed, data={"faults_total": faults.total})
