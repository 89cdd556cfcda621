"""Files of predictions, stored once by the SHA-256 of their content."""

import hashlib
import io
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from backend.evaluation.models import Submission
from backend.graphs.snapshots.errors import translate_disk_full

BLOCK_BYTES = 1 << 20
UNUSED_AFTER_S = 24 * 3600
UNFINISHED = ".unfinished-"
NOT_STORED = "The server's disk is full, so the file was not stored. Try again later."


@dataclass(frozen=True)
class PredictionFile:
    """A stored file. `name` is the submitter's own; its endings state format and compression."""

    name: str
    digest: str
    size: int

    @property
    def path(self) -> Path:
        return prediction_path(self.digest)


def prediction_path(digest: str) -> Path:
    return Path(settings.PREDICTIONS) / digest[:2] / digest


def store_prediction_file(stream: BinaryIO, name: str) -> PredictionFile:
    """Copy a stream into the store. Raises NoSpace, with nothing stored, on a full disk."""
    root = Path(settings.PREDICTIONS)
    hasher, size = hashlib.sha256(), 0
    with translate_disk_full(NOT_STORED):
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=root, prefix=UNFINISHED, delete=False) as into:
            try:
                while block := stream.read(BLOCK_BYTES):
                    hasher.update(block)
                    size += len(block)
                    into.write(block)
                into.flush()
                os.fsync(into.fileno())
                file = PredictionFile(name, hasher.hexdigest(), size)
                file.path.parent.mkdir(exist_ok=True)
                Path(into.name).replace(file.path)
            except BaseException:
                Path(into.name).unlink(missing_ok=True)
                raise
    return file


def store_predictions(content: bytes, name: str) -> PredictionFile:
    return store_prediction_file(io.BytesIO(content), name)


def remove_unused_files() -> None:
    """Remove old files that no submission refers to: of checks, of refused and broken uploads."""
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
