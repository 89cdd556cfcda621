"""Files that become visible only when complete."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from backend.runtime.atomic_dirs import fsync_directory


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file in place of one that may be there; content and name are flushed to the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        fsync_directory(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
