"""What an export writes, its importer reads back exactly; whatever the text is."""

import csv
import io
import json
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.common.errors import DomainError
from backend.graphs.exporters.base import CHUNK_LENGTH, ExportedGraph, Provenance
from backend.graphs.exporters.registry import exporter_or_raise, graph_exporters
from backend.graphs.importers.registry import OpenedGraph, open_source
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo, Section
from backend.validation.csv_escaping import FORMULA_PREFIXES
from tests.graphs.exporters.graphml_rows import rows_from_networkx
from tests.graphs.importers.factories import dropped_rows, edge_rows, node_rows

PROVENANCE = Provenance(
    graph="Sample “1”",
    snapshot="a1b2c3",
    licence="CC0-1.0",
    citation="Somebody, 2020. <A paper & more>",
)
RELATIONS = {
    "treats": RelationInfo("treats", "treats", "is treated by"),
    "GiG": RelationInfo("GiG", "interacts with", "interacts with", symmetric=True),
}
AWKWARD_TEXTS = st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from(
    [
        *FORMULA_PREFIXES,
        "'",
        '"',
        "|",
        "\\",
        ",",
        ";",
        "\t",
        "\n",
        "\r",
        "_x0041_",
        "<&>]]>",
        "\x85",
    ]
)
text = st.lists(AWKWARD_TEXTS, max_size=12).map("".join)
filled = st.lists(AWKWARD_TEXTS, min_size=1, max_size=12).map("".join)
PRINTABLE = st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(
    [" ", "'", "=", "-", "|", "\\", '"', ",", "_x0041_"]
)
word = st.lists(PRINTABLE, min_size=1, max_size=8).map("".join)
listed = st.lists(filled, max_size=3).map(tuple)
documents = st.lists(st.builds(Section, text, text, text), max_size=3).map(tuple)
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)
chances = st.none() | st.floats(0, 1)
nodes = st.lists(
    st.builds(NodeRow, word, word, filled.filter(str.strip), listed, listed, documents),
    min_size=1,
    max_size=4,
    unique_by=lambda row: row.id,
)


@st.composite
def graphs(draw: st.DrawFn) -> ExportedGraph:
    rows = draw(nodes)
    ends = st.sampled_from([row.id for row in rows])
    edge = st.builds(EdgeRow, ends, word, ends, numbers, text, text, chances, listed)
    return ExportedGraph(rows, draw(st.lists(edge, max_size=5)), PROVENANCE, RELATIONS)


SAMPLE = ExportedGraph(
    [
        NodeRow("A:1", "Drug", "=SUM(A1)", ("-x", "a|b\\"), ("A:2",), (Section("t", "x\ny", "s"),)),
        NodeRow("A:2", "Disease", "migraine\ttab"),
    ],
    [
        EdgeRow(
            "A:1", "treats", "A:2", -0.5, "infores:x|y", "high", 1e-9, ("PMID:1", "DOI:10.1/x")
        ),
        EdgeRow(
            "A:1", "treats", "A:2", -0.5, "infores:x|y", "high", 1e-9, ("PMID:1", "DOI:10.1/x")
        ),
        EdgeRow("A:2", "GiG", "A:2"),
    ],
    PROVENANCE,
    RELATIONS,
)
STREAMED = [it.name for it in graph_exporters().values() if it.is_streamed]


def export_bytes(name: str, exported: ExportedGraph) -> bytes:
    return b"".join(graph_exporters()[name].write(exported))


def read_back(name: str, exported: ExportedGraph, folder: Path) -> OpenedGraph:
    path = folder / f"graph{graph_exporters()[name].suffix}"
    path.write_bytes(export_bytes(name, exported))
    return open_source([path])


@pytest.mark.parametrize("name", STREAMED)
@given(exported=graphs())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=30)
def test_an_export_is_read_back_exactly(name: str, exported: ExportedGraph) -> None:
    with TemporaryDirectory() as folder:
        graph = read_back(name, exported, Path(folder))
        assert dropped_rows(graph) == []
        assert node_rows(graph) == exported.nodes
        assert edge_rows(graph) == exported.edges


any_text = st.text(st.characters() | st.sampled_from("\0\r\n\t_x\ud800\uffff"), max_size=12)
any_filled = any_text.filter(bool)
any_list = st.lists(any_filled, max_size=3).map(tuple)


