"""A masked snapshot: another snapshot without some of its edges, as a folder of its own.

Entities keep their numbers, and files without edges are shared with the other snapshot as hard
links. Edges are renumbered, because they are numbered in the order of their sources.
"""

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.build_report import BuildReport, BuildResult
from backend.graphs.snapshots.errors import translate_disk_full
from backend.graphs.snapshots.format import DEFAULT_DTYPES, MANIFEST, Manifest, Relation
from backend.graphs.snapshots.hub_counts import write_counts
from backend.graphs.snapshots.integrity import (
    CLOCK_RESOLUTION_NS,
    check_arrays,
    has_valid_stamp,
    map_arrays,
    publish_snapshot,
    write_stamp,
)
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.snapshots.string_array import StringArray
from backend.runtime.array_store.array_files import write_file
from backend.runtime.array_store.memory_map import release_pages
from backend.runtime.array_store.raw_folder import RawFolderWriter
from backend.runtime.atomic_dirs import link_or_copy, workspace

BLOCK_EDGES = 1 << 20
EDGE_COLUMNS = (
    "edge.score",
    "edge.p_value",
    "edge.evidence",
    "edge.level",
    "edge.first_pmid",
    "edge.first_year",
    "edge.date_source",
)
FILES_OF_EDGES = ("forward.", "reverse.", "hubs.", "edge.")


def mask_snapshot(base: Snapshot, removed: Collection[int], into: Path) -> BuildResult:
    """Build the snapshot without the removed edges in `into`, in memory bounded by their number.

    Raises IndexError for an unknown edge and NoSpace when the disk is full.
    """
    edges = np.unique(np.fromiter(removed, np.int64, len(removed)))
    return _build(_EdgeChoice(edges, is_removal=True), base, into)


def restrict_snapshot(base: Snapshot, remaining: NDArray[np.int64], into: Path) -> BuildResult:
    """The same with these edges alone, in memory bounded by their number."""
    return _build(_EdgeChoice(np.unique(remaining), is_removal=False), base, into)


