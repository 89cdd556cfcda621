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

from backend.graphs.cells import join_list
from backend.graphs.cypher.building import (
    build_database,
    forget_database,
    get_database,
)
from backend.graphs.cypher.errors import DatabaseNotBuilt, GraphTooLarge
from backend.graphs.cypher.naming import labels_of, names_of
from backend.graphs.cypher.running import run_query
from backend.graphs.cypher.schema import describe
from backend.graphs.rows import EdgeRow, NodeRow
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from tests.graphs.cypher.making import copy_of, random_rows
from tests.graphs.snapshots.sources import Rows, graphs

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


def snapshot_of(rows: Rows, folder: Path) -> Snapshot:
    return open_snapshot(build_snapshot(rows, folder).path)


def test_types_and_relations_become_names_that_need_no_quotes() -> None:
    types = ["Biological process", "gene/protein", "Drug", "drug", "group", "42", "βγ", "Drug_2"]
    labels = labels_of(types)
    assert labels[:6] == ("BiologicalProcess", "GeneProtein", "Drug", "Drug_2", "Group_2", "X42")
    relations = ["treats", "has part", "DRUG", "Compound > treats > Disease", "in", "treats!"]
    assert names_of(relations, labels)[:2] == ("treats", "has_part")
    every = [*labels, *names_of(relations, labels)]
    assert len({name.casefold() for name in every}) == len(every)


def test_text_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    nodes = [NodeRow(f"X:{n}", "Drug", text, (text,)) for n, text in enumerate(AWKWARD)]
    edges = [
        EdgeRow("X:0", "treats", f"X:{n}", evidence=text, level=text, publications=(text,))
        for n, text in enumerate(AWKWARD)
    ]
    copy = copy_of(Rows([*nodes], [*edges]), tmp_path)
    asked = "MATCH (n:Drug)<-[r:treats]-() RETURN n.id, n.name, n.synonyms, r.evidence, r.level"
    found = {row[0]: row[1:] for row in run_query(copy, asked).rows}
    expected = {
        node.id: (node.name, join_list(node.synonyms), node.name, node.name) for node in nodes
    }
    assert found == expected


@settings(max_examples=8, deadline=None)
@given(rows=graphs())
def test_any_graph_has_the_same_entities_and_edges_in_the_copy(rows: Rows) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of(rows, Path(folder))
        snapshot = copy.snapshot
        if not snapshot.entity_count:
            return
        found = run_query(copy, "MATCH (n) RETURN n.id, n.type, n.name, n.synonyms").rows
        assert sorted(found) == sorted(
            (one.id, one.type, one.name, join_list(one.synonyms)) for one in snapshot.entities()
        )
        if not snapshot.edge_count:
            return
        asked = "MATCH (a)-[r]->(b) RETURN r.edge, a.id, b.id, r.evidence, r.publications"
        assert sorted(run_query(copy, asked).rows) == sorted(
            (
                edge.edge,
                snapshot.entity(edge.source).id,
                snapshot.entity(edge.target).id,
                edge.evidence,
                join_list(edge.publications),
            )
            for edge in snapshot.edges()
        )


def test_the_description_counts_what_queries_count(tmp_path: Path) -> None:
    copy = copy_of(random_rows(3), tmp_path)
    told = describe(copy.snapshot)
    for label in told.labels:
        counted = run_query(copy, f"MATCH (n:{label.label}) RETURN count(*)").rows[0][0]
        assert counted == label.count > 0
    for relation in told.relations:
        assert sum(ends.count for ends in relation.ends) == relation.count
        for ends in relation.ends:
            asked = f"MATCH (:{ends.source})-[r:{relation.name}]->(:{ends.target}) RETURN count(r)"
            assert run_query(copy, asked).rows[0][0] == ends.count


def test_a_graph_that_is_too_large_is_refused_with_both_numbers(tmp_path: Path) -> None:
    snapshot = snapshot_of(random_rows(1), tmp_path / "snapshots")
    with pytest.raises(GraphTooLarge, match=rf"{snapshot.edge_count} edges.* 100 edges"):
        build_database(snapshot, tmp_path / "cypher", largest=100)
    assert not (tmp_path / "cypher").exists()


def test_several_who_ask_at_once_get_one_copy(tmp_path: Path) -> None:
    snapshot = snapshot_of(random_rows(2), tmp_path / "snapshots")
    with ThreadPoolExecutor(4) as pool:
        copies = list(pool.map(lambda _: build_database(snapshot, tmp_path / "c"), range(4)))
    assert len({(copy.path, copy.path.stat().st_ino) for copy in copies}) == 1
    assert get_database(snapshot, tmp_path / "c") == copies[0]
    forget_database(snapshot.path.name, tmp_path / "c")
    assert get_database(snapshot, tmp_path / "c") is None


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    snapshot = snapshot_of(random_rows(2), tmp_path / "snapshots")
    with pytest.raises(DatabaseNotBuilt, match="could not read the graph: "):
        build_database(snapshot, tmp_path / "c", memory_bytes=1 << 16)
    assert get_database(snapshot, tmp_path / "c") is None
    assert [
        one.name for one in (tmp_path / "c" / snapshot.path.name).iterdir() if one.is_dir()
    ] == []


KILLED = """
    import sys
    from pathlib import Path
    from backend.graphs.cypher import building
    from backend.graphs.snapshots.opening import open_snapshot
    def stuck(snapshot, folder, memory):
        (folder / "graph.lbug").write_bytes(b"half of it")
        print("begun", flush=True)
        sys.stdin.read()
    building._make = stuck
    building.build_database(open_snapshot(Path(sys.argv[1])), Path(sys.argv[2]))
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
