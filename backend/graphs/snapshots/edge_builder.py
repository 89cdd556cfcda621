"""Edges of a build: resolve end points, fold equal rows, write both sorted directions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots import kernels
from backend.graphs.snapshots.column_table import Column, ColumnTable, TableSpool, column_of
from backend.graphs.snapshots.errors import SnapshotNotBuilt
from backend.graphs.snapshots.external_sort import ExternalSort
from backend.graphs.snapshots.format import (
    CODE_DTYPES,
    CODED_COLUMNS,
    DATE_COLUMNS,
    U8,
    U16,
    smallest_dtype,
)
from backend.graphs.snapshots.ingest import SourceIngest, used_columns, used_string_columns
from backend.graphs.snapshots.node_builder import Numbering
from backend.graphs.snapshots.string_array import StringArray, StringIndex
from backend.graphs.source_records import MalformedRow
from backend.runtime.array_store.raw_folder import RawFolderWriter

ORDINAL_BITS = np.uint64(32)
ORDINAL_MASK = np.uint64(0xFFFFFFFF)
VALUE_COLUMNS = ("score", "evidence", "level", "p_value", *DATE_COLUMNS, "date_source")


def resolve_ends(
    tables: Iterator[ColumnTable], index: StringIndex, intake: SourceIngest
) -> Iterator[ColumnTable]:
    """Replace end identifiers by ordinals, key = source · 2³² + target; drop dangling edges."""
    for table in tables:
        source = index.find(table.texts["source"])
        target = index.find(table.texts["target"])
        known = (source >= 0) & (target >= 0)
        if not known.all():
            drop_dangling(table, source, target, intake)
            table, source, target = table.filter(known), source[known], target[known]
        source, target = order_symmetric_ends(table, source, target, index, intake)
        key = (source.astype(np.uint64) << ORDINAL_BITS) | target.astype(np.uint64)
        yield table.without_columns("row", "source", "target").with_columns(key=key)


def order_symmetric_ends(
    table: ColumnTable,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    index: StringIndex,
    intake: SourceIngest,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The ends of each edge; those of a symmetric relation ordered by identifier."""
    infos, codes = intake.relation_infos, intake.relations.codes
    both_ways = [code for name, code in codes.items() if name in infos and infos[name].symmetric]
    places = np.flatnonzero(np.isin(table.columns["relation"], np.array(both_ways, np.uint32)))
    one, other = source[places], target[places]
    swap = kernels.is_greater(index.texts.pool, index.texts.offsets, one, other)
    source[places], target[places] = np.where(swap, other, one), np.where(swap, one, other)
    return source, target


def drop_dangling(
    table: ColumnTable, source: NDArray[np.int32], target: NDArray[np.int32], intake: SourceIngest
) -> None:
    names = list(intake.relations.codes)
    for place in np.flatnonzero((source < 0) | (target < 0)).tolist():
        missing = [n for n, one in (("source", source), ("target", target)) if one[place] < 0]
        reason = "unknown-" + "-and-".join(missing)
        ends = [table.texts[name][place].decode()[:80] for name in ("source", "target")]
        relation = names[table.columns["relation"][place]]
        line = int(table.columns["row"][place])
        detail = f"{ends[0]} → {relation[:80]} → {ends[1]}"
        intake.report.drop(MalformedRow("edges", line, reason, detail))


@dataclass(slots=True)
class FoldedEdges:
    """Distinct edges on disk, with the counts known after the full pass."""

    spool: TableSpool
    out_degree: NDArray[np.int64]
    in_degree: NDArray[np.int64]
    relation_counts: NDArray[np.int64]
    used_codes: dict[str, NDArray[np.bool_]]
    columns: set[str] = field(default_factory=set)
    count: int = 0


def fold_edges(
    tables: Iterator[ColumnTable], entities: int, intake: SourceIngest, spool: TableSpool
) -> FoldedEdges:
    """Fold equal rows of tables sorted by key, and count degrees and relations."""
    edges = FoldedEdges(
        spool,
        np.zeros(entities, np.int64),
        np.zeros(entities, np.int64),
        np.zeros(len(intake.relations.codes), np.int64),
        {name: np.zeros(len(texts.codes), np.bool_) for name, texts in intake.coded.items()},
    )
    for table in tables:
        folded = fold_equal_rows(sort_by_values(table))
        intake.report.folded_rows += len(table) - len(folded)
        key = folded.columns["key"]
        kernels.count_into(edges.out_degree, (key >> ORDINAL_BITS).astype(np.int64))
        kernels.count_into(edges.in_degree, (key & ORDINAL_MASK).astype(np.int64))
        kernels.count_into(edges.relation_counts, folded.columns["relation"])
        for name, used in edges.used_codes.items():
            used[folded.columns.get(name, np.zeros(1, np.uint32))] = True
        edges.columns |= (
            used_columns(folded.columns).keys() | used_string_columns(folded.texts).keys()
        )
        edges.count += len(folded)
        spool.append(folded)
    return edges


def sort_by_values(table: ColumnTable) -> ColumnTable:
    """Sort rows of equal key by relation and the other columns; publications by their hash."""
    key = table.columns["key"]
    again = np.append(False, key[1:] == key[:-1])
    places = np.flatnonzero(again | np.append(again[1:], False))
    if not len(places):
        return table
    by: list[Column] = []
    if "publications" in table.texts:
        by.append(table.texts["publications"].take(places).hashes())
    by += [table.columns[name][places] for name in reversed(VALUE_COLUMNS) if name in table.columns]
    by += [table.columns[name][places] for name in ("relation", "key") if name in table.columns]
    order = np.arange(len(table))
    order[places] = places[np.lexsort(by)]
    return table.take(order)


