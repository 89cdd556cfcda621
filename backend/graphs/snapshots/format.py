"""What a snapshot's folder holds, and the manifest that says so.

Every file is one array without a header, little-endian. A text column is two files, NAME.pool and
NAME.offsets. The identity of a snapshot is a hash over its content files, its types and its
relations: what is derived from them (how to find an id, the way back, the counts at hubs) can
change without a new identity, and so can the documents, which have a digest of their own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.strings import Texts
from backend.science.adjacency import Adjacency

FORMAT, VERSION = "serendib-snapshot", 1
MANIFEST = "manifest.json"
HUB = 1_000  # an entity with more entries than this has its counts per relation kept
ID_LENGTH = 32
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError)

U8, U16, I32, I64 = "|u1", "<u2", "<i4", "<i8"
CODES = (U8, U16, "<u4")
DTYPES: dict[str, tuple[str, ...]] = {
    "types": (U8, U16),
    "hashes": ("<u8",),
    "by_hash": (I32,),
    "forward.offsets": (I64,),
    "forward.neighbours": (I32,),
    "forward.relations": (U8, U16),
    "reverse.offsets": (I64,),
    "reverse.neighbours": (I32,),
    "reverse.relations": (U8, U16),
    "reverse.edges": (I32, I64),
    "edge.score": ("<f4",),
    "edge.p_value": ("<f8",),
    "edge.evidence": CODES,
    "edge.level": CODES,
    "edge.folded.edges": (I64,),
    "edge.folded.counts": ("<u4",),
    "hubs.offsets": (I64,),
    "hubs.relations": (U16,),
    "hubs.outgoing": (U8,),
    "hubs.counts": (I64,),
}
TEXTS = (
    *("ids", "names", "synonyms", "xrefs", "documents"),
    *("edge.publications", "evidence", "levels"),
)
for _name in TEXTS:
    DTYPES |= {f"{_name}.pool": (U8,), f"{_name}.offsets": (I64,)}
OPTIONAL = {
    name
    for name in DTYPES
    if name.startswith("edge.") or name.rpartition(".")[0] in set(TEXTS) - {"ids", "names"}
}
DERIVED = {name for name in DTYPES if name.startswith(("hashes", "by_hash", "reverse.", "hubs."))}
DOCUMENTS = {"documents.pool", "documents.offsets"}


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of one snapshot; count is that of its edges."""

    number: int
    name: str
    forward: str
    backward: str
    symmetric: bool
    count: int


@dataclass(frozen=True, slots=True)
class FileInfo:
    """One array on disk."""

    dtype: str
    length: int
    sha256: str

    @property
    def nbytes(self) -> int:
        return np.dtype(self.dtype).itemsize * self.length


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything about a snapshot that is not an array. No times, no names, no reports."""

    id: str
    entity_count: int
    edge_count: int
    types: tuple[str, ...]
    type_counts: tuple[int, ...]
    relations: tuple[Relation, ...]
    documents: str | None
    files: dict[str, FileInfo]

    @classmethod
    def of(
        cls,
        counts: tuple[int, int],
        types: dict[str, int],
        relations: Iterable[Relation],
        files: dict[str, FileInfo],
    ) -> Manifest:
        found = tuple(relations)
        return cls(
            identity(tuple(types), found, files),
            *counts,
            tuple(types),
            tuple(types.values()),
            found,
            digest_of_documents(files),
            dict(sorted(files.items())),
        )

    @property
    def folder(self) -> str:
        """The name of its folder: the same content always has the same, another has another."""
        return f"{self.id}-{self.documents[:16]}" if self.documents else self.id

    def as_bytes(self) -> bytes:
        body = {"format": FORMAT, "version": VERSION, **asdict(self)}
        body["digest"] = digest(body)
        return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def identity(
    types: tuple[str, ...], relations: tuple[Relation, ...], files: dict[str, FileInfo]
) -> str:
    content = {n: asdict(f) for n, f in files.items() if n not in DERIVED | DOCUMENTS}
    told = [asdict(relation) for relation in relations]
    body = {"format": FORMAT, "version": VERSION, "types": types, "relations": told}
    return digest({**body, "files": content})[:ID_LENGTH]


def digest_of_documents(files: dict[str, FileInfo]) -> str | None:
    found = {name: asdict(files[name]) for name in DOCUMENTS if name in files}
    return digest(found) if found else None


def digest(value: object) -> str:
    line = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(line.encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Raises SnapshotRefused when it is missing, altered, or of another version."""
    path = folder / MANIFEST
    try:
        return parse_manifest(path.read_bytes())
    except FileNotFoundError:
        raise SnapshotRefused(path, "it is missing") from None
    except UNREADABLE as error:
        raise SnapshotRefused(path, f"it is not a manifest that can be read ({error})") from None


