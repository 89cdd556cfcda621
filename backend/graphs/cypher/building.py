"""The engine's own copy of a snapshot: made once, kept beside the snapshots.

It lies in FOLDER/<snapshot>/<layout>-<version of the engine>/, appears there only when it is
complete, and is made by one process at a time. What a killed build leaves is swept by the next.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from backend.graphs.cypher import loading
from backend.graphs.cypher.errors import DatabaseNotBuilt, GraphTooLarge
from backend.graphs.cypher.schema import LAYOUT
from backend.graphs.cypher.tables import write_tables
from backend.graphs.snapshots.opening import Snapshot
from backend.science.folders import locked, publish, workspace

LARGEST_GRAPH = 5_000_000
MEMORY = 1 << 30
LONGEST_S = 3600
LOCK = ".building"


@dataclass(frozen=True, slots=True)
class Database:
    """A snapshot and the file of the engine that holds the same graph."""

    snapshot: Snapshot
    path: Path


def get_database(snapshot: Snapshot, into: Path) -> Database | None:
    """The copy, if it has been made."""
    path = _place(snapshot, into) / loading.DATABASE
    return Database(snapshot, path) if path.exists() else None


def require_size(snapshot: Snapshot, largest: int) -> None:
    """Raises GraphTooLarge, which names what the graph has and what is allowed."""
    for what, count in (("edges", snapshot.edge_count), ("entities", snapshot.entity_count)):
        if count > largest:
            raise GraphTooLarge(
                f"This graph has {count:,} {what}. Cypher is offered for graphs of up to "
                f"{largest:,} {what}.",
                data={what: count, "largest": largest},
            )


def build_database(
    snapshot: Snapshot, into: Path, *, largest: int = LARGEST_GRAPH, memory_bytes: int = MEMORY
) -> Database:
    """The copy of a snapshot in the folder of copies; made unless it is there.

    Whoever comes while another process makes it waits for that one. Raises GraphTooLarge, or
    DatabaseNotBuilt when the engine could not make it.
    """
    require_size(snapshot, largest)
    place = _place(snapshot, into)
    place.parent.mkdir(parents=True, exist_ok=True)
    with locked(place.parent / LOCK):
        if not place.exists():
            with workspace(place.parent) as folder:
                _make(snapshot, folder, memory_bytes)
                (folder / "made").mkdir()
                (folder / loading.DATABASE).rename(folder / "made" / loading.DATABASE)
                publish(folder / "made", place)
    return Database(snapshot, place / loading.DATABASE)


def forget_database(snapshot_name: str, into: Path) -> None:
    """Remove all copies of a snapshot. Queries that run keep the file that they have open."""
    shutil.rmtree(into / snapshot_name, ignore_errors=True)


def _place(snapshot: Snapshot, into: Path) -> Path:
    return into / snapshot.path.name / f"{LAYOUT}-{version('ladybug')}"


def _make(snapshot: Snapshot, folder: Path, memory_bytes: int) -> None:
    wanted = {"statements": write_tables(snapshot, folder), "memory": memory_bytes}
    program = [sys.executable, "-I", loading.__file__]
    try:
        done = subprocess.run(  # noqa: S603 - our own program, without words from outside
            program,
            input=json.dumps(wanted),
            text=True,
            capture_output=True,
            cwd=folder,
            env={"HOME": os.fspath(folder)},
            timeout=LONGEST_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DatabaseNotBuilt("The Cypher engine took too long to read the graph.") from None
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise DatabaseNotBuilt(f"The Cypher engine could not read the graph: {said[0]}")
