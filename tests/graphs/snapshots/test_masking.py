"""A masked snapshot reads like a snapshot built from the rows that remain."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.snapshots import masking
from backend.graphs.snapshots.format import MANIFEST
from backend.graphs.snapshots.integrity import has_valid_stamp, verify_snapshot, write_stamp
from backend.graphs.snapshots.masking import mask_snapshot, restrict_snapshot
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from tests.graphs.snapshots.sources import (
    SourceRows,
    build_snapshot_of,
    graphs,
    read_facts,
    read_statements,
)
from tests.graphs.snapshots.test_overlay import assert_reads_alike, rebuilt_rows, removed_edges


@given(graphs(), st.data())
@settings(max_examples=40, deadline=None)
def test_a_masked_snapshot_equals_the_rebuilt_graph(rows: SourceRows, data: st.DataObject) -> None:
    with build_snapshot_of(rows) as snapshot:
        removed = data.draw(removed_edges(snapshot))
        built = mask_snapshot(snapshot, removed, snapshot.path.parent)
        verify_snapshot(built.path)
        masked = open_snapshot(built.path)
        remaining = [edge for edge in snapshot.edges() if edge.edge not in removed]
        with build_snapshot_of(
            SourceRows(rows.node_rows, [*rebuilt_rows(snapshot, remaining)])
        ) as expected:
            assert read_statements(masked) == read_statements(expected)
            assert read_facts(masked) == read_facts(expected)
            for number in range(expected.entity_count):
                old = masked.find_number(expected.entity(number).id)
                assert old is not None
                assert_reads_alike(masked, old, expected, number)


def test_entities_keep_their_numbers_and_each_edge_its_columns(snapshot: Snapshot) -> None:
    removed = {0, snapshot.edge_count - 1}
    masked = open_snapshot(mask_snapshot(snapshot, removed, snapshot.path.parent).path)
    overlay = Overlay(snapshot, removed)
    assert list(masked.entities()) == list(snapshot.entities())
    for number in range(snapshot.entity_count):
        for outgoing in (True, False):
            one, other = (view.row(number, outgoing=outgoing) for view in (masked, overlay))
            assert np.array_equal(one.neighbours, other.neighbours)
            assert np.array_equal(one.relations, other.relations)
        assert masked.degrees(number) == overlay.degrees(number)


def test_files_without_edges_are_shared_and_the_base_stays_verified(snapshot: Snapshot) -> None:
    while not has_valid_stamp(snapshot.path, snapshot.manifest):  # not within one clock tick
        write_stamp(snapshot.path, snapshot.manifest)
    built = mask_snapshot(snapshot, {1}, snapshot.path.parent)
    names = {*snapshot.manifest.files} - {MANIFEST}
    shared = {name for name in names if (snapshot.path / name).samefile(built.path / name)}
    assert {"ids.pool", "names.pool", "hashes", "types"} <= shared
    assert not {name for name in shared if name.startswith(("forward.", "reverse.", "edge."))}
    assert has_valid_stamp(snapshot.path, snapshot.manifest)


def test_blocks_change_nothing(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = mask_snapshot(snapshot, {1, 2}, snapshot.path.parent / "whole")
    monkeypatch.setattr(masking, "BLOCK_EDGES", 2)
    parts = mask_snapshot(snapshot, [2, 1, 1], snapshot.path.parent / "parts")
    assert parts.id == whole.id
    assert snapshot.edge_count > masking.BLOCK_EDGES


def test_the_same_mask_gives_the_same_folder_and_no_mask_the_base(snapshot: Snapshot) -> None:
    first, second = (mask_snapshot(snapshot, {1}, snapshot.path.parent) for _ in range(2))
    assert first.path == second.path
    assert mask_snapshot(snapshot, (), snapshot.path.parent).path == snapshot.path


@pytest.mark.parametrize("edge", [-1, 10**9])
def test_an_unknown_edge_is_refused(snapshot: Snapshot, edge: int) -> None:
    with pytest.raises(IndexError):
        mask_snapshot(snapshot, {edge}, snapshot.path.parent)


@given(graphs(), st.data())
@settings(max_examples=20, deadline=None)
def test_the_remaining_edges_give_the_same_snapshot_as_the_removed_ones(
    rows: SourceRows, data: st.DataObject
) -> None:
    with build_snapshot_of(rows) as snapshot:
        removed = data.draw(removed_edges(snapshot))
        remaining = np.setdiff1d(np.arange(snapshot.edge_count), np.array([*removed], np.int64))
        folder = snapshot.path.parent
        built = restrict_snapshot(snapshot, remaining, folder)
        assert built == mask_snapshot(snapshot, removed, folder)
        if snapshot.edge_count:
            with pytest.raises(IndexError):
                restrict_snapshot(snapshot, np.array([snapshot.edge_count]), folder)
