"""The edges of a build: ends become numbers, equal rows fold, two sorted directions are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.graphs.rows import Malformed
from backend.graphs.snapshots import kernels
from backend.graphs.snapshots.errors import SnapshotNotBuilt
from backend.graphs.snapshots.format import CODES, U8, U16, smallest
from backend.graphs.snapshots.intake import Intake, used_columns, used_texts
from backend.graphs.snapshots.nodes import Numbering
from backend.graphs.snapshots.sorting import ExternalSort
from backend.graphs.snapshots.strings import TextIndex, Texts
from backend.graphs.snapshots.tables import Column, Spool, Table, column_of
from backend.graphs.snapshots.writing import FolderWriter

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
VALUES = ("score", "evidence", "level", "p_value")


def resolved(tables: Iterator[Table], index: TextIndex, intake: Intake) -> Iterator[Table]:
    """Edges by the ordinals of their ends, key = source · 2³² + target; dangling ones dropped."""
    for table in tables:
        source = index.places(table.texts["source"])
        target = index.places(table.texts["target"])
        known = (source >= 0) & (target >= 0)
        if not known.all():
            drop_dangling(table, source, target, intake)
            table, source, target = table.where(known), source[known], target[known]
        source, target = smaller_first(table, source, target, index, intake)
        key = (source.astype(np.uint64) << HALF) | target.astype(np.uint64)
        yield table.without("row", "source", "target").with_columns(key=key)


def smaller_first(
    table: Table,
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    index: TextIndex,
    intake: Intake,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The ends of edges; those of a symmetric relation by their identifiers."""
    infos, codes = intake.relation_infos, intake.relations.codes
    both_ways = [code for name, code in codes.items() if name in infos and infos[name].symmetric]
    places = np.flatnonzero(np.isin(table.columns["relation"], np.array(both_ways, np.uint32)))
    one, other = source[places], target[places]
    swap = kernels.comes_later(index.texts.pool, index.texts.offsets, one, other)
    source[places], target[places] = np.where(swap, other, one), np.where(swap, one, other)
    return source, target


def drop_dangling(
    table: Table, source: NDArray[np.int32], target: NDArray[np.int32], intake: Intake
) -> None:
    names = list(intake.relations.codes)
    for place in np.flatnonzero((source < 0) | (target < 0)).tolist():
        missing = [n for n, one in (("source", source), ("target", target)) if one[place] < 0]
        reason = "unknown-" + "-and-".join(missing)
        ends = [table.texts[name][place].decode()[:80] for name in ("source", "target")]
        relation = names[table.columns["relation"][place]]
        line = int(table.columns["row"][place])
        detail = f"{ends[0]} → {relation[:80]} → {ends[1]}"
        intake.report.drop(Malformed("edges", line, reason, detail))


@dataclass(slots=True)
class Edges:
    """Distinct edges on disk, and what is known once all have been seen."""

    rest: Spool
    out_degree: NDArray[np.int64]
    in_degree: NDArray[np.int64]
    relation_counts: NDArray[np.int64]
    used: dict[str, NDArray[np.bool_]]
    columns: set[str] = field(default_factory=set)
    count: int = 0


def fold_edges(tables: Iterator[Table], entities: int, intake: Intake, spool: Spool) -> Edges:
    """Fold equal rows of tables that are sorted by key, and count."""
    edges = Edges(
        spool,
        np.zeros(entities, np.int64),
        np.zeros(entities, np.int64),
        np.zeros(len(intake.relations.codes), np.int64),
        {
            "evidence": np.zeros(len(intake.evidence.codes), np.bool_),
            "level": np.zeros(len(intake.levels.codes), np.bool_),
        },
    )
    for table in tables:
        folded = fold_equal(in_order_of_values(table))
        intake.report.folded += len(table) - len(folded)
        key = folded.columns["key"]
        kernels.count_into(edges.out_degree, (key >> HALF).astype(np.int64))
        kernels.count_into(edges.in_degree, (key & LOW).astype(np.int64))
        kernels.count_into(edges.relation_counts, folded.columns["relation"])
        for name, used in edges.used.items():
            used[folded.columns.get(name, np.zeros(1, np.uint32))] = True
        edges.columns |= used_columns(folded.columns).keys() | used_texts(folded.texts).keys()
        edges.count += len(folded)
        spool.append(folded)
    return edges


