"""Finding entities by what a question set calls them, in one pass over a graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from backend.benchmarks.models import How, WhyNot
from backend.benchmarks.names import Asked, Named, folded, may_be_folded, spans_of
from backend.benchmarks.patterns.binding import loosely
from backend.graphs.identifiers import canonical
from backend.graphs.snapshots.view import GraphView

ENOUGH = 2  # entities of one name: more than one is ambiguous, however many there are
Numbers = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Found:
    """An entity and what it was recognised by, or why there is none."""

    entity: int | None = None
    how: How | None = None
    why_not: WhyNot | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    text: str
    found: Found


@dataclass(frozen=True, slots=True)
class Lookup:
    """Numbers of entities by the names and identifiers that were looked for, and no others.

    `otherwise` has those whose own identifier the graph spells with another prefix: `DrugBank:`.
    """

    view: GraphView
    exactly: Numbers = field(default_factory=dict)
    loosely: Numbers = field(default_factory=dict)
    otherwise: Numbers = field(default_factory=dict)
    references: Numbers = field(default_factory=dict)

    def find(self, named: Named) -> Found:
        """By identifier, else by cross-reference, else by name alone."""
        identifiers = [one for one in (named.identifier, *named.spellings) if one]
        for identifier in identifiers:
            number = self.view.number_of(identifier)
            if number is not None:
                return Found(number, How.IDENTIFIER, by=identifier)
        for identifier in identifiers:
            if numbers := self.otherwise.get(identifier):
                return _one(numbers, How.IDENTIFIER, identifier)
            if numbers := self.references.get(identifier):
                return _one(numbers, How.CROSS_REFERENCE, identifier)
        found = self.by_name(named.name)
        if found.entity is None:
            return found
        if any(self._has_another(found.entity, one) for one in identifiers):
            return Found(why_not=WhyNot.OTHER_IDENTIFIER, by=named.name)
        if named.types and not self._is_one_of(found.entity, named.types):
            return Found(why_not=WhyNot.NOT_IN_GRAPH, by=named.name)
        return found

    def by_name(self, name: str) -> Found:
        """Written the same; else the same but for case and spaces."""
        numbers = self.exactly.get(name)
        if not numbers and may_be_folded(name):
            numbers = self.loosely.get(folded(name))
        return _one(numbers, How.NAME, name) if numbers else Found(why_not=WhyNot.NOT_IN_GRAPH)

    def mentions(self, asked: Asked, known: Collection[int]) -> list[Mention]:
        """Names in the text of a question, the longest first and none within another."""
        taken: list[tuple[int, int]] = []
        found: dict[int, Mention] = {}
        for start, end, text in spans_of(asked.text):
            if any(start < last and first < end for first, last in taken):
                continue
            one = self.by_name(text)
            if one.why_not is WhyNot.NOT_IN_GRAPH:
                continue
            taken.append((start, end))
            if one.entity is not None and one.entity not in known:
                found.setdefault(one.entity, Mention(text, one))
        return list(found.values())

    def _is_one_of(self, number: int, types: Sequence[str]) -> bool:
        """A gene and its protein may have one name."""
        return loosely(self.view.entity(number).type) in map(loosely, types)

    def _has_another(self, number: int, identifier: str) -> bool:
        """An entity of this name that has an identifier of the same scheme is another thing."""
        scheme = _scheme(identifier)
        entity = self.view.entity(number)
        return any(_scheme(canonical(it)) == scheme for it in (entity.id, *entity.xrefs))


def look_up(view: GraphView, named: Sequence[Named], asked: Sequence[Asked]) -> Lookup:
    """Read every entity once; what is kept grows with the question set, not with the graph."""
    names = {one.name for one in named}
    names.update(text for one in asked for _, _, text in spans_of(one.text))
    loose = {folded(name) for name in names if may_be_folded(name)}
    wanted = {it for one in named for it in (one.identifier, *one.spellings) if it}
    exactly, loosely, otherwise, references = (defaultdict[str, list[int]](list) for _ in range(4))
    for entity in view.entities():
        if entity.name in names:
            _note(exactly[entity.name], entity.number)
        if (same := folded(entity.name)) in loose:
            _note(loosely[same], entity.number)
        if (identifier := canonical(entity.id)) in wanted:
            _note(otherwise[identifier], entity.number)
        for reference in map(canonical, entity.xrefs):
            if reference in wanted:
                _note(references[reference], entity.number)
    return Lookup(view, dict(exactly), dict(loosely), dict(otherwise), dict(references))


def _note(numbers: list[int], number: int) -> None:
    if len(numbers) < ENOUGH and number not in numbers:
        numbers.append(number)


def _one(numbers: Sequence[int], how: How, by: str) -> Found:
    if len(numbers) == 1:
        return Found(numbers[0], how, by=by)
    several = WhyNot.SEVERAL_NAMES if how is How.NAME else WhyNot.SEVERAL_REFERENCES
    return Found(why_not=several, by=by)


def _scheme(identifier: str) -> str:
    return identifier.partition(":")[0]
