"""STaRK's queries without a language model: relational templates with conditions on documents.

A target is drawn, and named entities that are linked to it as in the template; the pattern is run.
If the target has a document, a phrase of it becomes a condition. Gold answers are all entities that
match the pattern and whose documents have the phrase, without those that the query names. The same
graph, count and seed give the same queries.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.patterns.binding import (
    BoundEdge,
    BoundPattern,
    PatternUnknown,
    bind_pattern,
)
from backend.benchmarks.patterns.joins import PatternTooLarge
from backend.benchmarks.patterns.matching import run_pattern
from backend.benchmarks.stark_queries.conditions import (
    document_words,
    draw_phrase,
    has_phrase,
    split_words,
)
from backend.benchmarks.stark_queries.templates import TEMPLATES, Template
from backend.common.errors import DomainError
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.tracks.serenqa_patterns import Pattern

MAX_DRAWS = 400  # for one query; then the graph is considered to have no more of the template
MAX_WORK = 2_000_000  # entries that a pattern may read
Progress = Callable[[int], None]
Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class StarkQuery:
    """answers: entity numbers, ascending. The counts of words are those of Figure 5."""

    template: str
    text: str
    pattern: Pattern
    answers: tuple[int, ...]
    phrase: tuple[str, ...] = ()
    relational_words: int = 0


class GoldQuery(NamedTuple):
    """gold: one of the answers, from which the query was drawn. roles: who would search for it."""

    query: StarkQuery
    gold: int
    roles: tuple[str, ...]


@dataclass
class QueryFactory:
    """Draws queries of one graph; `accepted` are the sentences so far."""

    view: GraphView
    chance: random.Random
    max_answers: int
    accepted: set[str] = field(default_factory=set)
    targets: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of_seed(cls, view: GraphView, seed: int, max_answers: int) -> Self:
        chance = random.Random(seed)  # noqa: S311  the same draw each time is wanted
        return cls(view, chance, max_answers)

    def draw(self, template: Template, bound: BoundPattern) -> StarkQuery | None:
        drawn = self.draw_relation(template, bound)
        return self._accept(self._add_condition(drawn.query, drawn.gold)) if drawn else None

    def draw_gold(self, template: Template, bound: BoundPattern) -> GoldQuery | None:
        """Without a condition on documents."""
        drawn = self.draw_relation(template, bound)
        return drawn if drawn and self._accept(drawn.query) else None

    def draw_relation(self, template: Template, bound: BoundPattern) -> GoldQuery | None:
        numbers = self._draw_named(template, bound)
        if numbers is None:
            return None
        target = numbers.pop(template.target)
        entities = {nid: self.view.entity_summary(number) for nid, number in numbers.items()}
        pattern = template.name_entities(entities)
        matches = self._run(bound, pattern, numbers) - {*numbers.values()}
        if target not in matches:
            return None
        text = template.write(entities)
        query = StarkQuery(template.slug, text, pattern, tuple(sorted(matches)))
        query = replace(query, relational_words=len(split_words(text)))
        return GoldQuery(query, target, template.roles)

    def _draw_named(self, template: Template, bound: BoundPattern) -> dict[int, int] | None:
        """A target, and named entities linked to it; other nodes between them are drawn, too."""
        targets = self._find_targets(template, bound)
        if not targets:
            return None
        values = {template.target: targets[self.chance.randrange(len(targets))]}
        open_ = list(bound.edges)
        while not template.named <= values.keys():
            edge = next(
                (one for one in open_ if (one.start in values) != (one.end in values)), None
            )
            if edge is None:
                return None
            open_.remove(edge)
            near = edge.start if edge.start in values else edge.end
            drawn = self._draw_neighbour(bound, edge, near, values[near])
            if drawn is None or drawn in values.values():
                return None
            values[edge.other(near)] = drawn
        return {nid: values[nid] for nid in (template.target, *sorted(template.named))}

    def _find_targets(self, template: Template, bound: BoundPattern) -> list[int]:
        """Entities of the target's type that have each of its edges."""
        if template.slug not in self.targets:
            nid = template.target
            numbers = np.flatnonzero(self.view.type_of == bound.types[nid]).tolist()
            self.targets[template.slug] = [
                one
                for one in numbers
                if all(len(self._find_ends(bound, edge, nid, one)) for edge in bound.edges_at(nid))
            ]
        return self.targets[template.slug]

    def _draw_neighbour(
        self, bound: BoundPattern, edge: BoundEdge, near: int, number: int
    ) -> int | None:
        others = self._find_ends(bound, edge, near, number)
        return int(others[self.chance.randrange(len(others))]) if len(others) else None

    def _find_ends(
        self, bound: BoundPattern, edge: BoundEdge, near: int, number: int
    ) -> NDArray[np.int32]:
        """The entities at the other end of an edge of the pattern."""
        ends = []
        for outgoing in (True, False) if edge.is_symmetric else (near == edge.start,):
            row = self.view.row(number, outgoing=outgoing)
            ends.append(row.neighbours[slice(*relation_range(row, edge.relation))])
        others = np.unique(np.concatenate(ends))
        is_fit = self.view.type_of[others] == bound.types[edge.other(near)]
        return np.asarray(others[is_fit], np.int32)

    def _run(
        self, bound: BoundPattern, pattern: Pattern, numbers: Mapping[int, int]
    ) -> frozenset[int]:
        """Empty if the pattern is too expensive."""
        named = replace(bound, pattern=pattern, entities=numbers)
        try:
            return run_pattern(self.view, named, work=MAX_WORK)
        except PatternTooLarge:
            return frozenset()

    def _add_condition(self, query: StarkQuery, target: int) -> StarkQuery:
        sections = document_words(self.view.document(target))
        entity = self.view.entity(target)
        phrase = draw_phrase(sections, (entity.name, *entity.synonyms), self.chance)
        if not phrase:
            return query
        answers = tuple(
            one
            for one in query.answers
            if has_phrase(document_words(self.view.document(one)), phrase)
        )
        text = f"{query.text} Their description mentions “{' '.join(phrase)}”."
        return replace(query, text=text, answers=answers, phrase=phrase)

    def _accept(self, query: StarkQuery) -> StarkQuery | None:
        if len(query.answers) > self.max_answers or query.text in self.accepted:
            return None
        self.accepted.add(query.text)
        return query


