"""Patterns of every shape on small random graphs, and their answers by trying everything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode
from tests.graphs.snapshots.sources import SYMMETRIC_RELATION, SourceRows, build_snapshot_of

TYPES = ("Drug", "Disease")
RELATIONS = ("treats", "CAUSES_effect", SYMMETRIC_RELATION)
# Edges between places; the asked node is 0, in the second ring also 3.
SHAPES: dict[str, tuple[tuple[int, int], ...]] = {
    "1.1": ((1, 0),),
    "1.2": ((0, 1),),
    "2.1": ((0, 1), (1, 2)),
    "3.1": ((0, 1), (1, 2), (2, 3)),
    "3.2": ((0, 1), (1, 2), (0, 3)),
    "3.3": ((0, 1), (1, 2), (1, 3)),
    "4.1": ((0, 1), (0, 2)),
    "4.2": ((0, 1), (0, 2), (0, 3)),
    "4.3": ((0, 1), (0, 2), (3, 1), (3, 2)),
}
OTHERS: dict[str, tuple[tuple[int, int], ...]] = {
    "a triangle": ((0, 1), (1, 2), (2, 0)),
    "two edges between two nodes": ((0, 1), (1, 0)),
    "two triangles": ((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)),
    "a ring of five": ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)),
    "four edges": ((0, 1), (1, 2), (2, 3), (2, 4)),
}


def random_rows(chance: random.Random, entities: int = 7, edges: int = 24) -> SourceRows:
    """Parallel edges, loops and entities without links are common."""
    nodes = [NodeRow(f"X:{n}", chance.choice(TYPES), f"name {n}") for n in range(entities)]
    created = [
        EdgeRow(
            f"X:{chance.randrange(entities)}",
            chance.choice(RELATIONS),
            f"X:{chance.randrange(entities)}",
            evidence=chance.choice(["", "a", "b"]),
        )
        for _ in range(edges)
    ]
    # So that the graph has every type and relation, whatever chance made of it.
    sure = [EdgeRow("X:0", one, "X:1") for one in RELATIONS]
    return SourceRows(
        [NodeRow("Y:0", "Drug", "y"), NodeRow("Y:1", "Disease", "z"), *nodes], [*created, *sure]
    )


def random_pattern(
    view: GraphView,
    chance: random.Random,
    shape: tuple[tuple[int, int], ...],
    *,
    named: float = 0.6,
    query: tuple[int, ...] = (0,),
) -> Pattern:
    """Directions are turned at random, but for one edge alone, whose direction is its type."""
    count = max(max(pair) for pair in shape) + 1
    nodes = []
    for place in range(count):
        entity = view.entity(chance.randrange(view.entity_count))
        is_named = place not in query and chance.random() < named
        nodes.append(
            PatternNode(
                nid=place,
                kind="entity" if is_named else "class",
                id=entity.id if is_named else entity.type,
                type=entity.type,
                name=entity.name if is_named else entity.type,
                is_target=place in query,
            )
        )
    turned = [pair[::-1] if len(shape) > 1 and chance.random() < 0.5 else pair for pair in shape]
    edges = [PatternEdge(start, end, chance.choice(RELATIONS)) for start, end in turned]
    return Pattern(tuple(nodes), tuple(edges))


def every_match(view: GraphView, pattern: Pattern) -> Iterator[dict[int, int]]:
    """Every assignment of entities to nodes, tried one after the other."""
    entities = list(view.entities())
    there = set()
    for edge in view.edges():
        relation = view.relations[edge.relation]
        there.add((edge.source, relation.name, edge.target))
        if relation.symmetric:
            there.add((edge.target, relation.name, edge.source))
    choices = [
        [
            one.number
            for one in entities
            if one.type == node.type and (node.is_variable or one.id == node.id)
        ]
        for node in pattern.nodes
    ]
    place = {node.nid: at for at, node in enumerate(pattern.nodes)}
    needed = [(place[e.start], e.relation, place[e.end]) for e in pattern.edges]
    for chosen in product(*choices):
        if all((chosen[start], name, chosen[end]) in there for start, name, end in needed):
            yield {node.nid: one for node, one in zip(pattern.nodes, chosen, strict=True)}


def tried_out(view: GraphView, pattern: Pattern) -> frozenset[int]:
    return frozenset(
        match[node.nid] for match in every_match(view, pattern) for node in pattern.targets
    )


@contextmanager
def random_graph(seed: int, **sizes: int) -> Iterator[tuple[Snapshot, random.Random]]:
    chance = random.Random(seed)  # noqa: S311  test data
    with build_snapshot_of(random_rows(chance, **sizes)) as snapshot:
        yield snapshot, chance
