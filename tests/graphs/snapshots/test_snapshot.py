"""Reading a snapshot, compared with lists of all edges."""

from __future__ import annotations

import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.format import MIN_HUB_DEGREE
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import RelationDegree
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from tests.graphs.snapshots.sources import SourceRows, build_snapshot_of, graphs, small_graph

Entry = tuple[int, int, int]  # relation, neighbour, edge


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """An entity with stored counts, of three relations, in both directions."""
    nodes = [NodeRow(f"X:{number}", "thing", "") for number in range(900)]
    edges = [EdgeRow("X:0", "to", f"X:{number}") for number in range(900)]
    edges += [EdgeRow("X:0", "also to", f"X:{number}") for number in range(300)]
    edges += [EdgeRow(f"X:{number}", "from", "X:0") for number in range(700)]
    folder = tmp_path_factory.mktemp("hub")
    return open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), folder).path)


def entries_expected(view: GraphView, number: int, outgoing: bool) -> list[Entry]:
    """From a list of all edges."""
    result = [
        (edge.relation, edge.target if outgoing else edge.source, edge.edge)
        for edge in view.edges()
        if (edge.source if outgoing else edge.target) == number
    ]
    return sorted(result)


def all_pages(
    view: GraphView, number: int, relation: int | None, outgoing: bool, limit: int
) -> list[Entry]:
    """Page by page to the end; only the last page may be short, each states the total."""
    result: list[Entry] = []
    after = None
    while True:
        page = view.neighbours(number, relation, outgoing=outgoing, after=after, limit=limit)
        columns = (page.relations.tolist(), page.neighbours.tolist(), page.edges.tolist())
        result += zip(*columns, strict=True)
        if page.next is None:
            assert page.count == len(result)
            return result
        assert len(page) == limit
        after = page.next


@given(graphs(), st.integers(1, 4), st.booleans())
@settings(max_examples=75, deadline=None)
def test_pages_together_are_all_entries_in_order(
    rows: SourceRows, limit: int, outgoing: bool
) -> None:
    with build_snapshot_of(rows) as snapshot:
        for number in range(snapshot.entity_count):
            expected = entries_expected(snapshot, number, outgoing)
            assert all_pages(snapshot, number, None, outgoing, limit) == expected
            for relation in range(len(snapshot.relations)):
                of_one = [entry for entry in expected if entry[0] == relation]
                assert all_pages(snapshot, number, relation, outgoing, limit) == of_one


@given(graphs())
@settings(max_examples=50, deadline=None)
def test_degrees_and_neighbours_are_those_of_networkx(rows: SourceRows) -> None:
    with build_snapshot_of(rows) as snapshot:
        graph = nx.MultiDiGraph()
        graph.add_nodes_from(range(snapshot.entity_count))
        graph.add_edges_from((e.source, e.target, e.edge) for e in snapshot.edges())
        for number in range(snapshot.entity_count):
            assert snapshot.degree(number) == graph.degree(number)
            assert set(snapshot.row(number).neighbours.tolist()) == set(graph.succ[number])
            assert sum(one.count for one in snapshot.degrees(number)) == graph.degree(number)


def test_stored_hub_counts_are_correct(hub: Snapshot) -> None:
    number = hub.find_number("X:0")
    assert number == 0
    assert hub.degree(number) == 1903 > MIN_HUB_DEGREE
    assert len(hub.arrays["hubs.offsets"]) == 2
    names = [relation.name for relation in hub.relations]
    expected = [("from", False, 700), ("to", False, 1), ("also to", False, 1)]
    expected += [("to", True, 900), ("also to", True, 300), ("from", True, 1)]
    result = [(names[one.relation], one.outgoing, one.count) for one in hub.degrees(number)]
    assert sorted(result) == sorted(expected)
    assert hub.degrees(number) == GraphView.degrees(hub, number)


def test_the_last_page_of_a_hub_is_reached_by_its_edge(hub: Snapshot) -> None:
    relation = next(one.number for one in hub.relations if one.name == "from")
    entries = all_pages(hub, 0, relation, outgoing=False, limit=250)
    expected = [e for e in entries_expected(hub, 0, outgoing=False) if e[0] == relation]
    assert entries == expected
    after = entries[-3][2]
    page = hub.neighbours(0, relation, outgoing=False, after=after, limit=250)
    assert page.edges.tolist() == [edge for _, _, edge in entries[-2:]]


def test_an_edge_record_has_all_columns(snapshot: Snapshot) -> None:
    reported = {edge.publications: edge for edge in snapshot.edges() if edge.relation == 1}
    first, second = reported[()], reported["PMID:1", "PMID:2"]
    assert (first.score, first.evidence, first.level, first.p_value) == (
        *(0.1, "DrugBank", "high"),
        0.01,
    )
    assert (second.score, second.evidence, second.level, second.p_value) == (None, "", "", None)
    assert (first.row_count, second.row_count) == (1, 2)


