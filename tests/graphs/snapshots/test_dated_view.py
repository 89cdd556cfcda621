"""A graph under a cut-off reads like a graph built from the rows that were seen until then."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.common.errors import DomainError
from backend.graphs.path_queries import search_paths
from backend.graphs.snapshots.dated_view import DatedView, get_edge_dates
from backend.graphs.snapshots.errors import NoDates
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from backend.graphs.walk_queries import walk_randomly
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery
from tests.graphs.snapshots.sources import SourceRows, build_snapshot_of, graphs, read_facts
from tests.graphs.snapshots.sources import read_statements as statements
from tests.graphs.snapshots.test_overlay import assert_reads_alike
from tests.graphs.test_paths import neighbours_between

NODES = [NodeRow(f"X:{number}", "T", str(number)) for number in range(1, 4)]
UNDATED_ID = "d4fafb785c01137d250781f06e6a75f4"  # of a graph built before edges had dates


def date_rows(rows: SourceRows, data: st.DataObject, column: str) -> list[EdgeRow]:
    dates = st.sampled_from([None, 1, 5, 6, 9])
    edges = [row for row in rows.edge_rows if isinstance(row, EdgeRow)]
    drawn = [data.draw(dates) for _ in edges]
    if column == "first_pmid":
        return [replace(row, first_pmid=date) for row, date in zip(edges, drawn, strict=True)]
    return [replace(row, first_year=date) for row, date in zip(edges, drawn, strict=True)]


@given(graphs(), st.data(), st.sampled_from(["first_pmid", "first_year"]))
@settings(max_examples=60, deadline=None)
def test_a_cutoff_gives_the_graph_of_the_rows_until_then(
    rows: SourceRows, data: st.DataObject, column: str
) -> None:
    dated = date_rows(rows, data, column)
    with build_snapshot_of(SourceRows(rows.node_rows, [*dated])) as snapshot:
        if get_edge_dates(snapshot) is None:
            with pytest.raises(NoDates):
                DatedView(snapshot, 5)
            return
        view = DatedView(snapshot, 5)
        until = [row for row in dated if (getattr(row, column) or 99) <= 5]
        with build_snapshot_of(SourceRows(rows.node_rows, [*until])) as built:
            assert statements(view) == statements(built)
            assert read_facts(view) == read_facts(built)
            assert view.edge_count == built.edge_count
            for number in range(built.entity_count):
                old = view.find_number(built.entity(number).id)
                assert old is not None
                assert_reads_alike(view, old, built, number)


@given(graphs(), st.data())
@settings(max_examples=20, deadline=None)
def test_paths_under_a_cutoff_are_those_of_the_rebuilt_graph(
    rows: SourceRows, data: st.DataObject
) -> None:
    dated = date_rows(rows, data, "first_pmid")
    with build_snapshot_of(SourceRows(rows.node_rows, [*dated])) as snapshot:
        if get_edge_dates(snapshot) is None:
            return
        end = st.integers(0, snapshot.entity_count - 1)
        ends = data.draw(end), data.draw(end)
        until = [row for row in dated if (row.first_pmid or 99) <= 5]
        with build_snapshot_of(SourceRows(rows.node_rows, [*until])) as built:
            same = [built.find_number(snapshot.entity(one).id) for one in ends]
            first, last = same
            assert first is not None and last is not None
            view = DatedView(snapshot, 5)
            assert neighbours_between(view, *ends) == neighbours_between(built, first, last)


def dated_snapshot_rows() -> SourceRows:
    return SourceRows(
        [*NODES],
        [
            EdgeRow("X:1", "treats", "X:2", first_pmid=10),
            EdgeRow("X:1", "treats", "X:2", first_pmid=20),
            EdgeRow("X:1", "treats", "X:3"),
            EdgeRow("X:2", "treats", "X:3", first_pmid=2**32 - 1),
        ],
    )


def test_dates_are_stored_and_equal_rows_of_two_dates_stay_two_edges() -> None:
    with build_snapshot_of(dated_snapshot_rows()) as snapshot:
        assert sorted(str(edge.first_pmid) for edge in snapshot.edges()) == sorted(
            ["10", "20", "None", str(2**32 - 1)]
        )
        assert {edge.first_year for edge in snapshot.edges()} == {None}


@pytest.mark.parametrize(("until", "edges"), [(9, 0), (10, 1), (20, 2), (2**40, 3)])
def test_undated_edges_are_left_out_and_counted(until: int, edges: int) -> None:
    with build_snapshot_of(dated_snapshot_rows()) as snapshot:
        view = DatedView(snapshot, until)
        assert view.edge_count == edges
        assert view.undated_count == 1
        first = number_of(snapshot, "X:1")
        relation = snapshot.relations[0].number
        assert view.count_undated(first, None, outgoing=True) == 1
        assert view.count_undated(first, relation, outgoing=True) == 1
        assert view.count_undated(first, relation + 1, outgoing=True) == 0
        assert view.count_undated(first, None, outgoing=False) == 0


def test_an_edge_of_a_later_date_cannot_be_read() -> None:
    with build_snapshot_of(dated_snapshot_rows()) as snapshot:
        view = DatedView(snapshot, 15)
        admitted = [edge.edge for edge in view.edges()]
        for edge in range(snapshot.edge_count):
            if edge in admitted:
                assert view.edge(edge) == snapshot.edge(edge)
            else:
                with pytest.raises(IndexError):
                    view.edge(edge)


def test_a_walk_under_a_cutoff_takes_earlier_edges_alone() -> None:
    with build_snapshot_of(dated_snapshot_rows()) as snapshot:
        start = number_of(snapshot, "X:1")
        stop = CancellationToken()
        walk = walk_randomly(DatedView(snapshot, 20), start, 30, seed=1, restart=0, stop=stop)
        assert {step.entity.id for step in walk.steps} == {"X:1", "X:2"}
        blocked = walk_randomly(DatedView(snapshot, 9), start, 30, seed=1, restart=0, stop=stop)
        assert blocked.ended and not blocked.steps


def test_paths_under_a_cutoff_copy_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many neighbours the ends have; a graph with other changes copies theirs."""
    monkeypatch.setattr("backend.graphs.view_csr.MAX_COPIED_ENTITIES", 1)
    with build_snapshot_of(dated_snapshot_rows()) as snapshot:
        first, last = (number_of(snapshot, one) for one in ("X:1", "X:3"))
        query = PathQuery([first], [last])
        for until, total in ((20, 0), (2**32 - 1, 2)):
            paths = search_paths(DatedView(snapshot, until), query, CancellationToken())
            assert paths.total == total
        with pytest.raises(DomainError, match="A changed graph is searched around 1 entities"):
            search_paths(Overlay(snapshot), query, CancellationToken())


