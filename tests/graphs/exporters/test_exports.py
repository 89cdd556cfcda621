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
from backend.common.spreadsheets import DANGEROUS
from backend.graphs.exporters.catalogue import BY_NAME, EXPORTERS, exporter_or_raise
from backend.graphs.exporters.exported import PIECE, Exported, Provenance
from backend.graphs.exporters.graphml import rows_of
from backend.graphs.importers.catalogue import Opened, open_source
from backend.graphs.rows import EdgeRow, NodeRow, RelationInfo, Section
from tests.graphs.importers.making import dropped, edges_of, nodes_of

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
NASTY = st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from(
    [*DANGEROUS, "'", '"', "|", "\\", ",", ";", "\t", "\n", "\r", "_x0041_", "<&>]]>", "\x85"]
)
text = st.lists(NASTY, max_size=12).map("".join)
filled = st.lists(NASTY, min_size=1, max_size=12).map("".join)
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
def graphs(draw: st.DrawFn) -> Exported:
    rows = draw(nodes)
    ends = st.sampled_from([row.id for row in rows])
    edge = st.builds(EdgeRow, ends, word, ends, numbers, text, text, chances, listed)
    return Exported(rows, draw(st.lists(edge, max_size=5)), PROVENANCE, RELATIONS)


SAMPLE = Exported(
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
STREAMED = [it.name for it in EXPORTERS if it.name != "graphml"]


def written(name: str, exported: Exported) -> bytes:
    return b"".join(BY_NAME[name].write(exported))


def read_back(name: str, exported: Exported, folder: Path) -> Opened:
    path = folder / f"graph{BY_NAME[name].suffix}"
    path.write_bytes(written(name, exported))
    return open_source([path])


@pytest.mark.parametrize("name", STREAMED)
@given(exported=graphs())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
def test_an_export_is_read_back_exactly(name: str, exported: Exported) -> None:
    with TemporaryDirectory() as folder:
        graph = read_back(name, exported, Path(folder))
        assert dropped(graph) == []
        assert nodes_of(graph) == exported.nodes
        assert edges_of(graph) == exported.edges


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
def test_graphml_comes_back_through_networkx_even_with_what_xml_has_no_place_for(
    rows: list[NodeRow],
    said: list[tuple[str, float | None, str, str, float | None, tuple[str, ...]]],
) -> None:
    edges = [
        EdgeRow(
            rows[at % len(rows)].id, relation, rows[0].id, score, evidence, level, chance, papers
        )
        for at, (relation, score, evidence, level, chance, papers) in enumerate(said)
    ]
    data = written("graphml", Exported(rows, edges, PROVENANCE, RELATIONS))
    graph = nx.read_graphml(io.BytesIO(data), force_multigraph=True)
    found_nodes, found_edges = rows_of(graph)
    assert Counter(found_nodes) == Counter(rows)
    assert Counter(found_edges) == Counter(edges)


@pytest.mark.parametrize("name", STREAMED)
def test_parallel_edges_formulas_and_bars_survive(name: str, tmp_path: Path) -> None:
    graph = read_back(name, SAMPLE, tmp_path)
    assert nodes_of(graph) == SAMPLE.nodes
    assert edges_of(graph) == SAMPLE.edges


@pytest.mark.parametrize("name", ["csv", "json"])
def test_the_words_of_relations_travel_with_the_graph(name: str, tmp_path: Path) -> None:
    assert read_back(name, SAMPLE, tmp_path).source.relations == RELATIONS


def test_every_export_says_where_it_is_from(tmp_path: Path) -> None:
    about = PROVENANCE.as_dict()
    for name in ("csv", "kgx", "kgx-jsonl"):
        with zipfile.ZipFile(io.BytesIO(written(name, SAMPLE))) as archive:
            assert archive.testzip() is None
            assert json.loads(archive.read("provenance.json")) == about
    found = json.loads(written("json", SAMPLE))["graph"]
    assert {key: found[key] for key in about} == about
    assert nx.read_graphml(io.BytesIO(written("graphml", SAMPLE))).graph.items() >= about.items()


def test_no_cell_of_the_tables_is_run_by_a_spreadsheet() -> None:
    with zipfile.ZipFile(io.BytesIO(written("csv", SAMPLE))) as archive:
        for name in ("entities.csv", "edges.csv", "relations.csv"):
            content = archive.read(name).decode()
            for row in csv.reader(io.StringIO(content, newline="")):
                numbers_left_alone = [cell for cell in row if cell not in {"-0.5"}]
                assert not any(cell.startswith(DANGEROUS) for cell in numbers_left_alone)


def test_numbers_are_numbers_in_graphml_and_texts_are_texts() -> None:
    root = ET.fromstring(written("graphml", SAMPLE))  # noqa: S314  # written a line above
    space = "{http://graphml.graphdrawing.org/xmlns}"
    types = {key.get("attr.name"): key.get("attr.type") for key in root.iter(f"{space}key")}
    assert types["score"] == types["p_value"] == "double"
    assert types["name"] == types["synonyms"] == types["relation"] == "string"


def test_networkx_reads_the_json() -> None:
    graph = nx.node_link_graph(json.loads(written("json", SAMPLE)), edges="edges")
    assert graph.number_of_nodes() == 2
    assert graph.number_of_edges() == 3
    assert graph.nodes["A:1"]["name"] == "=SUM(A1)"


def test_kgx_uses_the_words_of_biolink_where_it_has_them() -> None:
    with zipfile.ZipFile(io.BytesIO(written("kgx-jsonl", SAMPLE))) as archive:
        first, *_ = map(json.loads, archive.read("edges.jsonl").decode().splitlines())
        drug, *_ = map(json.loads, archive.read("nodes.jsonl").decode().splitlines())
    assert first["predicate"] == "biolink:treats"
    assert drug["category"] == ["biolink:Drug"]


@pytest.mark.parametrize("name", STREAMED)
def test_the_same_graph_gives_the_same_bytes(name: str) -> None:
    assert written(name, SAMPLE) == written(name, SAMPLE)


@pytest.mark.parametrize("name", STREAMED)
def test_an_export_is_sent_while_it_is_made(name: str) -> None:
    asked = 0

    def many() -> Iterator[NodeRow]:
        nonlocal asked
        for asked in range(1, 20_001):
            yield NodeRow(f"A:{asked}", "Drug", f"name {asked} {asked * 7919 % 10_007}")

    pieces = BY_NAME[name].write(Exported(many(), [], PROVENANCE))
    first = next(pieces)
    assert asked < 20_000
    assert len(first) <= 3 * PIECE
    assert sum(map(len, pieces)) > 0
    assert asked == 20_000


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(DomainError, match="There are: csv, json, graphml, kgx, kgx-jsonl"):
        exporter_or_raise("turtle")