@given(
    st.lists(
        st.builds(NodeRow, any_filled, any_filled, any_filled, any_list, any_list, documents),
        min_size=1,
        max_size=3,
        unique_by=lambda row: row.id,
    ),
    st.lists(st.tuples(any_filled, numbers, any_text, any_text, chances, any_list), max_size=4),
)
def test_graphml_preserves_text_that_xml_cannot_represent(
    rows: list[NodeRow],
    statements: list[tuple[str, float | None, str, str, float | None, tuple[str, ...]]],
) -> None:
    edges = [
        EdgeRow(
            rows[at % len(rows)].id, relation, rows[0].id, score, evidence, level, chance, papers
        )
        for at, (relation, score, evidence, level, chance, papers) in enumerate(statements)
    ]
    data = export_bytes("graphml", ExportedGraph(rows, edges, PROVENANCE, RELATIONS))
    graph = nx.read_graphml(io.BytesIO(data), force_multigraph=True)
    found_nodes, found_edges = rows_from_networkx(graph)
    assert Counter(found_nodes) == Counter(rows)
    assert Counter(found_edges) == Counter(edges)


@pytest.mark.parametrize("name", STREAMED)
def test_parallel_edges_formulas_and_bars_survive(name: str, tmp_path: Path) -> None:
    graph = read_back(name, SAMPLE, tmp_path)
    assert node_rows(graph) == SAMPLE.nodes
    assert edge_rows(graph) == SAMPLE.edges


@pytest.mark.parametrize("name", ["csv", "json"])
def test_the_phrases_of_relations_are_exported(name: str, tmp_path: Path) -> None:
    assert read_back(name, SAMPLE, tmp_path).source.relations == RELATIONS


def test_every_export_has_its_provenance(tmp_path: Path) -> None:
    about = PROVENANCE.as_dict()
    for name in ("csv", "kgx", "kgx-jsonl"):
        with zipfile.ZipFile(io.BytesIO(export_bytes(name, SAMPLE))) as archive:
            assert archive.testzip() is None
            assert json.loads(archive.read("provenance.json")) == about
    attributes = json.loads(export_bytes("json", SAMPLE))["graph"]
    assert {key: attributes[key] for key in about} == about
    assert (
        nx.read_graphml(io.BytesIO(export_bytes("graphml", SAMPLE))).graph.items() >= about.items()
    )


def test_no_cell_of_the_tables_is_run_by_a_spreadsheet() -> None:
    with zipfile.ZipFile(io.BytesIO(export_bytes("csv", SAMPLE))) as archive:
        for name in ("entities.csv", "edges.csv", "relations.csv"):
            content = archive.read(name).decode()
            for row in csv.reader(io.StringIO(content, newline="")):
                numbers_left_alone = [cell for cell in row if cell not in {"-0.5"}]
                assert not any(cell.startswith(FORMULA_PREFIXES) for cell in numbers_left_alone)


def test_numbers_are_numbers_in_graphml_and_texts_are_texts() -> None:
    root = ET.fromstring(export_bytes("graphml", SAMPLE))  # noqa: S314  # written a line above
    space = "{http://graphml.graphdrawing.org/xmlns}"
    types = {key.get("attr.name"): key.get("attr.type") for key in root.iter(f"{space}key")}
    assert types["score"] == types["p_value"] == "double"
    assert types["name"] == types["synonyms"] == types["relation"] == "string"


def test_networkx_reads_the_json() -> None:
    graph = nx.node_link_graph(json.loads(export_bytes("json", SAMPLE)), edges="edges")
    assert graph.number_of_nodes() == 2
    assert graph.number_of_edges() == 3
    assert graph.nodes["A:1"]["name"] == "=SUM(A1)"


def test_kgx_uses_biolink_terms_where_they_exist() -> None:
    with zipfile.ZipFile(io.BytesIO(export_bytes("kgx-jsonl", SAMPLE))) as archive:
        first, *_ = map(json.loads, archive.read("edges.jsonl").decode().splitlines())
        drug, *_ = map(json.loads, archive.read("nodes.jsonl").decode().splitlines())
    assert first["predicate"] == "biolink:treats"
    assert drug["category"] == ["biolink:Drug"]


@pytest.mark.parametrize("name", STREAMED)
def test_the_same_graph_gives_the_same_bytes(name: str) -> None:
    assert export_bytes(name, SAMPLE) == export_bytes(name, SAMPLE)


@pytest.mark.parametrize("name", STREAMED)
def test_an_export_is_streamed(name: str) -> None:
    row_count = 0

    def many() -> Iterator[NodeRow]:
        nonlocal row_count
        for row_count in range(1, 20_001):
            yield NodeRow(f"A:{row_count}", "Drug", f"name {row_count} {row_count * 7919 % 10_007}")

    pieces = graph_exporters()[name].write(ExportedGraph(many(), [], PROVENANCE))
    first = next(pieces)
    assert row_count < 20_000
    assert len(first) <= 3 * CHUNK_LENGTH
    assert sum(map(len, pieces)) > 0
    assert row_count == 20_000


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(DomainError, match="Choose one of: csv, graphml, kgx, kgx-jsonl, json"):
        exporter_or_raise("turtle")
