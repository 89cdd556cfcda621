"""A killed build, or one on a full disk, publishes nothing and is cleaned up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from backend.graphs.snapshots.builder import build_snapshot
from backend.runtime.atomic_dirs import UNFINISHED_PREFIX, workspace
from tests.graphs.snapshots.sources import folder_contents, small_graph

ROOT = Path(__file__).resolve().parents[3]

KILLED = """
import os, signal, sys
from pathlib import Path
from backend.graphs.snapshots.builder import build_snapshot
from tests.graphs.snapshots.sources import small_graph

def die(doing, rows):
    if doing == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

build_snapshot(small_graph(), Path(sys.argv[1]), progress=die, memory_bytes=1)
"""

DISK_FULL_PROGRAM = """
import resource, sys
from pathlib import Path
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.errors import NoSpace
from tests.graphs.snapshots.sources import SourceRows

nodes = [NodeRow(f"X:{n}", "thing", "name " * 9) for n in range(2_000)]
edges = [EdgeRow(f"X:{n % 1999}", "meets", f"X:{n % 7}", score=n) for n in range(20_000)]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    build_snapshot(SourceRows(nodes, edges), Path(sys.argv[1]), memory_bytes=int(sys.argv[3]))
except NoSpace as error:
    print(error.detail)
"""


def run(program: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ
    )


@pytest.mark.parametrize("step", ["reading edges", "folding edges", "writing edges"])
def test_remains_of_a_killed_build_are_hidden_and_removed_by_the_next(
    tmp_path: Path, step: str
) -> None:
    before = build_snapshot(small_graph(), tmp_path / "before")
    assert run(KILLED, tmp_path, step).returncode == -signal.SIGKILL
    left = [path.name for path in tmp_path.iterdir() if path.name not in (".lock", "before")]
    assert len(left) == 1
    assert left[0].startswith(UNFINISHED_PREFIX)
    built = build_snapshot(small_graph(), tmp_path)
    assert folder_contents(built.path) == folder_contents(before.path)
    assert not list(tmp_path.glob(f"{UNFINISHED_PREFIX}*"))


@pytest.mark.parametrize(("most", "memory"), [(4_000, 1 << 30), (40_000, 1), (100_000, 1 << 30)])
def test_a_full_disk_is_reported_as_an_error(tmp_path: Path, most: int, memory: int) -> None:
    done = run(DISK_FULL_PROGRAM, tmp_path, most, memory)
    assert "The disk is too full for this snapshot" in done.stdout, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_workspace_in_use_is_not_removed(tmp_path: Path) -> None:
    with workspace(tmp_path) as busy:
        (busy / "work").touch()
        build_snapshot(small_graph(), tmp_path)
        assert (busy / "work").exists()
    assert not busy.exists()


def test_a_workspace_that_its_creator_removes_meanwhile_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listed by one process, and gone before it is opened."""
    gone = tmp_path / f"{UNFINISHED_PREFIX}gone"
    monkeypatch.setattr(Path, "glob", lambda *_: iter([gone]))
    with workspace(tmp_path) as work:
        assert work.is_dir()
    assert not work.exists() and not gone.exists()
