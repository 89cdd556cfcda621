"""Directories that become visible only when complete; remains of killed processes are removed."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

UNFINISHED_PREFIX = ".unfinished-"


@contextmanager
def workspace(folder: Path) -> Iterator[Path]:
    """A temporary directory beside the published ones, removed at the end in any case.

    Its creator holds a file lock, which the system releases when the process dies. This is how
    later processes recognize abandoned workspaces.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with file_lock(folder / ".lock"):
        remove_abandoned(folder)
        path = Path(tempfile.mkdtemp(prefix=UNFINISHED_PREFIX, dir=folder))
        descriptor = acquire_lock(path / "lock", wait=False)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)


def remove_abandoned(folder: Path) -> None:
    """Remove workspaces of processes that no longer run."""
    for left in folder.glob(f"{UNFINISHED_PREFIX}*"):
        try:
            descriptor = acquire_lock(left / "lock", wait=False)
        except (BlockingIOError, FileNotFoundError):
            continue  # in use, or removed meanwhile by its creator
        shutil.rmtree(left, ignore_errors=True)
        os.close(descriptor)


@contextmanager
def file_lock(path: Path) -> Iterator[None]:
    descriptor = acquire_lock(path, wait=True)
    try:
        yield
    finally:
        os.close(descriptor)


def acquire_lock(path: Path, *, wait: bool) -> int:
    """The descriptor that holds the lock. Raises BlockingIOError if another process holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(descriptor)
        raise
    return descriptor


def link_or_copy(source: Path, target: Path) -> None:
    """A hard link; a copy where the file system has no links, or too many of this file."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def publish_directory(path: Path, final: Path) -> None:
    """Rename a complete directory to its final name; contents and names are flushed to the disk."""
    fsync_directory(path)
    path.rename(final)
    fsync_directory(final.parent)


def publish_or_reuse(
    source: Path, destination: Path, *, aside: Path, is_current: Callable[[Path], bool]
) -> None:
    """Publish a complete directory, unless the existing one is current.

    An outdated one is moved to `aside`, in the caller's workspace, and removed with it. Processes
    that have its files open keep reading them.
    """
    with file_lock(destination.parent / ".lock"):
        if destination.exists():
            if is_current(destination):
                return
            destination.rename(aside)
        publish_directory(source, destination)


def fsync_directory(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