def number_of(snapshot: Snapshot, identifier: str) -> int:
    number = snapshot.find_number(identifier)
    assert number is not None
    return number


def test_a_graph_without_dates_has_the_identity_that_it_had_before_there_were_any() -> None:
    rows = SourceRows(
        [
            NodeRow("X:1", "Drug", "one", ("uno",), ("Y:1",)),
            NodeRow("X:2", "Gene", "two"),
            NodeRow("X:3", "Gene", "three"),
        ],
        [
            EdgeRow("X:1", "treats", "X:2", 0.5, "source", "approved", 0.01, ("PMID:7",)),
            EdgeRow("X:1", "treats", "X:2"),
            EdgeRow("X:1", "treats", "X:2"),
            EdgeRow("X:3", "interacts with", "X:2", evidence="other"),
        ],
    )
    with build_snapshot_of(rows) as snapshot:
        assert snapshot.id == UNDATED_ID
        assert not [name for name in snapshot.arrays if name.startswith("edge.first")]


@pytest.mark.parametrize("value", [0, -1, 2**32])
def test_a_date_outside_its_column_drops_the_row(value: int) -> None:
    edge = EdgeRow("X:1", "treats", "X:2", first_pmid=value)
    with build_snapshot_of(SourceRows([*NODES], [edge])) as snapshot:
        assert snapshot.edge_count == 0


def test_a_view_of_a_date_has_no_documents_as_they_have_none() -> None:
    rows = dated_snapshot_rows()
    text = (Section("About", "What was found later.", ""),)
    nodes = [replace(one, document=text) for one in NODES]
    with build_snapshot_of(SourceRows([*nodes], rows.edge_rows)) as snapshot:
        assert len([*snapshot.documents()]) == len(nodes)
        view = DatedView(snapshot, 5)
        assert [*view.documents()] == []
        assert {view.document(number) for number in range(view.entity_count)} == {()}
