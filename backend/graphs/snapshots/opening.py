"""A snapshot, opened: memory maps that all processes of a machine share."""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.graphs.rows import Section
from backend.graphs.snapshots.checking import State, check_whole, is_stamped, state_of
from backend.graphs.snapshots.errors import SnapshotRefused
from backend.graphs.snapshots.format import (
    TEXTS,
    Arrays,
    Manifest,
    adjacency_of,
    read_manifest,
    texts_of,
)
from backend.graphs.snapshots.mapping import mapped
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.records import (
    Degree,
    EdgeRecord,
    EntityRecord,
    Named,
    NewEdge,
    Row,
)
from backend.graphs.snapshots.strings import Texts
from backend.graphs.snapshots.view import GraphView, within
from backend.science.pages import Pages, first_pages

KEPT_OPEN = 16


class Snapshot(GraphView):
    """One immutable graph. Make it through `open_snapshot`, which checks and caches."""

    def __init__(self, path: Path, manifest: Manifest, arrays: Arrays) -> None:
        self.path, self.manifest, self.arrays = path, manifest, arrays
        self.id = manifest.id
        self.types, self.relations = manifest.types, manifest.relations
        self.forward, self.reverse = (
            adjacency_of(arrays, "forward"),
            adjacency_of(arrays, "reverse"),
        )
        self.type_of = arrays["types"]
        self._texts = {name: texts_of(arrays, name) for name in TEXTS}

    @property
    def entity_count(self) -> int:
        return self.manifest.entity_count

    @property
    def edge_count(self) -> int:
        return self.manifest.edge_count

    def number_of(self, identifier: str) -> int | None:
        """The entity with exactly this id."""
        found = int(self.numbers_of([identifier])[0])
        return None if found < 0 else found

    def numbers_of(self, identifiers: Sequence[str]) -> NDArray[np.int64]:
        """The entity with each id, -1 where there is none."""
        wanted = [one.encode(errors="surrogatepass") for one in identifiers]
        hashes = Texts.of(wanted).hashes()
        places = np.searchsorted(self.arrays["hashes"], hashes)
        found = zip(wanted, hashes.tolist(), places.tolist(), strict=True)
        return np.array([self._find(*one) for one in found], np.int64)

    def _find(self, identifier: bytes, wanted: int, place: int) -> int:
        """Two ids with one hash lie side by side."""
        hashes, by_hash = self.arrays["hashes"], self.arrays["by_hash"]
        while place < len(hashes) and int(hashes[place]) == wanted:
            number = int(by_hash[place])
            if self._bytes("ids", number) == identifier:
                return number
            place += 1
        return -1

    def named(self, number: int) -> Named:
        self.forward.bounds(number)
        return Named(number, *self._naming(number))

    def entity(self, number: int) -> EntityRecord:
        self.forward.bounds(number)
        lists = self._list("synonyms", number), self._list("xrefs", number)
        return EntityRecord(number, *self._naming(number), *lists)

    def _naming(self, number: int) -> tuple[str, str, str]:
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
            self._folded(edge),
        )

    def edge_numbers(self) -> Iterator[int]:
        return iter(range(self.edge_count))

    def source_of(self, edge: int) -> int:
        """Raises IndexError when there is no such edge."""
        if not 0 <= edge < self.edge_count:
            raise IndexError(f"there is no edge {edge} among {self.edge_count}")
        return int(np.searchsorted(self.forward.offsets, np.int64(edge), "right")) - 1

    def row(self, number: int, *, outgoing: bool = True) -> Row:
        side = self.forward if outgoing else self.reverse
        first, last = side.bounds(number)
        edges = None if side.edges is None else side.edges[first:last]
        return Row(side.neighbours[first:last], side.relations[first:last], edges, first)

    def degree(self, number: int) -> int:
        return self.forward.degree(number) + self.reverse.degree(number)

    def degrees(self, number: int) -> list[Degree]:
        offsets = self.arrays["hubs.offsets"]
        if not 0 <= number < len(offsets) - 1:
            return super().degrees(number)
        part = slice(int(offsets[number]), int(offsets[number + 1]))
        names = ("hubs.relations", "hubs.outgoing", "hubs.counts")
        columns = (self.arrays[name][part].tolist() for name in names)
        return [Degree(r, bool(way), count) for r, way, count in zip(*columns, strict=True)]

    def neighbour_pages(
        self,
        numbers: Sequence[int] | NDArray[np.integer],
        relation: int | None = None,
        *,
        outgoing: bool = True,
        limit: int = 100,
    ) -> Pages:
        side = self.forward if outgoing else self.reverse
        return first_pages(side, np.asarray(numbers, np.int64), relation, limit)

    def place_of(self, row: Row, number: int, edge: int, outgoing: bool) -> int:
        if outgoing:
            return edge - row.first if row.first <= edge < row.first + len(row) else -2
        if row.edges is None or self._target_of(edge) != number:
            return -2
        first, last = within(row, int(self.forward.relations[edge]))
        source = np.int32(self.source_of(edge))
        sources = row.neighbours[first:last]
        last = first + int(np.searchsorted(sources, source, "right"))
        first += int(np.searchsorted(sources, source, "left"))
        return first + int(np.searchsorted(row.edges[first:last], row.edges.dtype.type(edge)))

    def overlay(self, removed: Iterable[int] = (), added: Iterable[NewEdge] = ()) -> Overlay:
        """The same graph without some edges and with others; the arrays stay where they are."""
        return Overlay(self, removed, added)

    def _target_of(self, edge: int) -> int:
        return int(self.forward.neighbours[edge]) if 0 <= edge < self.edge_count else -1

    def _bytes(self, name: str, place: int) -> bytes:
        texts = self._texts[name]
        return b"" if texts is None else texts[place]

    def _text(self, name: str, place: int) -> str:
        try:
            return self._bytes(name, place).decode()
        except UnicodeDecodeError as error:
            raise SnapshotRefused(self.path / f"{name}.pool", f"{error} at {place}") from None

    def _parsed(self, name: str, place: int) -> list[Any]:
        found = self._bytes(name, place)
        if not found:
            return []
        try:
            return list(json.loads(found))
        except ValueError as error:
            raise SnapshotRefused(self.path / f"{name}.pool", f"{error} at {place}") from None

    def _list(self, name: str, place: int) -> tuple[str, ...]:
        return tuple(self._parsed(name, place))

    def _coded(self, column: str, texts: str, edge: int) -> str:
        codes = self.arrays.get(column)
        return "" if codes is None else self._text(texts, int(codes[edge]))

    def _number(self, column: str, edge: int) -> float | None:
        """The number as it was written: 0.1 in 32 bits is 0.1, not 0.10000000149."""
        values = self.arrays.get(column)
        if values is None or np.isnan(values[edge]):
            return None
        return float(str(values[edge]))

    def _folded(self, edge: int) -> int:
        edges = self.arrays.get("edge.folded.edges")
        if edges is None:
            return 1
        place = int(np.searchsorted(edges, np.int64(edge)))
        there = place < len(edges) and int(edges[place]) == edge
        return int(self.arrays["edge.folded.counts"][place]) if there else 1


