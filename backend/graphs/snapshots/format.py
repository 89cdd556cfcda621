"""Files of a snapshot folder, and its manifest.

Every file is one little-endian array without a header. A string column is two files, NAME.pool and
NAME.offsets. The snapshot id is a hash of its content files, types and relations. Derived files
(identifier index, reverse side, hub counts) can change without changing the id, and so can the
documents, which have a digest of their own.
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

from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.snapshots.string_array import StringArray
from backend.runtime.array_store.array_files import RawArrayInfo
from backend.science.adjacency import Adjacency

FORMAT, VERSION = "serendib-snapshot", 1
MANIFEST = "manifest.json"
MIN_HUB_DEGREE = 1_000  # entities with more entries have stored counts per relation
ID_LENGTH = 32
PARSE_ERRORS = (ValueError, KeyError, TypeError, AttributeError)

U8, U16, I32, I64 = "|u1", "<u2", "<i4", "<i8"
CODE_DTYPES = (U8, U16, "<u4")
DATE_COLUMNS = ("first_pmid", "first_year")
# Columns of edges that are codes of texts, with the name of these texts.
CODED_COLUMNS = {"evidence": "evidence", "level": "levels", "date_source": "date_sources"}
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
    "edge.evidence": CODE_DTYPES,
    "edge.level": CODE_DTYPES,
    "edge.first_pmid": ("<u4",),  # 0: undated
    "edge.first_year": ("<u4",),
    "edge.date_source": CODE_DTYPES,
    "edge.folded.edges": (I64,),
    "edge.folded.counts": ("<u4",),
    "hubs.offsets": (I64,),
    "hubs.relations": (U16,),
    "hubs.outgoing": (U8,),
    "hubs.counts": (I64,),
}
STRING_ARRAYS = (
    *("ids", "names", "synonyms", "xrefs", "documents"),
    *("edge.publications", "evidence", "levels", "date_sources"),
)
for _name in STRING_ARRAYS:
    DTYPES |= {f"{_name}.pool": (U8,), f"{_name}.offsets": (I64,)}
DEFAULT_DTYPES = {name: dtypes[0] for name, dtypes in DTYPES.items()}
OPTIONAL_FILES = {
    name
    for name in DTYPES
    if name.startswith("edge.") or name.rpartition(".")[0] in set(STRING_ARRAYS) - {"ids", "names"}
}
DERIVED_FILES = {
    name for name in DTYPES if name.startswith(("hashes", "by_hash", "reverse.", "hubs."))
}
DOCUMENT_FILES = {"documents.pool", "documents.offsets"}


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of one snapshot; `count` is its number of edges."""

    number: int
    name: str
    forward: str
    backward: str
    symmetric: bool
    count: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything about a snapshot that is not an array. It has no times, host names or reports."""

    id: str
    entity_count: int
    edge_count: int
    types: tuple[str, ...]
    type_counts: tuple[int, ...]
    relations: tuple[Relation, ...]
    documents: str | None
    files: dict[str, RawArrayInfo]

    @classmethod
    def of(
        cls,
        counts: tuple[int, int],
        types: dict[str, int],
        relations: Iterable[Relation],
        files: dict[str, RawArrayInfo],
    ) -> Manifest:
        result = tuple(relations)
        return cls(
            content_id(tuple(types), result, files),
            *counts,
            tuple(types),
            tuple(types.values()),
            result,
            digest_of_documents(files),
            dict(sorted(files.items())),
        )

    @property
    def folder(self) -> str:
        """Folder name: a function of the content."""
        return f"{self.id}-{self.documents[:16]}" if self.documents else self.id

    def as_bytes(self) -> bytes:
        body = {"format": FORMAT, "version": VERSION, **asdict(self)}
        body["digest"] = json_digest(body)
        return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def content_id(
    types: tuple[str, ...], relations: tuple[Relation, ...], files: dict[str, RawArrayInfo]
) -> str:
    content = {n: asdict(f) for n, f in files.items() if n not in DERIVED_FILES | DOCUMENT_FILES}
    data = [asdict(relation) for relation in relations]
    body = {"format": FORMAT, "version": VERSION, "types": types, "relations": data}
    return json_digest({**body, "files": content})[:ID_LENGTH]


def digest_of_documents(files: dict[str, RawArrayInfo]) -> str | None:
    result = {name: asdict(files[name]) for name in DOCUMENT_FILES if name in files}
    return json_digest(result) if result else None


def json_digest(value: object) -> str:
    line = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(line.encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Raises InvalidSnapshot if it is missing, altered, or of another version."""
    path = folder / MANIFEST
    try:
        return parse_manifest(path.read_bytes())
    except FileNotFoundError:
        raise InvalidSnapshot(path, "it is missing") from None
    except PARSE_ERRORS as error:
        raise InvalidSnapshot(path, f"it is not a manifest that can be read ({error})") from None