def test_an_entity_is_found_by_its_exact_id_only(snapshot: Snapshot) -> None:
    number = snapshot.find_number("DRUGBANK:DB00945")
    assert number is not None
    record = snapshot.entity(number)
    assert (record.name, record.type) == ("Aspirin", "drug")
    assert (record.synonyms, record.xrefs) == (("ASA",), ("MESH:D001241",))
    assert snapshot.document(number) == (Section("Use", "Against pain.", "own words"),)
    assert list(snapshot.documents()) == [(number, snapshot.document(number))]
    for almost in ("drugbank:DB00945", "DRUGBANK:DB0094", "DRUGBANK:DB00945 ", "", "\ud800"):
        assert snapshot.find_number(almost) is None
    assert snapshot.find_numbers(["X:1", record.id]).tolist() == [-1, number]


def test_a_relation_has_its_phrases_and_its_count(snapshot: Snapshot) -> None:
    treats = snapshot.relations[1]
    assert (treats.forward, treats.backward) == ("treats", "is treated by")
    assert (treats.symmetric, treats.count) == (False, 2)
    number = snapshot.find_number("DOID:6364")
    assert number is not None
    assert snapshot.degrees(number) == [RelationDegree(relation=1, outgoing=False, count=2)]


def test_unknown_numbers_raise_instead_of_returning_another_entity(snapshot: Snapshot) -> None:
    for number in (-1, 4, 1 << 40):
        for read in (snapshot.entity, snapshot.document, snapshot.neighbours, snapshot.degrees):
            with pytest.raises(IndexError):
                read(number)
    for edge in (-1, 4, 1 << 40):
        with pytest.raises(IndexError):
            snapshot.edge(edge)
        for outgoing in (True, False):
            with pytest.raises(ValueError, match="is not one of these"):
                snapshot.neighbours(0, outgoing=outgoing, after=edge)
    with pytest.raises(ValueError, match="at least one"):
        snapshot.neighbours(0, limit=0)


def test_an_unknown_relation_has_no_entries(snapshot: Snapshot) -> None:
    for relation in (-1, 2, 255, 256, 1 << 20):
        assert snapshot.neighbours(0, relation).count == 0


def test_mapped_arrays_are_read_only(snapshot: Snapshot) -> None:
    with pytest.raises(ValueError, match="read-only"):
        snapshot.forward.neighbours[0] = 1
    assert not snapshot.row(0).neighbours.flags.owndata


def test_opening_twice_returns_the_cached_snapshot_in_all_threads(tmp_path: Path) -> None:
    path = build_snapshot(small_graph(), tmp_path).path
    first = open_snapshot(path)
    with ThreadPoolExecutor(8) as pool:
        result = list(pool.map(lambda _: open_snapshot(path), range(100)))
    assert all(one is first for one in result)


def test_a_changed_symbolic_link_is_followed(tmp_path: Path) -> None:
    built = build_snapshot(small_graph(), tmp_path / "one").path
    link = tmp_path / "data"
    link.symlink_to("one")
    first = open_snapshot(link / built.name)
    (tmp_path / "one").rename(tmp_path / "two")
    link.unlink()
    link.symlink_to("two")
    moved = open_snapshot(link / built.name)
    assert (first.path.parent.name, moved.path.parent.name) == ("one", "two")
    assert moved.id == first.id and open_snapshot(link / built.name) is moved


def test_a_replaced_folder_is_reopened(tmp_path: Path) -> None:
    paths = [
        build_snapshot(rows, tmp_path / "built").path
        for rows in (small_graph(), SourceRows([NodeRow("X:1", "thing", "")], []))
    ]
    link = tmp_path / "graph"
    for path in (*paths, *paths):
        link.unlink(missing_ok=True)
        link.symlink_to(path)
        assert open_snapshot(link).id == open_snapshot(path).id


def read_in_child(path: Path, answers: multiprocessing.Queue[list[int]]) -> None:
    answers.put(open_snapshot(path).neighbours(0, outgoing=False).neighbours.tolist())


def test_a_forked_process_can_open_while_a_parent_thread_has_the_lock(tmp_path: Path) -> None:
    from backend.graphs.snapshots import snapshot

    path = build_snapshot(small_graph(), tmp_path).path
    expected = open_snapshot(path).neighbours(0, outgoing=False).neighbours.tolist()
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    value, done = threading.Event(), threading.Event()

    def hold() -> None:
        with snapshot._lock:
            value.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    value.wait()
    child = context.Process(target=read_in_child, args=(path, answers))
    child.start()
    try:
        assert answers.get(timeout=60) == expected
    finally:
        done.set()
        thread.join()
        child.join()


def test_two_byte_relation_codes_are_read(tmp_path: Path) -> None:
    edges = [EdgeRow("X:0", f"relation {number:03}", "X:1") for number in range(300)]
    nodes = [NodeRow("X:0", "t", ""), NodeRow("X:1", "t", "")]
    snapshot = open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), tmp_path).path)
    assert snapshot.forward.relations.dtype == np.uint16
    assert snapshot.neighbours(0, 299).relations.tolist() == [299]
