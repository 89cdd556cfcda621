"""Input files of an import: found in folders and zip archives, decompressed while read.

Nothing is unpacked to the disk, so paths inside an archive have no effect. Decompressed bytes are
counted while reading: a decompression bomb is refused before it fills the memory or the disk.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol, cast

from backend.common.errors import DomainError
from backend.validation.faults import Fault

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MIB = 2**20
BUFFER_BYTES = MIB
GZIP, BZIP2, XZ, ZIP = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04"
ZSTD = b"\x28\xb5\x2f\xfd"
CORRUPTION_ERRORS = (zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile)
OPEN_ERRORS = (
    *CORRUPTION_ERRORS,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
)
"""Exceptions of zipfile for an archive or member that is damaged or uses an unknown method."""
ENCRYPTED_FLAG = 0x1
"""The flag bit of an encrypted zip member."""


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits on what is read from a file.

    Text may expand to `expanded_floor` bytes or to `expanded_ratio` times its compressed size,
    whichever is larger. Measured: published graphs expand 3 to 25 times, bombs a thousand times.
    The files of one import share the floor, because many small bombs add up to a large one.
    """

    line_bytes: int = 16 * MIB
    text: int = 4_000_000
    name: int = 4_000
    identifier: int = 500
    items: int = 10_000
    files: int = 10_000
    expanded_floor: int = 256 * MIB
    expanded_ratio: int = 200
    on_bytes_read: Callable[[int], None] | None = None
    """Called with the number of bytes of each read from the disk."""
    check: Callable[[], None] | None = None
    """Called for each chunk of decompressed text; raises an exception to stop reading."""
    remaining_s: Callable[[], float | None] | None = None
    """Seconds until `check` stops the reading, for a process that reads without calling it."""


class FileRefused(DomainError):
    """A file cannot be used, so nothing is imported."""

    def __init__(self, file: str, detail: str, *, code: str, expected: str = "") -> None:
        super().__init__(
            detail, code=code, faults=[Fault(file, detail, code=code, expected=expected)]
        )
        self.file = file


