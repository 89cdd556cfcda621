"""The entities of a build: rows of one entity become one, and each gets its number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots import kernels
from backend.graphs.snapshots.format import DTYPES, smallest
from backend.graphs.snapshots.intake import Intake
from backend.graphs.snapshots.strings import TextIndex, Texts
from backend.graphs.snapshots.tables import Spool, Table, joined
from backend.graphs.snapshots.writing import FolderWriter, list_bytes

SETS = ("synonyms", "xrefs")
FIELDS = ("name", "document")
# The columns of the work beside those of the files.
FILES = {"id": "ids", "name": "names", "synonyms": "synonyms", "xrefs": "xrefs"}
FILES["document"] = "documents"


@dataclass(slots=True)
class Entities:
    """Distinct entities in the order of their ids' hashes; a place in it is an 'ordinal'."""

    index: TextIndex
    type_names: list[str]
    type_places: NDArray[np.uint32]
    rest: Spool  # the tables of all that is known of them, in the same order
    columns: set[str]

    def __len__(self) -> int:
        return len(self.index.texts)


def fold_nodes(tables: Iterator[Table], intake: Intake, spool: Spool) -> Entities:
    """One row an entity, from rows sorted by the hash of its id."""
    ids, hashes = [Texts.empty(0)], [np.empty(0, np.uint64)]
    columns: set[str] = set()
    used = np.zeros(len(intake.types.codes), np.bool_)
    for table in tables:
        folded = fold_table(table, intake)
        ids.append(folded.texts["id"])
        hashes.append(folded.columns["key"])
        used[folded.columns["type"]] = True
        columns |= folded.texts.keys()
        spool.append(folded.without("key"))
    index = TextIndex(Texts.joined(ids), np.concatenate(hashes))
    return Entities(index, *intake.types.in_order(used), spool, columns)


def fold_table(table: Table, intake: Intake) -> Table:
    """Rows with one hash are looked at one by one; all others stand for themselves."""
    key = table.columns["key"]
    again = np.append(key[1:] == key[:-1], False)
    several = again | np.append(False, again[:-1])
    if not several.any():
        return table
    rows = table.where(several)
    groups = np.flatnonzero(np.append(True, np.diff(rows.columns["key"]) != 0))
    folded = [
        one
        for first, last in pairwise([*groups.tolist(), len(rows)])
        for one in fold_rows(rows.part(first, last), intake)
    ]
    whole = joined([table.where(~several), *folded]) if not several.all() else joined(folded)
    return whole.take(np.argsort(whole.columns["key"], kind="stable"))


def fold_rows(rows: Table, intake: Intake) -> list[Table]:
    """One row for each different id among rows whose ids have one hash, in the order of ids."""
    ids = list(rows.texts["id"])
    found = []
    for identifier in sorted(set(ids)):
        places = np.array([i for i, one in enumerate(ids) if one == identifier])
        found.append(merged(rows.take(places), intake))
    return found


def merged(rows: Table, intake: Intake) -> Table:
    """One row of several of one entity: sets are united, of other values the smallest counts."""
    if len(rows) == 1:
        return rows
    report = intake.report
    differ = set()
    texts = {"id": rows.texts["id"].part(0, 1)}
    for field in rows.texts.keys() - {"id"}:
        values = {value for value in rows.texts[field] if value}
        if field in SETS:
            value = list_bytes(sorted({text for one in values for text in json.loads(one)}))
        else:
            value = min(values, default=b"")
        texts[field] = Texts.of([value])
        if len(values) > 1 and field not in SETS:
            differ.add(field)
    names = list(intake.types.codes)
    types = {names[code] for code in set(rows.columns["type"].tolist())} - {""}
    if len(types) > 1:
        differ.add("type")
    report.conflicts.update(differ)
    report.repeated += len(rows) - 1
    code = intake.types.codes[min(types, default="")]
    columns = {"key": rows.columns["key"][:1], "type": np.array([code], np.uint32)}
    return Table(columns, texts)


@dataclass(frozen=True, slots=True)
class Numbering:
    """The entities by falling degree, then identifier."""

    order: NDArray[np.int64]  # the ordinal of each number
    number_of: NDArray[np.int32]  # the number of each ordinal

    @classmethod
    def of(cls, ids: Texts, degrees: NDArray[np.int64]) -> Numbering:
        order = ids.order()
        order = order[np.argsort(-degrees[order], kind="stable")]
        number_of = np.empty(len(order), np.int32)
        number_of[order] = np.arange(len(order), dtype=np.int32)
        return cls(order, number_of)


def numbered(entities: Entities, numbering: Numbering) -> Iterator[Table]:
    """What is known of the entities, with their numbers as keys."""
    first = 0
    for table in entities.rest.tables():
        numbers = numbering.number_of[first : first + len(table)]
        first += len(table)
        types = entities.type_places[table.columns["type"]]
        yield Table({"key": numbers.astype(np.uint64), "type": types}, table.texts)


def write_nodes(tables: Iterator[Table], entities: Entities, writer: FolderWriter) -> list[int]:
    """Write them in the order of their numbers; how many there are of each type."""
    kinds = len(entities.type_names)
    counts = np.zeros(kinds, np.int64)
    dtype = smallest(DTYPES["types"], kinds)
    columns = sorted({"id", "name"} | entities.columns)
    write_part(Table({"type": np.empty(0, np.uint32)}), columns, dtype, writer)
    for table in tables:
        kernels.count_into(counts, table.columns["type"])
        write_part(table, columns, dtype, writer)
    writer.finish()
    return counts.tolist()


def write_part(table: Table, columns: list[str], dtype: str, writer: FolderWriter) -> None:
    writer.append("types", table.columns["type"], dtype)
    for name in columns:
        writer.append_texts(FILES[name], table.texts.get(name) or Texts.empty(len(table)))
