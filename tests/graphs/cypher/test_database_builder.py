"""The engine's copy of a snapshot: the same graph, made once or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings

from backend.graphs.cell_encoding import join_list
from backend.graphs.cypher.database_builder import (
    build_database,
    delete_databases,
    get_database,
)
from backend.graphs.cypher.errors import DatabaseNotBuilt, GraphTooLarge
from backend.graphs.cypher.label_names import make_labels, make_relation_names
from backend.graphs.cypher.query_runner import run_query
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.cypher.factories import build_engine_database, random_rows
from tests.graphs.snapshots.sources import SourceRows, graphs

AWKWARD = [
    *("", " spaces ", "a,b", 'a "quoted" word', "it's", "two\nlines", "carriage\r\nreturn", "null"),
    *(
        "NULL",
        "[a]",
        "{a: 1}",
        "back\\slash",
        "\\N",
        "\\",
        '"',
        "tab\t",
        "β-блокатор",
        "\x01",
        "\x00",
    ),
]


def snapshot_of(rows: SourceRows, folder: Path) -> Snapshot:
    return open_snapshot(build_snapshot(rows, folder).path)


def test_types_and_relations_become_names_that_need_no_quotes() -> None:
    types = ["Biological process", "gene/protein", "Drug", "drug", "group", "42", "βγ", "Drug_2"]
    labels = make_labels(types)
    assert labels[:6] == ("BiologicalProcess", "GeneProtein", "Drug", "Drug_2", "Group_2", "X42")
    relations = ["treats", "has part", "DRUG", "Compound > treats > Disease", "in", "treats!"]
    assert make_relation_names(relations, labels)[:2] == ("treats", "has_part")
    every = [*labels, *make_relation_names(relations, labels)]
    assert len({name.casefold() for name in every}) == len(every)


def test_text_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    nodes = [NodeRow(f"X:{n}", "Drug", text, (text,)) for n, text in enumerate(AWKWARD)]
    edges = [
        EdgeRow("X:0", "treats", f"X:{n}", evidence=text, level=text, publications=(text,))
        for n, text in enumerate(AWKWARD)
    ]
    copy = build_engine_database(SourceRows([*nodes], [*edges]), tmp_path)
    query = "MATCH (n:Drug)<-[r:treats]-() RETURN n.id, n.name, n.synonyms, r.evidence, r.level"
    properties = {row[0]: row[1:] for row in run_query(copy, query).rows}
    expected = {
        node.id: (node.name, join_list(node.synonyms), node.name, node.name) for node in nodes
    }
    assert properties == expected


@settings(max_examples=8, deadline=None)
@given(rows=graphs())
def test_the_database_has_the_same_entities_and_edges_as_the_snapshot(rows: SourceRows) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = build_engine_database(rows, Path(folder))
        snapshot = copy.snapshot
        if not snapshot.entity_count:
            return
        listed = run_query(copy, "MATCH (n) RETURN n.id, n.type, n.name, n.synonyms").rows
        assert sorted(listed) == sorted(
            (one.id, one.type, one.name, join_list(one.synonyms)) for one in snapshot.entities()
        )
        if not snapshot.edge_count:
            return
        query = "MATCH (a)-[r]->(b) RETURN r.edge, a.id, b.id, r.evidence, r.publications"
        assert sorted(run_query(copy, query).rows) == sorted(
            (
                edge.edge,
                snapshot.entity(edge.source).id,
                snapshot.entity(edge.target).id,
                edge.evidence,
                join_list(edge.publications),
            )
            for edge in snapshot.edges()
        )


def test_a_graph_that_is_too_large_is_refused_with_both_numbers(tmp_path: Path) -> None:
    snapshot = snapshot_of(random_rows(1), tmp_path / "snapshots")
    with pytest.raises(GraphTooLarge, match=rf"{snapshot.edge_count} edges.* 100 edges"):
        build_database(snapshot, tmp_path / "cypher", largest=100)
    assert not (tmp_path / "cypher").exists()


def test_concurrent_builds_make_one_database(tmp_path: Path) -> None:
    snapshot = snapshot_of(random_rows(2), tmp_path / "snapshots")
    with ThreadPoolExecutor(4) as pool:
        copies = list(pool.map(lambda _: build_database(snapshot, tmp_path / "c"), range(4)))
    assert len({(copy.path, copy.path.stat().st_ino) for copy in copies}) == 1
    assert get_database(snapshot, tmp_path / "c") == copies[0]
    delete_databases(snapshot.path.name, tmp_path / "c")
    assert get_database(snapshot, tmp_path / "c") is None


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    snapshot = snapshot_of(random_rows(2), tmp_path / "snapshots")
    with pytest.raises(DatabaseNotBuilt, match="could not load the graph: "):
        build_database(snapshot, tmp_path / "c", memory_bytes=1 << 16)
    assert get_database(snapshot, tmp_path / "c") is None
    assert [
        one.name for one in (tmp_path / "c" / snapshot.path.name).iterdir() if one.is_dir()
    ] == []


KILLED = """
    import sys
    from pathlib import Path
    from backend.graphs.cypher import database_builder
    from backend.graphs.snapshots.snapshot import open_snapshot
    def stuck(snapshot, folder, memory):
        (folder / "graph.lbug").write_bytes(b"half of it")
        print("begun", flush=True)
        sys.stdin.read()
    database_builder._run_load_worker = stuck
    database_builder.build_database(open_snapshot(Path(sys.argv[1])), Path(sys.argv[2]))
"""


def test_a_killed_build_leaves_nothing_that_is_read(tmp_path: Path) -> None:
    snapshot, copies = snapshot_of(random_rows(2), tmp_path / "snapshots"), tmp_path / "c"
    program = [sys.executable, "-c", textwrap.dedent(KILLED), str(snapshot.path), str(copies)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as killed:
        assert killed.stdout is not None and killed.stdout.readline() == b"begun\n"
        killed.send_signal(signal.SIGKILL)
    assert get_database(snapshot, copies) is None
    copy = build_database(snapshot, copies)
    assert run_query(copy, "MATCH (n) RETURN count(*)").rows == ((snapshot.entity_count,),)
    folders = [one for one in (copies / snapshot.path.name).iterdir() if one.is_dir()]
    assert folders == [copy.path.parent]