class ZipMember(NamedTuple):
    """A member of an archive. The archive stays open, so that its directory is read only once."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo


@dataclass(frozen=True, slots=True)
class InputFile:
    """One input file. `name` is for display and never contains a path of the server."""

    path: Path
    name: str
    limits: ReadLimits = field(default_factory=ReadLimits)
    entry: ZipMember | None = field(default=None, compare=False)

    def open(self) -> IO[bytes]:
        """Open the decompressed bytes, within the limits. Raises FileRefused, also on reads."""
        try:
            raw, size = self._raw()
            return io.BufferedReader(_BoundedStream(self, raw, size), BUFFER_BYTES)
        except OPEN_ERRORS as error:
            detail = f"{self.name} is damaged, or its compression is not supported."
            raise FileRefused(self.name, detail, code="damaged") from error
        except OSError as error:
            raise FileRefused(
                self.name,
                f"{self.name} cannot be read: {_os_error_reason(error)}.",
                code="unreadable",
            ) from error

    def _raw(self) -> tuple[_ReadableStream, int]:
        if self.entry is None:
            return self.path.open("rb"), self.path.stat().st_size
        archive, info = self.entry
        return cast(zipfile.ZipExtFile, archive.open(info)), info.compress_size

    @property
    def size(self) -> int:
        """The size of the file on the disk, or of the decompressed archive member."""
        return self.path.stat().st_size if self.entry is None else self.entry.info.file_size

    def head(self, size: int = 65_536) -> bytes:
        """The first decompressed bytes, by which a format is recognised."""
        with self.open() as stream:
            return stream.read(size)


def _os_error_reason(error: OSError) -> str:
    return error.strerror or "its content does not match its file type"


class _ReadableStream(Protocol):
    def read1(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


def _decompress(file: InputFile, raw: io.BufferedReader[_RawStream]) -> _ReadableStream:
    beginning = raw.peek(8)[:8]
    if beginning.startswith(GZIP):
        return gzip.GzipFile(fileobj=raw)
    if beginning.startswith(BZIP2):
        return bz2.BZ2File(raw)
    if beginning.startswith(XZ):
        return lzma.LZMAFile(raw)
    if beginning.startswith((ZSTD, ZIP)):
        kind = "zstd file" if beginning.startswith(ZSTD) else "zip archive inside an archive"
        detail = f"{file.name} is a {kind}, which is not supported. Unpack it first."
        raise FileRefused(file.name, detail, code="compression", expected="gz, bz2, xz or zip")
    return raw


class _RawStream(io.RawIOBase):
    """Adapts a binary stream to io.RawIOBase, so that it can be buffered and peeked."""

    def __init__(
        self, stream: _ReadableStream, on_bytes_read: Callable[[int], None] | None = None
    ) -> None:
        self._stream = stream
        self._on_bytes_read = on_bytes_read

    def readable(self) -> bool:
        return True

    def readinto(self, into: WriteableBuffer) -> int:
        buffer = memoryview(into)
        # One chunk only: data before a truncation must not be lost with the error.
        data = self._stream.read1(len(buffer))
        buffer[: len(data)] = data
        if self._on_bytes_read is not None:
            self._on_bytes_read(len(data))
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


class _BoundedStream(_RawStream):
    """Counts the decompressed bytes, and turns compression errors into FileRefused."""

    def __init__(self, file: InputFile, raw: _ReadableStream, size: int) -> None:
        self._compressed = io.BufferedReader(
            _RawStream(raw, file.limits.on_bytes_read), BUFFER_BYTES
        )
        self._file = file.name
        self._count = 0
        try:
            super().__init__(_decompress(file, self._compressed))
        except FileRefused:
            self._compressed.close()
            raise
        limits = file.limits
        self._check = limits.check
        compressed = self._stream is not self._compressed or file.entry
        most = max(limits.expanded_floor, size * limits.expanded_ratio)
        self._max_bytes = most if compressed else None

    def readinto(self, into: WriteableBuffer) -> int:
        try:
            count = super().readinto(into)
        except EOFError as error:
            raise self._file_refused(
                "is truncated: the end of its compressed data is missing", "truncated"
            ) from error
        except (*CORRUPTION_ERRORS, OSError) as error:
            raise self._file_refused("is damaged: it cannot be decompressed", "damaged") from error
        self._count += count
        if self._check is not None:
            self._check()
        if self._max_bytes is not None and self._count > self._max_bytes:
            raise self._file_refused("expands beyond the size allowed for a graph", "too_large")
        return count

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._compressed.close()

    def _file_refused(self, what: str, code: str) -> FileRefused:
        detail = f"{self._file} {what}, after {self._count:,} bytes of text."
        return FileRefused(self._file, detail, code=code)


def find_input_files(
    paths: Sequence[Path], limits: ReadLimits | None = None, names: Mapping[Path, str] | None = None
) -> list[InputFile]:
    """List the files at the paths, inside folders and zip archives. Links are not followed.

    `names` gives the display name of a file whose path has another name (an upload).
    """
    limits = limits or ReadLimits()
    files: list[InputFile] = []
    for path in paths:
        for file, name in _files_at(path, (names or {}).get(path, path.name)):
            files.extend(_expand_archive(file, name, limits))
            if len(files) > limits.files:
                detail = f"There are more than {limits.files:,} files. Import fewer at once."
                raise FileRefused(path.name, detail, code="too_large")
    share = replace(limits, expanded_floor=limits.expanded_floor // max(len(files), 1))
    return [replace(file, limits=share) for file in files]


def _files_at(path: Path, name: str) -> Iterator[tuple[Path, str]]:
    if not path.exists():
        raise FileRefused(name, f"The file {name} does not exist.", code="not_found")
    if not path.is_dir():
        yield path, name
        return
    for file in sorted(path.rglob("*")):
        within = file.relative_to(path)
        if file.is_file() and not file.is_symlink() and not _is_hidden(within):
            yield file, within.as_posix()


def _is_hidden(path: Path) -> bool:
    names = [part for part in path.parts if part != ".."]
    return any(name.startswith((".", "__MACOSX")) for name in names)


def _expand_archive(path: Path, name: str, limits: ReadLimits) -> Iterator[InputFile]:
    try:
        with path.open("rb") as stream:
            is_zip = stream.read(len(ZIP)) == ZIP
        if not is_zip:
            yield InputFile(path, name, limits)
            return
        archive = zipfile.ZipFile(path)
    except OPEN_ERRORS as error:
        detail = f"{name} is truncated or damaged: its directory cannot be read."
        raise FileRefused(name, detail, code="truncated") from error
    except OSError as error:
        detail = f"{name} cannot be read: {_os_error_reason(error)}."
        raise FileRefused(name, detail, code="unreadable") from error
    for info in sorted(archive.infolist(), key=lambda info: info.filename):
        if info.is_dir() or _is_hidden(Path(info.filename)):
            continue
        if info.flag_bits & ENCRYPTED_FLAG:
            raise FileRefused(
                name, f"{name} is encrypted. Unpack it and import the files.", code="locked"
            )
        yield InputFile(path, f"{name}/{info.filename}", limits, ZipMember(archive, info))
