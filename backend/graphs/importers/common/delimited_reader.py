"""Read delimited tables line by line, in constant memory.

A row that cannot be read is returned as a MalformedRow, with its line and a reason, and reading
continues. Cells are not changed, except that the byte order mark, line ends and CSV quotation
marks are removed.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import IO

from backend.graphs.importers.common.input_files import FileRefused, InputFile, ReadLimits
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.source_records import MalformedRow

BYTE_ORDER_MARK = "\ufeff"
MAX_BLANK_LINES = 100_000
"""Blank lines that a file may have; beyond that, no more than half of its lines."""
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def utf16_error(name: str) -> FileRefused:
    detail = f"{name} is UTF-16. Save it as UTF-8."
    return FileRefused(name, detail, code="encoding", expected="UTF-8")


class Quoting(Enum):
    NONE = "none"
    """The delimiter always ends a cell; quotation marks are ordinary characters."""
    CSV = "csv"
    """RFC 4180: a quoted cell may contain anything; a quotation mark inside it is doubled."""
    ESCAPED = "escaped"
    """Like CSV, and a backslash makes the next character literal (as Neo4j's LOAD CSV reads)."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Lines that begin with `comment` are skipped, where it is given and nothing is quoted."""

    delimiter: str = "\t"
    quoting: Quoting = Quoting.NONE
    comment: str = ""


TSV = TableLayout()
CSV = TableLayout(",", Quoting.CSV)


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of one row, with the number of its first line."""

    line: int
    cells: list[str]


class LineReader:
    """Decodes the lines of a stream. After each line, `fault` has its error, if any.

    A line that is too long is returned as an empty line; the rest of it is skipped in chunks.
    """

    def __init__(self, file: InputFile, stream: IO[bytes]) -> None:
        self.number = 0
        self._blank_lines = 0
        self.fault: tuple[str, str] | None = None
        self._file = file
        self._stream = stream
        self._max_bytes = file.limits.line_bytes

    def __iter__(self) -> LineReader:
        return self

    def __next__(self) -> str:
        line = self._next_bytes()
        if not line:
            raise StopIteration
        self.number += 1
        if line.isspace():
            self._count_blank_line()
        if len(line) > self._max_bytes:
            self.fault = "too_long", line[:400].decode(errors="replace")
            self._skip_rest(line)
            return "\n"
        if b"\0" in line:
            self.fault = "nul", line[:800].decode(errors="replace")
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            around = line[max(0, error.start - 20) : error.start + 20]
            self.fault = "encoding", f"byte {error.start + 1}: {around!r}"
            return line.decode(errors="replace")

    def _count_blank_line(self) -> None:
        self._blank_lines += 1
        if self._blank_lines > max(MAX_BLANK_LINES, self.number // 2):
            detail = f"Most of the first {self.number:,} lines of {self._file.name} are empty."
            raise FileRefused(self._file.name, detail, code="blank_lines")

    def take_fault(self) -> tuple[str, str] | None:
        fault, self.fault = self.fault, None
        return fault

    def _next_bytes(self) -> bytes:
        try:
            return self._stream.readline(self._max_bytes + 1)
        except FileRefused as refused:
            detail = f"{refused.detail} The last complete line was line {self.number:,}."
            raise FileRefused(refused.file, detail, code=refused.code) from refused

    def _skip_rest(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._stream.readline(self._max_bytes)


class DelimitedTable:
    """A table with a header line. Columns are found by name, in any order."""

    def __init__(
        self, file: InputFile, layout: TableLayout = TSV, header: Sequence[str] = ()
    ) -> None:
        """`header` names the columns of a file that has no header line of its own."""
        self.file = file
        self.layout = layout
        self.builder = RecordBuilder(file.name, file.limits)
        self._given_header = list(header)
        self.header = self._given_header or self._read_header()
        counts = Counter(self.header)
        doubled = sorted(name for name, count in counts.items() if name and count > 1)
        if doubled:
            detail = f"{file.name} has the column {doubled[0]} twice. Rename one of them."
            raise FileRefused(file.name, detail, code="columns")

    def column(self, name: str) -> int:
        if name not in self.header:
            detail = f"{self.file.name} has no column {name}."
            names = ", ".join(self.header[:40])
            raise FileRefused(
                self.file.name, f"{detail} It has: {names}.", code="columns", expected=name
            )
        return self.header.index(name)

    def get_column(self, name: str) -> int | None:
        return self.header.index(name) if name in self.header else None

    def __iter__(self) -> Iterator[TableRow | MalformedRow]:
        with self.file.open() as stream:
            lines = LineReader(self.file, stream)
            rows = self._split_rows(lines) if self._is_plain else self._parse_rows(lines)
            width = len(self.header)
            if not self._given_header:
                next(rows, None)
            for row in rows:
                if isinstance(row, TableRow) and len(row.cells) != width:
                    cells = "1 cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"
                    detail = f"{cells}, the header has {width}"
                    yield self.builder.malformed_row(row.line, "columns", detail)
                else:
                    yield row

    @property
    def _is_plain(self) -> bool:
        return self.layout.quoting is Quoting.NONE

    def _read_header(self) -> list[str]:
        beginning = self.file.head(4)
        if beginning.startswith(UTF16_MARKS):
            raise utf16_error(self.file.name)
        with self.file.open() as stream:
            lines = LineReader(self.file, stream)
            rows = self._split_rows(lines) if self._is_plain else self._parse_rows(lines)
            first = next(rows, None)
        if first is None:
            detail = f"{self.file.name} is empty: it has no header line."
            raise FileRefused(self.file.name, detail, code="columns")
        if not isinstance(first, TableRow):
            detail = f"The header line of {self.file.name} cannot be read."
            raise FileRefused(self.file.name, detail, code="columns")
        return first.cells

    def _split_rows(self, lines: LineReader) -> Iterator[TableRow | MalformedRow]:
        delimiter, comment = self.layout.delimiter, self.layout.comment
        for text in lines:
            fault = lines.take_fault()
            line = text.removesuffix("\n").removesuffix("\r")
            if lines.number == 1:
                line = line.removeprefix(BYTE_ORDER_MARK)
            if fault:
                yield self.builder.malformed_row(lines.number, *fault)
            elif line and not (comment and line.startswith(comment)):
                yield TableRow(lines.number, line.split(delimiter))

    def _parse_rows(self, lines: LineReader) -> Iterator[TableRow | MalformedRow]:
        # The limit of a cell is global to the process, so it is only ever raised.
        csv.field_size_limit(max(csv.field_size_limit(), self.file.limits.text))
        row = _QuotedRowLines(lines, self.file.limits)
        reader = csv.reader(
            row,
            delimiter=self.layout.delimiter,
            escapechar="\\" if self.layout.quoting is Quoting.ESCAPED else None,
            strict=True,
        )
        while True:
            begins, row.size = lines.number + 1, 0
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                reason = "too_long" if "limit" in str(error) else "quotes"
                lines.take_fault()
                yield self.builder.malformed_row(begins, reason, str(error))
                continue
            fault = lines.take_fault()
            if fault:
                yield self.builder.malformed_row(begins, *fault)
            elif cells:
                yield TableRow(begins, cells)


class _QuotedRowLines:
    """Feeds lines to the CSV parser, and limits the length of a row that spans several lines.

    Without a limit, a file with a quotation mark that is never closed would be one row. The
    parser's own limit of a cell does not do: other readers of the process may have raised it.
    """

    def __init__(self, lines: LineReader, limits: ReadLimits) -> None:
        self.size = 0
        self._lines, self._max_length = lines, limits.line_bytes
        self._max_quoted = min(limits.text, limits.line_bytes)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        limit = self._max_quoted if self.size else self._max_length
        self.size += len(line)
        if self.size > limit:
            raise csv.Error(f"row larger than the limit ({limit:,})")
        return line.removeprefix(BYTE_ORDER_MARK) if self._lines.number == 1 else line
