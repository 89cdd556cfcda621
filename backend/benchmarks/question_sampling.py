"""Random questions about any graph, of all nine pattern types.

Two entities with a common neighbour are drawn, so that a question has at least two answers; the
other nodes of the type are drawn from there, along any relation. The text is made of the graph's
type names and relation phrases. `question_generation` decides which drafts are accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.question_format import NewQuestion
from backend.benchmarks.question_generation import (
    MAX_ANSWERS,
    NodeValues,
    QuestionDraft,
    QuestionFactory,
    assign_qids,
)
from backend.benchmarks.question_text import pattern_to_text
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.tracks.serenqa_patterns import (
    PATTERN_TYPES,
    NodeKind,
    Pattern,
    PatternEdge,
    PatternNode,
)

MAX_DRAWS = 3_000  # for one question; then the graph is considered to have no more of the type
# Steps from a known node to a new one; node 0 is the target, in the ring also node 3.
STEPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "1.1": ((0, 1),),
    "1.2": ((0, 1),),
    "2.1": ((0, 1), (1, 2)),
    "3.1": ((0, 1), (1, 2), (2, 3)),
    "3.2": ((0, 1), (1, 2), (0, 3)),
    "3.3": ((0, 1), (1, 2), (1, 3)),
    "4.1": ((0, 1), (0, 2)),
    "4.2": ((0, 1), (0, 2), (0, 3)),
    "4.3": ((0, 1), (0, 2), (1, 3)),
}
RING = "4.3"
ProgressCallback = Callable[[int], None]


@dataclass(frozen=True)
class Adjacency:
    """Edges of one entity: relation, direction and neighbour of each."""

    relations: NDArray[np.int64]
    outgoing: NDArray[np.bool_]
    others: NDArray[np.int64]

    @classmethod
    def read(cls, view: GraphView, number: int) -> Adjacency:
        rows = [view.row(number, outgoing=outgoing) for outgoing in (True, False)]
        return cls(
            np.concatenate([row.relations for row in rows]).astype(np.int64),
            np.repeat([True, False], [len(row) for row in rows]),
            np.concatenate([row.neighbours for row in rows]).astype(np.int64),
        )

    def select(self, which: NDArray[np.bool_]) -> Adjacency:
        return Adjacency(self.relations[which], self.outgoing[which], self.others[which])

    def excluding(self, entities: list[int]) -> Adjacency:
        return self.select(~np.isin(self.others, entities))

    def shared_with(self, other: Adjacency, count: int) -> Adjacency:
        """Edges that lead both to the same entity in the same way. count: of all entities."""
        return self.select(np.isin(self.keys(count), other.keys(count)))

    def keys(self, count: int) -> NDArray[np.int64]:
        return (self.relations * 2 + self.outgoing) * count + self.others


@dataclass
class MatchDraw:
    """A match in progress. twin: another entity with the same neighbours as the target."""

    factory: QuestionFactory
    type: str
    values: NodeValues = field(default_factory=dict)
    edges: list[PatternEdge] = field(default_factory=list)
    twin: int = -1

    @property
    def view(self) -> GraphView:
        return self.factory.view

    def draw(self) -> QuestionDraft | None:
        """None if there is a dead end."""
        if not self.start() or not all(self.extend(*one) for one in STEPS[self.type][1:]):
            return None
        if self.type == RING and not self.close_ring():
            return None
        pattern = self.pattern()
        text = pattern_to_text(self.view, pattern)
        return QuestionDraft(pattern, self.values, text, f"generated:{PATTERN_TYPES[self.type]}")

    def start(self) -> bool:
        """Draw an edge from the target to the first other node, and a twin of the target."""
        edge = self.view.edge(self.factory.random.randrange(self.view.edge_count))
        turned = {"1.1": True, "1.2": False}.get(self.type)
        if turned is None:
            turned = self.factory.random.random() < 0.5
        query, other = (edge.target, edge.source) if turned else (edge.source, edge.target)
        self.values = {0: query, 1: other}
        self.add_edge(0, 1, edge.relation, outgoing=not turned)
        twins = self.similar_entities(query, other, edge.relation, outgoing=turned)
        if query == other or not len(twins):
            return False
        self.twin = self.choose(twins)
        return True

    def similar_entities(
        self, target: int, other: int, relation: int, *, outgoing: bool
    ) -> NDArray[np.int64]:
        """Entities of the target's type that have the same edge to the other node."""
        row = self.view.row(other, outgoing=outgoing)
        there = np.unique(row.neighbours[slice(*relation_range(row, relation))]).astype(np.int64)
        same = self.view.type_of[there] == self.view.type_of[target]
        result: NDArray[np.int64] = there[same & (there != target) & (there != other)]
        return result

    def extend(self, near: int, far: int) -> bool:
        """Draw one more node that the twin reaches in the same way."""
        links = Adjacency.read(self.view, self.values[near]).excluding(
            [*self.values.values(), self.twin]
        )
        if near == 0:
            links = links.shared_with(Adjacency.read(self.view, self.twin), self.view.entity_count)
        if self.type == RING and far == 3:
            links = self.closing_links(links)
        if not len(links.others):
            return False
        place = self.factory.random.randrange(len(links.others))
        self.values[far] = int(links.others[place])
        relation, outgoing = int(links.relations[place]), bool(links.outgoing[place])
        self.add_edge(near, far, relation, outgoing=outgoing)
        return True

    def closing_links(self, links: Adjacency) -> Adjacency:
        """Edges that close the ring at an entity of another type than the target's."""
        links = links.shared_with(Adjacency.read(self.view, self.values[2]), self.view.entity_count)
        query = self.view.type_of[self.values[0]]
        return links.select(self.view.type_of[links.others] != query)

    def close_ring(self) -> bool:
        """Add the last edge of the ring, equal to the one before."""
        last = self.edges[-1]
        start = 2 if last.start == 1 else 3
        self.edges.append(PatternEdge(start, 5 - start, last.relation))
        return True

    def add_edge(self, near: int, far: int, relation: int, *, outgoing: bool) -> None:
        name = self.view.relations[relation].name
        start, end = (near, far) if outgoing else (far, near)
        self.edges.append(PatternEdge(start, end, name))

    def pattern(self) -> Pattern:
        """The ends of branches are named; inner nodes are named or unknown, at random."""
        inner = {near for near, _ in STEPS[self.type] if near} if self.type != RING else set()
        query = {0, 3} if self.type == RING else {0}
        unknown = {nid for nid in sorted(inner) if self.factory.random.random() < 0.5}
        nodes = []
        for nid in sorted(self.values):
            kind: NodeKind = "class" if nid in query | unknown else "entity"
            type_ = self.view.types[self.view.type_of[self.values[nid]]]
            nodes.append(PatternNode(nid, kind, type_, type_, type_, is_target=nid in query))
        return Pattern(tuple(nodes), tuple(self.edges))

    def choose(self, entities: NDArray[np.int64]) -> int:
        return int(entities[self.factory.random.randrange(len(entities))])


