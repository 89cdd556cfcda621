"""A snapshot without some edges reads like a snapshot built from the remaining rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.records import EdgeRecord
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.source_records import EdgeRow
from tests.graphs.snapshots.sources import (
    SourceRows,
    build_snapshot_of,
    graphs,
    read_facts,
)
from tests.graphs.snapshots.sources import read_statements as statements
from tests.graphs.snapshots.test_snapshot import all_pages, entries_expected


def rebuilt_rows(view: GraphView, edges: list[EdgeRecord]) -> list[EdgeRow]:
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
        for _ in range(edge.row_count)
    ]


def removed_edges(snapshot: Snapshot) -> st.SearchStrategy[set[int]]:
    if not snapshot.edge_count:
        return st.just(set())
    return st.sets(st.integers(0, snapshot.edge_count - 1), max_size=6)


@given(graphs(), st.data())
@settings(max_examples=100, deadline=None)
def test_an_overlay_equals_the_rebuilt_graph(rows: SourceRows, data: st.DataObject) -> None:
    with build_snapshot_of(rows) as snapshot:
        removed = data.draw(removed_edges(snapshot))
        view = Overlay(snapshot, removed)
        output = [edge for edge in snapshot.edges() if edge.edge not in removed]
        anew = SourceRows(rows.node_rows, [*rebuilt_rows(snapshot, output)])
        with build_snapshot_of(anew) as built:
            assert statements(view) == statements(built)
            assert read_facts(view) == read_facts(built)
            assert view.edge_count == built.edge_count
            for number in range(built.entity_count):
                old = view.find_number(built.entity(number).id)
                assert old is not None
                assert_reads_alike(view, old, built, number)


def assert_reads_alike(view: GraphView, old: int, built: GraphView, number: int) -> None:
    assert view.degree(old) == built.degree(number)
    assert counts(view, old) == counts(built, number)
    for outgoing in (True, False):
        entries = entries_expected(view, old, outgoing)
        assert all_pages(view, old, None, outgoing, 2) == entries
        assert ends(view, entries) == ends(built, entries_expected(built, number, outgoing))


def counts(view: GraphView, number: int) -> list[tuple[str, bool, int]]:
    """By name: numbers of relations differ where one has lost its last edge."""
    result = view.degrees(number)
    return [(view.relations[one.relation].name, one.outgoing, one.count) for one in result]


def ends(view: GraphView, entries: list[tuple[int, int, int]]) -> list[tuple[str, str]]:
    result = ((view.relations[r].name, view.entity(neighbour).id) for r, neighbour, _ in entries)
    return sorted(result)


def test_unchanged_rows_are_those_of_the_snapshot(snapshot: Snapshot) -> None:
    treats = next(edge for edge in snapshot.edges() if edge.relation == 1)
    view = Overlay(snapshot, [treats.edge])
    protein = snapshot.find_number("UniProtKB:P23219")
    assert protein is not None
    row = view.row(protein, outgoing=False)
    assert row.neighbours.base is not None
    assert (
        row.neighbours.ctypes.data == snapshot.row(protein, outgoing=False).neighbours.ctypes.data
    )
    assert len(view.row(treats.source)) == len(snapshot.row(treats.source)) - 1


def test_a_removed_edge_is_gone_and_the_others_keep_their_numbers(snapshot: Snapshot) -> None:
    view = Overlay(snapshot, [0])
    for edge in (-1, 0, 4):
        with pytest.raises(IndexError):
            view.edge(edge)
    assert list(view.edges()) == [snapshot.edge(edge) for edge in (1, 2, 3)]
    assert 0 not in view.neighbours(snapshot.edge(0).source).edges


def test_an_overlay_rejects_unknown_edges(snapshot: Snapshot) -> None:
    for edge in (-1, 99):
        with pytest.raises(IndexError):
            Overlay(snapshot, removed=[edge])


def test_documents_and_names_come_from_the_snapshot(snapshot: Snapshot) -> None:
    view = Overlay(snapshot, [0])
    assert list(view.documents()) == list(snapshot.documents())
    assert list(view.entities(1, 3)) == list(snapshot.entities(1, 3))
