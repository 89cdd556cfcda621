"""Shared parts of exporters: the rows with their provenance, and streamed zip archives."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field

from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo

CHUNK_LENGTH = 65_536
ARCHIVE_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of every archive member, so that the same graph gives the same bytes."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a user needs to cite the graph and to obtain exactly the same one."""

    graph: str
    snapshot: str
    licence: str = ""
    citation: str = ""
    source_url: str = ""

    def as_dict(self) -> dict[str, str]:
        return {key: text for key, text in asdict(self).items() if text}


@dataclass(frozen=True, slots=True)
class ExportedGraph:
    """A graph or subgraph to write. The rows are read once, entities before edges."""

    nodes: Iterable[NodeRow]
    edges: Iterable[EdgeRow]
    provenance: Provenance
    relations: Mapping[str, RelationInfo] = field(default_factory=dict)

    def relation_phrase(self, relation: str) -> str:
        """The forward phrase of a relation; '' if it is unknown."""
        info = self.relations.get(relation)
        return info.forward if info else ""


ZIP_TYPE = "application/zip"


@dataclass(frozen=True, slots=True)
class Exporter:
    name: str
    title: str
    suffix: str
    content_type: str
    write: Callable[[ExportedGraph], Iterator[bytes]]
    is_streamed: bool = True
    """False if the whole graph must be in memory to write it."""


def provenance_json(exported: ExportedGraph) -> Iterator[str]:
    yield json.dumps(exported.provenance.as_dict(), ensure_ascii=False, indent=1) + "\n"


def format_number(value: float | None) -> str:
    """The shortest text that parses to the same number."""
    return "" if value is None else repr(value)


def zip_chunks(members: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """Stream a zip archive while its members are produced."""
    sink = _ZipBuffer()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, texts in members:
            entry = zipfile.ZipInfo(name, ARCHIVE_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as member:
                for data in encode_chunks(texts):
                    member.write(data)
                    yield from sink.drain()
    yield from sink.drain()


def encode_chunks(texts: Iterable[str]) -> Iterator[bytes]:
    """Encode small texts as UTF-8, joined into larger chunks."""
    waiting, size = [], 0
    for text in texts:
        waiting.append(text)
        size += len(text)
        if size >= CHUNK_LENGTH:
            yield "".join(waiting).encode()
            waiting, size = [], 0
    if waiting:
        yield "".join(waiting).encode()


class _ZipBuffer(io.RawIOBase):
    """Write-only buffer that is drained after each write of the archive."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data) if isinstance(data, bytes | bytearray | memoryview) else b""
        self._pieces.append(piece)
        return len(piece)

    def drain(self) -> Iterator[bytes]:
        pieces, self._pieces = self._pieces, []
        if whole := b"".join(pieces):
            yield whole