def open_snapshot(path: Path, *, verify: bool = False) -> Snapshot:
    """The snapshot in a folder, from this process's cache if it is there unchanged.

    Names and sizes of its files are checked each time; checksums and every index, too, if that
    has not been done on this machine, or `verify` asks for it. Raises SnapshotRefused, which
    names the file and what was expected. Threads and forked processes may share what it gives.
    """
    if not verify and (known := cached(path)):
        return known
    folder = path.resolve()
    manifest = read_manifest(folder)
    state = state_of(folder, manifest)
    if verify or not is_stamped(folder, manifest):
        check_whole(folder)
    return keep(path, Snapshot(folder, manifest, mapped(folder, manifest)), state)


_kept: OrderedDict[Path, tuple[State, Snapshot]] = OrderedDict()
_lock = threading.Lock()


def cached(path: Path) -> Snapshot | None:
    """What this process has open of a folder, if nobody has touched that since, or put another
    in its place, or moved it. The path as given is its key: to resolve it takes as long as half of
    the looks at its files.
    """
    with _lock:
        state, snapshot = _kept.get(path, (None, None))
    if snapshot is None or state_of(snapshot.path, snapshot.manifest) != state:
        return None
    return snapshot if path == snapshot.path or is_same(path, snapshot.path) else None


def is_same(path: Path, resolved: Path) -> bool:
    try:
        return path.samefile(resolved)
    except OSError:
        return False


def keep(path: Path, snapshot: Snapshot, state: State) -> Snapshot:
    with _lock:
        _kept[path] = state, snapshot
        _kept.move_to_end(path)
        while len(_kept) > KEPT_OPEN:
            _kept.popitem(last=False)
    return snapshot


def close_all() -> None:
    """Let go of every snapshot; those that somebody still reads stay open for her."""
    with _lock:
        _kept.clear()


def _renew_lock() -> None:
    """A fork may happen while another thread, which the child does not have, holds it."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)
