"""Validation of a snapshot against its manifest before compiled code reads it.

Sizes are checked at every opening. Checksums and the range of every index are checked once per
machine: a stamp beside the folder then records size, modification times and inode of the files, and
any change of a file invalidates it.
"""

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from backend.graphs.snapshots.errors import InvalidSnapshot, translate_array_store_errors
from backend.graphs.snapshots.format import (
    CODED_COLUMNS,
    MANIFEST,
    STRING_ARRAYS,
    Arrays,
    Manifest,
    read_manifest,
)
from backend.runtime.array_store.array_files import map_array, verify_checksum
from backend.runtime.array_store.memory_map import release_pages
from backend.runtime.atomic_dirs import publish_or_reuse
from backend.science.adjacency import check_length, check_offsets, check_range

CLOCK_RESOLUTION_NS = 50_000_000  # coarsest tick of file system clocks
# Verifying a smaller snapshot again takes less time than a tick of the clock.
MIN_EDGES_FOR_STAMP_DELAY = 1_000_000
FileStates = dict[str, list[int]]  # size, modification time, inode change time, inode


def map_arrays(folder: Path, manifest: Manifest) -> Arrays:
    """Raises InvalidSnapshot for a missing, additional or resized file."""
    existing = {entry.name for entry in os.scandir(folder)}
    if missing := manifest.files.keys() - existing:
        raise InvalidSnapshot(folder / min(missing), "it is missing")
    if extra := existing - manifest.files.keys() - {MANIFEST}:
        raise InvalidSnapshot(folder / min(extra), "the manifest does not list it")
    with translate_array_store_errors():
        return {name: map_array(folder / name, file) for name, file in manifest.files.items()}


def verify_snapshot(folder: Path) -> Manifest:
    """Check every checksum and every index; raises InvalidSnapshot for the first mismatch."""
    manifest = read_manifest(folder)
    arrays = map_arrays(folder, manifest)
    with translate_array_store_errors():
        for name, file in manifest.files.items():
            verify_checksum(folder / name, file)
    check_arrays(manifest, arrays, folder)
    write_stamp(folder, manifest)
    return manifest


def check_arrays(manifest: Manifest, arrays: Arrays, folder: Path) -> None:
    """Raise InvalidSnapshot for the first array with an index out of range.

    Together with the lengths, which the manifest states, this is what compiled code relies on. The
    pages of each array are released afterwards, so that memory does not fill with them.
    """
    for name, total in offset_totals(manifest, arrays):
        with translate_array_errors(folder, arrays[name]):
            check_offsets(name, arrays[name], total)
    for name, limit in index_limits(manifest, arrays):
        with translate_array_errors(folder, arrays[name]):
            check_range(name, arrays[name], limit)
    for name, like in SAME_LENGTH.items():
        if name in arrays:
            with translate_array_errors(folder, arrays[name]):
                check_length(name, arrays[name], len(arrays[like]))


SAME_LENGTH = {
    "hubs.relations": "hubs.counts",
    "hubs.outgoing": "hubs.counts",
    "edge.folded.counts": "edge.folded.edges",
}


def offset_totals(manifest: Manifest, arrays: Arrays) -> Iterator[tuple[str, int]]:
    """The offset arrays, and the value that each must end with."""
    yield "forward.offsets", manifest.edge_count
    yield "reverse.offsets", manifest.edge_count
    yield "hubs.offsets", len(arrays["hubs.counts"])
    for name in STRING_ARRAYS:
        if f"{name}.pool" in arrays:
            yield f"{name}.offsets", len(arrays[f"{name}.pool"])


def index_limits(manifest: Manifest, arrays: Arrays) -> Iterator[tuple[str, int]]:
    """The index arrays, and the limit of each."""
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
    for name, texts in CODED_COLUMNS.items():
        if f"edge.{name}" in arrays:
            yield f"edge.{name}", len(arrays[f"{texts}.offsets"]) - 1


@contextmanager
def translate_array_errors(folder: Path, array: NDArray[Any]) -> Iterator[None]:
    """Turn a ValueError that starts with the name of an array into InvalidSnapshot for its file."""
    try:
        yield
    except ValueError as error:
        name, _, what = str(error).partition(": ")
        raise InvalidSnapshot(folder / name, what) from None
    finally:
        release_pages(array)


def write_stamp(folder: Path, manifest: Manifest) -> None:
    """Record that these files were verified. Failure to write is ignored."""
    state = file_states(folder, manifest)
    if any(changed > time.time_ns() - CLOCK_RESOLUTION_NS for _, changed, *_ in state.values()):
        return  # a write within the same clock tick would be undetectable
    content = json.dumps(state).encode()
    with suppress(OSError):
        descriptor, name = tempfile.mkstemp(prefix=".stamp-", dir=folder.parent)
        os.fchmod(descriptor, 0o644)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).replace(stamp_path(folder))


def has_valid_stamp(folder: Path, manifest: Manifest) -> bool:
    try:
        content = json.loads(stamp_path(folder).read_bytes())
    except (OSError, ValueError):
        return False
    return bool(content == file_states(folder, manifest))


def stamp_path(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.checked")


def file_states(folder: Path, manifest: Manifest) -> FileStates:
    """What changes when a file is modified. A missing file has no entry.

    Called for every request: strings take a third of the time of Path objects, and catching the
    error half that of suppressing it.
    """
    result, inside = {}, f"{folder}{os.sep}"
    for name in (".", MANIFEST, *manifest.files):
        try:
            content = os.stat(inside + name)  # noqa: PTH116  faster, see above
        except FileNotFoundError:
            continue
        result[name] = [content.st_size, content.st_mtime_ns, content.st_ctime_ns, content.st_ino]
    return result


def publish_snapshot(source: Path, destination: Path, manifest: Manifest) -> Path:
    """Publish a verified folder, unless an intact one of this name, hence content, exists."""
    publish_or_reuse(source, destination, aside=source.with_name("altered"), is_current=is_intact)
    if not has_valid_stamp(destination, manifest):
        if manifest.edge_count > MIN_EDGES_FOR_STAMP_DELAY:
            time.sleep(CLOCK_RESOLUTION_NS / 1e9)
        write_stamp(destination, manifest)
    return destination


def is_intact(folder: Path) -> bool:
    try:
        verify_snapshot(folder)
    except InvalidSnapshot:
        return False
    return True
