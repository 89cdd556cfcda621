"""Reads tables of text line by line, in memory that does not grow with the file.

A row that cannot be read is given as Malformed, with its line and a reason, and reading goes
on. Cells are kept byte for byte: only what the way of writing itself adds is taken off (a mark
of byte order, line ends, the quotation marks of CSV).
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import IO

from backend.graphs.importers.files import FileRefused, InputFile
from backend.graphs.importers.making import Maker
from backend.graphs.rows import Malformed

BYTE_ORDER = "\ufeff"
OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff")


def in_utf_16(name: str) -> FileRefused:
    detail = f"{name} is UTF-16. Save it as UTF-8."
    return FileRefused(name, detail, code="encoding", expected="UTF-8")


class Quoting(Enum):
    NONE = "none"
    """A tab or comma always ends a cell; a quotation mark is a character as any other."""
    CSV = "csv"
    """RFC 4180: a cell in quotation marks may hold anything; a mark inside it is doubled."""
    ESCAPED = "escaped"
    """As CSV, and a backslash takes the next character as it is (what Neo4j's LOAD CSV reads)."""


@dataclass(frozen=True, slots=True)
class Layout:
    delimiter: str = "\t"
    quoting: Quoting = Quoting.NONE


TSV = Layout()
CSV = Layout(",", Quoting.CSV)


@dataclass(frozen=True, slots=True)
class Cells:
    """One row of a table, with the number of the line that it begins on."""

    line: int
    cells: list[str]


class Lines:
    """The lines of a stream as text. After each, `fault` says what is wrong with it, if anything.

    A line that is too long is given as an empty one: what belongs to it is skipped in pieces.
    """

    def __init__(self, file: InputFile, stream: IO[bytes]) -> None:
        self.number = 0
        self.fault: tuple[str, str] | None = None
        self._file = file
        self._stream = stream
        self._most = file.limits.line_bytes

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        line = self._next_bytes()
        if not line:
            raise StopIteration
        self.number += 1
        if len(line) > self._most:
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

    def take_fault(self) -> tuple[str, str] | None:
        fault, self.fault = self.fault, None
        return fault

    def _next_bytes(self) -> bytes:
        try:
            return self._stream.readline(self._most + 1)
        except FileRefused as refused:
            detail = f"{refused.detail} The last whole line was line {self.number:,}."
            raise FileRefused(refused.file, detail, code=refused.code) from refused

    def _skip_rest(self, line: bytes) -> None:
        while line and not line.endswith(b"\n"):
            line = self._stream.readline(self._most)


class Table:
    """A table with a header line. Columns are found by name, whatever their order."""

    def __init__(self, file: InputFile, layout: Layout = TSV, header: Sequence[str] = ()) -> None:
        """`header` names the columns of a file that has no header line of its own."""
        self.file = file
        self.layout = layout
        self.maker = Maker(file.name, file.limits)
        self._given = list(header)
        self.header = self._given or self._read_header()
        counts = Counter(self.header)
        doubled = sorted(name for name, count in counts.items() if name and count > 1)
        if doubled:
            detail = f"{file.name} has the column {doubled[0]} twice."
            raise FileRefused(file.name, detail, code="columns")

    def column(self, name: str) -> int:
        if name not in self.header:
            detail = f"{self.file.name} has no column {name}."
            found = ", ".join(self.header[:40])
            raise FileRefused(
                self.file.name, f"{detail} It has: {found}.", code="columns", expected=name
            )
        return self.header.index(name)

    def get_column(self, name: str) -> int | None:
        return self.header.index(name) if name in self.header else None

    def __iter__(self) -> Iterator[Cells | Malformed]:
        with self.file.open() as stream:
            lines = Lines(self.file, stream)
            rows = self._split(lines) if self._is_plain else self._parsed(lines)
            width = len(self.header)
            if not self._given:
                next(rows, None)
            for row in rows:
                if isinstance(row, Cells) and len(row.cells) != width:
                    cells = "1 cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"
                    detail = f"{cells}, the header has {width}"
                    yield self.maker.drop(row.line, "columns", detail)
                else:
                    yield row

    @property
    def _is_plain(self) -> bool:
        return self.layout.quoting is Quoting.NONE

    def _read_header(self) -> list[str]:
        beginning = self.file.head(4)
        if beginning.startswith(OTHER_ENCODINGS):
            raise in_utf_16(self.file.name)
        with self.file.open() as stream:
            lines = Lines(self.file, stream)
            rows = self._split(lines) if self._is_plain else self._parsed(lines)
            first = next(rows, None)
        if not isinstance(first, Cells):
            detail = f"{self.file.name} has no header that can be read."
            raise FileRefused(self.file.name, detail, code="columns")
        return first.cells

    def _split(self, lines: Lines) -> Iterator[Cells | Malformed]:
        delimiter = self.layout.delimiter
        for text in lines:
            fault = lines.take_fault()
            line = text.removesuffix("\n").removesuffix("\r")
            if lines.number == 1:
                line = line.removeprefix(BYTE_ORDER)
            if fault:
                yield self.maker.drop(lines.number, *fault)
            elif line:
                yield Cells(lines.number, line.split(delimiter))

    def _parsed(self, lines: Lines) -> Iterator[Cells | Malformed]:
        # The bound of a cell is one for the whole process; it is only ever made wider.
        csv.field_size_limit(max(csv.field_size_limit(), self.file.limits.text))
        row = _RowOfLines(lines, self.file.limits.line_bytes)
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
                yield self.maker.drop(begins, reason, str(error))
                continue
            fault = lines.take_fault()
            if fault:
                yield self.maker.drop(begins, *fault)
            elif cells:
                yield Cells(begins, cells)


class _RowOfLines:
    """The lines of a row, which may be many where cells are quoted, but no more than one may hold.

    Without a bound, a file in which every line opens a quotation mark anew is one row.
    """

    def __init__(self, lines: Lines, most: int) -> None:
        self.size = 0
        self._lines, self._most = lines, most

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.size += len(line)
        if self.size > self._most:
            raise csv.Error(f"row larger than the limit ({self._most:,})")
        return line.removeprefix(BYTE_ORDER) if self._lines.number == 1 else line
