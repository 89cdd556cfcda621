"""What every export has: rows, where they come from, and how they are written in pieces."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field

from backend.graphs.rows import EdgeRow, NodeRow, RelationInfo

PIECE = 65_536
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every entry of an archive: the same graph gives the same bytes."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a reader needs to cite the graph, and to get exactly it again."""

    graph: str
    snapshot: str
    licence: str = ""
    citation: str = ""
    source_url: str = ""

    def as_dict(self) -> dict[str, str]:
        return {key: text for key, text in asdict(self).items() if text}


@dataclass(frozen=True, slots=True)
class Exported:
    """A graph, or a part of one. The rows are read once, entities before edges."""

    nodes: Iterable[NodeRow]
    edges: Iterable[EdgeRow]
    provenance: Provenance
    relations: Mapping[str, RelationInfo] = field(default_factory=dict)

    def phrase(self, relation: str) -> str:
        """How a relation is said from its source; '' where nothing is known of it."""
        info = self.relations.get(relation)
        return info.forward if info else ""


@dataclass(frozen=True, slots=True)
class Exporter:
    name: str
    title: str
    suffix: str
    content_type: str
    write: Callable[[Exported], Iterator[bytes]]


def provenance_json(exported: Exported) -> Iterator[str]:
    yield json.dumps(exported.provenance.as_dict(), ensure_ascii=False, indent=1) + "\n"


def zipped(members: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """A zip archive, in pieces, while its members are being made."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, texts in members:
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as member:
                for data in encoded(texts):
                    member.write(data)
                    yield from sink.take()
    yield from sink.take()


def encoded(texts: Iterable[str]) -> Iterator[bytes]:
    """Small texts as UTF-8, gathered into pieces worth sending."""
    waiting, size = [], 0
    for text in texts:
        waiting.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(waiting).encode()
            waiting, size = [], 0
    if waiting:
        yield "".join(waiting).encode()


class _Sink(io.RawIOBase):
    """Takes what the archive writes until somebody takes it away."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data) if isinstance(data, bytes | bytearray | memoryview) else b""
        self._pieces.append(piece)
        return len(piece)

    def take(self) -> Iterator[bytes]:
        pieces, self._pieces = self._pieces, []
        if whole := b"".join(pieces):
            yield whole
