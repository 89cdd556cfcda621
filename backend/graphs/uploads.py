"""Uploaded files, stored from the request until their import has finished."""

from __future__ import annotations

import errno
import os
import shutil
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile

from backend.graphs.snapshots.errors import translate_disk_full

UPLOAD_NOT_STORED = "The server's disk is full, so no file was stored. Try again later."
STALE_UPLOAD_AGE_S = 24 * 3600


def upload_folder(import_id: uuid.UUID) -> Path:
    return Path(settings.UPLOADS) / str(import_id)


def upload_path(import_id: uuid.UUID, index: int) -> Path:
    """The path of an upload, by its index: a name chosen by a user never becomes a path."""
    return upload_folder(import_id) / str(index)


def store_uploads(import_id: uuid.UUID, files: Sequence[UploadedFile[bytes]]) -> None:
    """Store all files for the import or, on a full disk, none of them."""
    with translate_disk_full(UPLOAD_NOT_STORED):
        try:
            upload_folder(import_id).mkdir(parents=True)
            for index, file in enumerate(files):
                _store_file(file, upload_path(import_id, index))
        except OSError:
            remove_uploads(import_id)
            raise


def _store_file(file: UploadedFile[bytes], path: Path) -> None:
    if isinstance(file, TemporaryUploadedFile):
        # A hard link instead of a copy; Django deletes its own name when the request ends.
        try:
            os.link(file.temporary_file_path(), path)
            return
        except OSError as error:
            if error.errno not in {errno.EXDEV, errno.EPERM, errno.ENOTSUP}:
                raise
    with path.open("wb") as into:
        shutil.copyfileobj(file, into, 1 << 20)


def remove_uploads(import_id: uuid.UUID) -> None:
    shutil.rmtree(upload_folder(import_id), ignore_errors=True)


def delete_orphan_uploads(active_imports: set[uuid.UUID]) -> None:
    """Delete old uploads without an import, left by a server that died in between."""
    folder = Path(settings.UPLOADS)
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        if path.name not in map(str, active_imports) and _age_s(path) > STALE_UPLOAD_AGE_S:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(True)


def _age_s(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0
