"""Errors about snapshots. Each message names the fault and the file."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

from backend.common.errors import DISK_FULL_ERRNOS, DomainError
from backend.runtime.array_store.errors import InvalidArrayStore


class InvalidSnapshot(DomainError):
    """A snapshot on disk does not match its manifest; nothing of it is read."""

    code = "snapshot_refused"
    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self, path: Path | str, reason: str) -> None:
        super().__init__(f"The snapshot file {path} cannot be used: {reason}.")
        self.path, self.reason = Path(path), reason


class SnapshotNotBuilt(DomainError):
    """A graph could not be turned into a snapshot. Nothing of the build is left on disk."""

    code = "snapshot_not_built"


class NoSpace(SnapshotNotBuilt):
    """The disk is full, or the file may not grow further."""

    code = "no_space"
    status = HTTPStatus.INSUFFICIENT_STORAGE


class NoDates(DomainError):
    code = "no_dates"

    def __init__(self) -> None:
        super().__init__("The edges of this graph have no dates. Leave out the cut-off.")


@contextmanager
def translate_array_store_errors() -> Iterator[None]:
    try:
        yield
    except InvalidArrayStore as error:
        raise InvalidSnapshot(error.path, error.reason) from None


SNAPSHOT_NOT_STORED = (
    "The disk is too full for this snapshot, so nothing was stored. "
    "Free some space, or choose another folder for snapshots, and import again."
)


@contextmanager
def translate_disk_full(detail: str = SNAPSHOT_NOT_STORED) -> Iterator[None]:
    """Raise NoSpace if the disk is full; other errors may come from the files that are read."""
    try:
        yield
    except OSError as error:
        if error.errno not in DISK_FULL_ERRNOS:
            raise
        raise NoSpace(detail) from error