@dataclass(frozen=True)
class _EdgeChoice:
    """Edges in order, of which either none or no others remain."""

    edges: NDArray[np.int64]
    is_removal: bool

    def has(self, edges: NDArray[np.integer]) -> NDArray[np.bool_]:
        if not len(self.edges):
            return np.zeros(len(edges), np.bool_)
        at = np.minimum(np.searchsorted(self.edges, edges), len(self.edges) - 1)
        chosen: NDArray[np.bool_] = self.edges[at] == edges
        return chosen

    def are_removed(self, edges: NDArray[np.integer]) -> NDArray[np.bool_]:
        removed: NDArray[np.bool_] = self.has(edges) == self.is_removal
        return removed

    def renumber(self, edges: NDArray[np.integer]) -> NDArray[np.int64]:
        """Of edges that remain."""
        places = np.searchsorted(self.edges, edges)
        return edges - places if self.is_removal else places

    def count_remaining(
        self, total: NDArray[np.int64], chosen: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Of each number, how often it remains; chosen: one number of each chosen edge."""
        counts = np.bincount(chosen, minlength=len(total))
        return total - counts if self.is_removal else counts


def _build(choice: _EdgeChoice, base: Snapshot, into: Path) -> BuildResult:
    edges = choice.edges
    if len(edges) and not 0 <= edges[0] <= edges[-1] < base.edge_count:
        raise IndexError(f"a chosen edge is not among the {base.edge_count}")
    with translate_disk_full(), workspace(into) as work:
        folder = work / "snapshot"
        folder.mkdir()
        manifest = _MaskedBuild(base, choice, folder).run()
        check_arrays(manifest, map_arrays(folder, manifest), folder)
        path = publish_snapshot(folder, into / manifest.folder, manifest)
    types = dict(zip(manifest.types, manifest.type_counts, strict=True))
    relations = {relation.name: relation.count for relation in manifest.relations}
    counts = manifest.entity_count, manifest.edge_count
    return BuildResult(path, manifest.id, *counts, types, relations, BuildReport())


@dataclass
class _MaskedBuild:
    base: Snapshot
    choice: _EdgeChoice
    folder: Path

    def run(self) -> Manifest:
        writer = RawFolderWriter(self.folder, DEFAULT_DTYPES)
        try:
            self._write_offsets(writer)
            self._write_forward(writer)
            self._write_reverse(writer)
            hubs = len(self.base.arrays["hubs.offsets"])
            starts = {side: offsets[:hubs] for side, offsets in self._offsets.items()}
            write_counts(writer, self.folder, starts, len(self.base.relations))
        finally:
            writer.close()
        shared = self._share_files()
        base = self.base.manifest
        chosen = len(self.choice.edges)
        left = base.edge_count - chosen if self.choice.is_removal else chosen
        counts = base.entity_count, left
        types = dict(zip(base.types, base.type_counts, strict=True))
        files = {**{name: base.files[name] for name in shared}, **writer.files}
        manifest = Manifest.of(counts, types, self._count_relations(), files)
        write_file(self.folder / MANIFEST, manifest.as_bytes())
        return manifest

    def _write_offsets(self, writer: RawFolderWriter) -> None:
        forward = self.base.forward
        sources = np.searchsorted(forward.offsets, self.choice.edges, "right") - 1
        targets = forward.neighbours[self.choice.edges]
        self._offsets: dict[str, NDArray[np.int64]] = {}
        for side, entities in (("forward", sources), ("reverse", targets)):
            offsets = np.array(self.base.arrays[f"{side}.offsets"])
            np.cumsum(self.choice.count_remaining(np.diff(offsets), entities), out=offsets[1:])
            writer.write_array(f"{side}.offsets", offsets)
            self._offsets[side] = offsets

    def _write_forward(self, writer: RawFolderWriter) -> None:
        names = [f"forward.{column}" for column in ("neighbours", "relations")]
        names += [name for name in EDGE_COLUMNS if name in self.base.arrays]
        for first, last in self._blocks():
            edges = np.arange(first, last)
            remaining = ~self._is_removed(edges)
            self._copy(writer, names, (first, last), remaining)
            self._copy_publications(writer, (first, last), remaining)
        if "edge.folded.edges" in self.base.arrays:
            edges = self.base.arrays["edge.folded.edges"]
            remaining = ~self._is_removed(edges)
            writer.append("edge.folded.edges", self._renumber(edges[remaining]))
            writer.append("edge.folded.counts", self.base.arrays["edge.folded.counts"][remaining])
        writer.finish()

    def _write_reverse(self, writer: RawFolderWriter) -> None:
        numbers = self.base.arrays["reverse.edges"]
        for first, last in self._blocks():
            edges = numbers[first:last]
            remaining = ~self._is_removed(edges)
            names = ["reverse.neighbours", "reverse.relations"]
            self._copy(writer, names, (first, last), remaining)
            writer.append("reverse.edges", self._renumber(edges[remaining]), numbers.dtype.str)
        release_pages(numbers)
        writer.finish()

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """At least one, so that a graph without edges gets its empty files."""
        count = self.base.edge_count
        for first in range(0, max(count, 1), BLOCK_EDGES):
            yield first, min(first + BLOCK_EDGES, count)

    def _copy(
        self,
        writer: RawFolderWriter,
        names: list[str],
        block: tuple[int, int],
        remaining: NDArray[np.bool_],
    ) -> None:
        for name in names:
            array = self.base.arrays[name]
            writer.append(name, array[slice(*block)][remaining], array.dtype.str)
            release_pages(array)

    def _copy_publications(
        self, writer: RawFolderWriter, block: tuple[int, int], remaining: NDArray[np.bool_]
    ) -> None:
        name = "edge.publications"
        if f"{name}.pool" not in self.base.arrays:
            return
        pool, offsets = (self.base.arrays[f"{name}.{part}"] for part in ("pool", "offsets"))
        texts = StringArray(pool, offsets).slice_strings(*block).take(np.flatnonzero(remaining))
        writer.append_strings(name, texts.pool, texts.offsets)

    def _is_removed(self, edges: NDArray[np.integer]) -> NDArray[np.bool_]:
        return self.choice.are_removed(edges)

    def _renumber(self, edges: NDArray[np.integer]) -> NDArray[np.int64]:
        return self.choice.renumber(edges)

    def _count_relations(self) -> tuple[Relation, ...]:
        relations = self.base.relations
        counts = np.array([one.count for one in relations], np.int64)
        chosen = self.base.forward.relations[self.choice.edges]
        left = self.choice.count_remaining(counts, chosen)
        return tuple(
            replace(one, count=int(count)) for one, count in zip(relations, left, strict=True)
        )

    def _share_files(self) -> list[str]:
        """Link the files without edges.

        A new link changes the times of a file, so the stamp of the base is renewed: else its next
        reader would verify every checksum again.
        """
        base = self.base
        was_verified = has_valid_stamp(base.path, base.manifest)
        names = [name for name in base.manifest.files if not name.startswith(FILES_OF_EDGES)]
        for name in names:
            link_or_copy(base.path / name, self.folder / name)
        if was_verified:
            time.sleep(CLOCK_RESOLUTION_NS / 1e9)
            write_stamp(base.path, base.manifest)
        return names
