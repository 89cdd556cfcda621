"""The moment in which a snapshot becomes visible."""

from __future__ import annotations

import time
from pathlib import Path

from backend.graphs.snapshots.checking import CLOCK, check_whole, stamp
from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.format import Manifest
from backend.science.folders import locked, publish

LARGE = 1_000_000  # a smaller one is checked again in less time than a tick of the clock takes


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
    if manifest.edge_count > LARGE:
        time.sleep(CLOCK / 1e9)
    stamp(final, manifest)
    return final
