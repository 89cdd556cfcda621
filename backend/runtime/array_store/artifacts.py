"""Results of long computations: a folder of .npy files and a manifest of how they were computed.

The manifest records the kind, a digest of the graph that the arrays were computed from, the
parameters, the facts found, and type, shape, size and checksum of every file. It has no times and
no host names, so the same input gives the same bytes. A folder becomes visible when it is complete
and on the disk. An altered, truncated or foreign one is rejected with the name of the file.

    with artifact_writer(folder, "marginal", source, {"hops": 3}) as writer:
        writer.add("values", values)                    # from memory
        rows = writer.open_array("vectors", (count, 64), "<f4")
        for chunk in chunks:                            # sequentially, larger than memory
            rows.write(chunk)
        writer.facts["error"] = 1e-10
    artifact = open_artifact(folder, kind="marginal")
    artifact.arrays["values"]                           # a read-only memory map
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.array_files import (
    ArrayWriter,
    NpyArrayInfo,
    array_size,
    map_array,
    npy_header,
    open_regular_file,
    verify_checksum,
    write_file,
)
from backend.runtime.array_store.errors import InvalidArrayStore
from backend.runtime.atomic_dirs import publish_or_reuse, workspace

FORMAT, VERSION = "serendib-artefact", 1
MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 1 << 24
BLOCK_BYTES = 1 << 22
NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")
ALLOWED_DTYPES = {"|b1", "|i1", "|u1", *(f"<{kind}{size}" for kind in "iu" for size in (2, 4, 8))}
ALLOWED_DTYPES |= {"<f2", "<f4", "<f8"}
PARSE_ERRORS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
REQUIRED_KEYS = {"kind", "source", "parameters", "facts", "files"}
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Artifact:
    """An open artifact. Its arrays are read-only memory maps."""

    path: Path
    kind: str
    source: str
    parameters: Json
    facts: Json
    arrays: Mapping[str, NDArray[Any]]
    digest: str


class NpyWriter(ArrayWriter):
    """Writes an array of known shape."""

    def __init__(self, path: Path, shape: tuple[int, ...], dtype: str) -> None:
        little_endian = np.dtype(dtype).newbyteorder("<").str
        if little_endian not in ALLOWED_DTYPES:
            raise ValueError(f"{path.stem}: arrays of {dtype} cannot be stored")
        super().__init__(path, little_endian, npy_header(little_endian, shape))
        self.shape = shape

    @property
    def remaining(self) -> int:
        return math.prod(self.shape) - self.element_count

    def write(self, part: NDArray[Any]) -> None:
        """Raises ValueError for rows of another shape, or for too many of them."""
        if part.shape[1:] != self.shape[1:] or part.size > self.remaining:
            raise ValueError(f"{self.path.stem}: {part.shape} does not fit into {self.shape}")
        super().write(part)

    def read_back(self) -> NDArray[Any]:
        """A map of the array once all of it was written."""
        self.flush()
        size = (
            len(npy_header(self.dtype.str, self.shape)) + self.element_count * self.dtype.itemsize
        )
        return map_array(self.path, NpyArrayInfo(self.dtype.str, self.shape, size, ""))

    def finish_array(self) -> NpyArrayInfo:
        if self.remaining:
            raise ValueError(f"{self.path.stem}: {self.remaining} elements were never written")
        size, checksum = self.finish()
        return NpyArrayInfo(self.dtype.str, self.shape, size, checksum)


@dataclass
class ArtifactWriter:
    """Arrays and facts of an artifact under construction."""

    folder: Path
    facts: dict[str, Any] = field(default_factory=dict)
    writers: dict[str, NpyWriter] = field(default_factory=dict)

    def add(self, name: str, array: NDArray[Any]) -> None:
        """Write a complete array, which may be a memory map."""
        writer = self.open_array(name, array.shape, array.dtype.str)
        step = max(1, BLOCK_BYTES // max(1, array[:1].nbytes))
        for first in range(0, len(array), step):
            writer.write(array[first : first + step])

    def open_array(self, name: str, shape: tuple[int, ...], dtype: str) -> NpyWriter:
        """An array of known shape, to be written in parts."""
        if not NAME_PATTERN.fullmatch(name):
            raise ValueError(f"{name!r} is not a valid array name")
        if not shape:
            raise ValueError(f"{name}: store a single number as a fact, not as an array")
        if name in self.writers:
            raise ValueError(f"there are two arrays named {name}")
        self.writers[name] = NpyWriter(self.folder / f"{name}.npy", shape, dtype)
        return self.writers[name]


@contextmanager
def artifact_writer(
    into: Path, kind: str, source: str, parameters: Json
) -> Iterator[ArtifactWriter]:
    """Write an artifact, published as the folder `into` when the block ends without an error.

    An existing one is replaced, unless it is identical and intact. Processes that have it open
    keep reading the old files.
    """
    with workspace(into.parent) as temporary:
        folder = temporary / "artifact"
        folder.mkdir()
        writer = ArtifactWriter(folder)
        try:
            yield writer
            files = {name: one.finish_array() for name, one in sorted(writer.writers.items())}
        finally:
            for one in writer.writers.values():
                one.close()
        digest = write_manifest(folder, kind, source, parameters, writer.facts, files)
        publish_or_reuse(
            folder,
            into,
            aside=temporary / "replaced",
            is_current=lambda existing: is_intact(existing, digest),
        )


def write_artifact(
    into: Path,
    kind: str,
    source: str,
    parameters: Json,
    arrays: Mapping[str, NDArray[Any]],
    facts: Json,
) -> Artifact:
    """Write complete arrays, and open the result."""
    with artifact_writer(into, kind, source, parameters) as writer:
        writer.facts.update(facts)
        for name, array in sorted(arrays.items()):
            writer.add(name, array)
    return open_artifact(into, kind=kind, checksums=False)


def is_intact(folder: Path, digest: str) -> bool:
    """Whether the artifact has this digest and all its files match their checksums."""
    try:
        return open_artifact(folder).digest == digest
    except (InvalidArrayStore, OSError):
        return False


def write_manifest(
    folder: Path,
    kind: str,
    source: str,
    parameters: Json,
    facts: Json,
    files: Mapping[str, NpyArrayInfo],
) -> str:
    """Returns the digest of the content."""
    body: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "source": source,
        "parameters": dict(parameters),
        "facts": dict(facts),
        "files": {name: asdict(info) for name, info in files.items()},
    }
    digest = json_digest(body)
    write_file(folder / MANIFEST, canonical_json({**body, "digest": digest}) + b"\n")
    return digest


def canonical_json(body: Json) -> bytes:
    """Raises ValueError for values that JSON lacks: NaN, infinity, sets, objects."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
    return text.encode()


