"""BioHopR's questions of a graph, against networkx over the rows of the graph's files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

import networkx as nx
import pytest

from backend.benchmarks.hop_questions.construction import HopFactory, HopOptions
from backend.benchmarks.hop_questions.type_steps import (
    PAPER_TYPES,
    find_steps,
    paper_metapaths,
    parse_two_hops,
)
from backend.common.errors import DomainError
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, GraphSource, NodeRow
from backend.tracks.biohopr.rows import HopRow
from tests.graphs.cypher.factories import DEMO
from tests.graphs.snapshots.sources import RELATIONS, SYMMETRIC_RELATION, SourceRows
from tests.thorough import thorough

MANY = HopOptions(count=100_000, most_answers=1_000)


@dataclass(frozen=True)
class Sample:
    """A snapshot, its rows in networkx, and all questions of the paper's types."""

    graph: Snapshot
    peer: nx.MultiDiGraph
    symmetric: frozenset[str]
    rows: list[HopRow]

    def walk(self, start: str, relation: str, end_type: str) -> set[str]:
        """Entities over one step of a metapath's key, such as '>treats'."""
        way, name = relation[0], relation[1:]
        ends = set()
        if way in ">=":
            ends |= {b for _, b, r in self.peer.out_edges(start, keys=True) if r == name}
        if way in "<=":
            ends |= {a for a, _, r in self.peer.in_edges(start, keys=True) if r == name}
        return {one for one in ends - {start} if self.peer.nodes[one]["type"] == end_type}

    def answers(self, row: HopRow) -> set[str]:
        parts = row.metapath.replace("%2F", "/").split("/")
        reached = self.walk(row.query_id, parts[1], parts[2])
        if row.hops == 1:
            return reached
        over = [self.walk(bridge, parts[3], parts[4]) for bridge in reached]
        return set().union(*over) - {row.query_id}


def make(source: GraphSource, folder: Path, options: HopOptions = MANY) -> Sample:
    graph = open_snapshot(build_snapshot(source, folder).path)
    peer: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in source.nodes():
        if isinstance(node, NodeRow):
            peer.add_node(node.id, type=node.type)
    for edge in source.edges():
        if isinstance(edge, EdgeRow):
            peer.add_edge(edge.source, edge.target, edge.relation)
    symmetric = frozenset(one.name for one in graph.relations if one.symmetric)
    rows = [*HopFactory(graph, options).write(paper_metapaths(graph))]
    return Sample(graph, peer, symmetric, rows)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return make(open_source([DEMO]).source, tmp_path_factory.mktemp("demo"))


def require_what_holds(sample: Sample) -> None:
    """Answers are networkx's; every two-hop question has its partner; none of one hop is alone."""
    by_key = {row.question_id: row for row in sample.rows}
    assert len(by_key) == len(sample.rows)
    needed = set()
    for row in sample.rows:
        assert {one.id for one in row.answers} == sample.answers(row), row
        assert len(row.answers) >= 2
        if row.hops == 1:
            assert row.partner == ""
            continue
        partner = by_key[row.partner]
        first, bridge, *_ = row.metapath.split("/")[1:]
        assert partner.hops == 1 and partner.form == row.form
        assert partner.query_id in sample.walk(row.query_id, first, bridge)
        assert row.metapath.endswith(partner.metapath)
        assert row.relation_type.partition(":")[2] == partner.relation_type
        assert row.relation_type in PAPER_TYPES
        start = row.metapath.removesuffix("/" + "/".join(row.metapath.split("/")[3:]))
        needed |= {(partner.metapath, partner.query_id), (start, row.query_id)}
    alone = {(row.metapath, row.query_id) for row in sample.rows if row.hops == 1} - needed
    assert not alone


def test_answers_on_the_demo_graph_are_those_of_networkx(demo: Sample) -> None:
    assert sum(row.hops == 2 for row in demo.rows) > 1_000
    require_what_holds(demo)


def test_every_query_that_is_one_many_many_is_asked_on_the_demo_graph(demo: Sample) -> None:
    """The slow enumeration: at least two bridges with targets, 2 answers, a bridge with 2."""
    expected = set()
    for metapath in {row.metapath for row in demo.rows if row.hops == 2}:
        start, first, middle, second, end = metapath.split("/")
        for query, data in demo.peer.nodes(data=True):
            if data["type"] != start:
                continue
            bridges = demo.walk(query, first, middle)
            targets = {one: demo.walk(one, second, end) for one in bridges}
            reaching = [one for one in bridges if targets[one] - {query}]
            answers = set().union(*targets.values()) - {query}
            has_partner = any(2 <= len(targets[one]) <= 1_000 for one in reaching)
            if len(reaching) >= 2 and 2 <= len(answers) <= 1_000 and has_partner:
                expected.add((metapath, query))
    assert {(row.metapath, row.query_id) for row in demo.rows if row.hops == 2} == expected


@thorough
@pytest.mark.skipif("SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder")
def test_answers_on_the_sample_of_hetionet_are_those_of_networkx(tmp_path: Path) -> None:
    source = open_source([Path(os.environ["SERENDIB_DATA"]) / "hetionet"]).source
    sample = make(source, tmp_path, replace(MANY, count=40))
    assert len({row.relation_type for row in sample.rows if row.hops == 2}) >= 8
    require_what_holds(sample)


