"""A question's pattern, and which of the nine types of SerenQA's appendix A.2 it has.

The type is told from the shape and from where in it the asked node stands, for what the files
say themselves contradicts the paper's own table. With A the asked node, o any other one:

    1.1  o → A         1.2  A → o        2.1  A - o - o      3.1  A - o - o - o
    3.2  o - A - o - o                   3.3  A - o < (o, o)
    4.1  o - A - o     4.2  A with three neighbours          4.3  a ring of four

Only 1.1 and 1.2 differ by the direction of an edge. Whether an o is a named entity or unknown,
and in a ring whether one or two nodes are asked, does not change the type.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["entity", "class"]
PATTERN_TYPES: Mapping[str, str] = {
    "1.1": "One hop",
    "1.2": "One hop",
    "2.1": "Two hops",
    "3.1": "Three hops",
    "3.2": "Three hops",
    "3.3": "Three hops",
    "4.1": "Intersection",
    "4.2": "Intersection",
    "4.3": "Intersection",
}


@dataclass(frozen=True, slots=True)
class PatternNode:
    """A named entity, or any entity of a type. `name` and `id` are as the file has them."""

    nid: int
    kind: Kind
    id: str
    type: str
    name: str = ""
    asked: bool = False

    @property
    def is_variable(self) -> bool:
        return self.kind == "class"


@dataclass(frozen=True, slots=True)
class PatternEdge:
    start: int
    end: int
    relation: str

    def other(self, nid: int) -> int:
        return self.end if nid == self.start else self.start


@dataclass(frozen=True)
class Pattern:
    nodes: tuple[PatternNode, ...]
    edges: tuple[PatternEdge, ...]

    @cached_property
    def by_nid(self) -> Mapping[int, PatternNode]:
        return {node.nid: node for node in self.nodes}

    @property
    def asked(self) -> tuple[PatternNode, ...]:
        return tuple(node for node in self.nodes if node.asked)

    @property
    def variables(self) -> tuple[PatternNode, ...]:
        return tuple(node for node in self.nodes if node.is_variable)

    def edges_at(self, nid: int) -> tuple[PatternEdge, ...]:
        return tuple(edge for edge in self.edges if nid in (edge.start, edge.end))

    @cached_property
    def type(self) -> str:
        """One of PATTERN_TYPES; empty where the shape is none of them."""
        return _type_of(self)


def reached(pattern: Pattern) -> frozenset[int]:
    """The nodes that hang together with the first."""
    neighbours = _neighbours(pattern)
    found, open_ = {pattern.nodes[0].nid}, [pattern.nodes[0].nid]
    while open_:
        new = neighbours[open_.pop()] - found
        found |= new
        open_ += new
    return frozenset(found)


def _neighbours(pattern: Pattern) -> defaultdict[int, set[int]]:
    found = defaultdict[int, set[int]](set)
    for edge in pattern.edges:
        found[edge.start].add(edge.end)
        found[edge.end].add(edge.start)
    return found


def _type_of(pattern: Pattern) -> str:
    near = _neighbours(pattern)
    size = len(pattern.edges)
    once = {frozenset((edge.start, edge.end)) for edge in pattern.edges}
    if len(once) < size or len(reached(pattern)) < len(pattern.nodes):
        return ""
    if size == len(pattern.nodes):
        return _type_of_ring(pattern, near)
    if size != len(pattern.nodes) - 1 or len(pattern.asked) != 1:
        return ""
    return _type_of_tree(pattern, pattern.asked[0].nid, near)


def _type_of_ring(pattern: Pattern, near: Mapping[int, set[int]]) -> str:
    ring = len(pattern.nodes) == 4 and all(len(near[node.nid]) == 2 for node in pattern.nodes)
    return "4.3" if ring and len(pattern.asked) in (1, 2) else ""


def _type_of_tree(pattern: Pattern, asked: int, near: Mapping[int, set[int]]) -> str:
    """By the number of edges, the degree of the asked node, and whether another one branches."""
    degrees = Counter({nid: len(near[nid]) for nid in near})
    branches = any(degrees[nid] > 2 for nid in degrees if nid != asked)
    match len(pattern.edges), degrees[asked], branches:
        case 1, 1, False:
            return "1.1" if pattern.edges[0].end == asked else "1.2"
        case 2, 1, False:
            return "2.1"
        case 2, 2, False:
            return "4.1"
        case 3, 1, False:
            return "3.1"
        case 3, 2, False:
            return "3.2"
        case 3, 1, True:
            return "3.3"
        case 3, 3, False:
            return "4.2"
    return ""
