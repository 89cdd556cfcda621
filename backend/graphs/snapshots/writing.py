"""Writing the files of a snapshot, front to back, with their checksums."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.errors import NoSpace
from backend.graphs.snapshots.format import DTYPES, I64, FileInfo, smallest
from backend.graphs.snapshots.strings import Texts

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ColumnWriter:
    """One array, part by part."""

    def __init__(self, path: Path, dtype: str) -> None:
        self.dtype, self.length = np.dtype(dtype), 0
        self._file = path.open("wb")
        self._sha = hashlib.sha256()

    def write(self, part: NDArray[Any]) -> None:
        data = np.ascontiguousarray(part, self.dtype).view(np.uint8).data
        self._file.write(data)
        self._sha.update(data)
        self.length += len(part)

    def close(self) -> FileInfo:
        """Only what is on the disk counts as written; nobody is to write to it again."""
        self._file.flush()
        os.fchmod(self._file.fileno(), 0o444)
        os.fsync(self._file.fileno())
        self._file.close()
        return FileInfo(self.dtype.str, self.length, self._sha.hexdigest())

    def abandon(self) -> None:
        self._file.close()


class FolderWriter:
    """The arrays of one snapshot; `files` is filled as they are finished."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, FileInfo] = {}
        self._open: dict[str, ColumnWriter] = {}
        self._ends: dict[str, int] = {}

    def append(self, name: str, part: NDArray[Any], dtype: str = "") -> None:
        """The next part of an array; its type is needed where the format leaves a choice."""
        if name not in self._open:
            self._open[name] = ColumnWriter(self.folder / name, dtype or DTYPES[name][0])
        self._open[name].write(part)

    def append_texts(self, name: str, texts: Texts) -> None:
        end = self._ends.get(name, 0)
        if f"{name}.offsets" not in self._open:
            self.append(f"{name}.offsets", np.zeros(1, np.int64), I64)
        self.append(f"{name}.offsets", texts.offsets[1:] + end)
        self.append(f"{name}.pool", texts.pool)
        self._ends[name] = end + int(texts.offsets[-1])

    def whole(self, name: str, array: NDArray[Any], count: int | None = None) -> None:
        """A whole array; of codes for `count` different things, in the narrowest type."""
        dtype = DTYPES[name][0] if count is None else smallest(DTYPES[name], count)
        self.append(name, array, dtype)
        self.finish()

    def finish(self) -> None:
        """Close what is open."""
        for name, writer in self._open.items():
            self.files[name] = writer.close()
        self._open.clear()

    def abandon(self) -> None:
        for writer in self._open.values():
            writer.abandon()


@contextmanager
def told_of_full_disks() -> Iterator[None]:
    """A full disk as a sentence; other faults may be those of the files that are read."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise NoSpace(
            "There is no room on the disk for this snapshot, so nothing of it was kept. "
            "Free some space, or choose another folder for snapshots, and import again."
        ) from error


def list_bytes(texts: Iterable[str]) -> bytes:
    """A list of texts as JSON; nothing at all for an empty one. Raises UnicodeEncodeError.

    Put together from its parts: for lists of one or two, json.dumps takes three times as long.
    """
    inside = ",".join(map(encode_basestring, texts))
    return f"[{inside}]".encode() if inside else b""