def fold_equal_rows(table: ColumnTable) -> ColumnTable:
    """Merge each row into the previous one if all columns are equal, and count the merged rows."""
    same = np.ones(len(table), np.bool_)
    same[0] = False
    for column in table.columns.values():
        bits = column.view(f"u{column.dtype.itemsize}")
        same[1:] &= bits[1:] == bits[:-1]
    if same.any() and (texts := table.texts.get("publications")) is not None:
        same &= kernels.equals_previous(texts.pool, texts.offsets)
    if not same.any():
        return table
    first = np.flatnonzero(~same)
    counts = np.diff(np.append(first, len(table))).astype(np.uint32)
    return table.take(first).with_columns(folded=counts)


@dataclass(frozen=True, slots=True)
class EdgeKey:
    """Three numbers packed into 64 bits, so that one integer comparison sorts by all three."""

    entity_bits: int
    relation_bits: int

    @classmethod
    def of(cls, entities: int, relations: int) -> EdgeKey:
        key = cls(max(entities - 1, 1).bit_length(), max(relations - 1, 1).bit_length())
        if 2 * key.entity_bits + key.relation_bits > 64:
            raise SnapshotNotBuilt(
                f"{entities:,} entities with {relations:,} relations are more than a snapshot "
                "can hold. Split the graph."
            )
        return key

    def pack(self, own: Column, relation: Column, other: Column) -> NDArray[np.uint64]:
        high = own.astype(np.uint64) << np.uint64(self.entity_bits + self.relation_bits)
        middle = relation.astype(np.uint64) << np.uint64(self.entity_bits)
        return high + middle + other.astype(np.uint64)

    def unpack(self, key: NDArray[np.uint64]) -> tuple[Column, Column, Column]:
        other = key & np.uint64((1 << self.entity_bits) - 1)
        relation = (key >> np.uint64(self.entity_bits)) & np.uint64((1 << self.relation_bits) - 1)
        return key >> np.uint64(self.entity_bits + self.relation_bits), relation, other


def renumber_edges(
    edges: FoldedEdges, numbering: Numbering, key: EdgeKey, places: dict[str, NDArray[np.uint32]]
) -> Iterator[ColumnTable]:
    """Edges with final numbers and codes, key = (source, relation, target)."""
    number_of = numbering.number_of
    for table in edges.spool.tables():
        old = table.columns["key"]
        source, target = (
            number_of[(old >> ORDINAL_BITS).astype(np.int64)],
            number_of[old & ORDINAL_MASK],
        )
        relation = places["relation"][table.columns["relation"]]
        coded = {
            name: places[name][table.columns[name]]
            for name in CODED_COLUMNS
            if name in table.columns
        }
        packed = key.pack(source, relation, target)
        yield table.without_columns("relation").with_columns(key=packed, **coded)


@dataclass(slots=True)
class EdgeWriter:
    """Writes the forward side and the edge columns, and sorts the reverse side at the same time."""

    writer: RawFolderWriter
    key: EdgeKey
    present_columns: set[str]
    relations: int
    codes: dict[str, int]
    backward: ExternalSort
    count: int = 0

    def forward(self, tables: Iterator[ColumnTable], progress: Callable[[int], None]) -> None:
        self._append_forward(ColumnTable({"key": np.empty(0, np.uint64)}))
        for table in tables:
            self._append_forward(sort_by_values(table))
            progress(self.count)
        self.writer.finish()

    def _append_forward(self, table: ColumnTable) -> None:
        source, relation, target = self.key.unpack(table.columns["key"])
        self.writer.append("forward.neighbours", target)
        self.writer.append("forward.relations", relation, self._relation_dtype)
        self._append_values(table)
        numbers = np.arange(self.count, self.count + len(table), dtype=np.int64)
        back = ColumnTable({"key": self.key.pack(target, relation, source), "edge": numbers})
        self.backward.add(back)
        self.count += len(table)

    def _append_values(self, table: ColumnTable) -> None:
        present = self.present_columns
        dates = ((name, "<u4") for name in DATE_COLUMNS)
        for name, dtype in (("score", "<f4"), ("p_value", "<f8"), *dates):
            if name in present:
                self.writer.append(f"edge.{name}", column_of(table, name, np.dtype(dtype)))
        for name, count in self.codes.items():
            if name in present:
                codes = column_of(table, name, np.dtype("u4"))
                self.writer.append(f"edge.{name}", codes, smallest_dtype(CODE_DTYPES, count))
        if "publications" in present:
            texts = table.texts.get("publications") or StringArray.empty(len(table))
            self.writer.append_strings("edge.publications", texts.pool, texts.offsets)
        if "folded" in present:
            self._append_folded(column_of(table, "folded", np.dtype("u4")))

    def _append_folded(self, counts: Column) -> None:
        places = np.flatnonzero(counts > 1)
        self.writer.append("edge.folded.edges", places + self.count)
        self.writer.append("edge.folded.counts", counts[places])

    def reverse(self) -> None:
        wide = "<i4" if self.count <= np.iinfo(np.int32).max else "<i8"
        self._append_reverse(
            ColumnTable({"key": np.empty(0, np.uint64), "edge": np.empty(0)}), wide
        )
        for table in self.backward.tables():
            self._append_reverse(table, wide)
        self.writer.finish()

    def _append_reverse(self, table: ColumnTable, wide: str) -> None:
        _, relation, source = self.key.unpack(table.columns["key"])
        self.writer.append("reverse.neighbours", source)
        self.writer.append("reverse.relations", relation, self._relation_dtype)
        self.writer.append("reverse.edges", table.columns["edge"], wide)

    @property
    def _relation_dtype(self) -> str:
        return smallest_dtype((U8, U16), self.relations)
