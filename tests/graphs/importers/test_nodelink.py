"""JSON of networkx, also as networkx itself writes it."""

import json
from pathlib import Path

import networkx as nx
import pytest

from backend.graphs.importers.common.input_files import FileRefused
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.importers.factories import drop_reasons, edge_rows, node_rows, open_files


@pytest.mark.parametrize("key", ["edges", "links"])
def test_a_graph_that_networkx_wrote_is_read(tmp_path: Path, key: str) -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("A:1", type="Drug", name="one")
    graph.add_node("A:2", type="Disease")
    graph.add_edge("A:1", "A:2", relation="treats", score=1)
    graph.add_edge("A:1", "A:2", relation="treats")
    result = open_files(tmp_path, {"g.json": json.dumps(nx.node_link_data(graph, edges=key))})
    assert result.format.name == "json"
    assert node_rows(result) == [NodeRow("A:1", "Drug", "one"), NodeRow("A:2", "Disease", "A:2")]
    assert edge_rows(result) == [
        EdgeRow("A:1", "treats", "A:2", 1),
        EdgeRow("A:1", "treats", "A:2"),
    ]
    assert result.source.relations == {}


def test_items_without_required_fields_are_dropped(tmp_path: Path) -> None:
    content = {
        "directed": True,
        "multigraph": True,
        "nodes": [{"id": "A:1"}, {"id": "A:1", "type": "T", "document": 1}, 5],
        "edges": [{"source": "A:1", "relation": "r", "target": "A:1", "score": "x"}],
    }
    result = [
        reason
        for _, _, reason in drop_reasons(open_files(tmp_path, {"g.json": json.dumps(content)}))
    ]
    assert result == ["missing", "json", "missing", "number"]


@pytest.mark.parametrize("column", ["score", "p_value"])
def test_an_integer_too_large_for_a_float_drops_its_row(tmp_path: Path, column: str) -> None:
    edges = [{"source": "A:1", "relation": "r", "target": "A:1", column: 10**400}]
    nodes = [{"id": "A:1", "type": "T"}]
    content = {"directed": True, "multigraph": True, "nodes": nodes, "edges": edges}
    assert drop_reasons(open_files(tmp_path, {"g.json": json.dumps(content)})) == [
        ("g.json", 1, "number")
    ]


@pytest.mark.parametrize("phrase", ["\ud800", "\0", "x" * 501])
def test_a_phrase_with_invalid_characters_is_refused(tmp_path: Path, phrase: str) -> None:
    about = {"relations": [{"name": "r", "forward": "is", "backward": phrase}]}
    content = {"directed": True, "multigraph": True, "graph": about, "nodes": [], "edges": []}
    graph = open_files(tmp_path, {"g.json": json.dumps(content)})
    with pytest.raises(FileRefused, match=r"g\.json, line 1: The text|A cell or line is longer"):
        _ = graph.source.relations


def test_an_object_that_ends_too_early_is_refused(tmp_path: Path) -> None:
    graph = open_files(tmp_path, {"g.json": '{"directed": true, "multigraph": true, "nodes": ['})
    with pytest.raises(FileRefused) as refused:
        node_rows(graph)
    assert refused.value.code == "truncated"
