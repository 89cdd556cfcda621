"""Folders that are invisible until they are complete, and swept when their maker was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UNFINISHED = ".unfinished-"


@contextmanager
def workspace(folder: Path) -> Iterator[Path]:
    """A new folder beside the finished ones; it is gone afterwards, whatever happened.

    Its maker holds a lock, which the system takes away from a dead process: that is how a later
    maker knows what nobody works in any more.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / ".lock"):
        sweep(folder)
        made = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder))
        held = lock(made / "lock", wait=False)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        os.close(held)


def sweep(folder: Path) -> None:
    """Remove what killed processes left behind."""
    for left in folder.glob(f"{UNFINISHED}*"):
        try:
            held = lock(left / "lock", wait=False)
        except BlockingIOError:
            continue  # somebody works in it
        shutil.rmtree(left, ignore_errors=True)
        os.close(held)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    held = lock(path, wait=True)
    try:
        yield
    finally:
        os.close(held)


def lock(path: Path, *, wait: bool) -> int:
    """The descriptor that holds it. Raises BlockingIOError when another process does."""
    held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(held)
        raise
    return held


def publish(made: Path, final: Path) -> None:
    """Give a complete folder its name, for good: its names and that of itself reach the disk."""
    sync_folder(made)
    made.rename(final)
    sync_folder(final.parent)


def sync_folder(folder: Path) -> None:
    held = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(held)
    finally:
        os.close(held)
