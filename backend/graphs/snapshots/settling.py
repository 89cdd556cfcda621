"""The moment in which a snapshot becomes visible."""

from __future__ import annotations

from pathlib import Path

from backend.graphs.snapshots.checking import check_whole, stamp
from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.folders import locked, publish
from backend.graphs.snapshots.format import Manifest


def settle(made: Path, final: Path, manifest: Manifest) -> Path:
    """Publish a checked folder, unless the same content is there already and whole.

    What is there under its name and is not whole has been altered since: it is moved into the
    workspace, and goes with it.
    """
    with locked(final.with_name(".lock")):
        if final.exists():
            try:
                check_whole(final)
                return final
            except SnapshotRefused:
                final.rename(made.with_name("altered"))
        publish(made, final)
    stamp(final, manifest)
    return final
