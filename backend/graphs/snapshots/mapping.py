"""The arrays of a folder as memory maps, after their names and sizes have been checked."""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.format import MANIFEST, Arrays, FileInfo, Manifest


def mapped(folder: Path, manifest: Manifest) -> Arrays:
    """Every array. Raises SnapshotRefused for a file missing, too many, or of a wrong size."""
    check_names(folder, manifest)
    return {name: map_array(folder / name, file) for name, file in manifest.files.items()}


def check_names(folder: Path, manifest: Manifest) -> None:
    there = {entry.name for entry in os.scandir(folder)}
    if missing := manifest.files.keys() - there:
        raise SnapshotRefused(folder / min(missing), "it is missing")
    if extra := there - manifest.files.keys() - {MANIFEST}:
        raise SnapshotRefused(folder / min(extra), "the manifest does not list it")


def map_array(path: Path, info: FileInfo) -> NDArray[Any]:
    """One array, read-only; the pages are read when they are first used, by all processes once."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != info.nbytes:
            raise SnapshotRefused(path, f"it has {size:,} bytes, and {info.nbytes:,} are expected")
        if not size:
            return np.empty(0, info.dtype)
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), info.dtype)


def release(array: NDArray[Any]) -> None:
    """Let the pages of a mapped array go; they stay in the system's cache as long as it likes."""
    base = array.base.obj if isinstance(array.base, memoryview) else array.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)
