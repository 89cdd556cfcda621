"""What is computed once and kept: a folder of arrays, and a manifest that says how they were made.

A folder holds one .npy file per array and manifest.json: the kind, a digest of the graph that the
arrays were made from, the parameters, what was found (facts), and of every file its type, shape,
size and checksum. The same input gives the same bytes: there are no times and no names of machines
in it. A folder is invisible until it is complete and on the disk; one that was altered, cut short
or made by something else is refused, with the name of the file.

    with writing(folder, "marginal", source, {"hops": 3}) as writer:
        writer.array("values", values)                  # from memory
        rows = writer.stream("vectors", (count, 64), "<f4")
        for chunk in chunks:                            # front to back, larger than memory
            rows.write(chunk)
        writer.facts["error"] = 1e-10
    found = open_artefact(folder, kind="marginal")
    found.arrays["values"]                              # a memory map, read-only
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import mmap
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from backend.science.folders import locked, publish, workspace

FORMAT, VERSION = "serendib-artefact", 1
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 1 << 24
BLOCK = 1 << 22
NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")
DTYPES = {"|b1", "|i1", "|u1", *(f"<{kind}{size}" for kind in "iu" for size in (2, 4, 8))}
DTYPES |= {"<f2", "<f4", "<f8"}
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
NEEDED = {"kind", "source", "parameters", "facts", "files"}
Json = Mapping[str, Any]


class ArtefactRefused(ValueError):
    """An artefact on disk is not what its manifest says, or not what was asked for."""

    code = "artefact_refused"

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"The file {path} cannot be used: {what}.")
        self.path, self.what = path, what


@dataclass(frozen=True, slots=True)
class FileInfo:
    """One .npy file: its array's type and shape, its size in bytes and its checksum."""

    dtype: str
    shape: tuple[int, ...]
    size: int
    sha256: str

    @classmethod
    def read(cls, told: Json) -> FileInfo:
        info = cls(told["dtype"], tuple(told["shape"]), told["size"], told["sha256"])
        counts = (*info.shape, info.size)
        sane = all(type(count) is int and 0 <= count < 2**60 for count in counts)
        if info.dtype not in DTYPES or not sane or len(info.shape) > 4:
            raise ValueError("a file of this type or shape is not known")
        if info.size != len(info.header()) + info.nbytes:
            raise ValueError("a file's size is not that of its array")
        return info

    @property
    def nbytes(self) -> int:
        return np.dtype(self.dtype).itemsize * math.prod(self.shape)

    def header(self) -> bytes:
        return header(self.dtype, self.shape)


def header(dtype: str, shape: tuple[int, ...]) -> bytes:
    """The bytes in front of an array's elements."""
    made = io.BytesIO()
    npy.write_array_header_1_0(made, {"descr": dtype, "fortran_order": False, "shape": shape})
    return made.getvalue()


@dataclass(frozen=True, slots=True)
class Artefact:
    """An opened one. The arrays are memory maps that cannot be written to."""

    path: Path
    kind: str
    source: str
    parameters: Json
    facts: Json
    arrays: Mapping[str, NDArray[Any]]
    digest: str


class Stream:
    """One array written front to back, in parts along its first axis."""

    def __init__(self, path: Path, shape: tuple[int, ...], dtype: str) -> None:
        self.path, self.shape, self.dtype = path, shape, np.dtype(dtype).newbyteorder("<").str
        if self.dtype not in DTYPES:
            raise ValueError(f"{path.stem}: arrays of {dtype} are not kept")
        self.left = math.prod(shape)
        self._sha, self._file = hashlib.sha256(), path.open("xb")
        self._add(header(self.dtype, shape))

    def write(self, part: NDArray[Any]) -> None:
        """Raises ValueError for a part of other rows, or of more than there is room for."""
        if part.shape[1:] != self.shape[1:] or part.size > self.left:
            raise ValueError(f"{self.path.stem}: {part.shape} does not fit into {self.shape}")
        self.left -= part.size
        if part.size:
            self._add(np.ascontiguousarray(part, self.dtype).reshape(-1).view(np.uint8).data)

    def _add(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self._sha.update(data)

    def finish(self) -> FileInfo:
        if self.left:
            raise ValueError(f"{self.path.stem}: {self.left} elements were never written")
        size = self._file.tell()
        self._file.flush()
        os.fchmod(self._file.fileno(), 0o444)
        os.fsync(self._file.fileno())
        self.close()
        return FileInfo(self.dtype, self.shape, size, self._sha.hexdigest())

    def close(self) -> None:
        self._file.close()


@dataclass
class Writer:
    """The arrays and the facts of an artefact that is being made."""

    folder: Path
    facts: dict[str, Any] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)

    def array(self, name: str, array: NDArray[Any]) -> None:
        """A whole array, which may be a memory map."""
        stream = self.stream(name, array.shape, array.dtype.str)
        step = max(1, BLOCK // max(1, array[:1].nbytes))
        for first in range(0, len(array), step):
            stream.write(array[first : first + step])

    def stream(self, name: str, shape: tuple[int, ...], dtype: str) -> Stream:
        """Room for an array of a known shape, whose parts follow."""
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name for an array")
        if not shape:
            raise ValueError(f"{name}: a single number is a fact, not an array")
        if name in self.streams:
            raise ValueError(f"{name} is there already")
        self.streams[name] = Stream(self.folder / f"{name}.npy", shape, dtype)
        return self.streams[name]


@contextmanager
def writing(into: Path, kind: str, source: str, parameters: Json) -> Iterator[Writer]:
    """Make an artefact, which appears as the folder `into` when the block ends without a fault.

    One that is there already is replaced, unless it is the same and whole. Whoever has opened
    that one keeps reading it.
    """
    with workspace(into.parent) as space:
        made = space / "made"
        made.mkdir()
        writer = Writer(made)
        try:
            yield writer
            files = {name: stream.finish() for name, stream in sorted(writer.streams.items())}
        finally:
            for stream in writer.streams.values():
                stream.close()
        write_manifest(made, kind, source, parameters, writer.facts, files)
        settle(made, into, space / "replaced")


def write_artefact(
    into: Path,
    kind: str,
    source: str,
    parameters: Json,
    arrays: Mapping[str, NDArray[Any]],
    facts: Json,
) -> Artefact:
    """Write whole arrays, and open what was written."""
    with writing(into, kind, source, parameters) as writer:
        writer.facts.update(facts)
        for name, array in sorted(arrays.items()):
            writer.array(name, array)
    return open_artefact(into, kind=kind, checksums=False)


def settle(made: Path, into: Path, aside: Path) -> None:
    with locked(into.parent / ".lock"):
        if into.exists():
            if is_same(made, into):
                return
            into.rename(aside)
        publish(made, into)


def is_same(made: Path, there: Path) -> bool:
    """Whether a whole artefact is there with the same manifest."""
    try:
        found = open_artefact(there)
    except (ArtefactRefused, OSError):
        return False
    return found.digest == str(read_manifest(made)["digest"])


def write_manifest(
    folder: Path,
    kind: str,
    source: str,
    parameters: Json,
    facts: Json,
    files: Mapping[str, FileInfo],
) -> None:
    body: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "source": source,
        "parameters": dict(parameters),
        "facts": dict(facts),
        "files": {name: asdict(info) for name, info in files.items()},
    }
    body["digest"] = digest(body)
    with (folder / MANIFEST).open("xb") as file:
        file.write(as_json(body) + b"\n")
        file.flush()
        os.fchmod(file.fileno(), 0o444)
        os.fsync(file.fileno())


