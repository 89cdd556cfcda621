"""Entities of a build: fold rows of one entity, number them, write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots import kernels
from backend.graphs.snapshots.column_table import ColumnTable, TableSpool, concatenate_tables
from backend.graphs.snapshots.format import DTYPES, smallest_dtype
from backend.graphs.snapshots.ingest import SourceIngest, encode_string_list
from backend.graphs.snapshots.string_array import StringArray, StringIndex
from backend.runtime.array_store.raw_folder import RawFolderWriter

SET_FIELDS = ("synonyms", "xrefs")
# Column name in the build -> file name.
FILES = {"id": "ids", "name": "names", "synonyms": "synonyms", "xrefs": "xrefs"}
FILES["document"] = "documents"


@dataclass(slots=True)
class FoldedEntities:
    """Distinct entities in the order of the hashes of their identifiers: the ordinals."""

    index: StringIndex
    type_names: list[str]
    type_places: NDArray[np.uint32]
    spool: TableSpool  # tables of the remaining columns, in the same order
    columns: set[str]

    def __len__(self) -> int:
        return len(self.index.texts)


def fold_nodes(
    tables: Iterator[ColumnTable], intake: SourceIngest, spool: TableSpool
) -> FoldedEntities:
    """One row per entity, from rows sorted by the hash of the identifier."""
    ids, hashes = [StringArray.empty(0)], [np.empty(0, np.uint64)]
    columns: set[str] = set()
    used = np.zeros(len(intake.types.codes), np.bool_)
    for table in tables:
        folded = fold_table(table, intake)
        ids.append(folded.texts["id"])
        hashes.append(folded.columns["key"])
        used[folded.columns["type"]] = True
        columns |= folded.texts.keys()
        spool.append(folded.without_columns("key"))
    index = StringIndex(StringArray.concatenate(ids), np.concatenate(hashes))
    return FoldedEntities(index, *intake.types.sorted_used(used), spool, columns)


def fold_table(table: ColumnTable, intake: SourceIngest) -> ColumnTable:
    """Fold rows of equal hash one by one; other rows are unchanged."""
    key = table.columns["key"]
    again = np.append(key[1:] == key[:-1], False)
    several = again | np.append(False, again[:-1])
    if not several.any():
        return table
    rows = table.filter(several)
    groups = np.flatnonzero(np.append(True, np.diff(rows.columns["key"]) != 0))
    folded = [
        one
        for first, last in pairwise([*groups.tolist(), len(rows)])
        for one in fold_rows(rows.slice_rows(first, last), intake)
    ]
    whole = (
        concatenate_tables([table.filter(~several), *folded])
        if not several.all()
        else concatenate_tables(folded)
    )
    return whole.take(np.argsort(whole.columns["key"], kind="stable"))


def fold_rows(rows: ColumnTable, intake: SourceIngest) -> list[ColumnTable]:
    """One row per distinct identifier among rows of equal hash, ordered by identifier."""
    ids = list(rows.texts["id"])
    result = []
    for identifier in sorted(set(ids)):
        places = np.array([i for i, one in enumerate(ids) if one == identifier])
        result.append(merge_rows(rows.take(places), intake))
    return result


def merge_rows(rows: ColumnTable, intake: SourceIngest) -> ColumnTable:
    """Merge rows of one entity: sets are united; else the smallest non-empty value counts."""
    if len(rows) == 1:
        return rows
    report = intake.report
    differ = set()
    texts = {"id": rows.texts["id"].slice_strings(0, 1)}
    for field in rows.texts.keys() - {"id"}:
        values = {value for value in rows.texts[field] if value}
        if field in SET_FIELDS:
            value = encode_string_list(sorted({text for one in values for text in json.loads(one)}))
        else:
            value = min(values, default=b"")
        texts[field] = StringArray.of([value])
        if len(values) > 1 and field not in SET_FIELDS:
            differ.add(field)
    names = list(intake.types.codes)
    types = {names[code] for code in set(rows.columns["type"].tolist())} - {""}
    if len(types) > 1:
        differ.add("type")
    report.conflicts.update(differ)
    report.repeated_rows += len(rows) - 1
    code = intake.types.codes[min(types, default="")]
    columns = {"key": rows.columns["key"][:1], "type": np.array([code], np.uint32)}
    return ColumnTable(columns, texts)


@dataclass(frozen=True, slots=True)
class Numbering:
    """Entities ordered by descending degree, then by identifier."""

    order: NDArray[np.int64]  # ordinal of each number
    number_of: NDArray[np.int32]  # number of each ordinal

    @classmethod
    def of(cls, ids: StringArray, degrees: NDArray[np.int64]) -> Numbering:
        order = ids.sort_order()
        order = order[np.argsort(-degrees[order], kind="stable")]
        number_of = np.empty(len(order), np.int32)
        number_of[order] = np.arange(len(order), dtype=np.int32)
        return cls(order, number_of)


def renumber_entities(entities: FoldedEntities, numbering: Numbering) -> Iterator[ColumnTable]:
    """The columns of all entities, with their numbers as keys."""
    first = 0
    for table in entities.spool.tables():
        numbers = numbering.number_of[first : first + len(table)]
        first += len(table)
        types = entities.type_places[table.columns["type"]]
        yield ColumnTable({"key": numbers.astype(np.uint64), "type": types}, table.texts)


def write_nodes(
    tables: Iterator[ColumnTable], entities: FoldedEntities, writer: RawFolderWriter
) -> list[int]:
    """Write the entities by number; return the number of entities per type."""
    kinds = len(entities.type_names)
    counts = np.zeros(kinds, np.int64)
    dtype = smallest_dtype(DTYPES["types"], kinds)
    columns = sorted({"id", "name"} | entities.columns)
    write_part(ColumnTable({"type": np.empty(0, np.uint32)}), columns, dtype, writer)
    for table in tables:
        kernels.count_into(counts, table.columns["type"])
        write_part(table, columns, dtype, writer)
    writer.finish()
    return counts.tolist()


def write_part(table: ColumnTable, columns: list[str], dtype: str, writer: RawFolderWriter) -> None:
    writer.append("types", table.columns["type"], dtype)
    for name in columns:
        texts = table.texts.get(name) or StringArray.empty(len(table))
        writer.append_strings(FILES[name], texts.pool, texts.offsets)
