"""A table whose delimiter is detected, and whose columns are found by names in any case."""

import csv
from collections.abc import Callable, Mapping

from backend.graphs.importers.common.base import FileSample
from backend.graphs.importers.common.delimited_reader import (
    TSV,
    DelimitedTable,
    Quoting,
    TableLayout,
)
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.validation.csv_escaping import unescape

NO_MAPPING: Mapping[str, str] = {}


def normalize_column(name: str) -> str:
    return name.strip().casefold()


def detect_layout(line: str) -> tuple[TableLayout, list[str]] | None:
    """Of a header line: its delimiter, which gives the most columns, and the columns; else None."""
    candidates = []
    for sign in "\t,;":
        layout = TSV if sign == "\t" else TableLayout(sign, Quoting.CSV)
        try:
            names = line.split(sign) if sign == "\t" else next(csv.reader([line], delimiter=sign))
        except (csv.Error, StopIteration):
            continue
        candidates.append((layout, names))
    best = max(candidates, key=lambda it: len(it[1]), default=None)
    return best if best and len(best[1]) > 1 else None


class MappedTable:
    """Columns have the format's names, or those of the mapping; cells that our export escaped for
    spreadsheets are unescaped."""

    def __init__(self, file: InputFile, columns: Mapping[str, str] = NO_MAPPING) -> None:
        layout, _ = detect_layout(FileSample(file.name, file.head()).first_line) or (TSV, [])
        self.table = DelimitedTable(file, layout)
        self._columns = columns
        self._normalized_header = [normalize_column(name) for name in self.table.header]

    def name_of(self, column: str) -> str:
        """The name that the file is to have for a column of the format."""
        return normalize_column(self._columns.get(column, column))

    def require(self, *columns: str, expected: str = "") -> None:
        """Raises FileRefused that names those that are missing."""
        missing = [it for it in map(self.name_of, columns) if it not in self._normalized_header]
        if missing:
            word = "column" if len(missing) == 1 else "columns"
            detail = f"{self.table.file.name} has no {word} {' and '.join(missing)}. Name them so."
            names = expected or ", ".join(map(self.name_of, columns))
            raise FileRefused(self.table.file.name, detail, code="columns", expected=names)

    def reader(self, column: str) -> Callable[[list[str]], str]:
        """A function that reads the cell of a column; '' if the table lacks the column."""
        name = self.name_of(column)
        if name not in self._normalized_header:
            return lambda cells: ""
        at = self._normalized_header.index(name)
        return lambda cells: unescape(cells[at])
