"""A build that is killed, or runs out of room, shows nothing and is swept away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from backend.graphs.snapshots.building import build_snapshot
from backend.science.folders import UNFINISHED, workspace
from tests.graphs.snapshots.sources import contents, small_graph

ROOT = Path(__file__).resolve().parents[3]

KILLED = """
import os, signal, sys
from pathlib import Path
from backend.graphs.snapshots.building import build_snapshot
from tests.graphs.snapshots.sources import small_graph

def die(doing, rows):
    if doing == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

build_snapshot(small_graph(), Path(sys.argv[1]), progress=die, memory_bytes=1)
"""

FULL = """
import resource, sys
from pathlib import Path
from backend.graphs.rows import EdgeRow, NodeRow
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.errors import NoSpace
from tests.graphs.snapshots.sources import Rows

nodes = [NodeRow(f"X:{n}", "thing", "name " * 9) for n in range(2_000)]
edges = [EdgeRow(f"X:{n % 1999}", "meets", f"X:{n % 7}", score=n) for n in range(20_000)]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    build_snapshot(Rows(nodes, edges), Path(sys.argv[1]), memory_bytes=int(sys.argv[3]))
except NoSpace as error:
    print(error.detail)
"""


def run(program: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ
    )


@pytest.mark.parametrize("step", ["reading edges", "folding edges", "writing edges"])
def test_what_a_killed_build_left_is_invisible_and_swept_by_the_next(
    tmp_path: Path, step: str
) -> None:
    before = build_snapshot(small_graph(), tmp_path / "before")
    assert run(KILLED, tmp_path, step).returncode == -signal.SIGKILL
    left = [path.name for path in tmp_path.iterdir() if path.name not in (".lock", "before")]
    assert len(left) == 1
    assert left[0].startswith(UNFINISHED)
    built = build_snapshot(small_graph(), tmp_path)
    assert contents(built.path) == contents(before.path)
    assert not list(tmp_path.glob(f"{UNFINISHED}*"))


@pytest.mark.parametrize(("most", "memory"), [(4_000, 1 << 30), (40_000, 1), (100_000, 1 << 30)])
def test_a_disk_that_takes_no_more_is_told_in_a_sentence(
    tmp_path: Path, most: int, memory: int
) -> None:
    done = run(FULL, tmp_path, most, memory)
    assert "There is no room on the disk" in done.stdout, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_folder_that_somebody_works_in_is_not_swept(tmp_path: Path) -> None:
    with workspace(tmp_path) as busy:
        (busy / "work").touch()
        build_snapshot(small_graph(), tmp_path)
        assert (busy / "work").exists()
    assert not busy.exists()
