"""Reading a snapshot, held against lists of all edges."""

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

from backend.graphs.rows import EdgeRow, NodeRow, Section
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.format import HUB
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.graphs.snapshots.records import Degree
from backend.graphs.snapshots.view import GraphView
from tests.graphs.snapshots.sources import Rows, graphs, small_graph, snapshot_of

Entry = tuple[int, int, int]  # relation, neighbour, edge


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    return open_snapshot(build_snapshot(small_graph(), tmp_path).path)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """An entity with more entries than are counted anew, of three relations, both ways."""
    nodes = [NodeRow(f"X:{number}", "thing", "") for number in range(900)]
    edges = [EdgeRow("X:0", "to", f"X:{number}") for number in range(900)]
    edges += [EdgeRow("X:0", "also to", f"X:{number}") for number in range(300)]
    edges += [EdgeRow(f"X:{number}", "from", "X:0") for number in range(700)]
    folder = tmp_path_factory.mktemp("hub")
    return open_snapshot(build_snapshot(Rows([*nodes], [*edges]), folder).path)


def entries_expected(view: GraphView, number: int, outgoing: bool) -> list[Entry]:
    """From a list of all edges."""
    found = [
        (edge.relation, edge.target if outgoing else edge.source, edge.edge)
        for edge in view.edges()
        if (edge.source if outgoing else edge.target) == number
    ]
    return sorted(found)


def all_pages(
    view: GraphView, number: int, relation: int | None, outgoing: bool, limit: int
) -> list[Entry]:
    """Page by page to the end; no page but the last is short, each says how many there are."""
    found: list[Entry] = []
    after = None
    while True:
        page = view.neighbours(number, relation, outgoing=outgoing, after=after, limit=limit)
        columns = (page.relations.tolist(), page.neighbours.tolist(), page.edges.tolist())
        found += zip(*columns, strict=True)
        if page.next is None:
            assert page.count == len(found)
            return found
        assert len(page) == limit
        after = page.next


@given(graphs(), st.integers(1, 4), st.booleans())
@settings(max_examples=75, deadline=None)
def test_pages_together_are_all_entries_in_order(rows: Rows, limit: int, outgoing: bool) -> None:
    with snapshot_of(rows) as snapshot:
        for number in range(snapshot.entity_count):
            expected = entries_expected(snapshot, number, outgoing)
            assert all_pages(snapshot, number, None, outgoing, limit) == expected
            for relation in range(len(snapshot.relations)):
                of_one = [entry for entry in expected if entry[0] == relation]
                assert all_pages(snapshot, number, relation, outgoing, limit) == of_one


@given(graphs(), st.integers(0, 4), st.booleans(), st.none() | st.integers(0, 3))
@settings(max_examples=75, deadline=None)
def test_pages_of_many_are_those_of_each(
    rows: Rows, limit: int, outgoing: bool, relation: int | None
) -> None:
    with snapshot_of(rows) as snapshot:
        numbers = [*range(snapshot.entity_count), *range(snapshot.entity_count)][::-1]
        pages = snapshot.neighbour_pages(numbers, relation, outgoing=outgoing, limit=limit)
        for i, number in enumerate(numbers):
            part = slice(pages.starts[i], pages.starts[i + 1])
            one = snapshot.neighbours(number, relation, outgoing=outgoing, limit=max(limit, 1))
            assert pages.counts[i] == one.count
            assert pages.neighbours[part].tolist() == one.neighbours[:limit].tolist()
            assert pages.relations[part].tolist() == one.relations[:limit].tolist()
            assert pages.edges[part].tolist() == one.edges[:limit].tolist()


@given(graphs())
@settings(max_examples=50, deadline=None)
def test_degrees_and_neighbours_are_those_of_networkx(rows: Rows) -> None:
    with snapshot_of(rows) as snapshot:
        graph = nx.MultiDiGraph()
        graph.add_nodes_from(range(snapshot.entity_count))
        graph.add_edges_from((e.source, e.target, e.edge) for e in snapshot.edges())
        for number in range(snapshot.entity_count):
            assert snapshot.degree(number) == graph.degree(number)
            assert set(snapshot.row(number).neighbours.tolist()) == set(graph.succ[number])
            assert sum(one.count for one in snapshot.degrees(number)) == graph.degree(number)


def test_a_hub_has_its_counts_at_hand_and_they_are_right(hub: Snapshot) -> None:
    number = hub.number_of("X:0")
    assert number == 0
    assert hub.degree(number) == 1903 > HUB
    assert len(hub.arrays["hubs.offsets"]) == 2
    names = [relation.name for relation in hub.relations]
    expected = [("from", False, 700), ("to", False, 1), ("also to", False, 1)]
    expected += [("to", True, 900), ("also to", True, 300), ("from", True, 1)]
    found = [(names[one.relation], one.outgoing, one.count) for one in hub.degrees(number)]
    assert sorted(found) == sorted(expected)
    assert hub.degrees(number) == GraphView.degrees(hub, number)


def test_the_last_page_of_a_hub_is_reached_by_its_edge(hub: Snapshot) -> None:
    relation = next(one.number for one in hub.relations if one.name == "from")
    entries = all_pages(hub, 0, relation, outgoing=False, limit=250)
    expected = [e for e in entries_expected(hub, 0, outgoing=False) if e[0] == relation]
    assert entries == expected
    after = entries[-3][2]
    page = hub.neighbours(0, relation, outgoing=False, after=after, limit=250)
    assert page.edges.tolist() == [edge for _, _, edge in entries[-2:]]