def bind_templates(
    view: GraphView, templates: Sequence[Template] = TEMPLATES
) -> list[tuple[Template, BoundPattern]]:
    """Those whose types and relations the graph has. Raises DomainError if it has none."""
    result = []
    for template in templates:
        try:
            result.append((template, bind_pattern(view, template.pattern)))
        except PatternUnknown:
            continue
    if not result:
        raise DomainError(
            "The graph lacks the types and relations of all templates. Choose a graph of STaRK.",
            code="no_template",
        )
    return result


def generate_queries(
    view: GraphView,
    count: int,
    seed: int,
    max_answers: int,
    progress: Progress = lambda done: None,
) -> list[StarkQuery]:
    """Equally many of each template that the graph has, as far as it has enough."""
    factory = QueryFactory.of_seed(view, seed, max_answers)
    result: list[StarkQuery] = []
    for query in _round_robin(factory.draw, bind_templates(view), count):
        result.append(query)
        progress(len(result))
    return result


def draw_gold_queries(view: GraphView, count: int, seed: int, max_answers: int) -> list[GoldQuery]:
    """As generate_queries, without conditions on documents."""
    factory = QueryFactory.of_seed(view, seed, max_answers)
    return [*_round_robin(factory.draw_gold, bind_templates(view), count)]


def _round_robin(
    draw: Callable[[Template, BoundPattern], Drawn | None],
    templates: list[tuple[Template, BoundPattern]],
    count: int,
) -> Iterator[Drawn]:
    """One query of each template in turn; exhausted templates are dropped."""
    left, open_ = count, templates
    while left and open_:
        remaining = []
        for template, bound in open_[:left]:
            drawn = (draw(template, bound) for _ in range(MAX_DRAWS))
            query = next((one for one in drawn if one is not None), None)
            if query is not None:
                left -= 1
                remaining.append((template, bound))
                yield query
        open_ = remaining if left else []
