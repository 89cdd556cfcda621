"""A snapshot with changes reads as the graph would that were built from changed rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.rows import EdgeRow
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.graphs.snapshots.records import EdgeRecord, NewEdge
from backend.graphs.snapshots.view import GraphView
from tests.graphs.snapshots.sources import Rows, facts_of, graphs, small_graph, snapshot_of
from tests.graphs.snapshots.sources import statements_of as statements
from tests.graphs.snapshots.test_reading import all_pages, entries_expected


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    return open_snapshot(build_snapshot(small_graph(), tmp_path).path)


def rows_again(view: GraphView, edges: list[EdgeRecord]) -> list[EdgeRow]:
    """The rows that a build needs to have these edges."""
    ids = [one.id for one in view.entities()]
    return [
        EdgeRow(
            ids[edge.source],
            view.relations[edge.relation].name,
            ids[edge.target],
            *(edge.score, edge.evidence, edge.level, edge.p_value, edge.publications),
        )
        for edge in edges
        for _ in range(edge.folded)
    ]


def new_edge(edge: EdgeRecord, source: int, target: int) -> NewEdge:
    values = (edge.score, edge.evidence, edge.level, edge.p_value, edge.publications)
    return NewEdge(source, edge.relation, target, *values)


@st.composite
def changes(draw: st.DrawFn, snapshot: Snapshot) -> tuple[set[int], list[NewEdge]]:
    """Some edges go; some come that are like another one, between any two entities."""
    if not snapshot.edge_count:
        return set(), []
    edge = st.integers(0, snapshot.edge_count - 1)
    end = st.integers(0, snapshot.entity_count - 1)
    removed = draw(st.sets(edge, max_size=6))
    added = []
    for number in draw(st.lists(edge, max_size=6)):
        like = snapshot.edge(number)
        same = draw(st.booleans())
        ends = (like.source, like.target) if same else (draw(end), draw(end))
        added.append(new_edge(like, *ends))
    return removed, added


@given(graphs(), st.data())
@settings(max_examples=100, deadline=None)
def test_an_overlay_is_the_graph_built_anew(rows: Rows, data: st.DataObject) -> None:
    with snapshot_of(rows) as snapshot:
        removed, added = data.draw(changes(snapshot))
        view = snapshot.overlay(removed, added)
        kept = [edge for edge in snapshot.edges() if edge.edge not in removed]
        values = ((n.score, n.evidence, n.level, n.p_value, n.publications) for n in added)
        come = [
            EdgeRecord(0, n.source, n.relation, n.target, *told, 1)
            for n, told in zip(added, values, strict=True)
        ]
        anew = Rows(rows.node_rows, [*rows_again(snapshot, [*kept, *come])])
        with snapshot_of(anew) as built:
            assert statements(view) == statements(built)
            assert facts_of(view) == facts_of(built)
            assert view.edge_count == built.edge_count
            for number in range(built.entity_count):
                old = view.number_of(built.entity(number).id)
                assert old is not None
                assert_reads_alike(view, old, built, number)


def assert_reads_alike(view: GraphView, old: int, built: GraphView, number: int) -> None:
    assert view.degree(old) == built.degree(number)
    assert counts(view, old) == counts(built, number)
    for outgoing in (True, False):
        entries = entries_expected(view, old, outgoing)
        assert all_pages(view, old, None, outgoing, 2) == entries
        assert ends(view, entries) == ends(built, entries_expected(built, number, outgoing))
        pages = view.neighbour_pages([old], outgoing=outgoing, limit=3)
        assert pages.edges.tolist() == [edge for _, _, edge in entries[:3]]
        assert pages.counts.tolist() == [len(entries)]


def counts(view: GraphView, number: int) -> list[tuple[str, bool, int]]:
    """By name: numbers of relations differ where one has lost its last edge."""
    found = view.degrees(number)
    return [(view.relations[one.relation].name, one.outgoing, one.count) for one in found]


def ends(view: GraphView, entries: list[tuple[int, int, int]]) -> list[tuple[str, str]]:
    found = ((view.relations[r].name, view.entity(neighbour).id) for r, neighbour, _ in entries)
    return sorted(found)


def test_rows_that_nobody_changed_are_those_of_the_snapshot(snapshot: Snapshot) -> None:
    treats = next(edge for edge in snapshot.edges() if edge.relation == 1)
    view = snapshot.overlay([treats.edge], [])
    protein = snapshot.number_of("UniProtKB:P23219")
    assert protein is not None
    row = view.row(protein, outgoing=False)
    assert row.neighbours.base is not None
    assert (
        row.neighbours.ctypes.data == snapshot.row(protein, outgoing=False).neighbours.ctypes.data
    )
    assert len(view.row(treats.source)) == len(snapshot.row(treats.source)) - 1


def test_a_removed_edge_is_gone_and_an_added_one_can_be_read(snapshot: Snapshot) -> None:
    ids = ("DRUGBANK:DB00945", "UniProtKB:P23219")
    drug, protein = (snapshot.number_of(one) or 0 for one in ids)
    new = NewEdge(drug, 1, protein, 0.25, "own work", "", None, ("PMID:2", "PMID:1", ""))
    view = snapshot.overlay([0], [new])
    with pytest.raises(IndexError):
        view.edge(0)
    with pytest.raises(IndexError):
        view.edge(5)
    edge = view.edge(4)
    assert (edge.score, edge.evidence, edge.publications) == (
        0.25,
        "own work",
        ("PMID:1", "PMID:2"),
    )
    assert [one.edge for one in view.edges()] == [1, 2, 3, 4]
    assert view.neighbours(drug, 1).edges.tolist()[-1] == 4


def test_an_overlay_takes_no_edge_that_leads_nowhere(snapshot: Snapshot) -> None:
    for wrong in (NewEdge(0, 0, 99), NewEdge(-1, 0, 0), NewEdge(0, 9, 0)):
        with pytest.raises(IndexError):
            snapshot.overlay(added=[wrong])
    for edge in (-1, 99):
        with pytest.raises(IndexError):
            snapshot.overlay(removed=[edge])


def test_documents_and_names_shine_through(snapshot: Snapshot) -> None:
    view = snapshot.overlay([0])
    assert list(view.documents()) == list(snapshot.documents())
    assert list(view.entities(1, 3)) == list(snapshot.entities(1, 3))
