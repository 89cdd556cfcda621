"""JSON too large for memory: the items of one list of the outermost object, and JSON lines."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from backend.graphs.importers.files import FileRefused, InputFile
from backend.graphs.importers.making import Maker
from backend.graphs.importers.reading import BYTE_ORDER, Lines
from backend.graphs.rows import Malformed

PIECE = 2**18
LONGEST_TOKEN = 5_000
"""More than the longest number that Python reads; a string may be longer."""
SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Item:
    """One value, the line that it ends on, and its place in its list."""

    line: int
    index: int
    value: object


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


DECODER = json.JSONDecoder(parse_constant=_no_constant)


def json_lines(file: InputFile) -> Iterator[Item | Malformed]:
    """One JSON value a line; a line that is none is dropped, and reading goes on."""
    maker = Maker(file.name, file.limits)
    with file.open() as stream:
        lines = Lines(file, stream)
        for text in lines:
            line = text.removeprefix(BYTE_ORDER) if lines.number == 1 else text
            if fault := lines.take_fault():
                yield maker.drop(lines.number, *fault)
            elif line.strip():
                yield _line(maker, lines.number, line)


def _line(maker: Maker, number: int, text: str) -> Item | Malformed:
    try:
        return Item(number, number - 1, DECODER.decode(text))
    except (ValueError, RecursionError) as error:
        return maker.drop(number, "json", f"{error}: {text}")


def json_items(file: InputFile, *wanted: str) -> Iterator[Item]:
    """The items of the lists under these keys, one by one. Other keys are read over."""
    with file.open() as stream:
        text = _Window(file, stream)
        for key in _keys(text):
            for item in _listed(text) if text.peek() == "[" else _skipped(text):
                if key in wanted:
                    yield item


def json_value(file: InputFile, wanted: str) -> object:
    """The value under a key, which is no list; None where the object has no such key."""
    with file.open() as stream:
        text = _Window(file, stream)
        for key in _keys(text):
            if text.peek() == "[":
                for _ in _listed(text):
                    pass
            elif (value := text.value()) is not None and key == wanted:
                return value
    return None


def _keys(text: _Window) -> Iterator[object]:
    """The keys of the outermost object; whoever asks for them reads the value of each."""
    text.expect("{")
    while (sign := text.peek()) != "}":
        if sign == ",":
            text.expect(",")
        key = text.value()
        text.expect(":")
        yield key


def _skipped(text: _Window) -> Iterator[Item]:
    text.value()
    return iter(())


def _listed(text: _Window) -> Iterator[Item]:
    text.expect("[")
    index = 0
    while (sign := text.peek()) != "]":
        if index:
            text.expect(",")
        elif sign == ",":
            text.refuse("a comma before the first item")
        value = text.value()
        yield Item(text.line, index, value)
        index += 1
    text.expect("]")


class _Window:
    """A window on a long text: only what is being parsed is in memory."""

    def __init__(self, file: InputFile, stream: IO[bytes]) -> None:
        self.line = 1
        self._file = file
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._text = ""
        self._at = 0
        self._ended = False
        self._more()
        self._text = self._text.removeprefix(BYTE_ORDER)

    def peek(self) -> str:
        """The next sign that is not space, without taking it."""
        while True:
            space = _end_of_space(self._text, self._at)
            self.line += self._text.count("\n", self._at, space)
            self._at = space
            if self._at < len(self._text):
                return self._text[self._at]
            self._more(needed=True)

    def expect(self, sign: str) -> None:
        found = self.peek()
        if found != sign:
            self.refuse(f"{found!r} where {sign!r} belongs")
        self._at += 1

    def value(self) -> object:
        """The next value. One that touches the window's end may go on: the window grows first."""
        self.peek()
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                if self._ended or not self._may_go_on(error):
                    self.refuse(str(error), cut_off=self._is_cut_off(error))
            else:
                if end < len(self._text) or self._ended:
                    self.line += self._text.count("\n", self._at, end)
                    self._at = end
                    return value
            self._more()

    def _may_go_on(self, error: Exception) -> bool:
        """Whether the fault may be only that the rest of the value is not read yet."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        near_the_end = error.pos >= len(self._text) - LONGEST_TOKEN
        return near_the_end or error.msg.startswith("Unterminated string")

    def _is_cut_off(self, error: Exception) -> bool:
        """Whether what is wrong is that nothing follows."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        return error.msg.startswith("Unterminated") or error.pos >= len(self._text.rstrip())

    def refuse(self, what: str, *, cut_off: bool = False) -> None:
        code, said = ("truncated", "ends too early") if cut_off else ("json", "is not JSON")
        detail = f"{self._file.name} {said}, line {self.line:,}: {what}."
        raise FileRefused(self._file.name, detail, code=code)

    def _more(self, *, needed: bool = False) -> None:
        """Forget what is done with and read on; as much again as there is, to stay linear."""
        if len(self._text) - self._at > self._file.limits.line_bytes:
            self.refuse("one value is longer than is taken")
        size = max(PIECE, len(self._text) - self._at)
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


def _end_of_space(text: str, at: int) -> int:
    space = SPACE.match(text, at)
    return space.end() if space else at
