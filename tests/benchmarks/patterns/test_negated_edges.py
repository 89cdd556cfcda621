"""Edges that must not exist, and a path beside an edge, against sets of triples."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from backend.benchmarks.leakage_masks.question import support_edges
from backend.benchmarks.patterns.binding import PatternUnknown, bind_pattern
from backend.benchmarks.patterns.cypher import pattern_to_cypher
from backend.benchmarks.patterns.matching import find_matches, run_pattern
from backend.graphs.snapshots.graph_view import GraphView
from backend.tracks.serenqa_graph_queries import parse_pattern, pattern_to_graph_query
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode
from backend.validation.faults import FaultList
from backend.validation.json_files import JsonObject
from tests.benchmarks.patterns.factories import (
    SHAPES,
    every_match,
    random_graph,
    random_pattern,
    tried_out,
)

PATTERNS_A_GRAPH = 15
CONJUNCTION = ((1, 2), (2, 0), (1, 0))  # named to unknown to target, and named to target


def with_negated_edge(view: GraphView, pattern: Pattern, near: int, choice: int) -> Pattern:
    """One more edge at a node, which must not exist; its leaf is named or of a type."""
    entity = view.entity(choice % view.entity_count)
    leaf = len(pattern.nodes)
    is_named = choice % 3 == 0
    node = PatternNode(
        leaf, "entity" if is_named else "class", entity.id if is_named else "", entity.type
    )
    relation = view.relations[choice % len(view.relations)].name
    start, end = (near, leaf) if choice % 2 else (leaf, near)
    edge = PatternEdge(start, end, relation, is_negated=True)
    return Pattern((*pattern.nodes, node), (*pattern.edges, edge))


def tried_without_negated(view: GraphView, pattern: Pattern) -> frozenset[int]:
    """The matches of the other edges of which no completion has a negated edge."""
    absent = [edge for edge in pattern.edges if edge.is_negated]
    leaves = {max(edge.start, edge.end) for edge in absent}
    nodes = tuple(node for node in pattern.nodes if node.nid not in leaves)
    rest = Pattern(nodes, tuple(edge for edge in pattern.edges if not edge.is_negated))
    excluded: dict[int, set[int]] = {}
    for edge in absent:
        leaf = max(edge.start, edge.end)
        near = min(edge.start, edge.end)
        pair = Pattern(
            (replace(pattern.by_nid[near], is_target=True), pattern.by_nid[leaf]),
            (replace(edge, is_negated=False),),
        )
        excluded.setdefault(near, set()).update(tried_out(view, pair))
    return frozenset(
        match[node.nid]
        for match in every_match(view, rest)
        if not any(match[nid] in numbers for nid, numbers in excluded.items())
        for node in pattern.targets
    )


@pytest.mark.parametrize("shape", ["1.1", "1.2", "2.1", "4.1", "4.3", "conjunction"])
def test_answers_have_none_of_the_negated_edges(shape: str) -> None:
    edges = {**SHAPES, "conjunction": CONJUNCTION}[shape]
    fewer = more = 0
    for seed in range(5):
        with random_graph(seed, entities=5) as (snapshot, chance):
            for _ in range(PATTERNS_A_GRAPH):
                pattern = random_pattern(snapshot, chance, edges, named=0.3)
                near = chance.choice(sorted(pattern.by_nid))
                negated = with_negated_edge(snapshot, pattern, near, chance.randrange(60))
                answers = run_pattern(snapshot, negated)
                assert answers == tried_without_negated(snapshot, negated), negated
                assert answers <= run_pattern(snapshot, pattern)
                fewer += answers < run_pattern(snapshot, pattern)
                more += bool(answers)
    assert fewer >= 3 and more >= 3


def test_a_path_and_an_edge_together_are_both_required() -> None:
    answered = 0
    for seed in range(8):
        with random_graph(seed, entities=5) as (snapshot, chance):
            for _ in range(PATTERNS_A_GRAPH):
                pattern = random_pattern(snapshot, chance, CONJUNCTION, named=0.5)
                path = Pattern(pattern.nodes, pattern.edges[:2])
                ends = tuple(node for node in pattern.nodes if node.nid != 2)
                edge = Pattern(ends, pattern.edges[2:])
                answers = run_pattern(snapshot, pattern)
                assert answers <= run_pattern(snapshot, path) & run_pattern(snapshot, edge)
                if not pattern.by_nid[1].is_variable:
                    assert answers == run_pattern(snapshot, path) & run_pattern(snapshot, edge)
                answered += bool(answers)
    assert answered


def negated_pattern() -> Pattern:
    nodes = (
        PatternNode(0, "class", "Disease", "Disease", "Disease", is_target=True),
        PatternNode(1, "entity", "X:1", "Drug", "name 1"),
        PatternNode(2, "class", "Drug", "Drug", "Drug"),
    )
    return Pattern(nodes, (PatternEdge(1, 0, "treats"), PatternEdge(2, 0, "treats", True)))


def written(pattern: Pattern) -> object:
    """As a file has it."""
    return json.loads(json.dumps(pattern_to_graph_query(pattern)), object_pairs_hook=JsonObject)


def test_a_negated_edge_is_written_and_read_again() -> None:
    faults = FaultList()
    assert parse_pattern(written(negated_pattern()), "here", faults) == negated_pattern()
    assert not faults.total
    assert negated_pattern().type == ""
    plain = Pattern(negated_pattern().nodes[:2], negated_pattern().edges[:1])
    edges = pattern_to_graph_query(plain)["edges"]
    assert isinstance(edges, list) and "negated" not in edges[0]


@pytest.mark.parametrize(
    "edges",
    [
        [(1, 0, True)],  # nothing that must exist
        [(1, 0, False), (2, 0, True), (2, 1, False)],  # its far node has another edge
        [(1, 2, False), (2, 0, True)],  # its leaf is the target
    ],
)
def test_a_negated_edge_without_a_leaf_is_refused(edges: list[tuple[int, int, bool]]) -> None:
    used = {nid for start, end, _ in edges for nid in (start, end)}
    nodes = tuple(node for node in negated_pattern().nodes if node.nid in used)
    pattern = Pattern(nodes, tuple(PatternEdge(a, b, "treats", no) for a, b, no in edges))
    faults = FaultList()
    assert parse_pattern(written(pattern), "here", faults) is None
    assert [fault.code for fault in faults.listed] == ["no_leaf"]
    with random_graph(0) as (snapshot, _):
        with pytest.raises(PatternUnknown) as raised:
            bind_pattern(snapshot, pattern)
        assert "no_leaf" in {fault.code for fault in raised.value.faults}


def test_a_query_says_what_must_not_exist() -> None:
    assert pattern_to_cypher(negated_pattern()).splitlines()[:4] == [
        "MATCH (n0:Disease)",
        'MATCH (n1:Drug {id: "X:1"})',
        "MATCH (n1)-[:treats]->(n0)",
        "WHERE NOT EXISTS { MATCH (:Drug)-[:treats]->(n0) }",
    ]


def test_masks_see_the_edges_of_a_match_alone() -> None:
    with random_graph(1, entities=5) as (snapshot, chance):
        pattern = random_pattern(snapshot, chance, SHAPES["1.1"], named=0)
        negated = with_negated_edge(snapshot, pattern, 0, 5)
        matches = find_matches(snapshot, negated)
        assert len(matches.bound.edges) == 1
        for edge in support_edges(snapshot, matches):
            record = snapshot.edge(edge)
            assert {record.source, record.target} & matches.answers