def json_digest(body: Json) -> str:
    return hashlib.sha256(canonical_json(body)).hexdigest()


def open_artifact(
    path: Path,
    *,
    kind: str | None = None,
    source: str | None = None,
    parameters: Json | None = None,
    checksums: bool = True,
) -> Artifact:
    """Map the arrays of a folder after checking the request, all sizes and all checksums.

    checksums: False skips reading every byte, for a folder that this machine has checked before.
    Raises InvalidArrayStore, which names the file.
    """
    manifest = read_manifest(path)
    request = json.loads(canonical_json({"kind": kind, "source": source, "parameters": parameters}))
    for name, value in request.items():
        if value is not None and manifest[name] != value:
            raise InvalidArrayStore(
                path / MANIFEST, f"its {name} is {manifest[name]!r}, and {value!r} is needed"
            )
    infos = parse_array_infos(path, manifest)
    files = {name: (path / f"{name}.npy", info) for name, info in infos.items()}
    arrays = {name: map_array(file, info) for name, (file, info) in files.items()}
    if checksums:
        for file, info in files.values():
            verify_checksum(file, info)
    return Artifact(
        path,
        manifest["kind"],
        manifest["source"],
        manifest["parameters"],
        manifest["facts"],
        arrays,
        manifest["digest"],
    )


def read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    with open_regular_file(path) as file:
        data = file.read(MAX_MANIFEST_BYTES + 1)
    if len(data) > MAX_MANIFEST_BYTES:
        raise InvalidArrayStore(path, "it is too large for a manifest")
    try:
        body: dict[str, Any] = json.loads(data)
        stated, actual = body.pop("digest"), json_digest(body)
        if body["format"] != FORMAT:
            raise ValueError("another format")
    except PARSE_ERRORS as error:
        raise InvalidArrayStore(path, "it is not the manifest of an artifact") from error
    if body.get("version") != VERSION:
        raise InvalidArrayStore(path, f"it is of version {body.get('version')!r}, not {VERSION}")
    if not body.keys() >= REQUIRED_KEYS:
        raise InvalidArrayStore(path, "it is not the manifest of an artifact")
    if actual != stated:
        raise InvalidArrayStore(path, "it was altered: its digest is not that of its content")
    return {**body, "digest": stated}


def parse_array_infos(folder: Path, manifest: Json) -> dict[str, NpyArrayInfo]:
    try:
        if not all(map(NAME_PATTERN.fullmatch, manifest["files"])):
            raise ValueError("a file has a name that is not an array name")
        return {name: parse_array_info(info) for name, info in manifest["files"].items()}
    except PARSE_ERRORS as error:
        raise InvalidArrayStore(
            folder / MANIFEST, f"its list of files is wrong: {error}"
        ) from error


def parse_array_info(entry: Json) -> NpyArrayInfo:
    info = NpyArrayInfo(entry["dtype"], tuple(entry["shape"]), entry["size"], entry["sha256"])
    counts = (*info.shape, info.size)
    valid = all(type(count) is int and 0 <= count < 2**60 for count in counts)
    if info.dtype not in ALLOWED_DTYPES or not valid or len(info.shape) > 4:
        raise ValueError("a file has an unknown type or shape")
    if info.size != len(info.header) + array_size(info):
        raise ValueError("the size of a file is not that of its array")
    return info
