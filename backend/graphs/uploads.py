"""Files that were sent here, from the request until their import has ended."""

from __future__ import annotations

import errno
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile

from backend.graphs.snapshots.errors import NoSpace

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORGOTTEN_S = 24 * 3600


def folder_of(import_id: uuid.UUID) -> Path:
    return Path(settings.UPLOADS) / str(import_id)


def path_of(import_id: uuid.UUID, place: int) -> Path:
    """Under its place in the list: a name that somebody sent never becomes a path."""
    return folder_of(import_id) / str(place)


def keep_uploads(import_id: uuid.UUID, files: Sequence[UploadedFile[bytes]]) -> None:
    """Put the files where the import finds them; all of them or, on a full disk, none."""
    with told_of_no_room():
        try:
            folder_of(import_id).mkdir(parents=True)
            for place, file in enumerate(files):
                _keep(file, path_of(import_id, place))
        except OSError:
            remove_uploads(import_id)
            raise


@contextmanager
def told_of_no_room() -> Iterator[None]:
    """Also where a request is read: what is sent goes to the disk while it comes."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise NoSpace(
            "There is no room on the disk for these files, so none of them was kept."
        ) from error


def _keep(file: UploadedFile[bytes], path: Path) -> None:
    if isinstance(file, TemporaryUploadedFile):
        # Another name for the same bytes; the first goes when the request ends.
        try:
            os.link(file.temporary_file_path(), path)
            return
        except OSError as error:
            if error.errno not in {errno.EXDEV, errno.EPERM, errno.ENOTSUP}:
                raise
    with path.open("wb") as into:
        shutil.copyfileobj(file, into, 1 << 20)


def remove_uploads(import_id: uuid.UUID) -> None:
    shutil.rmtree(folder_of(import_id), ignore_errors=True)


def sweep_uploads(wanted: set[uuid.UUID]) -> None:
    """Remove what no import waits for: its server died between the files and the import."""
    folder = Path(settings.UPLOADS)
    if not folder.is_dir():
        return
    for left in folder.iterdir():
        if left.name not in map(str, wanted) and _age(left) > FORGOTTEN_S:
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(True)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0