def parse_manifest(text: bytes) -> Manifest:
    """Raises one of UNREADABLE where it is not as written."""
    body: dict[str, Any] = json.loads(text)
    if (body.get("format"), body.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"this program reads version {VERSION} of {FORMAT}")
    if body.pop("digest") != digest(body):
        raise ValueError("its digest does not match what it says")
    manifest = Manifest(
        id=body["id"],
        entity_count=natural(body["entity_count"]),
        edge_count=natural(body["edge_count"]),
        types=tuple(body["types"]),
        type_counts=tuple(body["type_counts"]),
        relations=tuple(Relation(**told) for told in body["relations"]),
        documents=body["documents"],
        files={name: FileInfo(**told) for name, told in body["files"].items()},
    )
    check_manifest(manifest)
    return manifest


def natural(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value


def check_manifest(manifest: Manifest) -> None:
    """Raise ValueError unless every file has a name, a type and a length that fit together."""
    if missing := DTYPES.keys() - OPTIONAL - manifest.files.keys():
        raise ValueError(f"it does not list {min(missing)}")
    for name, file in manifest.files.items():
        if file.dtype not in DTYPES.get(name, ()):
            raise ValueError(f"{name} with elements of {file.dtype} is not part of this version")
        if not re.fullmatch(r"[0-9a-f]{64}", file.sha256):
            raise ValueError(f"the checksum of {name} is not one")
        natural(file.length)
    if manifest.id != identity(manifest.types, manifest.relations, manifest.files):
        raise ValueError("its id is not that of its content")
    if manifest.documents != digest_of_documents(manifest.files):
        raise ValueError("its digest of the documents is not that of its files")
    check_lengths(manifest)


def check_lengths(manifest: Manifest) -> None:
    for name in TEXTS:
        if (f"{name}.pool" in manifest.files) != (f"{name}.offsets" in manifest.files):
            raise ValueError(f"it lists one of {name}.pool and {name}.offsets without the other")
    for column, texts in (("edge.evidence", "evidence.pool"), ("edge.level", "levels.pool")):
        if column in manifest.files and texts not in manifest.files:
            raise ValueError(f"it lists {column} without {texts}")
    for name, expected in expected_lengths(manifest):
        if manifest.files[name].length != expected:
            raise ValueError(f"{name} has {manifest.files[name].length} elements, not {expected}")


def expected_lengths(manifest: Manifest) -> Iterable[tuple[str, int]]:
    """The files whose length follows from the counts."""
    entities, edges = manifest.entity_count, manifest.edge_count
    per_entity = ("types", "hashes", "by_hash")
    offsets = (*(f"{name}.offsets" for name in TEXTS[:5]), "forward.offsets", "reverse.offsets")
    rows = ("neighbours", "relations")
    per_edge = [f"{side}.{column}" for side in ("forward", "reverse") for column in rows]
    per_edge += ["reverse.edges", "edge.score", "edge.p_value", "edge.evidence", "edge.level"]
    wanted = [(name, entities) for name in per_entity]
    wanted += [(name, entities + 1) for name in offsets]
    wanted += [(name, edges) for name in per_edge]
    wanted += [("edge.publications.offsets", edges + 1)]
    return [(name, length) for name, length in wanted if name in manifest.files]


def smallest(dtypes: tuple[str, ...], count: int) -> str:
    """The narrowest of them whose elements tell so many numbers apart."""
    return next(dtype for dtype in dtypes if count <= np.iinfo(dtype).max + 1)


Arrays = dict[str, NDArray[Any]]


def texts_of(arrays: Arrays, name: str) -> Texts | None:
    """A text column, None where the snapshot has none."""
    if f"{name}.pool" not in arrays:
        return None
    return Texts(arrays[f"{name}.pool"], arrays[f"{name}.offsets"])


def adjacency_of(arrays: Arrays, side: str) -> Adjacency:
    return Adjacency(
        arrays[f"{side}.offsets"],
        arrays[f"{side}.neighbours"],
        arrays[f"{side}.relations"],
        arrays.get(f"{side}.edges"),
    )
