"""A pattern's answers are those that trying every assignment finds, also in a masked graph."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from backend.benchmarks.patterns.binding import PatternUnknown, bind_pattern
from backend.benchmarks.patterns.joins import PatternTooLarge
from backend.benchmarks.patterns.matching import find_matches, run_pattern
from backend.common.errors import DomainError
from backend.graphs.cypher.database_builder import build_database
from backend.graphs.cypher.query_runner import QueryLimits, run_query
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode
from tests.benchmarks.patterns.factories import (
    OTHERS,
    SHAPES,
    every_match,
    random_graph,
    random_pattern,
    random_rows,
    tried_out,
)
from tests.benchmarks.patterns.oracles import cypher_for
from tests.graphs.cypher.factories import build_engine_database

ALL = {**SHAPES, **OTHERS}
PATTERNS_A_GRAPH = 20
PATIENT = QueryLimits(seconds=120)  # how long the engine takes is not what is tested


@pytest.mark.parametrize("shape", ALL)
def test_answers_are_those_that_trying_everything_finds(shape: str) -> None:
    result = 0
    for seed in range(6):
        with random_graph(seed, entities=4) as (snapshot, chance):
            for _ in range(PATTERNS_A_GRAPH):
                pattern = random_pattern(
                    snapshot, chance, ALL[shape], named=chance.choice([0, 0.7])
                )
                answers = run_pattern(snapshot, pattern)
                assert answers == tried_out(snapshot, pattern), pattern
                result += bool(answers)
    assert result >= 10


@pytest.mark.parametrize("shape", ALL)
def test_answers_in_a_graph_with_edges_removed_are_those_of_what_is_left(shape: str) -> None:
    for seed in range(3):
        with random_graph(seed, entities=4) as (snapshot, chance):
            removed = chance.sample(range(snapshot.edge_count), snapshot.edge_count // 3)
            masked = Overlay(snapshot, removed)
            for _ in range(PATTERNS_A_GRAPH):
                pattern = random_pattern(snapshot, chance, ALL[shape])
                assert run_pattern(masked, pattern) == tried_out(masked, pattern), pattern


def test_two_asked_nodes_give_the_answers_of_both() -> None:
    result = 0
    for seed in range(10):
        with random_graph(seed) as (snapshot, chance):
            for _ in range(PATTERNS_A_GRAPH):
                pattern = random_pattern(snapshot, chance, SHAPES["4.3"], query=(0, 3))
                matches = find_matches(snapshot, pattern)
                tried = list(every_match(snapshot, pattern))
                for nid in (0, 3):
                    assert {*matches.answers_by_node[nid].tolist()} == {one[nid] for one in tried}
                result += bool(matches.answers)
    assert result >= 10


def test_values_and_joins_of_a_tree_are_exactly_those_of_its_matches() -> None:
    for shape in SHAPES.values():
        for seed in range(3):
            with random_graph(seed, entities=4) as (snapshot, chance):
                for _ in range(PATTERNS_A_GRAPH):
                    pattern = random_pattern(snapshot, chance, shape)
                    if len(shape) == 4 and len(pattern.variables) == 4:
                        continue  # a ring of unknown nodes: only its answers are exact
                    matches = find_matches(snapshot, pattern)
                    tried = list(every_match(snapshot, pattern))
                    for node in pattern.nodes:
                        assert {*matches.values[node.nid].tolist()} == {m[node.nid] for m in tried}
                    for edge in matches.bound.edges:
                        for entity in matches.values[edge.start].tolist():
                            beyond = matches.partners_at(edge.start, entity, edge)
                            assert {*beyond} == {
                                m[edge.end] for m in tried if m[edge.start] == entity
                            }


def test_the_cypher_of_a_pattern_finds_the_same_answers(tmp_path: Path) -> None:
    chance = random.Random(5)  # noqa: S311  test data
    copy = build_engine_database(random_rows(chance), tmp_path)
    again = build_database(copy.snapshot, tmp_path / "cypher")
    result = 0
    for shape in SHAPES.values():
        query = random_pattern(copy.snapshot, chance, shape, named=0.7)
        for _ in range(200):
            if run_pattern(copy.snapshot, query):
                break
            query = random_pattern(copy.snapshot, chance, shape, named=0.7)
        rows = run_query(again, _cypher(copy.snapshot, query), limits=PATIENT).rows
        output = {copy.snapshot.find_number(str(identifier)) for row in rows for identifier in row}
        assert output == run_pattern(copy.snapshot, query)
        result += bool(output)
    assert result == len(SHAPES)


def _cypher(snapshot: Snapshot, pattern: Pattern) -> str:
    return cypher_for(snapshot, bind_pattern(snapshot, pattern))


def one_hop(*, identifier: str = "X:1", type_: str = "Disease") -> Pattern:
    query = PatternNode(0, "class", "Drug", "Drug", is_target=True)
    named = PatternNode(1, "entity", identifier, type_)
    return Pattern((query, named), (PatternEdge(0, 1, "treats"),))


def test_everything_that_a_graph_lacks_is_named() -> None:
    query = PatternNode(0, "class", "Moon", "Moon", is_target=True)
    pattern = Pattern((query, one_hop(identifier="X:99").nodes[1]), (PatternEdge(0, 1, "eats"),))
    with random_graph(1) as (snapshot, _), pytest.raises(PatternUnknown) as caught:
        run_pattern(snapshot, pattern)
    assert [(fault.place, fault.code) for fault in caught.value.faults] == [
        ("node 0, class", "no_type"),
        ("node 1, id", "no_entity"),
        ("edge 0, friendly_name", "no_relation"),
    ]


def test_an_entity_of_another_type_than_the_pattern_says_is_a_fault() -> None:
    with random_graph(1) as (snapshot, _):
        number = snapshot.find_number("X:1")
        assert number is not None
        other = {"Drug": "Disease", "Disease": "Drug"}[snapshot.entity(number).type]
        with pytest.raises(PatternUnknown) as caught:
            run_pattern(snapshot, one_hop(type_=other))
    assert [fault.code for fault in caught.value.faults] == ["other_type"]


def test_names_may_differ_from_the_graphs_in_case_and_underscores() -> None:
    with random_graph(1) as (snapshot, _):
        number = snapshot.find_number("X:1")
        assert number is not None
        kind = snapshot.entity(number).type
        plain = one_hop(type_=kind)
        edge = PatternEdge(0, 1, "causes EFFECT")
        loose = Pattern((plain.nodes[0], one_hop(type_=kind.upper()).nodes[1]), (edge,))
        exact = Pattern(plain.nodes, (PatternEdge(0, 1, "CAUSES_effect"),))
        assert run_pattern(snapshot, loose) == run_pattern(snapshot, exact)


def test_too_much_to_look_at_ends_the_search() -> None:
    with random_graph(1) as (snapshot, chance):
        pattern = random_pattern(snapshot, chance, SHAPES["3.1"], named=0)
        with pytest.raises(PatternTooLarge):
            run_pattern(snapshot, pattern, work=10)


def test_whoever_does_not_wait_any_more_ends_the_search() -> None:
    stop = CancellationToken()
    stop.cancel()
    with random_graph(1) as (snapshot, chance):
        pattern = random_pattern(snapshot, chance, SHAPES["3.1"], named=0)
        with pytest.raises(DomainError) as raised:
            run_pattern(snapshot, pattern, stop=stop)
        assert raised.value.code == "pattern_stopped"