def in_order_of_values(table: Table) -> Table:
    """Rows with one key by relation and by the other columns; publications by their hash."""
    key = table.columns["key"]
    again = np.append(False, key[1:] == key[:-1])
    places = np.flatnonzero(again | np.append(again[1:], False))
    if not len(places):
        return table
    by: list[Column] = []
    if "publications" in table.texts:
        by.append(table.texts["publications"].take(places).hashes())
    by += [table.columns[name][places] for name in reversed(VALUES) if name in table.columns]
    by += [table.columns[name][places] for name in ("relation", "key") if name in table.columns]
    order = np.arange(len(table))
    order[places] = places[np.lexsort(by)]
    return table.take(order)


def fold_equal(table: Table) -> Table:
    """Rows that are equal to the one before in every column go into its count."""
    same = np.ones(len(table), np.bool_)
    same[0] = False
    for column in table.columns.values():
        bits = column.view(f"u{column.dtype.itemsize}")
        same[1:] &= bits[1:] == bits[:-1]
    if same.any() and (texts := table.texts.get("publications")) is not None:
        same &= kernels.same_as_before(texts.pool, texts.offsets)
    if not same.any():
        return table
    first = np.flatnonzero(~same)
    counts = np.diff(np.append(first, len(table))).astype(np.uint32)
    return table.take(first).with_columns(folded=counts)


@dataclass(frozen=True, slots=True)
class Key:
    """Three numbers in 64 bits, so that one comparison sorts by all three."""

    entity_bits: int
    relation_bits: int

    @classmethod
    def of(cls, entities: int, relations: int) -> Key:
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


def renumbered(
    edges: Edges, numbering: Numbering, key: Key, places: dict[str, NDArray[np.uint32]]
) -> Iterator[Table]:
    """Edges with final numbers and codes, key = (source, relation, target)."""
    number_of = numbering.number_of
    for table in edges.rest.tables():
        old = table.columns["key"]
        source, target = number_of[(old >> HALF).astype(np.int64)], number_of[old & LOW]
        relation = places["relation"][table.columns["relation"]]
        coded = {
            name: places[name][table.columns[name]]
            for name in ("evidence", "level")
            if name in table.columns
        }
        packed = key.pack(source, relation, target)
        yield table.without("relation").with_columns(key=packed, **coded)


@dataclass(slots=True)
class EdgeWriter:
    """Writes the forward side and the columns, and sorts the way back meanwhile."""

    writer: FolderWriter
    key: Key
    present: set[str]
    relations: int
    codes: dict[str, int]
    backward: ExternalSort
    count: int = 0

    def forward(self, tables: Iterator[Table], progress: Callable[[int], None]) -> None:
        self._append_forward(Table({"key": np.empty(0, np.uint64)}))
        for table in tables:
            self._append_forward(in_order_of_values(table))
            progress(self.count)
        self.writer.finish()

    def _append_forward(self, table: Table) -> None:
        source, relation, target = self.key.unpack(table.columns["key"])
        self.writer.append("forward.neighbours", target)
        self.writer.append("forward.relations", relation, self._relation_dtype)
        self._append_values(table)
        numbers = np.arange(self.count, self.count + len(table), dtype=np.int64)
        back = Table({"key": self.key.pack(target, relation, source), "edge": numbers})
        self.backward.add(back)
        self.count += len(table)

    def _append_values(self, table: Table) -> None:
        present = self.present
        for name, dtype in (("score", "<f4"), ("p_value", "<f8")):
            if name in present:
                self.writer.append(f"edge.{name}", column_of(table, name, np.dtype(dtype)))
        for name, count in self.codes.items():
            if name in present:
                codes = column_of(table, name, np.dtype("u4"))
                self.writer.append(f"edge.{name}", codes, smallest(CODES, count))
        if "publications" in present:
            texts = table.texts.get("publications") or Texts.empty(len(table))
            self.writer.append_texts("edge.publications", texts)
        if "folded" in present:
            self._append_folded(column_of(table, "folded", np.dtype("u4")))

    def _append_folded(self, counts: Column) -> None:
        places = np.flatnonzero(counts > 1)
        self.writer.append("edge.folded.edges", places + self.count)
        self.writer.append("edge.folded.counts", counts[places])

    def reverse(self) -> None:
        wide = "<i4" if self.count <= np.iinfo(np.int32).max else "<i8"
        self._append_reverse(Table({"key": np.empty(0, np.uint64), "edge": np.empty(0)}), wide)
        for table in self.backward.tables():
            self._append_reverse(table, wide)
        self.writer.finish()

    def _append_reverse(self, table: Table, wide: str) -> None:
        _, relation, source = self.key.unpack(table.columns["key"])
        self.writer.append("reverse.neighbours", source)
        self.writer.append("reverse.relations", relation, self._relation_dtype)
        self.writer.append("reverse.edges", table.columns["edge"], wide)

    @property
    def _relation_dtype(self) -> str:
        return smallest((U8, U16), self.relations)
