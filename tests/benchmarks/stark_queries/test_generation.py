"""Queries of STaRK's templates: their gold answers by networkx and sets, and their statistics."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from backend.benchmarks.stark_queries.conditions import draw_phrase, has_phrase, split_words
from backend.benchmarks.stark_queries.generation import (
    StarkQuery,
    bind_templates,
    draw_gold_queries,
    generate_queries,
)
from backend.benchmarks.stark_queries.templates import TEMPLATES
from backend.common.errors import DomainError
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.benchmarks.stark_queries.factories import PrimekgRows, VocabularyRows
from tests.graphs.snapshots.sources import SourceRows


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return open_snapshot(build_snapshot(PrimekgRows(1), tmp_path_factory.mktemp("primekg")).path)


@pytest.fixture(scope="module")
def queries(snapshot: Snapshot) -> list[StarkQuery]:
    return generate_queries(snapshot, 28 * 4, seed=1, max_answers=20)


def to_networkx(view: GraphView) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    for entity in view.entities():
        text = " ".join(section.text for section in view.document(entity.number))
        graph.add_node(entity.number, id=entity.id, type=entity.type, text=text)
    for edge in view.edges():
        relation = view.relations[edge.relation]
        graph.add_edge(edge.source, edge.target, relation=relation.name)
        if relation.symmetric:
            graph.add_edge(edge.target, edge.source, relation=relation.name)
    return graph


def gold(graph: nx.MultiDiGraph, query: StarkQuery) -> set[int]:
    """The values of the target over all assignments, tried one after the other."""
    links = {(one, data["relation"], other) for one, other, data in graph.edges(data=True)}
    pattern = query.pattern
    leaves = {
        nid
        for edge in pattern.edges
        if edge.is_negated
        for nid in (edge.start, edge.end)
        if pattern.edges_at(nid) == (edge,)
    }
    choices = {
        node.nid: [
            number
            for number, data in graph.nodes(data=True)
            if (data["type"] == node.type if node.is_variable else data["id"] == node.id)
        ]
        for node in pattern.nodes
    }

    def holds(match: dict[int, int]) -> bool:
        return all(
            ((match[e.start], e.relation, match[e.end]) in links)
            for e in pattern.edges
            if not e.is_negated
        ) and not any(
            (
                leaf if e.start in leaves else match[e.start],
                e.relation,
                leaf if e.end in leaves else match[e.end],
            )
            in links
            for e in pattern.edges
            if e.is_negated
            for leaf in choices[e.start if e.start in leaves else e.end]
        )

    target = pattern.targets[0].nid
    named = {choices[node.nid][0] for node in pattern.nodes if not node.is_variable}
    others = [node.nid for node in pattern.nodes if node.nid not in leaves]
    matches = {match[target] for match in assignments(choices, others) if holds(match)}
    phrase = " ".join(query.phrase)
    return {one for one in matches - named if phrase in graph.nodes[one]["text"].casefold()}


def assignments(choices: dict[int, list[int]], nids: list[int]) -> Iterator[dict[int, int]]:
    if not nids:
        yield {}
        return
    for rest in assignments(choices, nids[1:]):
        for one in choices[nids[0]]:
            yield {**rest, nids[0]: one}


PRIME = [one for one in TEMPLATES if one.vocabulary == "prime"]


def test_all_templates_of_the_appendix_are_there(snapshot: Snapshot) -> None:
    assert len(TEMPLATES) == len({one.slug for one in TEMPLATES})
    counts = Counter(one.vocabulary for one in TEMPLATES)
    assert counts == {"prime": 28, "amazon": 4 + 5, "mag": 7}
    assert [one for one, _ in bind_templates(snapshot)] == PRIME
    assert sum(any(edge.is_negated for edge in one.pattern.edges) for one in PRIME) == 1
    rings = [one for one in PRIME if len(one.pattern.edges) == len(one.pattern.nodes)]
    assert len(rings) == 4


@pytest.mark.parametrize("vocabulary", ["amazon", "mag"])
def test_graphs_of_products_and_papers_have_queries_of_their_own_templates(
    vocabulary: str, tmp_path: Path
) -> None:
    view = open_snapshot(build_snapshot(VocabularyRows(vocabulary, 1), tmp_path).path)
    slugs = {one.slug for one in TEMPLATES if one.vocabulary == vocabulary}
    assert {one.slug for one, _ in bind_templates(view)} == slugs
    drawn, graph = generate_queries(view, 4 * len(slugs), seed=1, max_answers=20), to_networkx(view)
    assert {one.template for one in drawn} == slugs
    for query in drawn:
        assert {*query.answers} == gold(graph, query), query


def test_whoever_would_search_is_stated_by_the_graph_and_the_type_of_the_answer(
    snapshot: Snapshot, tmp_path: Path
) -> None:
    clinical = ("doctor", "scientist", "patient")
    for query, answer, roles in draw_gold_queries(snapshot, 56, seed=1, max_answers=20):
        type_ = snapshot.entity(answer).type
        assert roles == (clinical if type_ in ("drug", "disease") else ("scientist",)), query
    for vocabulary, role in (("amazon", "shopper"), ("mag", "researcher")):
        rows = VocabularyRows(vocabulary, 1)
        view = open_snapshot(build_snapshot(rows, tmp_path / vocabulary).path)
        drawn = draw_gold_queries(view, 18, seed=1, max_answers=20)
        assert {one.roles for one in drawn} == {(role,)}


def test_gold_answers_are_those_that_trying_everything_finds(
    snapshot: Snapshot, queries: list[StarkQuery]
) -> None:
    graph = to_networkx(snapshot)
    for query in queries:
        assert {*query.answers} == gold(graph, query), query
    assert {query.template for query in queries} >= {
        one.slug for one in PRIME if not any(edge.is_negated for edge in one.pattern.edges)
    }
    assert any(query.phrase for query in queries) and any(not query.phrase for query in queries)


def test_a_negated_template_gives_queries_too(tmp_path: Path) -> None:
    rows = PrimekgRows(2)
    edges = [one for one in rows.edges() if one.relation != "indication"]
    few = [EdgeRow("drug:0", "indication", f"disease:{number}") for number in range(4)]
    source = SourceRows([*rows.nodes()], [*edges, *few])
    view = open_snapshot(build_snapshot(source, tmp_path).path)
    graph = to_networkx(view)
    drawn = [
        one
        for one in generate_queries(view, 84, seed=3, max_answers=20)
        if one.template == "absent-phenotype-unindicated"
    ]
    assert drawn
    for query in drawn:
        assert {*query.answers} == gold(graph, query)


def test_the_same_seed_gives_the_same_queries(
    snapshot: Snapshot, queries: list[StarkQuery]
) -> None:
    assert generate_queries(snapshot, 28 * 4, seed=1, max_answers=20) == queries
    assert generate_queries(snapshot, 28 * 4, seed=2, max_answers=20) != queries


def test_a_query_names_no_answer_and_each_is_asked_once(
    snapshot: Snapshot, queries: list[StarkQuery]
) -> None:
    assert len({query.text for query in queries}) == len(queries)
    for query in queries:
        assert 1 <= len(query.answers) <= 20
        named = {node.id for node in query.pattern.nodes if not node.is_variable}
        assert named and named.isdisjoint(snapshot.entity(one).id for one in query.answers)
        assert "{" not in query.text


def test_a_graph_of_another_vocabulary_has_no_template(tmp_path: Path) -> None:
    rows = SourceRows([NodeRow("X:1", "T", "one")], [EdgeRow("X:1", "r", "X:1")])
    with pytest.raises(DomainError, match="lacks the types and relations"):
        bind_templates(open_snapshot(build_snapshot(rows, tmp_path).path))


def test_a_phrase_is_found_word_for_word_within_one_section() -> None:
    sections = [split_words("Binds the μ-opioid receptor."), split_words("Strongly so.")]
    assert sections[0] == ["binds", "the", "μ-opioid", "receptor"]
    assert has_phrase(sections, ("the", "μ-opioid", "receptor"))
    assert not has_phrase(sections, ("the", "receptor"))
    assert not has_phrase(sections, ("receptor", "strongly"))


def test_a_drawn_phrase_has_no_word_of_the_name() -> None:
    sections = [split_words("aspirin inhibits enzymes which produce prostaglandins quickly")]
    for seed in range(20):
        phrase = draw_phrase(sections, ("Aspirin",), random.Random(seed))  # noqa: S311  test data
        assert phrase and "aspirin" not in phrase and has_phrase(sections, phrase)
    assert draw_phrase([["one"]], (), random.Random(1)) == ()  # noqa: S311  test data
