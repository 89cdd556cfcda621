"""Statements of relation2pubtator3 as numbers: article, relation and two entities, on the disk.

Entities are compared as the file writes them ('Gene|5742'). What stays in memory is one entry per
entity; rows go to a temporary file in blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.graphs.importers.common.delimited_reader import TSV, DelimitedTable, TableRow
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.record_builder import DROP_REASONS
from backend.graphs.importers.pubtator.format import (
    MAX_PMID_DIGITS,
    RELATION_COLUMNS,
    RELATIONS,
    parse_pmid,
)
from backend.graphs.snapshots.column_table import ColumnTable, TableSpool
from backend.graphs.source_records import MalformedRow
from backend.tracks.truthhypo.track import NO_RELATION
from backend.validation.faults import FaultList, printable

MAX_NAME_LENGTH = 300  # of an entity; the track's files allow no more
ROWS_OF_BLOCK = 1 << 18
NO_CONCEPT = frozenset({"", "-"})  # PubTator's identifiers of mentions without a concept
RELATION_NAMES = tuple(sorted(RELATIONS.keys() - {NO_RELATION}))
STATEMENT_EXPECTED = f"4 cells: {', '.join(RELATION_COLUMNS)}; UTF-8 text"
SHIFT = np.uint64(32)
LOW_BITS = np.uint64(0xFFFFFFFF)


@dataclass
class Entities:
    """Distinct entities, numbered in the order of the file while it is read."""

    numbers: dict[str, int] = field(default_factory=dict)

    def ranks(self) -> tuple[list[str], NDArray[np.uint32]]:
        """The entities in order of their text, and the place there of each number."""
        names = sorted(self.numbers)
        places = np.empty(len(names), np.uint32)
        for place, name in enumerate(names):
            places[self.numbers[name]] = place
        return names, places


@dataclass
class StatementReader:
    """Reads all files, lists every faulty line, and spools the rest."""

    spool: TableSpool
    entities: Entities = field(default_factory=Entities)
    faults: FaultList = field(default_factory=FaultList)
    rows: int = 0
    without_concept: int = 0

    def read(self, files: Sequence[InputFile]) -> Iterator[int]:
        """Yields the number of rows so far after each block."""
        for file in files:
            yield from self._read_file(file)

    def require_no_faults(self) -> None:
        """Raises DomainError with every fault of the files, up to the usual limit."""
        if total := self.faults.total:
            counted = pluralize(total, "fault")
            raise DomainError(
                f"The files have {counted}. Nothing was written; correct these lines.",
                code="invalid_source",
                faults=self.faults.listed,
                data={"faults_total": total},
            )

    def _read_file(self, file: InputFile) -> Iterator[int]:
        ends: list[int] = []
        values: list[int] = []
        codes = {name: code for code, name in enumerate(RELATION_NAMES)}
        row: TableRow | MalformedRow | None = None
        for row in DelimitedTable(file, TSV, RELATION_COLUMNS):
            if isinstance(row, MalformedRow):
                self._add_malformed(row)
                continue
            pmid, relation, first, second = row.cells
            number, code = parse_pmid(pmid), codes.get(relation)
            pair = self._number_of(first), self._number_of(second)
            if number is None or code is None or None in pair:
                self._check_row(file, row.line, row.cells)
                continue
            ends += pair  # type: ignore[arg-type]  # None was excluded
            values.append(code << 32 | number)
            if len(values) == ROWS_OF_BLOCK:
                yield self._flush(ends, values)
        yield self._flush(ends, values)
        if row is None:
            self.faults.add(file.name, f"{file.name} is empty.", STATEMENT_EXPECTED, "empty")

    def _flush(self, ends: list[int], values: list[int]) -> int:
        if values:
            pairs = np.array(ends, np.uint32).reshape(-1, 2)
            columns = {"first": pairs[:, 0], "second": pairs[:, 1]}
            self.spool.append(ColumnTable({**columns, "value": np.array(values, np.uint64)}))
        self.rows += len(values)
        ends.clear()
        values.clear()
        return self.rows

    def _number_of(self, name: str) -> int | None:
        """None for what is no entity; entities that were read before are not checked again."""
        number = self.entities.numbers.get(name)
        if number is None and not entity_fault(name):
            number = self.entities.numbers.setdefault(name, len(self.entities.numbers))
        return number

    def _add_malformed(self, row: MalformedRow) -> None:
        place = f"{row.file}, line {row.line}"
        message = DROP_REASONS[row.reason]
        if row.reason == "columns":
            message = f"This row has {row.detail.split(',')[0]}."
        self.faults.add(place, message, STATEMENT_EXPECTED, row.reason)

    def _check_row(self, file: InputFile, line: int, cells: Sequence[str]) -> None:
        """Add each fault of a row; a mention without a concept is no fault."""
        place = f"{file.name}, line {line}"
        pmid, relation, *ends = cells
        before = self.faults.total
        if parse_pmid(pmid) is None:
            expected = f"a PMID: a whole number of at most {MAX_PMID_DIGITS} digits"
            self.faults.add(f"{place}, pmid", f"'{printable(pmid)}' is no PMID.", expected, "pmid")
        if relation not in RELATION_NAMES:
            message = f"'{printable(relation)}' is no relation of PubTator."
            self.faults.add(
                f"{place}, relation", message, f"one of {', '.join(RELATION_NAMES)}", "relation"
            )
        for column, name in zip(RELATION_COLUMNS[2:], ends, strict=True):
            if (expected := entity_fault(name)) and not is_without_concept(name):
                message = f"'{printable(name)}' is no entity."
                self.faults.add(f"{place}, {column}", message, expected, "identifier")
        self.without_concept += self.faults.total == before


def is_without_concept(name: str) -> bool:
    kind, bar, identifier = name.partition("|")
    return bool(kind and bar) and identifier in NO_CONCEPT


def entity_fault(name: str) -> str:
    """What was expected instead, '' for an entity."""
    kind, _, identifier = name.partition("|")
    if not kind.isidentifier() or identifier in NO_CONCEPT or not name.isprintable():
        return "Type|identifier, for example Gene|5742"
    return f"at most {MAX_NAME_LENGTH} characters" if len(name) > MAX_NAME_LENGTH else ""


def kind_of(name: str) -> str:
    return name.partition("|")[0]
