"""A snapshot that is built from another in columns is the one that is built from its rows."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.export_rows import edge_rows, node_row, relation_infos
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.integrity import verify_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.snapshots.snapshot_ingest import SnapshotIngest
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo
from tests.graphs.snapshots.sources import SourceRows, build_snapshot_of, graphs
from tests.graphs.snapshots.test_overlay import removed_edges


@dataclass(frozen=True)
class Rows:
    """The same one by one: an independent way to what the columns must give."""

    snapshot: Snapshot
    removed: Collection[int]

    @property
    def relations(self) -> Mapping[str, RelationInfo]:
        return relation_infos(self.snapshot)

    def nodes(self) -> Iterator[NodeRow]:
        return (node_row(self.snapshot, number) for number in range(self.snapshot.entity_count))

    def edges(self) -> Iterator[EdgeRow]:
        remaining = (one for one in self.snapshot.edges() if one.edge not in self.removed)
        return edge_rows(self.snapshot, remaining)


def build_from_columns(
    snapshot: Snapshot, removed: Collection[int], into: Path, memory_bytes: int = 1 << 20
) -> BuildResult:
    ingest = partial(SnapshotIngest, snapshot, removed)
    source = Rows(snapshot, removed)
    return build_snapshot(source, into, ingest=ingest, memory_bytes=memory_bytes)


@given(graphs(), st.data())
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("memory_bytes", [1, 1 << 20])
def test_columns_and_rows_give_the_same_folder(
    memory_bytes: int, rows: SourceRows, data: st.DataObject
) -> None:
    """With little memory a block has few rows; the folder's name is of its content."""
    with build_snapshot_of(rows) as snapshot:
        removed = data.draw(removed_edges(snapshot))
        folder = snapshot.path.parent
        built = build_from_columns(snapshot, removed, folder / "columns", memory_bytes)
        expected = build_snapshot(Rows(snapshot, removed), folder / "rows")
        verify_snapshot(built.path)
        assert built.path.name == expected.path.name
        files = [open_snapshot(one.path).manifest.files for one in (built, expected)]
        assert files[0] == files[1]
        assert built.edges == snapshot.edge_count - len(removed)


def test_nothing_removed_gives_the_folder_of_the_snapshot(snapshot: Snapshot) -> None:
    built = build_from_columns(snapshot, (), snapshot.path.parent)
    assert built.path == snapshot.path


def test_dates_and_what_states_them_are_those_of_the_rows(tmp_path: Path) -> None:
    nodes = [NodeRow(f"X:{number}", "", f"name {number}") for number in range(4)]
    edges = [
        EdgeRow("X:0", "treats", "X:1", first_pmid=12, date_source="PubTator"),
        EdgeRow("X:0", "treats", "X:2", first_year=1999, date_source="other"),
        EdgeRow("X:3", "treats", "X:2"),
        EdgeRow("X:3", "causes", "X:2", first_pmid=9),
    ]
    with build_snapshot_of(SourceRows([*nodes], [*edges])) as snapshot:
        for edge in range(snapshot.edge_count):
            built = build_from_columns(snapshot, {edge}, tmp_path / "columns", memory_bytes=1)
            expected = build_snapshot(Rows(snapshot, {edge}), tmp_path / "rows")
            assert built.path.name == expected.path.name


@pytest.mark.parametrize("edge", [-1, 10**9])
def test_an_unknown_edge_is_refused(snapshot: Snapshot, edge: int) -> None:
    with pytest.raises(IndexError):
        build_from_columns(snapshot, {edge}, snapshot.path.parent / "columns")
