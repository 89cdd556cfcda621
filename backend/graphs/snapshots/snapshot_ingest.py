"""Another snapshot as the source of a build, in columns: no object for each of its rows.

Its tables are those of the same rows one by one, so that the build has the same content.
"""

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.build_report import BuildReport
from backend.graphs.snapshots.column_table import Column, ColumnTable
from backend.graphs.snapshots.format import CODED_COLUMNS, STRING_ARRAYS, string_array
from backend.graphs.snapshots.ingest import SourceIngest, used_columns, used_string_columns
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.snapshots.string_array import StringArray
from backend.graphs.source_records import GraphSource
from backend.runtime.array_store.memory_map import release_pages

NUMBERS = ("score", "p_value", "first_pmid", "first_year")
# Column of the build -> name in the snapshot.
TEXTS = {"name": "names", "synonyms": "synonyms", "xrefs": "xrefs", "document": "documents"}


class SnapshotIngest(SourceIngest):
    """Reads a snapshot without some of its edges."""

    def __init__(
        self,
        snapshot: Snapshot,
        removed: Collection[int],
        source: GraphSource,
        report: BuildReport,
        rows: int,
        dictionary_bytes: int,
    ) -> None:
        """source: for the phrases of relations. Raises IndexError for an unknown edge."""
        super().__init__(source, report, rows, dictionary_bytes)
        self._snapshot, self._arrays = snapshot, snapshot.arrays
        self._removed = np.unique(np.fromiter(removed, np.int64, len(removed)))
        edges, count = self._removed, snapshot.edge_count
        if len(edges) and not 0 <= edges[0] <= edges[-1] < count:
            raise IndexError(f"a removed edge is not among the {count}")
        self._texts = {name: string_array(self._arrays, name) for name in STRING_ARRAYS}

    def nodes(self) -> Iterator[ColumnTable]:
        types = self.types.codes_of(self._snapshot.types)
        for first, last in blocks(self._snapshot.entity_count, self.rows):
            ids = self._slice("ids", first, last)
            texts = {
                column: self._slice(name, first, last)
                for column, name in TEXTS.items()
                if self._texts[name] is not None
            }
            self.report.node_rows += last - first
            yield ColumnTable(
                {"key": ids.hashes(), "type": types[self._arrays["types"][first:last]]},
                {"id": ids, **used_string_columns(texts)},
            )
            for name in TEXTS.values():
                release_pages(self._all(name).pool)

    def edges(self) -> Iterator[ColumnTable]:
        relations = self.relations.codes_of(one.name for one in self._snapshot.relations)
        codes = {
            column: self.coded[column].codes_of(text.decode() for text in texts)
            for column, name in CODED_COLUMNS.items()
            if (texts := self._texts[name]) is not None
        }
        for first, last in blocks(self._snapshot.edge_count, self.rows):
            edges = self._rows_of(first, last)
            if not len(edges):
                continue
            before = self.report.edge_rows + 1
            self.report.edge_rows += len(edges)
            columns: dict[str, Column] = {
                "row": np.arange(before, before + len(edges)),
                "relation": relations[self._of_edges("forward.relations", edges)],
                **used_columns(self._optional(edges, codes)),
            }
            yield ColumnTable(columns, self._edge_texts(edges, first, last))

    def _rows_of(self, first: int, last: int) -> NDArray[np.int64]:
        """The edges of a block that remain, each as often as equal rows were folded into it."""
        counts = np.ones(last - first, np.int64)
        if "edge.folded.edges" in self._arrays:
            folded = self._arrays["edge.folded.edges"]
            part = slice(*np.searchsorted(folded, [first, last]))
            counts[folded[part] - first] = self._arrays["edge.folded.counts"][part]
        gone = self._removed[slice(*np.searchsorted(self._removed, [first, last]))]
        counts[gone - first] = 0
        return np.repeat(np.arange(first, last), counts)

    def _optional(
        self, edges: NDArray[np.int64], codes: dict[str, NDArray[np.uint32]]
    ) -> dict[str, Column]:
        names = [name for name in (*NUMBERS, *codes) if f"edge.{name}" in self._arrays]
        columns = {name: self._of_edges(f"edge.{name}", edges) for name in names}
        return {
            name: codes[name][column] if name in codes else column
            for name, column in columns.items()
        }

    def _edge_texts(
        self, edges: NDArray[np.int64], first: int, last: int
    ) -> dict[str, StringArray]:
        offsets = self._arrays["forward.offsets"]
        low, high = np.searchsorted(offsets, [first, last - 1], "right") - 1
        bounds = np.clip(offsets[low : high + 2], first, last)
        sources = np.repeat(np.arange(high + 1 - low), np.diff(bounds))[edges - first]
        texts = {
            "source": self._slice("ids", low, high + 1).take(sources),
            "target": self._all("ids").take(self._of_edges("forward.neighbours", edges)),
        }
        if self._texts["edge.publications"] is not None:
            publications = self._slice("edge.publications", first, last).take(edges - first)
            texts |= used_string_columns({"publications": publications})
            release_pages(self._all("edge.publications").pool)
        return texts

    def _of_edges(self, name: str, edges: NDArray[np.int64]) -> Column:
        values: Column = self._arrays[name][edges]
        release_pages(self._arrays[name])
        return values

    def _all(self, name: str) -> StringArray:
        texts = self._texts[name]
        return StringArray.empty(0) if texts is None else texts

    def _slice(self, name: str, first: int, last: int) -> StringArray:
        """A copy: compiled code is of arrays that can be written."""
        texts = self._all(name).slice_strings(first, last)
        return StringArray(np.array(texts.pool), texts.offsets)


def blocks(count: int, size: int) -> Iterator[tuple[int, int]]:
    for first in range(0, count, size):
        yield first, min(first + size, count)