def test_a_graph_of_many_equal_edges_and_loops_has_the_answers_of_networkx(tmp_path: Path) -> None:
    nodes = [
        NodeRow(f"{kind}{n}", kind, f"{kind} {n}")
        for kind in ("Drug", "Disease", "Gene")
        for n in range(4)
    ]
    names = [node.id for node in nodes]
    edges = [
        EdgeRow(a, RELATIONS[(i * j) % 3], b)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if (i * 7 + j * 5) % 4 < 2
    ]
    sample = make(SourceRows([*nodes], [*edges, *edges]), tmp_path)
    assert SYMMETRIC_RELATION in sample.symmetric
    assert any("=" in row.metapath for row in sample.rows)
    require_what_holds(sample)


def test_the_same_seed_gives_the_same_questions_and_another_one_others(demo: Sample) -> None:
    def draw(seed: int) -> list[HopRow]:
        factory = HopFactory(demo.graph, HopOptions(seed=seed, count=5))
        return [*factory.write(paper_metapaths(demo.graph))]

    first, other = draw(1), draw(2)
    assert first == draw(1)
    assert first != other


def test_the_key_of_a_question_does_not_depend_on_the_seed_or_the_number_drawn(
    demo: Sample,
) -> None:
    keys = {(row.metapath, row.query_id, row.form): row.question_id for row in demo.rows}
    few = HopFactory(demo.graph, HopOptions(seed=9, count=3)).write(paper_metapaths(demo.graph))
    names = {row.question_id: (row.metapath, row.query_id, row.form) for row in few}
    common = names.values() & keys.keys()  # partners differ by the seed
    assert len(common) > 50
    assert {keys[name] for name in common} <= names.keys()


def test_questions_are_in_words_from_the_phrases_of_the_relations(demo: Sample) -> None:
    rows = {(row.metapath, row.form, row.query_name): row.question for row in demo.rows}
    path = "Drug/>treats/Disease/>has_phenotype/Phenotype"
    assert rows[path, "single", "Metformin"] == (
        "Name one phenotype that can be a sign of some disease that is treated by Metformin."
    )
    assert rows[path, "multiple", "Metformin"].startswith("Name every phenotype that can be a sign")
    assert not any(
        re.search(r"_|\{|\}", row.question.replace(row.query_name, "")) for row in demo.rows
    )


def test_one_form_alone_is_made_on_request(demo: Sample) -> None:
    options = HopOptions(count=2, forms=("multiple",))
    rows = [*HopFactory(demo.graph, options).write(paper_metapaths(demo.graph))]
    assert {row.form for row in rows} == {"multiple"}
    assert all(row.partner for row in rows if row.hops == 2)


@pytest.mark.parametrize(
    "text",
    [
        "Drug/>treats/Disease/>has_phenotype/Phenotype",
        "drug/treats/disease/HAS_PHENOTYPE/phenotype",
        "Drug-treats-Disease-has_phenotype-Phenotype",
    ],
)
def test_a_metapath_is_read_in_several_spellings(demo: Sample, text: str) -> None:
    metapath = parse_two_hops(demo.graph, text)
    names = [demo.graph.relations[relation].name for relation, _ in metapath.steps]
    assert names == ["treats", "has_phenotype"]
    assert [is_along for _, is_along in metapath.steps] == [True, True]


def test_a_metapath_back_to_its_type_leaves_the_query_entity_out(demo: Sample) -> None:
    metapath = parse_two_hops(demo.graph, "Drug/treats/Disease/treats/Drug")
    assert metapath.steps[1][1] is False
    rows = [*HopFactory(demo.graph, MANY).write([metapath])]
    assert rows
    for row in rows:
        assert row.query_id not in {one.id for one in row.answers}
        assert {one.id for one in row.answers} == demo.answers(row)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Drug/treats/Disease", "three types"),
        ("Drug/treats/Disease/has_phenotype/Planet", "no type"),
        ("Drug/has_phenotype/Disease/has_phenotype/Phenotype", "No edge"),
        ("Drug/<treats/Disease/has_phenotype/Phenotype", "No edge"),
        ("x" * 5_000, "three types"),
    ],
)
def test_a_wrong_metapath_is_refused_with_the_reason(demo: Sample, text: str, word: str) -> None:
    with pytest.raises(DomainError, match=word):
        parse_two_hops(demo.graph, text)


def test_steps_are_those_of_the_edges(demo: Sample) -> None:
    expected = set[tuple[str, str, str, str]]()
    for source, target, relation in demo.peer.edges(keys=True):
        types = [demo.peer.nodes[one]["type"] for one in (source, target)]
        backwards = ">" if relation in demo.symmetric else "<"
        expected |= {(types[0], ">", relation, types[1]), (types[1], backwards, relation, types[0])}
    assert {
        (
            demo.graph.types[step.start],
            ">" if step.is_along else "<",
            demo.graph.relations[step.relation].name,
            demo.graph.types[step.end],
        )
        for step in find_steps(demo.graph)
    } == expected
