"""An open snapshot: memory maps shared by all processes of a machine."""

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.errors import InvalidSnapshot
from backend.graphs.snapshots.format import (
    DATE_COLUMNS,
    STRING_ARRAYS,
    Arrays,
    Manifest,
    adjacency,
    read_manifest,
    string_array,
)
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.graphs.snapshots.integrity import (
    FileStates,
    file_states,
    has_valid_stamp,
    map_arrays,
    verify_snapshot,
)
from backend.graphs.snapshots.records import (
    AdjacencyRow,
    EdgeRecord,
    EntityRecord,
    EntitySummary,
    RelationDegree,
)
from backend.graphs.snapshots.string_array import StringArray
from backend.graphs.source_records import Section

MAX_OPEN_SNAPSHOTS = 16
BLOCK_EDGES = 1 << 20
DATE_LIMIT = 2**32 - 1


class Snapshot(GraphView):
    """One immutable graph. Create it with `open_snapshot`, which validates and caches."""

    def __init__(self, path: Path, manifest: Manifest, arrays: Arrays) -> None:
        self.path, self.manifest, self.arrays = path, manifest, arrays
        self.id = manifest.id
        self.types, self.relations = manifest.types, manifest.relations
        self.forward, self.reverse = (
            adjacency(arrays, "forward"),
            adjacency(arrays, "reverse"),
        )
        self.type_of = arrays["types"]
        self._texts = {name: string_array(arrays, name) for name in STRING_ARRAYS}

    @property
    def entity_count(self) -> int:
        return self.manifest.entity_count

    @property
    def edge_count(self) -> int:
        return self.manifest.edge_count

    @cached_property
    def date_range(self) -> tuple[int, int] | None:
        """The first and the last date of an edge; None where no edge has one."""
        columns = (self.arrays.get(f"edge.{name}") for name in DATE_COLUMNS)
        values = next((one for one in columns if one is not None), None)
        if values is None:
            return None
        first, last = DATE_LIMIT, 0
        for start in range(0, len(values), BLOCK_EDGES):
            block = values[start : start + BLOCK_EDGES]
            last = max(last, int(block.max(initial=0)))
            first = min(first, int(block.min(initial=DATE_LIMIT, where=block > 0)))
        return (first, last) if last else None

    def find_number(self, identifier: str) -> int | None:
        """The entity with exactly this identifier, None if there is none."""
        result = int(self.find_numbers([identifier])[0])
        return None if result < 0 else result

    def find_numbers(self, identifiers: Sequence[str]) -> NDArray[np.int64]:
        """The entity of each identifier, -1 if there is none."""
        target = [one.encode(errors="surrogatepass") for one in identifiers]
        hashes = StringArray.of(target).hashes()
        places = np.searchsorted(self.arrays["hashes"], hashes)
        result = zip(target, hashes.tolist(), places.tolist(), strict=True)
        return np.array([self._find_from(*one) for one in result], np.int64)

    def _find_from(self, identifier: bytes, target: int, place: int) -> int:
        """Search from a position; identifiers of equal hash are adjacent."""
        hashes, by_hash = self.arrays["hashes"], self.arrays["by_hash"]
        while place < len(hashes) and int(hashes[place]) == target:
            number = int(by_hash[place])
            if self._bytes("ids", number) == identifier:
                return number
            place += 1
        return -1

    def entity_summary(self, number: int) -> EntitySummary:
        self.forward.bounds(number)
        return EntitySummary(number, *self._summary_fields(number))

    def entity(self, number: int) -> EntityRecord:
        self.forward.bounds(number)
        lists = self._list("synonyms", number), self._list("xrefs", number)
        return EntityRecord(number, *self._summary_fields(number), *lists)

    def _summary_fields(self, number: int) -> tuple[str, str, str]:
        kind = self.types[int(self.type_of[number])]
        return self._text("ids", number), kind, self._text("names", number)

    def document(self, number: int) -> tuple[Section, ...]:
        self.forward.bounds(number)
        return tuple(Section(*part) for part in self._parsed("documents", number))

    def edge(self, edge: int) -> EdgeRecord:
        source = self.source_of(edge)
        return EdgeRecord(
            edge,
            source,
            int(self.forward.relations[edge]),
            int(self.forward.neighbours[edge]),
            self._number("edge.score", edge),
            self._coded("edge.evidence", "evidence", edge),
            self._coded("edge.level", "levels", edge),
            self._number("edge.p_value", edge),
            self._list("edge.publications", edge),
            self._row_count(edge),
            self._date("first_pmid", edge),
            self._date("first_year", edge),
            self._coded("edge.date_source", "date_sources", edge),
        )

    def edge_numbers(self) -> Iterator[int]:
        return iter(range(self.edge_count))

    def source_of(self, edge: int) -> int:
        """Source entity of an edge. Raises IndexError for an unknown edge."""
        if not 0 <= edge < self.edge_count:
            raise IndexError(f"there is no edge {edge} among {self.edge_count}")
        return int(np.searchsorted(self.forward.offsets, np.int64(edge), "right")) - 1

    def row(self, number: int, *, outgoing: bool = True) -> AdjacencyRow:
        side = self.forward if outgoing else self.reverse
        first, last = side.bounds(number)
        edges = None if side.edges is None else side.edges[first:last]
        return AdjacencyRow(side.neighbours[first:last], side.relations[first:last], edges, first)

    def degree(self, number: int) -> int:
        return self.forward.degree(number) + self.reverse.degree(number)

    def degrees(self, number: int) -> list[RelationDegree]:
        offsets = self.arrays["hubs.offsets"]
        if not 0 <= number < len(offsets) - 1:
            return super().degrees(number)
        part = slice(int(offsets[number]), int(offsets[number + 1]))
        names = ("hubs.relations", "hubs.outgoing", "hubs.counts")
        columns = (self.arrays[name][part].tolist() for name in names)
        return [RelationDegree(r, bool(way), count) for r, way, count in zip(*columns, strict=True)]

    def position_of(self, row: AdjacencyRow, number: int, edge: int, outgoing: bool) -> int:
        if outgoing:
            return edge - row.first if row.first <= edge < row.first + len(row) else -2
        if row.edges is None or self._target_of(edge) != number:
            return -2
        first, last = relation_range(row, int(self.forward.relations[edge]))
        source = np.int32(self.source_of(edge))
        sources = row.neighbours[first:last]
        last = first + int(np.searchsorted(sources, source, "right"))
        first += int(np.searchsorted(sources, source, "left"))
        return first + int(np.searchsorted(row.edges[first:last], row.edges.dtype.type(edge)))

    def _target_of(self, edge: int) -> int:
        return int(self.forward.neighbours[edge]) if 0 <= edge < self.edge_count else -1

    def _bytes(self, name: str, place: int) -> bytes:
        texts = self._texts[name]
        return b"" if texts is None else texts[place]

    def _text(self, name: str, place: int) -> str:
        try:
            return self._bytes(name, place).decode()
        except UnicodeDecodeError as error:
            raise InvalidSnapshot(self.path / f"{name}.pool", f"{error} at {place}") from None

    def _parsed(self, name: str, place: int) -> list[Any]:
        result = self._bytes(name, place)
        if not result:
            return []
        try:
            return list(json.loads(result))
        except ValueError as error:
            raise InvalidSnapshot(self.path / f"{name}.pool", f"{error} at {place}") from None

    def _list(self, name: str, place: int) -> tuple[str, ...]:
        return tuple(self._parsed(name, place))

    def _coded(self, column: str, texts: str, edge: int) -> str:
        codes = self.arrays.get(column)
        return "" if codes is None else self._text(texts, int(codes[edge]))

    def _number(self, column: str, edge: int) -> float | None:
        """The shortest decimal of the stored float32: 0.1, not 0.10000000149."""
        values = self.arrays.get(column)
        if values is None or np.isnan(values[edge]):
            return None
        return float(str(values[edge]))

    def _date(self, column: str, edge: int) -> int | None:
        values = self.arrays.get(f"edge.{column}")
        return None if values is None else int(values[edge]) or None

    def _row_count(self, edge: int) -> int:
        edges = self.arrays.get("edge.folded.edges")
        if edges is None:
            return 1
        place = int(np.searchsorted(edges, np.int64(edge)))
        existing = place < len(edges) and int(edges[place]) == edge
        return int(self.arrays["edge.folded.counts"][place]) if existing else 1


