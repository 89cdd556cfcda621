"""CSV and TSV files with a header, as batches of objects."""

import csv
import io
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backend.validation.csv_escaping import unescape
from backend.validation.faults import printable
from backend.validation.row_files.batches import ValueBatch
from backend.validation.row_files.compression import LimitedStream
from backend.validation.row_files.faults import FileRefused, RowFault, RowFaultList
from backend.validation.row_files.limits import MEGABYTE, ReadLimits
from backend.validation.row_files.lines import line_blocks
from backend.validation.row_files.number_lists import ListBatch, ListFields, lists_of_csv

ROWS_OF_BATCH = 1_000
CHARACTERS_OF_BATCH = 4 * MEGABYTE
CellParser = Callable[[str], object]


@dataclass(frozen=True)
class Columns:
    """How columns become fields.

    aliases: other names of columns. parsers: of cells that are not text; a parser that cannot
    read a cell returns it as it is, so that the schema reports it.
    escaped: those whose cells of a CSV file are escaped as `csv_escaping` defines.
    lists: set if a row is one whole number and a list of them; plain rows are read as arrays then.
    """

    names: Sequence[str]
    required: Sequence[str] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    parsers: Mapping[str, CellParser] = field(default_factory=dict)
    escaped: Sequence[str] = ()
    lists: ListFields | None = None
    ignores_others: bool = False

    def describe(self) -> str:
        """'query_id (or id),query': the header, with other names that are read."""
        others: dict[str, list[str]] = {}
        for other, name in self.aliases.items():
            others.setdefault(name, []).append(other)
        return ",".join(
            f"{name} (or {', '.join(others[name])})" if name in others else name
            for name in self.names
        )


def read_csv(
    stream: LimitedStream,
    limits: ReadLimits,
    faults: RowFaultList,
    columns: Columns,
    delimiter: str,
) -> Iterator[ValueBatch | ListBatch]:
    csv.field_size_limit(max(csv.field_size_limit(), limits.row_bytes))  # of the whole process
    records = Records(line_blocks(stream, limits, faults), delimiter, faults)
    header = next(records, None)
    if header is None:
        raise FileRefused("empty_file", "This file has no header.", columns.describe(), 1)
    names = fields_of_header(header[1], columns)
    yield from read_records(records, names, columns, faults)


def read_records(
    records: "Records", names: Sequence[str], columns: Columns, faults: RowFaultList
) -> Iterator[ValueBatch | ListBatch]:
    rows: list[dict[str, object]] = []
    row_lines: list[int] = []
    size = 0
    while True:
        lists = records.next_lists(names, columns.lists)
        record = None if lists is not None else next(records, None)
        if record is None or len(rows) == ROWS_OF_BATCH or size > CHARACTERS_OF_BATCH:
            if rows:
                yield ValueBatch(row_lines, rows)
            rows, row_lines, size = [], [], 0
        if lists is not None:
            yield lists
        elif record is None:
            return
        elif len(record[1]) != len(names):
            faults.add(wrong_count(record[0], len(record[1]), len(names)))
        else:
            rows.append(parse_cells(names, record[1], columns))
            row_lines.append(record[0])
            size += sum(map(len, record[1]))