def as_json(body: Json) -> bytes:
    """Raises ValueError for what JSON has no word for: NaN, infinity, sets, objects."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
    return text.encode()


def digest(body: Json) -> str:
    return hashlib.sha256(as_json(body)).hexdigest()


def open_artefact(
    path: Path,
    *,
    kind: str | None = None,
    source: str | None = None,
    parameters: Json | None = None,
    checksums: bool = True,
) -> Artefact:
    """Map the arrays of a folder, after what was asked for, all sizes and all checksums agree.

    checksums: False skips reading every byte, for a folder that this machine has checked before.
    Raises ArtefactRefused, which names the file.
    """
    told = read_manifest(path)
    wanted = json.loads(as_json({"kind": kind, "source": source, "parameters": parameters}))
    for name, value in wanted.items():
        if value is not None and told[name] != value:
            raise ArtefactRefused(
                path / MANIFEST, f"its {name} is {told[name]!r}, and {value!r} is needed"
            )
    files = {name: (path / f"{name}.npy", info) for name, info in infos(path, told).items()}
    arrays = {name: map_file(file, info) for name, (file, info) in files.items()}
    if checksums:
        for file, info in files.values():
            check_checksum(file, info)
    settings, facts = told["parameters"], told["facts"]
    return Artefact(path, told["kind"], told["source"], settings, facts, arrays, told["digest"])


def read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    data = read_small(path)
    try:
        told: dict[str, Any] = json.loads(data)
        claimed, found = told.pop("digest"), digest(told)
        if told["format"] != FORMAT:
            raise ValueError("another format")
    except UNREADABLE as error:
        raise ArtefactRefused(path, "it is not the manifest of an artefact") from error
    if told.get("version") != VERSION:
        raise ArtefactRefused(path, f"it is of version {told.get('version')!r}, not {VERSION}")
    if not told.keys() >= NEEDED:
        raise ArtefactRefused(path, "it is not the manifest of an artefact")
    if found != claimed:
        raise ArtefactRefused(path, "it was altered: its digest is not that of its content")
    return {**told, "digest": claimed}


def read_small(path: Path) -> bytes:
    with opened(path) as file:
        data = file.read(LARGEST_MANIFEST + 1)
    if len(data) > LARGEST_MANIFEST:
        raise ArtefactRefused(path, "it is too large for a manifest")
    return data


def infos(folder: Path, told: Json) -> dict[str, FileInfo]:
    try:
        if not all(map(NAME.fullmatch, told["files"])):
            raise ValueError("a file has a name that no array has")
        return {name: FileInfo.read(info) for name, info in told["files"].items()}
    except UNREADABLE as error:
        raise ArtefactRefused(folder / MANIFEST, f"its list of files is wrong: {error}") from error


def map_file(path: Path, info: FileInfo) -> NDArray[Any]:
    """One array as a read-only map. The size and the header are those of the manifest."""
    first = info.header()
    with opened(path) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ArtefactRefused(path, "it is not a plain file")
        if found.st_size != info.size:
            raise ArtefactRefused(
                path, f"it has {found.st_size:,} bytes, and {info.size:,} are expected"
            )
        if file.read(len(first)) != first:
            raise ArtefactRefused(path, "it was altered: it begins with another header")
        if not info.nbytes:
            return np.empty(info.shape, info.dtype)
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(mapped, info.dtype, offset=len(first)).reshape(info.shape)


@contextmanager
def opened(path: Path) -> Iterator[io.BufferedReader]:
    try:
        file = path.open("rb")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ArtefactRefused(path, "it is missing") from error
    except IsADirectoryError as error:
        raise ArtefactRefused(path, "it is not a plain file") from error
    with file:
        yield file


def check_checksum(path: Path, info: FileInfo) -> None:
    with opened(path) as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != info.sha256:
        raise ArtefactRefused(
            path,
            f"it was altered: its checksum is {found[:12]}…, and {info.sha256[:12]}… is expected",
        )
