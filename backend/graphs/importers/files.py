"""Files to import: found in folders and zip archives, opened through their compression.

Nothing is ever unpacked to a disk, so a name inside an archive leads nowhere. What comes out of
a compressed file is counted while it is read: a small file that swells beyond any graph is
refused before it fills a memory or a snapshot.
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

from backend.common.errors import DomainError, Fault

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MIB = 2**20
BUFFER = MIB
GZIP, BZIP2, XZ, ZIP = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"PK\x03\x04"
ZSTD = b"\x28\xb5\x2f\xfd"
DAMAGED = (zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile)
NOT_OPENED = (*DAMAGED, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)
"""What zipfile raises for an archive, or an entry of one, that is damaged or of a newer kind."""
LOCKED = 0x1
"""The bit of a zip entry that says it needs a password."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken from a file that somebody sends.

    Text may swell to `expanded_floor`, or to `expanded_ratio` times its compressed size where
    that is more: measured, published graphs swell 3 to 25 times, a bomb a thousand times. The
    files of one import share the floor, for many small bombs are a large one.
    """

    line_bytes: int = 16 * MIB
    text: int = 4_000_000
    name: int = 4_000
    identifier: int = 500
    items: int = 10_000
    files: int = 10_000
    expanded_floor: int = 256 * MIB
    expanded_ratio: int = 200
    heard: Callable[[int], None] | None = None
    """Told of the bytes taken from the disk, as they are."""


class FileRefused(DomainError):
    """A whole file cannot be used; nothing of the graph is taken."""

    def __init__(self, file: str, detail: str, *, code: str, expected: str = "") -> None:
        super().__init__(
            detail, code=code, faults=[Fault(file, detail, code=code, expected=expected)]
        )
        self.file = file


class Entry(NamedTuple):
    """A member of an archive, which stays open: its list of members is long, and read once."""

    archive: zipfile.ZipFile
    told: zipfile.ZipInfo


@dataclass(frozen=True, slots=True)
class InputFile:
    """One stream of text. The name is what people see: never a folder of this machine."""

    path: Path
    name: str
    limits: Limits = field(default_factory=Limits)
    entry: Entry | None = field(default=None, compare=False)

    def open(self) -> IO[bytes]:
        """The expanded bytes, buffered and bounded; faults of compression as FileRefused."""
        try:
            raw, size = self._raw()
            return io.BufferedReader(_Bounded(self, raw, size), BUFFER)
        except NOT_OPENED as error:
            detail = f"{self.name} is damaged, or packed in a way that is not read here."
            raise FileRefused(self.name, detail, code="damaged") from error
        except OSError as error:
            raise FileRefused(
                self.name, f"{self.name} cannot be read: {_why(error)}.", code="unreadable"
            ) from error

    def _raw(self) -> tuple[_Readable, int]:
        if self.entry is None:
            return self.path.open("rb"), self.path.stat().st_size
        archive, told = self.entry
        return cast(zipfile.ZipExtFile, archive.open(told)), told.compress_size

    @property
    def size(self) -> int:
        """The bytes that reading it takes from the disk, or out of its archive."""
        return self.path.stat().st_size if self.entry is None else self.entry.told.file_size

    def head(self, size: int = 65_536) -> bytes:
        """The first bytes of the text, by which a format is recognised."""
        with self.open() as stream:
            return stream.read(size)


def _why(error: OSError) -> str:
    return error.strerror or "it is not what its beginning says"


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


def _expanded(file: InputFile, raw: io.BufferedReader[_Raw]) -> _Readable:
    beginning = raw.peek(8)[:8]
    if beginning.startswith(GZIP):
        return gzip.GzipFile(fileobj=raw)
    if beginning.startswith(BZIP2):
        return bz2.BZ2File(raw)
    if beginning.startswith(XZ):
        return lzma.LZMAFile(raw)
    if beginning.startswith((ZSTD, ZIP)):
        kind = "zstd file" if beginning.startswith(ZSTD) else "zip archive inside an archive"
        detail = f"{file.name} is a {kind}, which is not read here. Unpack it first."
        raise FileRefused(file.name, detail, code="compression", expected="gz, bz2, xz or zip")
    return raw


class _Raw(io.RawIOBase):
    """Any binary stream as a raw one, so that it can be buffered and peeked into."""

    def __init__(self, stream: _Readable, heard: Callable[[int], None] | None = None) -> None:
        self._stream = stream
        self._heard = heard

    def readable(self) -> bool:
        return True

    def readinto(self, into: WriteableBuffer) -> int:
        room = memoryview(into)
        # One piece, not as many as fit: what comes before a cut must not be lost with it.
        data = self._stream.read1(len(room))
        room[: len(data)] = data
        if self._heard is not None:
            self._heard(len(data))
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


class _Bounded(_Raw):
    """Counts what comes out, and says in words what is wrong with the compression."""

    def __init__(self, file: InputFile, raw: _Readable, size: int) -> None:
        self._whole = io.BufferedReader(_Raw(raw, file.limits.heard), BUFFER)
        self._file = file.name
        self._count = 0
        try:
            super().__init__(_expanded(file, self._whole))
        except FileRefused:
            self._whole.close()
            raise
        limits = file.limits
        compressed = self._stream is not self._whole or file.entry
        most = max(limits.expanded_floor, size * limits.expanded_ratio)
        self._most = most if compressed else None

    def readinto(self, into: WriteableBuffer) -> int:
        try:
            count = super().readinto(into)
        except EOFError as error:
            raise self._refused(
                "is cut off: its compressed part has no end", "truncated"
            ) from error
        except (*DAMAGED, OSError) as error:
            raise self._refused("is damaged: it cannot be expanded", "damaged") from error
        self._count += count
        if self._most is not None and self._count > self._most:
            raise self._refused("swells beyond what a graph would", "too_large")
        return count

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._whole.close()

    def _refused(self, what: str, code: str) -> FileRefused:
        detail = f"{self._file} {what}, after {self._count:,} bytes of text."
        return FileRefused(self._file, detail, code=code)


def input_files(
    paths: Sequence[Path], limits: Limits | None = None, names: Mapping[Path, str] | None = None
) -> list[InputFile]:
    """The files at the paths: folders and zip archives are looked into, links are not followed.

    `names` gives what people call a file whose path is not its name (an upload).
    """
    limits = limits or Limits()
    found: list[InputFile] = []
    for path in paths:
        for file, name in _found_at(path, (names or {}).get(path, path.name)):
            found.extend(_inside(file, name, limits))
            if len(found) > limits.files:
                detail = f"There are more than {limits.files:,} files."
                raise FileRefused(path.name, detail, code="too_large")
    share = replace(limits, expanded_floor=limits.expanded_floor // max(len(found), 1))
    return [replace(file, limits=share) for file in found]


def _found_at(path: Path, name: str) -> Iterator[tuple[Path, str]]:
    if not path.exists():
        raise FileRefused(name, f"There is no file {name}.", code="not_found")
    if not path.is_dir():
        yield path, name
        return
    for file in sorted(path.rglob("*")):
        within = file.relative_to(path)
        if file.is_file() and not file.is_symlink() and not _hidden(within):
            yield file, within.as_posix()


def _hidden(path: Path) -> bool:
    names = [part for part in path.parts if part != ".."]
    return any(name.startswith((".", "__MACOSX")) for name in names)


def _inside(path: Path, name: str, limits: Limits) -> Iterator[InputFile]:
    try:
        with path.open("rb") as stream:
            is_zip = stream.read(len(ZIP)) == ZIP
        if not is_zip:
            yield InputFile(path, name, limits)
            return
        archive = zipfile.ZipFile(path)
    except NOT_OPENED as error:
        detail = f"{name} is cut off or damaged: its list of files cannot be read."
        raise FileRefused(name, detail, code="truncated") from error
    except OSError as error:
        detail = f"{name} cannot be read: {_why(error)}."
        raise FileRefused(name, detail, code="unreadable") from error
    for told in sorted(archive.infolist(), key=lambda told: told.filename):
        if told.is_dir() or _hidden(Path(told.filename)):
            continue
        if told.flag_bits & LOCKED:
            raise FileRefused(name, f"{name} is locked with a password.", code="locked")
        yield InputFile(path, f"{name}/{told.filename}", limits, Entry(archive, told))