def test_an_edge_tells_all_that_was_said_of_it(snapshot: Snapshot) -> None:
    told = {edge.publications: edge for edge in snapshot.edges() if edge.relation == 1}
    first, second = told[()], told["PMID:1", "PMID:2"]
    assert (first.score, first.evidence, first.level, first.p_value) == (
        *(0.1, "DrugBank", "high"),
        0.01,
    )
    assert (second.score, second.evidence, second.level, second.p_value) == (None, "", "", None)
    assert (first.folded, second.folded) == (1, 2)


def test_an_entity_is_found_by_its_exact_id_only(snapshot: Snapshot) -> None:
    number = snapshot.number_of("DRUGBANK:DB00945")
    assert number is not None
    record = snapshot.entity(number)
    assert (record.name, record.type) == ("Aspirin", "drug")
    assert (record.synonyms, record.xrefs) == (("ASA",), ("MESH:D001241",))
    assert snapshot.document(number) == (Section("Use", "Against pain.", "own words"),)
    assert list(snapshot.documents()) == [(number, snapshot.document(number))]
    for almost in ("drugbank:DB00945", "DRUGBANK:DB0094", "DRUGBANK:DB00945 ", "", "\ud800"):
        assert snapshot.number_of(almost) is None
    assert snapshot.numbers_of(["X:1", record.id]).tolist() == [-1, number]


def test_a_relation_has_its_phrases_and_its_count(snapshot: Snapshot) -> None:
    treats = snapshot.relations[1]
    assert (treats.forward, treats.backward) == ("treats", "is treated by")
    assert (treats.symmetric, treats.count) == (False, 2)
    number = snapshot.number_of("DOID:6364")
    assert number is not None
    assert snapshot.degrees(number) == [Degree(relation=1, outgoing=False, count=2)]


def test_what_is_not_there_is_an_error_and_never_another_entity(snapshot: Snapshot) -> None:
    for number in (-1, 4, 1 << 40):
        for read in (snapshot.entity, snapshot.document, snapshot.neighbours, snapshot.degrees):
            with pytest.raises(IndexError):
                read(number)
        with pytest.raises(IndexError):
            snapshot.neighbour_pages([0, number])
    for edge in (-1, 4, 1 << 40):
        with pytest.raises(IndexError):
            snapshot.edge(edge)
        for outgoing in (True, False):
            with pytest.raises(ValueError, match="is not one of these"):
                snapshot.neighbours(0, outgoing=outgoing, after=edge)
    with pytest.raises(ValueError, match="at least one"):
        snapshot.neighbours(0, limit=0)
    with pytest.raises(ValueError, match="fewer than no"):
        snapshot.neighbour_pages([0], limit=-1)


def test_a_relation_that_is_not_there_has_no_entries(snapshot: Snapshot) -> None:
    for relation in (-1, 2, 255, 256, 1 << 20):
        assert snapshot.neighbours(0, relation).count == 0
        assert snapshot.neighbour_pages([0], relation).counts.tolist() == [0]


def test_nobody_can_write_to_what_is_mapped(snapshot: Snapshot) -> None:
    with pytest.raises(ValueError, match="read-only"):
        snapshot.forward.neighbours[0] = 1
    assert not snapshot.row(0).neighbours.flags.owndata


def test_opening_twice_gives_what_is_open_also_to_threads(tmp_path: Path) -> None:
    path = build_snapshot(small_graph(), tmp_path).path
    first = open_snapshot(path)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: open_snapshot(path), range(100)))
    assert all(one is first for one in found)


def test_a_link_is_followed_to_where_it_leads_now(tmp_path: Path) -> None:
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


def test_what_took_the_place_of_another_is_what_is_opened(tmp_path: Path) -> None:
    paths = [
        build_snapshot(rows, tmp_path / "built").path
        for rows in (small_graph(), Rows([NodeRow("X:1", "thing", "")], []))
    ]
    link = tmp_path / "graph"
    for path in (*paths, *paths):
        link.unlink(missing_ok=True)
        link.symlink_to(path)
        assert open_snapshot(link).id == open_snapshot(path).id


def read_in_child(path: Path, answers: multiprocessing.Queue[list[int]]) -> None:
    answers.put(open_snapshot(path).neighbours(0, outgoing=False).neighbours.tolist())


def test_a_forked_process_reads_on_even_if_a_thread_held_the_lock(tmp_path: Path) -> None:
    from backend.graphs.snapshots import opening

    path = build_snapshot(small_graph(), tmp_path).path
    expected = open_snapshot(path).neighbours(0, outgoing=False).neighbours.tolist()
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with opening._lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = context.Process(target=read_in_child, args=(path, answers))
    child.start()
    try:
        assert answers.get(timeout=60) == expected
    finally:
        done.set()
        thread.join()
        child.join()


def test_edges_of_two_bytes_per_relation_are_read_as_well(tmp_path: Path) -> None:
    edges = [EdgeRow("X:0", f"relation {number:03}", "X:1") for number in range(300)]
    nodes = [NodeRow("X:0", "t", ""), NodeRow("X:1", "t", "")]
    snapshot = open_snapshot(build_snapshot(Rows([*nodes], [*edges]), tmp_path).path)
    assert snapshot.forward.relations.dtype == np.uint16
    assert snapshot.neighbours(0, 299).relations.tolist() == [299]
    assert snapshot.neighbour_pages([0], 299).relations.tolist() == [299]
