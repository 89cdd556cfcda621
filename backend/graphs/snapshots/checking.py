"""Whether a snapshot is what its manifest says, before compiled code reads it.

Sizes are checked whenever it is opened. Checksums and the range of every index are checked once on
each machine: a stamp beside the folder then says for which files, by size, time of change and
inode, and whatever touches a file makes that void.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.format import (
    MANIFEST,
    TEXTS,
    Arrays,
    FileInfo,
    Manifest,
    read_manifest,
)
from backend.graphs.snapshots.mapping import mapped, release
from backend.science.adjacency import check_length, check_offsets, check_range

BLOCK = 1 << 20
CLOCK = 50_000_000  # nanoseconds: no system's clock of files ticks more slowly
State = dict[str, list[int]]  # size, time of change, time of change of the inode, inode


def check_whole(folder: Path) -> Manifest:
    """Every checksum and every index; raises SnapshotRefused for the first that is wrong."""
    manifest = read_manifest(folder)
    arrays = mapped(folder, manifest)
    for name, file in manifest.files.items():
        check_checksum(folder / name, file)
    check_arrays(manifest, arrays, folder)
    stamp(folder, manifest)
    return manifest


def check_checksum(path: Path, info: FileInfo) -> None:
    sha = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            sha.update(block)
    if sha.hexdigest() != info.sha256:
        raise SnapshotRefused(
            path,
            f"it was altered: its checksum is {sha.hexdigest()[:12]}…, "
            f"and {info.sha256[:12]}… is expected",
        )


def check_arrays(manifest: Manifest, arrays: Arrays, folder: Path) -> None:
    """Raise SnapshotRefused for the first array with an index that leads nowhere.

    Together with the lengths, which the manifest was checked for, that is what compiled code
    relies on. The pages of each array are let go again, so that memory does not fill with them.
    """
    for name, total in totals(manifest, arrays):
        with refusing(folder, arrays[name]):
            check_offsets(name, arrays[name], total)
    for name, limit in limits(manifest, arrays):
        with refusing(folder, arrays[name]):
            check_range(name, arrays[name], limit)
    for name, like in LIKE.items():
        if name in arrays:
            with refusing(folder, arrays[name]):
                check_length(name, arrays[name], len(arrays[like]))


LIKE = {
    "hubs.relations": "hubs.counts",
    "hubs.outgoing": "hubs.counts",
    "edge.folded.counts": "edge.folded.edges",
}


def totals(manifest: Manifest, arrays: Arrays) -> Iterator[tuple[str, int]]:
    """The arrays of places in another, which rise to its length."""
    yield "forward.offsets", manifest.edge_count
    yield "reverse.offsets", manifest.edge_count
    yield "hubs.offsets", len(arrays["hubs.counts"])
    for name in TEXTS:
        if f"{name}.pool" in arrays:
            yield f"{name}.offsets", len(arrays[f"{name}.pool"])


def limits(manifest: Manifest, arrays: Arrays) -> Iterator[tuple[str, int]]:
    """The arrays whose elements tell things apart, and how many things there are."""
    entities, edges, relations = (
        manifest.entity_count,
        manifest.edge_count,
        len(manifest.relations),
    )
    for side in ("forward", "reverse"):
        yield f"{side}.neighbours", entities
        yield f"{side}.relations", relations
    yield "reverse.edges", edges
    yield "types", len(manifest.types)
    yield "by_hash", entities
    yield "hubs.relations", relations
    yield "hubs.outgoing", 2
    if "edge.folded.edges" in arrays:
        yield "edge.folded.edges", edges
    for name, texts in (("edge.evidence", "evidence"), ("edge.level", "levels")):
        if name in arrays:
            yield name, len(arrays[f"{texts}.offsets"]) - 1


@contextmanager
def refusing(folder: Path, array: NDArray[Any]) -> Iterator[None]:
    """A ValueError that begins with the name of an array, as the refusal of its file."""
    try:
        yield
    except ValueError as error:
        name, _, what = str(error).partition(": ")
        raise SnapshotRefused(folder / name, what) from None
    finally:
        release(array)


def stamp(folder: Path, manifest: Manifest) -> None:
    """Say that these very files have been checked; where nothing can be written, say nothing."""
    state = state_of(folder, manifest)
    if any(changed > time.time_ns() - CLOCK for _, changed, *_ in state.values()):
        return  # what is written in the same tick of the clock would look the same
    told = json.dumps(state).encode()
    with suppress(OSError):
        held, name = tempfile.mkstemp(prefix=".stamp-", dir=folder.parent)
        os.fchmod(held, 0o644)
        with os.fdopen(held, "wb") as file:
            file.write(told)
        Path(name).replace(stamp_of(folder))


def is_stamped(folder: Path, manifest: Manifest) -> bool:
    try:
        told = json.loads(stamp_of(folder).read_bytes())
    except (OSError, ValueError):
        return False
    return bool(told == state_of(folder, manifest))


def stamp_of(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.checked")


def state_of(folder: Path, manifest: Manifest) -> State:
    """What changes when somebody touches a file. A missing file has none.

    Each reader's request asks: texts take a third of the time of Paths, and an error that is caught
    half of one that is suppressed.
    """
    found, inside = {}, f"{folder}{os.sep}"
    for name in (".", MANIFEST, *manifest.files):
        try:
            told = os.stat(inside + name)  # noqa: PTH116
        except FileNotFoundError:
            continue
        found[name] = [told.st_size, told.st_mtime_ns, told.st_ctime_ns, told.st_ino]
    return found
