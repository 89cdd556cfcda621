"""Files of predictions, stored once by the SHA-256 of their content."""

import hashlib
import io
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from backend.evaluation.models import Submission
from backend.graphs.snapshots.errors import translate_disk_full
from backend.runtime.atomic_dirs import fsync_directory

BLOCK_BYTES = 1 << 20
UNUSED_AFTER_S = 2 * 3600
UNFINISHED = ".unfinished-"
NOT_STORED = "The server's disk is full, so the file was not stored. Try again later."


@dataclass(frozen=True)
class PredictionFile:
    """`name` is the submitter's own; its endings state format and compression.

    unstored: where an upload is that no submission refers to yet.
    """

    name: str
    digest: str
    size: int
    unstored: Path | None = None

    @property
    def path(self) -> Path:
        return self.unstored or prediction_path(self.digest)

    def store(self) -> "PredictionFile":
        """Move it into the store, under its digest."""
        if self.unstored is None:
            return self
        stored = prediction_path(self.digest)
        stored.parent.mkdir(exist_ok=True)
        self.unstored.replace(stored)
        fsync_directory(stored.parent)
        return replace(self, unstored=None)


def prediction_path(digest: str) -> Path:
    return Path(settings.PREDICTIONS) / digest[:2] / digest


def store_prediction_file(stream: BinaryIO, name: str) -> PredictionFile:
    """Copy a stream into the store. Raises NoSpace, with nothing stored, on a full disk."""
    with open_upload(stream, name) as file:
        return file.store()


@contextmanager
def open_upload(
    stream: BinaryIO, name: str, *, complete: Path | None = None
) -> Iterator[PredictionFile]:
    """A copy of a stream that is removed afterwards, unless it is stored meanwhile.

    So files that were checked or refused take no space. Raises NoSpace on a full disk.
    complete: the file that the stream reads, if nothing changes it any more. It is linked rather
    than copied, where its file system is the same: copies would count in no limit.
    """
    path = Path(settings.PREDICTIONS) / f"{UNFINISHED}{uuid.uuid4()}"
    try:
        with translate_disk_full(NOT_STORED):
            path.parent.mkdir(parents=True, exist_ok=True)
            is_linked = complete is not None and _link(complete, path)
            digest, size = _digest(stream) if is_linked else _copy(stream, path)
        yield PredictionFile(name, digest, size, path)
    finally:
        path.unlink(missing_ok=True)


def _link(complete: Path, path: Path) -> bool:
    """Whether the file system could do it."""
    try:
        path.hardlink_to(complete)
    except OSError:
        return False
    os.utime(path)  # the sweep goes by the age of a file
    return True


def _digest(stream: BinaryIO) -> tuple[str, int]:
    hasher, size = hashlib.sha256(), 0
    while block := stream.read(BLOCK_BYTES):
        hasher.update(block)
        size += len(block)
    return hasher.hexdigest(), size


def _copy(stream: BinaryIO, path: Path) -> tuple[str, int]:
    hasher, size = hashlib.sha256(), 0
    with path.open("xb") as into:
        while block := stream.read(BLOCK_BYTES):
            hasher.update(block)
            size += len(block)
            into.write(block)
        into.flush()
        os.fsync(into.fileno())
    return hasher.hexdigest(), size


def store_predictions(content: bytes, name: str) -> PredictionFile:
    return store_prediction_file(io.BytesIO(content), name)


def remove_unused_files() -> None:
    """Remove old files that no submission refers to, such as those of broken uploads."""
    root = Path(settings.PREDICTIONS)
    old = {path for path in (*root.glob("??/*"), *root.glob(f"{UNFINISHED}*")) if is_old(path)}
    names = {path.name for path in old}
    used: set[str] = set()
    if names:
        rows = Submission.objects.filter(file_digest__in=names)
        used.update(rows.values_list("file_digest", flat=True))
    for path in old:
        if path.name not in used and is_old(path):  # it may have been stored again meanwhile
            path.unlink(missing_ok=True)


def is_old(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - UNUSED_AFTER_S
    except FileNotFoundError:
        return False