class Records:
    """The records with the line on which each begins. Faulty ones are reported and left out."""

    def __init__(
        self, blocks: Iterator[tuple[int, bytes]], delimiter: str, faults: RowFaultList
    ) -> None:
        self._blocks = blocks
        self._lines: deque[str] = deque()
        self._skipped = 0  # lines that came as arrays
        self._faults = faults
        self._has_quotes = delimiter != "\t"
        self._reader = csv.reader(
            self._read_lines(),
            delimiter=delimiter,
            quoting=csv.QUOTE_MINIMAL if self._has_quotes else csv.QUOTE_NONE,
            strict=True,
        )

    def __iter__(self) -> "Records":
        return self

    def __next__(self) -> tuple[int, list[str]]:
        while True:
            line = self._last_line + 1
            try:
                cells = next(self._reader)
            except csv.Error as error:
                self._add_fault(line, str(error))
                continue
            if cells:
                return line, cells

    @property
    def _last_line(self) -> int:
        return self._reader.line_num + self._skipped

    def next_lists(self, names: Sequence[str], fields: ListFields | None) -> ListBatch | None:
        """The next block if a record begins there and all its rows are plain."""
        if self._lines or fields is None or not self._has_quotes:
            return None
        if [*names] != [fields.number, fields.numbers]:
            return None
        _, block = next(self._blocks, (0, b""))
        batch = lists_of_csv(block, fields, self._last_line + 1)
        if batch is None:
            self._load(block)
        else:
            self._skipped += len(batch.lines)
        return batch

    def _load(self, block: bytes) -> None:
        text = block.decode("utf-8", "surrogateescape")
        self._lines.extend(io.StringIO(text, newline="\n"))  # other separators are text

    def _read_lines(self) -> Iterator[str]:
        """A quoted cell may go on in the next block."""
        while True:
            while self._lines:
                yield self._lines.popleft()
            _, block = next(self._blocks, (0, b""))
            if not block:
                return
            self._load(block)

    def _add_fault(self, line: int, reason: str) -> None:
        """Raises FileRefused for a quote that is not closed: it hides the rows behind it."""
        if "unexpected end" in reason or self._last_line > line:
            message = "A quote that opens on this line is not closed."
            raise FileRefused("open_quote", message, 'cells in pairs of "', line)
        if "field limit" in reason:
            expected = f"at most {csv.field_size_limit():,} characters"
            self._faults.add(RowFault(line, "", "too_long", "This row is too long.", expected))
            return
        message = f"This is not CSV: {printable(reason)}."
        expected = "cells separated by the delimiter"
        self._faults.add(RowFault(line, "", "not_csv", message, expected))


def fields_of_header(header: Sequence[str], columns: Columns) -> list[str]:
    """The field of each column; "" for columns that are ignored.

    Raises FileRefused for a header with missing, unknown or repeated columns.
    """
    names = [columns.aliases.get(cell.strip(), cell.strip()) for cell in header]
    expected = columns.describe()
    known = [name for name in names if name in columns.names]
    unknown = [name for name in names if name not in columns.names]
    repeated = [name for name, count in Counter(known).items() if count > 1]
    missing = [name for name in columns.required or columns.names if name not in known]
    if repeated:
        raise wrong_header("repeated_column", f"Columns given twice: {', '.join(repeated)}.",
                           expected, header)  # fmt: skip
    if missing:
        raise wrong_header("wrong_header", f"Columns that are missing: {', '.join(missing)}.",
                           expected, header)  # fmt: skip
    if unknown and not columns.ignores_others:
        listed = printable(", ".join(unknown))
        raise wrong_header("wrong_header", f"Columns that are unknown: {listed}.",
                           expected, header)  # fmt: skip
    return [name if name in columns.names else "" for name in names]


def wrong_header(code: str, message: str, expected: str, header: Sequence[str]) -> FileRefused:
    return FileRefused(code, message, expected, 1, printable(",".join(header)))


def wrong_count(line: int, cells: int, names: int) -> RowFault:
    message = f"This row has {cells:,} cells."
    return RowFault(line, "", "wrong_cell_count", message, f"{names:,} cells, as the header has")


def parse_cells(names: Sequence[str], cells: Sequence[str], columns: Columns) -> dict[str, object]:
    row: dict[str, object] = {name: cell for name, cell in zip(names, cells, strict=True) if name}
    parsers = [(name, unescape) for name in columns.escaped]
    for name, parse in (*parsers, *columns.parsers.items()):
        if isinstance(cell := row.get(name), str):
            row[name] = parse(cell)
    return row
