"""Opens a plain, gzip or zstd file as a stream of bytes that is limited in size and ratio."""

import gzip
import io
import os
import stat
import zlib
from importlib.util import find_spec
from pathlib import PurePath
from typing import BinaryIO, Protocol

from backend.validation.row_files.faults import FileRefused
from backend.validation.row_files.limits import ReadLimits

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class ReadOnlyView:
    """A file that Arrow cannot close: its streams close theirs when they are deleted."""

    closed = False

    def __init__(self, file: Readable) -> None:
        self.read = file.read

    def close(self) -> None:
        pass


def split_name(name: str) -> tuple[str, str]:
    """The format's suffix and the compression: `a.jsonl.gz` → ('.jsonl', 'gzip')."""
    path = PurePath(name.lower())
    compression = COMPRESSIONS.get(path.suffix, "")
    return (PurePath(path.stem) if compression else path).suffix, compression


def require_pyarrow(purpose: str) -> None:
    """The client installs without pyarrow, which is large. Raises FileRefused."""
    if find_spec("pyarrow") is None:
        message = f"{purpose} needs pyarrow, which is not installed."
        raise FileRefused("not_installed", message, "pip install 'serendib[parquet]'")


class LimitedStream:
    """Raises FileRefused when the limits are exceeded or the compressed data are damaged."""

    def __init__(self, file: BinaryIO, compression: str, limits: ReadLimits) -> None:
        self._file = file
        self._limits = limits
        self._compression = compression
        self._size = 0
        self._stream = self._open(file)

    def _open(self, file: BinaryIO) -> Readable:
        if self._compression == "gzip":
            return gzip.GzipFile(fileobj=file)
        if self._compression == "zstd":
            require_pyarrow("zstd")
            import pyarrow as pa

            stream: Readable = pa.CompressedInputStream(
                pa.PythonFile(ReadOnlyView(file), mode="r"), "zstd"
            )
            return stream
        return file

    def read(self, size: int) -> bytes:
        """As many bytes as there are, up to the size."""
        parts: list[bytes] = []
        while size > 0 and (part := self._read_part(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def regular_file(self) -> BinaryIO | None:
        """The file itself, if the content is all of a file of the disk; its size is limited.

        Another process can then read it without a copy. It shares the position in the file.
        """
        file = self._file
        if self._compression or not isinstance(file, io.BufferedReader):
            return None
        if not isinstance(file.raw, io.FileIO) or self._size or file.tell():
            return None
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return None
        self._size = status.st_size
        self._check_limits()
        return file

    def _read_part(self, size: int) -> bytes:
        try:
            part = self._stream.read(size)
        except (EOFError, zlib.error, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # of the disk, not of the content
            message = f"This file is not valid {self._compression}, or it is cut off."
            expected = f"{self._compression} data as the name of the file promises"
            raise FileRefused("damaged", message, expected) from error
        self._size += len(part)
        self._check_limits()
        return part

    def _check_limits(self) -> None:
        limits = self._limits
        if self._size > limits.bytes:
            message = "This file is too large."
            raise FileRefused("too_large", message, f"at most {limits.bytes:,} bytes of content")
        if not self._compression or self._size <= limits.free_bytes:
            return
        if self._size > limits.ratio * max(self._file.tell(), 1):
            message = "This file expands too much."
            expected = f"at most {limits.ratio} times the compressed size"
            raise FileRefused("too_large", message, expected)
