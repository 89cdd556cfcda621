"""Names of entities from PubTator's nodes.tsv, and the table of nodes of the seen graph."""

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.graphs.importers.common.delimited_reader import DelimitedTable
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.graphs.importers.common.record_builder import DROP_REASONS
from backend.graphs.importers.pubtator.format import QUOTED_TSV, parse_mentions
from backend.graphs.source_records import MalformedRow
from backend.validation.faults import FaultList, printable

COLUMNS = ("Type", "ConceptID", "mention")
COUNTS = "mention_counts"
MAX_NAME_LENGTH = 300
MAX_SHOWN = 60
MENTIONS_EXPECTED = "names with their counts, such as {'aspirin': 12, 'ASA': 3}, or nothing"


@dataclass(frozen=True)
class NodeTable:
    files: Sequence[InputFile]
    faults: FaultList

    def check(self) -> None:
        """Add every faulty line, before anything is written."""
        for file in self.files:
            try:
                self._check_file(DelimitedTable(file, QUOTED_TSV))
            except FileRefused as refused:
                for fault in refused.faults:
                    self.faults.add(fault.place, fault.message, fault.expected, fault.code)

    def _check_file(self, table: DelimitedTable) -> None:
        place = f"{table.file.name}, line 1"
        expected = f"a header with the columns {', '.join(COLUMNS)}"
        missing = [name for name in COLUMNS if table.get_column(name) is None]
        for name in missing:
            self.faults.add(place, f"There is no column '{name}'.", expected, "columns")
        if missing:
            return
        counts = table.get_column(COUNTS)
        for row in table:
            place = f"{table.file.name}, line {row.line}"
            if isinstance(row, MalformedRow):
                expected = f"the cells of the header, {', '.join(COLUMNS)} among them"
                self.faults.add(place, DROP_REASONS[row.reason], expected, row.reason)
            elif counts is not None and parse_mentions(row.cells[counts]) is None:
                message = f"'{printable(row.cells[counts], MAX_SHOWN)}' is no list of mentions."
                self.faults.add(f"{place}, {COUNTS}", message, MENTIONS_EXPECTED, "literal")

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Entity, name, and the counts of mentions as they are written."""
        for file in self.files:
            table = DelimitedTable(file, QUOTED_TSV)
            kind, concept, mention = (table.column(name) for name in COLUMNS)
            counts = table.get_column(COUNTS)
            for row in table:
                if not isinstance(row, MalformedRow):
                    cells = row.cells
                    mentions = cells[counts] if counts is not None else ""
                    yield f"{cells[kind]}|{cells[concept]}", cells[mention], mentions

    def names_of(self, entities: Collection[str]) -> dict[str, str]:
        """The first name of each entity that has one, on one line."""
        names: dict[str, str] = {}
        for entity, name, _ in self.rows():
            if entity in entities and (text := printable_name(name)):
                names.setdefault(entity, text)
        return names


def printable_name(name: str) -> str:
    words = "".join(char if char.isprintable() else " " for char in name).split()
    return " ".join(words)[:MAX_NAME_LENGTH]


def write_nodes(path: Path, table: NodeTable, entities: set[str]) -> None:
    """The nodes of these entities in the order of their table, then those that it lacks."""
    written: set[str] = set()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow((*COLUMNS, COUNTS))
        for entity, name, counts in table.rows():
            if entity in entities and entity not in written:
                written.add(entity)
                kind, _, identifier = entity.partition("|")
                writer.writerow((kind, identifier, name, counts))
        for entity in sorted(entities - written):
            kind, _, identifier = entity.partition("|")
            writer.writerow((kind, identifier, identifier, ""))
