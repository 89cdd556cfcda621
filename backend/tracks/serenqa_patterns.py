"""The pattern of a question and its type, one of nine of SerenQA's appendix A.2.

The type is derived from the shape and the position of the target node, since the labels in the
files contradict the paper's table. With A the target node and o any other one:

    1.1  o → A         1.2  A → o        2.1  A - o - o      3.1  A - o - o - o
    3.2  o - A - o - o                   3.3  A - o < (o, o)
    4.1  o - A - o     4.2  A with three neighbours          4.3  a ring of four

Only 1.1 and 1.2 differ by the direction of an edge. It makes no difference whether an o is named or
unknown, nor whether a ring has one or two target nodes.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

NodeKind = Literal["entity", "class"]
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
    """A named entity, or any entity of a type. `name` and `id` are those of the file."""

    nid: int
    kind: NodeKind
    id: str
    type: str
    name: str = ""
    is_target: bool = False

    @property
    def is_variable(self) -> bool:
        return self.kind == "class"


@dataclass(frozen=True, slots=True)
class PatternEdge:
    """is_negated: no such edge may exist, to the named entity or to any of the type at its leaf."""

    start: int
    end: int
    relation: str
    is_negated: bool = False

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
    def targets(self) -> tuple[PatternNode, ...]:
        return tuple(node for node in self.nodes if node.is_target)

    @property
    def variables(self) -> tuple[PatternNode, ...]:
        return tuple(node for node in self.nodes if node.is_variable)

    def edges_at(self, nid: int) -> tuple[PatternEdge, ...]:
        return tuple(edge for edge in self.edges if nid in (edge.start, edge.end))

    @cached_property
    def type(self) -> str:
        """One of PATTERN_TYPES; empty for any other shape."""
        return _classify(self)


def find_negated_leaf(pattern: Pattern, edge: PatternEdge) -> int | None:
    """The end of a negated edge without another edge; the other end has an edge that must exist.

    None if the edge has no such end.
    """
    for nid in (edge.start, edge.end):
        near = edge.other(nid)
        is_leaf = not pattern.by_nid[nid].is_target and pattern.edges_at(nid) == (edge,)
        if is_leaf and any(not one.is_negated for one in pattern.edges_at(near)):
            return nid
    return None


def reachable_nodes(pattern: Pattern) -> frozenset[int]:
    """Nodes connected to the first node."""
    neighbours = _neighbours(pattern)
    result, open_ = {pattern.nodes[0].nid}, [pattern.nodes[0].nid]
    while open_:
        new = neighbours[open_.pop()] - result
        result |= new
        open_ += new
    return frozenset(result)


def _neighbours(pattern: Pattern) -> defaultdict[int, set[int]]:
    result = defaultdict[int, set[int]](set)
    for edge in pattern.edges:
        result[edge.start].add(edge.end)
        result[edge.end].add(edge.start)
    return result


def _classify(pattern: Pattern) -> str:
    near = _neighbours(pattern)
    size = len(pattern.edges)
    if any(edge.is_negated for edge in pattern.edges):
        return ""
    once = {frozenset((edge.start, edge.end)) for edge in pattern.edges}
    if len(once) < size or len(reachable_nodes(pattern)) < len(pattern.nodes):
        return ""
    if size == len(pattern.nodes):
        return _classify_ring(pattern, near)
    if size != len(pattern.nodes) - 1 or len(pattern.targets) != 1:
        return ""
    return _classify_tree(pattern, pattern.targets[0].nid, near)


def _classify_ring(pattern: Pattern, near: Mapping[int, set[int]]) -> str:
    ring = len(pattern.nodes) == 4 and all(len(near[node.nid]) == 2 for node in pattern.nodes)
    return "4.3" if ring and len(pattern.targets) in (1, 2) else ""


def _classify_tree(pattern: Pattern, target: int, near: Mapping[int, set[int]]) -> str:
    """By the number of edges, the degree of the target, and whether another node branches."""
    degrees = Counter({nid: len(near[nid]) for nid in near})
    branches = any(degrees[nid] > 2 for nid in degrees if nid != target)
    match len(pattern.edges), degrees[target], branches:
        case 1, 1, False:
            return "1.1" if pattern.edges[0].end == target else "1.2"
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
