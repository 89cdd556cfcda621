"""Concepts of identifiers: a table of `id` and `cui`, a row for each concept of an identifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from backend.graphs.curated_pairs.pair_tables import identifier_of
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.mapped_table import MappedTable
from backend.graphs.importers.common.umls_concepts import UNKNOWN_TYPE, concept_of
from backend.graphs.source_records import MalformedRow


@dataclass(frozen=True, slots=True)
class Concept:
    id: str
    name: str
    type: str


@dataclass
class ConceptMap:
    """concepts: in the order in which they were first read. faults: rows that cannot be read.

    A map without files has the identifiers themselves as concepts, added as they come.
    """

    concepts: list[Concept] = field(default_factory=list)
    faults: list[MalformedRow] = field(default_factory=list)
    rows: int = 0
    is_identity: bool = True
    _numbers: dict[str, int] = field(default_factory=dict)
    _by_identifier: dict[str, list[int]] = field(default_factory=dict)

    def find(self, identifier: str) -> Sequence[int]:
        """The numbers of the concepts of an identifier; several where it is ambiguous."""
        if self.is_identity:
            return (self._add(concept_of(identifier), "", ""),)
        return self._by_identifier.get(identifier, ())

    def get_number(self, concept: str) -> int | None:
        return self._numbers.get(concept)

    def _add(self, concept: str, name: str, kind: str) -> int:
        """The first row of a concept gives its name and type."""
        number = self._numbers.setdefault(concept, len(self.concepts))
        if number == len(self.concepts):
            self.concepts.append(Concept(concept, name or concept, kind or UNKNOWN_TYPE))
        return number

    def read(self, file: InputFile) -> None:
        """Raises FileRefused for a table without `id` and `cui`."""
        self.is_identity = False
        mapped = MappedTable(file)
        mapped.require("id", "cui")
        readers = [mapped.reader(name) for name in ("id", "cui", "name", "type")]
        for row in mapped.table:
            self.rows += 1
            if isinstance(row, MalformedRow):
                self.faults.append(row)
                continue
            identifier, concept, name, kind = (read(row.cells) for read in readers)
            if identifier and concept:
                self._map(identifier_of(identifier), self._add(concept_of(concept), name, kind))
            else:
                detail = "\t".join(row.cells)
                self.faults.append(mapped.table.builder.malformed_row(row.line, "missing", detail))

    def _map(self, identifier: str, number: int) -> None:
        numbers = self._by_identifier.setdefault(identifier, [])
        if number not in numbers:
            numbers.append(number)
