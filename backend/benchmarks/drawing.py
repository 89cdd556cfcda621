"""Questions about any graph: patterns of all nine types as chance finds them in it.

Two entities with the same neighbours are drawn, so that a question has two answers at least; what
else a type asks for is drawn from there, along edges of any relation. The words are the graph's
own: names of types, and each relation's phrases. What becomes a question is settled in `making`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.making import MOST, Draft, Making, Match, numbered
from backend.benchmarks.patterns.shapes import (
    PATTERN_TYPES,
    Kind,
    Pattern,
    PatternEdge,
    PatternNode,
)
from backend.benchmarks.phrasing import sentence
from backend.benchmarks.serenqa.writing import NewQuestion
from backend.graphs.snapshots.view import GraphView, within

TRIES = 3_000  # draws for one question, after which a graph has no more of its type
# Steps from a node that is there to a new one; the asked node is 0, in the ring also 3.
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
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Links:
    """Some entries of one entity: each with its relation, its direction and who is there."""

    relations: NDArray[np.int64]
    outgoing: NDArray[np.bool_]
    others: NDArray[np.int64]

    @classmethod
    def of(cls, view: GraphView, number: int) -> Links:
        rows = [view.row(number, outgoing=outgoing) for outgoing in (True, False)]
        return cls(
            np.concatenate([row.relations for row in rows]).astype(np.int64),
            np.repeat([True, False], [len(row) for row in rows]),
            np.concatenate([row.neighbours for row in rows]).astype(np.int64),
        )

    def select(self, which: NDArray[np.bool_]) -> Links:
        return Links(self.relations[which], self.outgoing[which], self.others[which])

    def without(self, entities: list[int]) -> Links:
        return self.select(~np.isin(self.others, entities))

    def shared(self, other: Links, count: int) -> Links:
        """Those that lead both to the same entity in the same way; count: of all entities."""
        return self.select(np.isin(self.keys(count), other.keys(count)))

    def keys(self, count: int) -> NDArray[np.int64]:
        return (self.relations * 2 + self.outgoing) * count + self.others


@dataclass
class Drawing:
    """A match under way. twin: another entity with the same neighbours as the asked one."""

    making: Making
    type: str
    match: Match = field(default_factory=dict)
    edges: list[PatternEdge] = field(default_factory=list)
    twin: int = -1

    @property
    def view(self) -> GraphView:
        return self.making.view

    def draft(self) -> Draft | None:
        """None where the draw ends nowhere."""
        if not self.begun() or not all(self.step(*one) for one in STEPS[self.type][1:]):
            return None
        if self.type == RING and not self.closed():
            return None
        pattern = self.pattern()
        text = sentence(self.view, pattern)
        return Draft(pattern, self.match, text, f"generated:{PATTERN_TYPES[self.type]}")

    def begun(self) -> bool:
        """Any edge, from the asked node to the first other, and a twin at that other."""
        edge = self.view.edge(self.making.chance.randrange(self.view.edge_count))
        turned = {"1.1": True, "1.2": False}.get(self.type)
        if turned is None:
            turned = self.making.chance.random() < 0.5
        asked, other = (edge.target, edge.source) if turned else (edge.source, edge.target)
        self.match = {0: asked, 1: other}
        self.add(0, 1, edge.relation, outgoing=not turned)
        twins = self.alike(asked, other, edge.relation, outgoing=turned)
        if asked == other or not len(twins):
            return False
        self.twin = self.one_of(twins)
        return True

    def alike(self, asked: int, other: int, relation: int, *, outgoing: bool) -> NDArray[np.int64]:
        """Entities of the asked one's type that this relation joins to the other one too."""
        row = self.view.row(other, outgoing=outgoing)
        there = np.unique(row.neighbours[slice(*within(row, relation))]).astype(np.int64)
        same = self.view.type_of[there] == self.view.type_of[asked]
        found: NDArray[np.int64] = there[same & (there != asked) & (there != other)]
        return found

    def step(self, near: int, far: int) -> bool:
        """One more node, which the twin reaches as the asked node does."""
        links = Links.of(self.view, self.match[near]).without([*self.match.values(), self.twin])
        if near == 0:
            links = links.shared(Links.of(self.view, self.twin), self.view.entity_count)
        if self.type == RING and far == 3:
            links = self.of_ring(links)
        if not len(links.others):
            return False
        place = self.making.chance.randrange(len(links.others))
        self.match[far] = int(links.others[place])
        relation, outgoing = int(links.relations[place]), bool(links.outgoing[place])
        self.add(near, far, relation, outgoing=outgoing)
        return True

    def of_ring(self, links: Links) -> Links:
        """Those that close the ring, and ask for something else than the first half of it."""
        links = links.shared(Links.of(self.view, self.match[2]), self.view.entity_count)
        asked = self.view.type_of[self.match[0]]
        return links.select(self.view.type_of[links.others] != asked)

    def closed(self) -> bool:
        """The ring's last edge, which is as the one before."""
        last = self.edges[-1]
        start = 2 if last.start == 1 else 3
        self.edges.append(PatternEdge(start, 5 - start, last.relation))
        return True

    def add(self, near: int, far: int, relation: int, *, outgoing: bool) -> None:
        name = self.view.relations[relation].name
        start, end = (near, far) if outgoing else (far, near)
        self.edges.append(PatternEdge(start, end, name))

    def pattern(self) -> Pattern:
        """The ends of its branches are named; what lies between is named or unknown."""
        inner = {near for near, _ in STEPS[self.type] if near} if self.type != RING else set()
        asked = {0, 3} if self.type == RING else {0}
        unknown = {nid for nid in sorted(inner) if self.making.chance.random() < 0.5}
        nodes = []
        for nid in sorted(self.match):
            kind: Kind = "class" if nid in asked | unknown else "entity"
            type_ = self.view.types[self.view.type_of[self.match[nid]]]
            nodes.append(PatternNode(nid, kind, type_, type_, type_, asked=nid in asked))
        return Pattern(tuple(nodes), tuple(self.edges))

    def one_of(self, entities: NDArray[np.int64]) -> int:
        return int(entities[self.making.chance.randrange(len(entities))])


def draw_questions(
    view: GraphView,
    seed: int,
    count: int,
    most: int = MOST,
    progress: Progress = lambda _done: None,
) -> list[NewQuestion]:
    """As many of each type as can be, by type; fewer where a graph has not enough.

    most: answers of one question; progress: told how many questions there are.
    """
    making = Making.of(view, seed, most)
    by_type: dict[str, list[NewQuestion]] = {type_: [] for type_ in PATTERN_TYPES}
    for done, (type_, question) in enumerate(_in_turn(making, count), start=1):
        by_type[type_].append(question)
        progress(done)
    return numbered(chain.from_iterable(by_type.values()))


def _in_turn(making: Making, count: int) -> Iterator[tuple[str, NewQuestion]]:
    """One of each type after the other; a type that the graph has no more of is left out."""
    left, open_ = count, list(PATTERN_TYPES) if making.view.edge_count else []
    while left and open_:
        for type_ in open_[:left]:
            question = _drawn(making, type_)
            if question is None:
                open_.remove(type_)
            else:
                left -= 1
                yield type_, question


def _drawn(making: Making, type_: str) -> NewQuestion | None:
    for _ in range(TRIES):
        draft = Drawing(making, type_).draft()
        question = making.question(draft) if draft else None
        if question is not None:
            return question
    return None
