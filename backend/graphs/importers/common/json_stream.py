"""Stream large JSON: the items of top-level lists of one object, and JSON lines."""

from __future__ import annotations

import codecs
import itertools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, TypeVar

from backend.graphs.importers.common.delimited_reader import BYTE_ORDER_MARK, LineReader
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.source_records import MalformedRow

CHUNK_BYTES = 2**18
MAX_KEYS = 10_000
MAX_TOKEN_LENGTH = 5_000
"""Longer than any number that Python parses; strings may be longer."""
WHITESPACE = re.compile(r"[ \t\r\n]*")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class JsonItem:
    """One value, the line on which it ends, and its index in its list."""

    line: int
    index: int
    value: object


def _reject_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


DECODER = json.JSONDecoder(parse_constant=_reject_constant)


def read_json_lines(file: InputFile) -> Iterator[JsonItem | MalformedRow]:
    """Read one JSON value per line; an invalid line is dropped and reading continues."""
    maker = RecordBuilder(file.name, file.limits)
    with file.open() as stream:
        lines = LineReader(file, stream)
        for text in lines:
            line = text.removeprefix(BYTE_ORDER_MARK) if lines.number == 1 else text
            if fault := lines.take_fault():
                yield maker.malformed_row(lines.number, *fault)
            elif line.strip():
                yield _parse_line(maker, lines.number, line)


def _parse_line(maker: RecordBuilder, number: int, text: str) -> JsonItem | MalformedRow:
    try:
        return JsonItem(number, number - 1, DECODER.decode(text))
    except (ValueError, RecursionError) as error:
        return maker.malformed_row(number, "json", f"{error}: {text}")


def read_json_items(file: InputFile, *keys: str) -> Iterator[JsonItem]:
    """Read the items of the lists under these keys. Other keys are skipped."""
    with file.open() as stream:
        text = _JsonWindow(file, stream)
        for key in _read_keys(text):
            for item in _read_list(text) if text.peek() == "[" else _skip_value(text):
                if key in keys:
                    yield item


def json_reader(
    make: Callable[[RecordBuilder, JsonItem], Row], *keys: str
) -> Callable[[InputFile], Iterator[Row]]:
    """A function that makes a row of each item of the lists under these keys of a file."""

    def read(file: InputFile) -> Iterator[Row]:
        maker = RecordBuilder(file.name, file.limits)
        return (make(maker, item) for item in read_json_items(file, *keys))

    return read


def read_json_value(file: InputFile, name: str) -> object:
    """Read the value under a key, unless it is a list; None if the object lacks the key."""
    with file.open() as stream:
        text = _JsonWindow(file, stream)
        for key in _read_keys(text):
            if text.peek() == "[":
                for _ in _read_list(text):
                    pass
            elif (value := text.read_value()) is not None and key == name:
                return value
    return None


def _read_keys(text: _JsonWindow) -> Iterator[object]:
    """Read the keys of the top-level object; the caller must read each value."""
    text.expect("{")
    for count in itertools.count():
        sign = text.peek()
        if sign == "}":
            return
        if count == MAX_KEYS:
            text.refuse(f"the object has more than {MAX_KEYS:,} keys")
        if sign == ",":
            text.expect(",")
        key = text.read_value()
        text.expect(":")
        yield key


def _skip_value(text: _JsonWindow) -> Iterator[JsonItem]:
    text.read_value()
    return iter(())


def _read_list(text: _JsonWindow) -> Iterator[JsonItem]:
    text.expect("[")
    index = 0
    while (sign := text.peek()) != "]":
        if index:
            text.expect(",")
        elif sign == ",":
            text.refuse("a comma before the first item")
        value = text.read_value()
        yield JsonItem(text.line, index, value)
        index += 1
    text.expect("]")


class _JsonWindow:
    """A sliding window on a long text, so that only the current value is in memory."""

    def __init__(self, file: InputFile, stream: IO[bytes]) -> None:
        self.line = 1
        self._file = file
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._text = ""
        self._at = 0
        self._ended = False
        self._read_more()
        self._text = self._text.removeprefix(BYTE_ORDER_MARK)

    def peek(self) -> str:
        """The next character that is not whitespace, without consuming it."""
        while True:
            space = _end_of_whitespace(self._text, self._at)
            self.line += self._text.count("\n", self._at, space)
            self._at = space
            if self._at < len(self._text):
                return self._text[self._at]
            self._read_more(needed=True)

    def expect(self, sign: str) -> None:
        actual = self.peek()
        if actual != sign:
            self.refuse(f"{actual!r} where {sign!r} belongs")
        self._at += 1

    def read_value(self) -> object:
        """Parse the next value. If it reaches the end of the window, the window grows first."""
        self.peek()
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                if self._ended or not self._may_be_incomplete(error):
                    self.refuse(str(error), cut_off=self._is_truncated(error))
            else:
                if end < len(self._text) or self._ended:
                    self.line += self._text.count("\n", self._at, end)
                    self._at = end
                    return value
            self._read_more()

    def _may_be_incomplete(self, error: Exception) -> bool:
        """Whether the error may be due to text beyond the end of the window."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        near_the_end = error.pos >= len(self._text) - MAX_TOKEN_LENGTH
        return near_the_end or error.msg.startswith("Unterminated string")

    def _is_truncated(self, error: Exception) -> bool:
        """Whether the error is that the text ends too early."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        return error.msg.startswith("Unterminated") or error.pos >= len(self._text.rstrip())

    def refuse(self, what: str, *, cut_off: bool = False) -> None:
        code, problem = ("truncated", "ends too early") if cut_off else ("json", "is not JSON")
        detail = f"{self._file.name} {problem}, line {self.line:,}: {what}."
        raise FileRefused(self._file.name, detail, code=code)

    def _read_more(self, *, needed: bool = False) -> None:
        """Discard consumed text and read as much as is left, so that the total time is linear."""
        if len(self._text) - self._at > self._file.limits.line_bytes:
            self.refuse("one value is longer than allowed")
        size = max(CHUNK_BYTES, len(self._text) - self._at)
        data = self._stream.read(size)
        self._ended = not data
        if self._ended and needed:
            self.refuse("nothing follows", cut_off=True)
        try:
            text = self._decode(data, final=self._ended)
        except UnicodeDecodeError as error:
            detail = f"{self._file.name} is not UTF-8, after line {self.line:,}: {error.reason}."
            raise FileRefused(self._file.name, detail, code="encoding") from error
        self._text = self._text[self._at :] + text
        self._at = 0


def _end_of_whitespace(text: str, at: int) -> int:
    space = WHITESPACE.match(text, at)
    return space.end() if space else at
