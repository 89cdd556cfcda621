"""Small files for tests, written as each case needs them."""

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from backend.graphs.importers.catalogue import Opened, open_source
from backend.graphs.importers.files import Limits
from backend.graphs.rows import EdgeRow, Malformed, NodeRow

COMPRESSIONS: Mapping[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The files in the folder, compressed where the name says so; their line ends as given."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(COMPRESSIONS.get(path.suffix, bytes)(data))
    return folder


def zipped(path: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def opened(folder: Path, files: Mapping[str, str | bytes], **more: object) -> Opened:
    limits = more.get("limits")
    assert limits is None or isinstance(limits, Limits)
    return open_source([write(folder, files)], str(more.get("format_name", "")), limits=limits)


def nodes_of(graph: Opened) -> list[NodeRow]:
    return [row for row in graph.source.nodes() if isinstance(row, NodeRow)]


def edges_of(graph: Opened) -> list[EdgeRow]:
    return [row for row in graph.source.edges() if isinstance(row, EdgeRow)]


def dropped(graph: Opened) -> list[Malformed]:
    rows = [*graph.source.nodes(), *graph.source.edges()]
    return [row for row in rows if isinstance(row, Malformed)]


def reasons(graph: Opened) -> list[tuple[str, int, str]]:
    """What was dropped: file, line and reason."""
    return [(row.file, row.line, row.reason) for row in dropped(graph)]
