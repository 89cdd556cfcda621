"""Row sources for the tests, random graphs, and the expected result of a build, computed by
hand."""

from __future__ import annotations

import math
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, RelationInfo, Section

SYMMETRIC_RELATION = "interacts with"
RELATIONS = ("treats", "CAUSES_effect", SYMMETRIC_RELATION, "gehört zu")
Statement = tuple[object, ...]
Facts = tuple[object, ...]


@dataclass(frozen=True)
class SourceRows:
    """A source that is two lists."""

    node_rows: list[NodeRow | MalformedRow]
    edge_rows: list[EdgeRow | MalformedRow] = field(default_factory=list)

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        both = RelationInfo(SYMMETRIC_RELATION, SYMMETRIC_RELATION, symmetric=True)
        return {
            SYMMETRIC_RELATION: both,
            "treats": RelationInfo("treats", "treats", "is treated by"),
        }

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        return iter(self.node_rows)

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        return iter(self.edge_rows)

    def shuffled(self, chance: random.Random) -> SourceRows:
        nodes, edges = list(self.node_rows), list(self.edge_rows)
        chance.shuffle(nodes)
        chance.shuffle(edges)
        return SourceRows(nodes, edges)


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
some_words = st.lists(words, max_size=3).map(tuple)
sections = st.builds(Section, words, words, words)
scores = st.none() | st.sampled_from([0.0, -0.0, 0.1, 1.0, math.nan]) | st.floats(width=32)
small = st.none() | st.sampled_from([0.0, 1e-300, 0.05, math.nan])


def finite(value: float | None) -> bool:
    return value is None or not math.isinf(value)


@st.composite
def graphs(draw: st.DrawFn) -> SourceRows:
    """Few ids, so that duplicates, loops, parallel and dangling edges are common."""
    ids = draw(st.lists(words.filter(bool), min_size=1, max_size=7, unique=True))
    id_of = st.sampled_from(ids)
    node = st.builds(
        NodeRow,
        id=id_of,
        type=st.sampled_from(["drug", "disease", "Gen"]),
        name=st.sampled_from(["", "Aspirin", "β-блокатор"]) | words,
        synonyms=some_words,
        xrefs=some_words,
        document=st.just(()) | st.lists(sections, max_size=2).map(tuple),
    )
    end = id_of | st.just("NOWHERE:1")
    plain = st.builds(EdgeRow, end, st.sampled_from(RELATIONS), end)
    reported = st.builds(
        EdgeRow,
        id_of,
        st.sampled_from(RELATIONS),
        id_of,
        score=scores.filter(finite),
        evidence=st.sampled_from(["", "DrugBank", "ÄÖ"]),
        level=st.sampled_from(["", "high"]),
        p_value=small,
        publications=st.sampled_from([(), ("PMID:1",), ("PMID:2", "PMID:1"), ("PMID:1", "PMID:2")]),
    )
    edges = st.lists(plain, max_size=25) | st.lists(plain | reported, max_size=25)
    return SourceRows([*draw(st.lists(node, max_size=12))], [*draw(edges)])


def facts_expected(rows: SourceRows) -> dict[str, Facts]:
    """Every entity by its id: sets united, of other values the smallest that is not empty."""
    by_id: dict[str, list[NodeRow]] = {}
    for row in rows.node_rows:
        assert isinstance(row, NodeRow)
        by_id.setdefault(row.id, []).append(row)
    return {
        identifier: (
            min((r.type for r in same if r.type), default=""),
            min((r.name for r in same if r.name), default=""),
            tuple(sorted({s for r in same for s in r.synonyms} - {""})),
            tuple(sorted({x for r in same for x in r.xrefs} - {""})),
        )
        for identifier, same in by_id.items()
    }


def statements_expected(rows: SourceRows) -> Counter[Statement]:
    """Every edge between known entities, with how many rows state it."""
    known = facts_expected(rows).keys()
    result: Counter[Statement] = Counter()
    for row in rows.edge_rows:
        assert isinstance(row, EdgeRow)
        if row.source in known and row.target in known:
            ends = [row.source, row.target]
            if row.relation == SYMMETRIC_RELATION:
                ends.sort()
            publications = tuple(sorted(set(row.publications) - {""}))
            values = (in_32_bits(row.score), row.evidence, row.level, expected_number(row.p_value))
            result[ends[0], row.relation, ends[1], *values, publications] += 1
    return result


def in_32_bits(score: float | None) -> float | None:
    known = expected_number(score)
    return None if known is None else float(np.float32(known))


def expected_number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value + 0.0


def read_facts(view: GraphView) -> dict[str, Facts]:
    return {one.id: (one.type, one.name, one.synonyms, one.xrefs) for one in view.entities()}


def read_statements(view: GraphView) -> Counter[Statement]:
    ids = [one.id for one in view.entities()]
    result: Counter[Statement] = Counter()
    for edge in view.edges():
        relation = view.relations[edge.relation].name
        values = (in_32_bits(edge.score), edge.evidence, edge.level, edge.p_value)
        ends = ids[edge.source], ids[edge.target]
        result[ends[0], relation, ends[1], *values, edge.publications] += edge.row_count
    return result


@contextmanager
def build_snapshot_of(rows: SourceRows, memory_bytes: int = 1 << 20) -> Iterator[Snapshot]:
    with tempfile.TemporaryDirectory() as folder:
        built = build_snapshot(rows, Path(folder), memory_bytes=memory_bytes)
        yield open_snapshot(built.path)


def folder_contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def small_graph() -> SourceRows:
    """Two drugs, a disease, a protein; every column is used, one row is given twice."""
    document = (Section("Use", "Against pain.", "own words"),)
    return SourceRows(
        [
            NodeRow("DRUGBANK:DB00945", "drug", "Aspirin", ("ASA",), ("MESH:D001241",), document),
            NodeRow("DRUGBANK:DB01050", "drug", "Ibuprofen"),
            NodeRow("DOID:6364", "disease", "migraine"),
            NodeRow("UniProtKB:P23219", "protein", "PGH1"),
        ],
        [
            EdgeRow("DRUGBANK:DB00945", "treats", "DOID:6364", 0.1, "DrugBank", "high", 0.01),
            EdgeRow("DRUGBANK:DB01050", "treats", "DOID:6364", publications=("PMID:1", "PMID:2")),
            EdgeRow("DRUGBANK:DB01050", "treats", "DOID:6364", publications=("PMID:2", "PMID:1")),
            EdgeRow("UniProtKB:P23219", SYMMETRIC_RELATION, "DRUGBANK:DB00945"),
            EdgeRow("UniProtKB:P23219", SYMMETRIC_RELATION, "DRUGBANK:DB01050"),
        ],
    )
