"""What can go wrong with a snapshot, each with a sentence for the reader."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from backend.common.errors import DomainError


class SnapshotRefused(DomainError):
    """A snapshot on disk is not what its manifest says, so that nothing of it is read."""

    code = "snapshot_refused"
    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self, path: Path | str, what: str) -> None:
        super().__init__(f"The snapshot file {path} cannot be used: {what}.")
        self.path, self.what = Path(path), what


class SnapshotNotBuilt(DomainError):
    """A graph could not be turned into a snapshot; nothing of it is left behind."""

    code = "snapshot_not_built"


class NoSpace(SnapshotNotBuilt):
    """The disk took no more bytes, or the file may not grow further."""

    code = "no_space"
    status = HTTPStatus.INSUFFICIENT_STORAGE
