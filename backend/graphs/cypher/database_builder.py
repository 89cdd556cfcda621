"""Build the Cypher engine's database of a snapshot, once.

It is stored in FOLDER/<snapshot>/<layout>-<version of the engine>/, appears there only when it is
complete, and is built by one process at a time. The next build deletes what a killed one left.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from backend.graphs.cypher import load_worker
from backend.graphs.cypher.csv_tables import linked_entities, write_tables
from backend.graphs.cypher.errors import DatabaseNotBuilt, GraphTooLarge
from backend.graphs.cypher.schema import LAYOUT_VERSION
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.atomic_dirs import file_lock, publish_directory, workspace

MAX_GRAPH_SIZE = 5_000_000
BUILD_MEMORY_BYTES = 1 << 30
BUILD_TIMEOUT_S = 3600
LOCK_FILE = ".building"


@dataclass(frozen=True, slots=True)
class Database:
    """A snapshot, and the engine's database file with the same graph."""

    snapshot: Snapshot
    path: Path


def get_database(
    snapshot: Snapshot,
    into: Path,
    *,
    both_directions: bool = False,
    linked_only: bool = False,
    until: int | None = None,
) -> Database | None:
    """The database, if it has been built."""
    folder = into / snapshot.path.name / _layout_name(both_directions, linked_only, until)
    path = folder / load_worker.DATABASE_FILE
    return Database(snapshot, path) if path.exists() else None


def require_size(snapshot: Snapshot, largest: int, *, linked_only: bool = False) -> None:
    """Raises GraphTooLarge, with the graph's size and the limit."""
    entities = len(linked_entities(snapshot)) if linked_only else snapshot.entity_count
    for what, count in (("edges", snapshot.edge_count), ("entities", entities)):
        if count > largest:
            raise GraphTooLarge(
                f"This graph has {count:,} {what}; Cypher queries are limited to graphs with "
                f"{largest:,} {what}.",
                data={what: count, "largest": largest},
            )


def build_database(
    snapshot: Snapshot,
    into: Path,
    *,
    largest: int = MAX_GRAPH_SIZE,
    memory_bytes: int = BUILD_MEMORY_BYTES,
    both_directions: bool = False,
    linked_only: bool = False,
    until: int | None = None,
) -> Database:
    """The database of a snapshot, built unless it exists.

    both_directions: one of its own, in which arrows find symmetric relations either way.
    linked_only: one of its own without entities that have no edge.
    until: one of its own without edges that are undated or first seen after this PMID or year.
    Waits if another process is building it. Raises GraphTooLarge, or DatabaseNotBuilt if the
    engine failed.
    """
    require_size(snapshot, largest, linked_only=linked_only)
    place = into / snapshot.path.name / _layout_name(both_directions, linked_only, until)
    place.parent.mkdir(parents=True, exist_ok=True)
    with file_lock(place.parent / LOCK_FILE):
        if not place.exists():
            with workspace(place.parent) as folder:
                statements = write_tables(
                    snapshot,
                    folder,
                    both_directions=both_directions,
                    linked_only=linked_only,
                    until=until,
                )
                _run_load_worker(statements, folder, memory_bytes)
                (folder / "made").mkdir()
                (folder / load_worker.DATABASE_FILE).rename(
                    folder / "made" / load_worker.DATABASE_FILE
                )
                publish_directory(folder / "made", place)
    return Database(snapshot, place / load_worker.DATABASE_FILE)


def delete_databases(snapshot_name: str, into: Path) -> None:
    """Delete all databases of a snapshot. Running queries keep their open file."""
    shutil.rmtree(into / snapshot_name, ignore_errors=True)


def _layout_name(both_directions: bool, linked_only: bool, until: int | None) -> str:
    kinds = ["both"] * both_directions + ["linked"] * linked_only
    kinds += [] if until is None else [f"until{until}"]
    return "-".join([str(LAYOUT_VERSION), *kinds, version("ladybug")])


def _run_load_worker(statements: Sequence[str], folder: Path, memory_bytes: int) -> None:
    request = {"statements": statements, "memory": memory_bytes}
    program = [sys.executable, "-I", load_worker.__file__]
    try:
        done = subprocess.run(  # noqa: S603 - our own program, without words from outside
            program,
            input=json.dumps(request),
            text=True,
            capture_output=True,
            cwd=folder,
            env={"HOME": os.fspath(folder)},
            timeout=BUILD_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DatabaseNotBuilt(
            "The Cypher engine took too long to load the graph. Try again later."
        ) from None
    if done.returncode != 0:
        output = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise DatabaseNotBuilt(f"The Cypher engine could not load the graph: {output[0]}")