def sample_questions(
    view: GraphView,
    seed: int,
    count: int,
    most: int = MAX_ANSWERS,
    progress: ProgressCallback = lambda _done: None,
) -> list[NewQuestion]:
    """Equally many questions of each type, as far as the graph has enough.

    most: answers of one question. progress: called with the number of questions.
    """
    making = QuestionFactory.of(view, seed, most)
    by_type: dict[str, list[NewQuestion]] = {type_: [] for type_ in PATTERN_TYPES}
    for done, (type_, question) in enumerate(_round_robin(making, count), start=1):
        by_type[type_].append(question)
        progress(done)
    return assign_qids(chain.from_iterable(by_type.values()))


def _round_robin(making: QuestionFactory, count: int) -> Iterator[tuple[str, NewQuestion]]:
    """One question of each type in turn; exhausted types are dropped."""
    left, open_ = count, list(PATTERN_TYPES) if making.view.edge_count else []
    while left and open_:
        for type_ in open_[:left]:
            question = _draw_question(making, type_)
            if question is None:
                open_.remove(type_)
            else:
                left -= 1
                yield type_, question


def _draw_question(making: QuestionFactory, type_: str) -> NewQuestion | None:
    for _ in range(MAX_DRAWS):
        draft = MatchDraw(making, type_).draw()
        question = making.accept(draft) if draft else None
        if question is not None:
            return question
    return None
