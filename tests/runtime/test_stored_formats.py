"""Files that were stored before the array store had one implementation can still be read.

`data/stored_before_array_store.zip` has a snapshot, its term index, and three artifacts.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from backend.graphs.search.index_cache import get_term_index
from backend.graphs.search.name_search import NameSearch
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.integrity import verify_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.runtime.array_store.artifacts import open_artifact
from backend.science.embeddings.embedding_store import open_embedding
from backend.science.transition.marginal import solve_marginal
from backend.science.transition.marginal_store import load_marginal, save_marginal
from backend.science.transition.parameters import Parameters
from backend.science.transition.transition_model import TransitionModel
from tests.graphs.snapshots.sources import SourceRows, folder_contents, small_graph

ARCHIVE = Path(__file__).with_name("data") / "stored_before_array_store.zip"
SNAPSHOT = "820d6404f1695b7bb6138b1b7bcee103-25519224a6651aac"


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path)
    return tmp_path


def test_a_stored_snapshot_opens_and_has_the_identity_of_a_new_build(stored: Path) -> None:
    graph = small_graph()
    loops = [EdgeRow("DOID:6364", "meets", "DOID:6364", score=n / 2048) for n in range(600)]
    rows = SourceRows(
        [*graph.node_rows, NodeRow("X:1", "thing", "one")], [*graph.edge_rows, *loops]
    )
    built = build_snapshot(rows, stored / "built")
    assert built.path.name == SNAPSHOT
    old = stored / "snapshots" / SNAPSHOT
    assert verify_snapshot(old).id == built.id
    assert folder_contents(old) == folder_contents(built.path)
    assert open_snapshot(old).edge_count == 604


def test_a_stored_term_index_opens(stored: Path) -> None:
    snapshot = open_snapshot(stored / "snapshots" / SNAPSHOT)
    index = snapshot.path.with_name(f"{SNAPSHOT}.search")
    before = folder_contents(index)
    result = NameSearch(snapshot, get_term_index(snapshot), 5).execute("aspirin")
    assert [hit.text for hit in result.hits] == ["Aspirin"]
    assert folder_contents(index) == before


def test_stored_artifacts_open(stored: Path) -> None:
    artifact = open_artifact(
        stored / "artifacts" / "test", kind="test", source="abc", parameters={"hops": 3}
    )
    assert artifact.facts == {"error": 1e-9}
    np.testing.assert_array_equal(artifact.arrays["values"], np.linspace(0, 1, 10))
    embedding = open_embedding(stored / "artifacts" / "embedding", source=SNAPSHOT)
    assert embedding.vectors.shape == (5, 16)


def test_a_stored_marginal_equals_a_new_one_byte_for_byte(stored: Path) -> None:
    snapshot = open_snapshot(stored / "snapshots" / SNAPSHOT)
    parameters = Parameters()
    folder = stored / "artifacts" / "marginal"
    old = load_marginal(folder, SNAPSHOT, parameters, entity_count=5)
    model = TransitionModel.of(snapshot.forward, snapshot.reverse, parameters)
    new = solve_marginal(model)
    assert new.values.tobytes() == old.values.tobytes()
    save_marginal(stored / "new", SNAPSHOT, parameters, new)
    assert folder_contents(stored / "new") == folder_contents(folder)
