"""Small files for tests, written as each case needs them."""

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from backend.graphs.importers.common.input_files import ReadLimits
from backend.graphs.importers.registry import OpenedGraph, open_source
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow

COMPRESSIONS: Mapping[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The files in the folder, compressed where the name says so; their line ends as given."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(COMPRESSIONS.get(path.suffix, bytes)(data))
    return folder


def write_zip(path: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def open_files(folder: Path, files: Mapping[str, str | bytes], **more: object) -> OpenedGraph:
    limits = more.get("limits")
    assert limits is None or isinstance(limits, ReadLimits)
    return open_source(
        [write_files(folder, files)], str(more.get("format_name", "")), limits=limits
    )


def node_rows(graph: OpenedGraph) -> list[NodeRow]:
    return [row for row in graph.source.nodes() if isinstance(row, NodeRow)]


def edge_rows(graph: OpenedGraph) -> list[EdgeRow]:
    return [row for row in graph.source.edges() if isinstance(row, EdgeRow)]


def dropped_rows(graph: OpenedGraph) -> list[MalformedRow]:
    rows = [*graph.source.nodes(), *graph.source.edges()]
    return [row for row in rows if isinstance(row, MalformedRow)]


def drop_reasons(graph: OpenedGraph) -> list[tuple[str, int, str]]:
    """What was dropped: file, line and reason."""
    return [(row.file, row.line, row.reason) for row in dropped_rows(graph)]
