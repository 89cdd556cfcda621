from pathlib import Path

import pytest

from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from tests.graphs.snapshots.sources import small_graph


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    return open_snapshot(build_snapshot(small_graph(), tmp_path).path)
