"""Single arrays in files: written sequentially with a checksum, read as memory maps."""

import hashlib
import io
import math
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from backend.runtime.array_store.errors import InvalidArrayStore
from backend.runtime.array_store.memory_map import map_file


class ArrayInfo(Protocol):
    """What a manifest records about the file of an array."""

    @property
    def dtype(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def sha256(self) -> str: ...
    @property
    def header(self) -> bytes:
        """The bytes of the file that precede the elements."""
        ...


@dataclass(frozen=True, slots=True)
class RawArrayInfo:
    """A flat array without a header."""

    dtype: str
    length: int
    sha256: str

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.length,)

    @property
    def header(self) -> bytes:
        return b""

    @property
    def nbytes(self) -> int:
        return array_size(self)


@dataclass(frozen=True, slots=True)
class NpyArrayInfo:
    """An array in numpy's .npy format; `size` is that of the file in bytes."""

    dtype: str
    shape: tuple[int, ...]
    size: int
    sha256: str

    @property
    def header(self) -> bytes:
        return npy_header(self.dtype, self.shape)


def npy_header(dtype: str, shape: tuple[int, ...]) -> bytes:
    buffer = io.BytesIO()
    npy.write_array_header_1_0(buffer, {"descr": dtype, "fortran_order": False, "shape": shape})
    return buffer.getvalue()


def array_size(info: ArrayInfo) -> int:
    """Size of the elements in bytes."""
    return np.dtype(info.dtype).itemsize * math.prod(info.shape)


def map_array(path: Path, info: ArrayInfo) -> NDArray[Any]:
    """A read-only memory map. Raises InvalidArrayStore unless file size and header match."""
    header, elements = info.header, array_size(info)
    with open_regular_file(path) as file:
        size, expected = os.fstat(file.fileno()).st_size, len(header) + elements
        if size != expected:
            raise InvalidArrayStore(path, f"it has {size:,} bytes, and {expected:,} are expected")
        if file.read(len(header)) != header:
            raise InvalidArrayStore(path, "it was altered: its header is not the expected one")
        if not elements:
            return np.empty(info.shape, info.dtype)
        memory = map_file(file.fileno(), size)
    flat = memory[len(header) :].view(info.dtype)
    return flat if len(info.shape) == 1 else flat.reshape(info.shape)


def verify_checksum(path: Path, info: ArrayInfo) -> None:
    with open_regular_file(path) as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    if checksum != info.sha256:
        raise InvalidArrayStore(
            path,
            f"it was altered: its checksum is {checksum[:12]}…, "
            f"and {info.sha256[:12]}… is expected",
        )


@contextmanager
def open_regular_file(path: Path) -> Iterator[io.BufferedReader]:
    """Raises InvalidArrayStore if it is missing or not a regular file."""
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InvalidArrayStore(path, "it is missing") from error
    except IsADirectoryError as error:
        raise InvalidArrayStore(path, "it is not a regular file") from error
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise InvalidArrayStore(path, "it is not a regular file")
        yield file


class ArrayWriter:
    """Writes one array sequentially, in parts along its first axis."""

    def __init__(self, path: Path, dtype: str, header: bytes = b"") -> None:
        self.path, self.dtype, self.element_count = path, np.dtype(dtype), 0
        self._checksum, self._file = hashlib.sha256(), path.open("xb")
        self._write_bytes(header)

    def write(self, part: NDArray[Any]) -> None:
        if part.size:
            flat = np.ascontiguousarray(part, self.dtype).reshape(-1)
            self._write_bytes(flat.view(np.uint8).data)
            self.element_count += part.size

    def _write_bytes(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self._checksum.update(data)

    def flush(self) -> None:
        """Let other readers of the file see what was written."""
        self._file.flush()

    def finish(self) -> tuple[int, str]:
        """Flush to the disk and make read-only; returns file size and checksum."""
        size = self._file.tell()
        sync_read_only(self._file)
        self.close()
        return size, self._checksum.hexdigest()

    def close(self) -> None:
        self._file.close()


def write_file(path: Path, data: bytes) -> None:
    """Write a new read-only file and flush it to the disk."""
    with path.open("xb") as file:
        file.write(data)
        sync_read_only(file)


def sync_read_only(file: io.BufferedWriter) -> None:
    file.flush()
    os.fchmod(file.fileno(), 0o444)
    os.fsync(file.fileno())
