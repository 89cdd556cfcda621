"""Entities of a graph by the names and identifiers that a question set uses."""

import re
import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from backend.benchmarks.models import MatchMethod, UnmatchedReason
from backend.graphs.identifiers import canonicalize
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.normal_form import normalize_name

WORD_PATTERN = re.compile(r"[^\s,;:?!()\[\]{}\"“”]+")
MAX_MENTION_WORDS = 8  # words
# Shorter names must match the case of the graph: KIT, not kit.
MIN_FOLDED_LENGTH = 5
MAX_ENTITIES_PER_NAME = 2  # two are enough to know that a name is ambiguous
NumbersByName = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class NamedItem:
    """A candidate or a resource of a question, with the identifier from its file or its link.

    `spellings` are other ways to write the identifier, `types` the entity types of the
    question's answers.
    """

    question: uuid.UUID
    name: str
    identifier: str | None
    candidate: uuid.UUID | None = None
    resource: int | None = None
    spellings: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionText:
    id: uuid.UUID
    text: str


def fold_name(name: str) -> str:
    """Normalize a name: equal for names that differ only in case and in white space."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def iterate_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Every run of words that may be a name, longest first, as (start, end, text)."""
    words = [match.span() for match in WORD_PATTERN.finditer(text)]
    for length in range(min(MAX_MENTION_WORDS, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            start, end = words[first][0], words[first + length - 1][1]
            yield start, end, text[start:end].rstrip(".")


def is_long_enough_to_fold(name: str) -> bool:
    return len(name) >= MIN_FOLDED_LENGTH


@dataclass(frozen=True, slots=True)
class LinkResult:
    """The linked entity and how it was matched, or the reason why there is none."""

    entity: int | None = None
    match_method: MatchMethod | None = None
    unmatched_reason: UnmatchedReason | None = None
    matched_on: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    text: str
    result: LinkResult


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Entity numbers by the names and identifiers that the question set uses.

    `by_canonical_id` covers identifiers that the graph writes with another prefix (`DrugBank:`).
    """

    view: GraphView
    by_exact_name: NumbersByName = field(default_factory=dict)
    by_folded_name: NumbersByName = field(default_factory=dict)
    by_canonical_id: NumbersByName = field(default_factory=dict)
    by_xref: NumbersByName = field(default_factory=dict)

    def link(self, named: NamedItem) -> LinkResult:
        """Link by identifier, else by cross-reference, else by name."""
        identifiers = [one for one in (named.identifier, *named.spellings) if one]
        for identifier in identifiers:
            number = self.view.find_number(identifier)
            if number is not None:
                return LinkResult(number, MatchMethod.IDENTIFIER, matched_on=identifier)
            if numbers := self.by_canonical_id.get(identifier):
                return _unique_or_ambiguous(numbers, MatchMethod.IDENTIFIER, identifier)
        for identifier in identifiers:
            if numbers := self.by_canonical_id.get(identifier):
                return _unique_or_ambiguous(numbers, MatchMethod.IDENTIFIER, identifier)
            if numbers := self.by_xref.get(identifier):
                return _unique_or_ambiguous(numbers, MatchMethod.CROSS_REFERENCE, identifier)
        outcome = self.link_name(named.name)
        if outcome.entity is None:
            return outcome
        if any(self._has_another(outcome.entity, one) for one in identifiers):
            return LinkResult(
                unmatched_reason=UnmatchedReason.OTHER_IDENTIFIER, matched_on=named.name
            )
        if named.types and not self._is_one_of(outcome.entity, named.types):
            return LinkResult(unmatched_reason=UnmatchedReason.NOT_IN_GRAPH, matched_on=named.name)
        return outcome

    def link_name(self, name: str) -> LinkResult:
        """Link by the exact name, else by the name without regard to case and spaces."""
        numbers = self.by_exact_name.get(name)
        if not numbers and is_long_enough_to_fold(name):
            numbers = self.by_folded_name.get(fold_name(name))
        return (
            _unique_or_ambiguous(numbers, MatchMethod.NAME, name)
            if numbers
            else LinkResult(unmatched_reason=UnmatchedReason.NOT_IN_GRAPH)
        )

    def find_mentions(self, question: QuestionText, known: Collection[int]) -> list[Mention]:
        """Entity names in the text of a question, longest first, without overlaps."""
        taken: list[tuple[int, int]] = []
        outcome: dict[int, Mention] = {}
        for start, end, text in iterate_spans(question.text):
            if any(start < last and first < end for first, last in taken):
                continue
            one = self.link_name(text)
            if one.unmatched_reason is UnmatchedReason.NOT_IN_GRAPH:
                continue
            taken.append((start, end))
            if one.entity is not None and one.entity not in known:
                outcome.setdefault(one.entity, Mention(text, one))
        return list(outcome.values())

    def _is_one_of(self, number: int, types: Sequence[str]) -> bool:
        """Compare types, because a gene and its protein may share a name."""
        return normalize_name(self.view.entity(number).type) in map(normalize_name, types)

    def _has_another(self, number: int, identifier: str) -> bool:
        """Whether the entity has a different identifier of the same scheme, so is another one."""
        scheme = _prefix(identifier)
        entity = self.view.entity(number)
        return any(_prefix(canonicalize(it)) == scheme for it in (entity.id, *entity.xrefs))


def build_name_index(
    view: GraphView, named: Sequence[NamedItem], texts: Sequence[QuestionText]
) -> NameIndex:
    """Scan every entity once. Memory grows with the question set, not with the graph."""
    names = {one.name for one in named}
    names.update(text for one in texts for _, _, text in iterate_spans(one.text))
    loose = {fold_name(name) for name in names if is_long_enough_to_fold(name)}
    requested = {it for one in named for it in (one.identifier, *one.spellings) if it}
    exactly, loosely, otherwise, references = (defaultdict[str, list[int]](list) for _ in range(4))
    for entity in view.entities():
        if entity.name in names:
            _add_number(exactly[entity.name], entity.number)
        if (same := fold_name(entity.name)) in loose:
            _add_number(loosely[same], entity.number)
        if (identifier := canonicalize(entity.id)) in requested:
            _add_number(otherwise[identifier], entity.number)
        for reference in map(canonicalize, entity.xrefs):
            if reference in requested:
                _add_number(references[reference], entity.number)
    return NameIndex(view, dict(exactly), dict(loosely), dict(otherwise), dict(references))


def _add_number(numbers: list[int], number: int) -> None:
    if len(numbers) < MAX_ENTITIES_PER_NAME and number not in numbers:
        numbers.append(number)


def _unique_or_ambiguous(numbers: Sequence[int], method: MatchMethod, text: str) -> LinkResult:
    if len(numbers) == 1:
        return LinkResult(numbers[0], method, matched_on=text)
    several = (
        UnmatchedReason.SEVERAL_NAMES
        if method is MatchMethod.NAME
        else UnmatchedReason.SEVERAL_REFERENCES
    )
    return LinkResult(unmatched_reason=several, matched_on=text)


def _prefix(identifier: str) -> str:
    return identifier.partition(":")[0]