def open_snapshot(path: Path, *, verify: bool = False) -> Snapshot:
    """Open the snapshot in a folder, from this process's cache if the folder is unchanged.

    File names and sizes are checked at every call. Checksums and index ranges are checked once per
    machine, or when `verify` is set. Raises InvalidSnapshot, which names the file and the mismatch.
    The result can be shared between threads and forked processes.
    """
    if not verify and (known := get_cached(path)):
        return known
    folder = path.resolve()
    manifest = read_manifest(folder)
    state = file_states(folder, manifest)
    if verify or not has_valid_stamp(folder, manifest):
        verify_snapshot(folder)
    return add_to_cache(path, Snapshot(folder, manifest, map_arrays(folder, manifest)), state)


_open_snapshots: OrderedDict[Path, tuple[FileStates, Snapshot]] = OrderedDict()
_lock = threading.Lock()


def get_cached(path: Path) -> Snapshot | None:
    """The cached snapshot of a folder, unless the folder was modified, replaced or moved.

    The key is the path as given: resolving it costs half as much as checking all files.
    """
    with _lock:
        state, snapshot = _open_snapshots.get(path, (None, None))
    if snapshot is None or file_states(snapshot.path, snapshot.manifest) != state:
        return None
    return snapshot if path == snapshot.path or is_same_folder(path, snapshot.path) else None


def is_same_folder(path: Path, resolved: Path) -> bool:
    try:
        return path.samefile(resolved)
    except OSError:
        return False


def add_to_cache(path: Path, snapshot: Snapshot, state: FileStates) -> Snapshot:
    with _lock:
        _open_snapshots[path] = state, snapshot
        _open_snapshots.move_to_end(path)
        while len(_open_snapshots) > MAX_OPEN_SNAPSHOTS:
            _open_snapshots.popitem(last=False)
    return snapshot


def _renew_lock() -> None:
    """After a fork the lock may be held by a thread that does not exist in the child."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)