def parse_manifest(text: bytes) -> Manifest:
    """Raises one of PARSE_ERRORS if the manifest is malformed."""
    body: dict[str, Any] = json.loads(text)
    if (body.get("format"), body.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"this program reads version {VERSION} of {FORMAT}")
    if body.pop("digest") != json_digest(body):
        raise ValueError("its digest does not match its content")
    manifest = Manifest(
        id=body["id"],
        entity_count=parse_count(body["entity_count"]),
        edge_count=parse_count(body["edge_count"]),
        types=tuple(body["types"]),
        type_counts=tuple(body["type_counts"]),
        relations=tuple(Relation(**data) for data in body["relations"]),
        documents=body["documents"],
        files={name: RawArrayInfo(**data) for name, data in body["files"].items()},
    )
    check_manifest(manifest)
    return manifest


def parse_count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value


def check_manifest(manifest: Manifest) -> None:
    """Raise ValueError unless names, types and lengths of all files are consistent."""
    if missing := DTYPES.keys() - OPTIONAL_FILES - manifest.files.keys():
        raise ValueError(f"it does not list {min(missing)}")
    for name, file in manifest.files.items():
        if file.dtype not in DTYPES.get(name, ()):
            raise ValueError(f"{name} with elements of {file.dtype} is not part of this version")
        if not re.fullmatch(r"[0-9a-f]{64}", file.sha256):
            raise ValueError(f"the checksum of {name} is not one")
        parse_count(file.length)
    if manifest.id != content_id(manifest.types, manifest.relations, manifest.files):
        raise ValueError("its id is not that of its content")
    if manifest.documents != digest_of_documents(manifest.files):
        raise ValueError("its digest of the documents is not that of its files")
    check_lengths(manifest)


def check_lengths(manifest: Manifest) -> None:
    for name in STRING_ARRAYS:
        if (f"{name}.pool" in manifest.files) != (f"{name}.offsets" in manifest.files):
            raise ValueError(f"it lists one of {name}.pool and {name}.offsets without the other")
    for column, texts in CODED_COLUMNS.items():
        if f"edge.{column}" in manifest.files and f"{texts}.pool" not in manifest.files:
            raise ValueError(f"it lists edge.{column} without {texts}.pool")
    for name, expected in expected_lengths(manifest):
        if manifest.files[name].length != expected:
            raise ValueError(f"{name} has {manifest.files[name].length} elements, not {expected}")


def expected_lengths(manifest: Manifest) -> Iterable[tuple[str, int]]:
    """File lengths that follow from the counts."""
    entities, edges = manifest.entity_count, manifest.edge_count
    per_entity = ("types", "hashes", "by_hash")
    offsets = (
        *(f"{name}.offsets" for name in STRING_ARRAYS[:5]),
        "forward.offsets",
        "reverse.offsets",
    )
    rows = ("neighbours", "relations")
    per_edge = [f"{side}.{column}" for side in ("forward", "reverse") for column in rows]
    per_edge += ["reverse.edges", "edge.score", "edge.p_value"]
    per_edge += [f"edge.{name}" for name in (*CODED_COLUMNS, *DATE_COLUMNS)]
    target = [(name, entities) for name in per_entity]
    target += [(name, entities + 1) for name in offsets]
    target += [(name, edges) for name in per_edge]
    target += [("edge.publications.offsets", edges + 1)]
    return [(name, length) for name, length in target if name in manifest.files]


def smallest_dtype(dtypes: tuple[str, ...], count: int) -> str:
    """The narrowest of the types that can represent `count` codes."""
    return next(dtype for dtype in dtypes if count <= np.iinfo(dtype).max + 1)


Arrays = dict[str, NDArray[Any]]


def string_array(arrays: Arrays, name: str) -> StringArray | None:
    """A string column, None if the snapshot lacks it."""
    if f"{name}.pool" not in arrays:
        return None
    return StringArray(arrays[f"{name}.pool"], arrays[f"{name}.offsets"])


def adjacency(arrays: Arrays, side: str) -> Adjacency:
    return Adjacency(
        arrays[f"{side}.offsets"],
        arrays[f"{side}.neighbours"],
        arrays[f"{side}.relations"],
        arrays.get(f"{side}.edges"),
    )
