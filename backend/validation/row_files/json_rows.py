"""JSON Lines, and JSON files that are one list, as batches of JSON texts."""

import codecs
import json
import re
from collections.abc import Iterator

from backend.validation.row_files.batches import JsonBatch
from backend.validation.row_files.compression import LimitedStream
from backend.validation.row_files.faults import FileRefused, RowFaultList
from backend.validation.row_files.limits import ReadLimits
from backend.validation.row_files.lines import line_blocks, read_blocks
from backend.validation.row_files.number_lists import ListBatch, ListFields, lists_of_json

SPACE = re.compile(r"[ \t\n\r]*")
# Only the end of each element is needed, so numbers stay text: no limit on digits applies.
DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


def read_json_lines(
    stream: LimitedStream, limits: ReadLimits, faults: RowFaultList, fields: ListFields | None
) -> Iterator[JsonBatch | ListBatch]:
    for first, block in line_blocks(stream, limits, faults):
        text = block.removesuffix(b"\n")
        if fields is not None and (batch := lists_of_json(text, fields, first)) is not None:
            yield batch
            continue
        texts = text.split(b"\n")
        lines: list[int] | range = range(first, first + len(texts))
        if not all(texts) or block.isspace():
            rows = [(line, text) for line, text in zip(lines, texts, strict=True) if text.strip()]
            lines, texts = [line for line, _ in rows], [text for _, text in rows]
        if texts:
            yield JsonBatch(lines, texts)


def read_json_list(
    stream: LimitedStream, limits: ReadLimits, _faults: RowFaultList
) -> Iterator[JsonBatch]:
    """The elements of the list. Raises FileRefused where the text stops being a list."""
    scanner = ListScanner(limits)
    decoder = codecs.getincrementaldecoder("utf-8")()
    for block in read_blocks(stream, limits):
        try:
            text = decoder.decode(block)
        except UnicodeDecodeError as error:
            message = "This is not UTF-8 text."
            line = scanner.last_line + block.count(b"\n", 0, error.start)
            raise FileRefused("not_utf8", message, "UTF-8 text", line) from error
        yield from scanner.feed(text)
    yield from scanner.finish()


def is_cut_off(error: json.JSONDecodeError) -> bool:
    """Whether the element may be valid once more of the text has arrived."""
    return error.msg.startswith("Unterminated string") or error.pos >= len(error.doc) - 16


class ListScanner:
    """Splits the text of a JSON list into its elements as it arrives."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._text = ""
        self._position = 0
        self._line = 1  # at the position
        self._expects = "["  # then "value", "," or "end"
        self._is_first = True

    @property
    def last_line(self) -> int:
        return self._line + self._text.count("\n", self._position)

    def feed(self, text: str, *, is_last: bool = False) -> Iterator[JsonBatch]:
        self._text = self._text[self._position :] + text
        self._position = 0
        lines: list[int] = []
        texts: list[bytes] = []
        while (element := self._next_element(is_last=is_last)) is not None:
            lines.append(element[0])
            texts.append(element[1].encode("utf-8", "surrogatepass"))
        if lines:
            yield JsonBatch(lines, texts)
        if len(self._text) - self._position > self._limits.row_bytes:
            expected = f"at most {self._limits.row_bytes:,} bytes"
            raise FileRefused("too_long", "This row is too long.", expected, self._line)

    def finish(self) -> Iterator[JsonBatch]:
        yield from self.feed("", is_last=True)
        if self._expects != "end":
            raise self._not_json("the list is not closed")

    def _next_element(self, *, is_last: bool) -> tuple[int, str] | None:
        """The line and the text of the next whole element, or None where the text ends."""
        while (sign := self._next_sign()) and (self._expects != "value" or sign == "]"):
            if sign == "]" and (self._expects == "," or self._is_first):
                self._expects = "end"
            elif sign == self._expects:
                self._expects = "value"
            else:
                raise self._not_json("a list of objects was expected")
            self._move_to(self._position + 1)
        return self._decode_element(is_last=is_last) if sign else None

    def _next_sign(self) -> str:
        space = SPACE.match(self._text, self._position)
        if space is not None:
            self._move_to(space.end())
        sign = self._text[self._position : self._position + 1]
        if sign and (self._expects == "end" or (self._expects == "[" and sign != "[")):
            raise self._not_json("the file is more or other than one list")
        return sign

    def _decode_element(self, *, is_last: bool) -> tuple[int, str] | None:
        try:
            _, end = DECODER.raw_decode(self._text, self._position)
        except json.JSONDecodeError as error:
            if is_last or not is_cut_off(error):
                raise self._not_json(error.msg) from error
            return None
        except RecursionError as error:
            raise self._not_json("it is nested too deeply") from error
        if end == len(self._text) and not is_last:
            return None
        line, text = self._line, self._text[self._position : end]
        self._move_to(end)
        self._expects, self._is_first = ",", False
        return line, text

    def _move_to(self, end: int) -> None:
        self._line += self._text.count("\n", self._position, end)
        self._position = end

    def _not_json(self, reason: str) -> FileRefused:
        message = f"This is not a JSON list: {reason}."
        return FileRefused("not_json", message, "a list of objects: [{…}, {…}]", self._line)
