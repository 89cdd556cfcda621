"""An index that is renumbered is the one that is built anew."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backend.graphs.search.index_builder import build_term_index
from backend.graphs.search.index_cache import index_folder
from backend.graphs.search.index_renumbering import renumber_term_index
from backend.graphs.search.term_index import read_files
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from tests.graphs.snapshots.sources import (
    SourceRows,
    build_snapshot_of,
    graphs,
    small_graph,
)


def numbers_between(before: Snapshot, after: Snapshot) -> NDArray[np.int32]:
    number_of = np.empty(before.entity_count, np.int32)
    number_of[before.arrays["by_hash"]] = after.arrays["by_hash"]
    return number_of


def build(snapshot: Snapshot, folder: Path, most_terms: int) -> None:
    build_term_index(snapshot, folder, lambda *_: None, most_terms=most_terms)


@given(graphs(), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("most_terms", [0, 1_000])
def test_every_file_is_that_of_a_new_index(most_terms: int, rows: SourceRows, step: int) -> None:
    """Between two graphs of the same entities, whose degrees order them otherwise."""
    others = SourceRows(rows.node_rows, rows.edge_rows[::step])
    with build_snapshot_of(rows) as before, build_snapshot_of(others) as after:
        build(before, index_folder(before), most_terms)
        expected = after.path.with_name("expected.search")
        build(after, expected, most_terms)
        number_of = numbers_between(before, after)
        renumber_term_index(index_folder(before), index_folder(after), after, number_of)
        name = after.path.name
        assert read_files(index_folder(after), name) == read_files(expected, name)
        for file in read_files(expected, name):
            assert (index_folder(after) / file).read_bytes() == (expected / file).read_bytes()


def test_without_an_index_or_with_a_damaged_one_nothing_is_made(tmp_path: Path) -> None:
    snapshot = open_snapshot(build_snapshot(small_graph(), tmp_path).path)
    folder = index_folder(snapshot).with_name("other.search")
    numbers = np.arange(snapshot.entity_count, dtype=np.int32)
    with pytest.raises(InvalidSnapshot):
        renumber_term_index(index_folder(snapshot), folder, snapshot, numbers)
    build(snapshot, index_folder(snapshot), 1_000)
    path = index_folder(snapshot) / "names.entities"
    path.chmod(0o644)
    damaged = np.fromfile(path, "<i4")
    damaged[0] = 1_000_000
    damaged.tofile(path)
    with pytest.raises(InvalidSnapshot):
        renumber_term_index(index_folder(snapshot), folder, snapshot, numbers)
    assert not folder.exists()
