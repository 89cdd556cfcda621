"""A lenient JSON parser that preserves everything in the file.

The example in SerenQA's appendix A.3 is not valid JSON: a comma precedes a closing bracket, and an
object in a list is not closed before the next one begins. Both are accepted with a notice, as are
objects without a list around them. Numbers keep their notation and fields their order. Everything
else that is not JSON is a fault with its place.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from backend.benchmarks.lossless_json import parse_number
from backend.validation.faults import FaultList
from backend.validation.json_files import JsonObject, decode_utf8, has_too_many_values, place_of

MAX_DEPTH = 60
MAX_NOTICES = 200
WHITESPACE = re.compile(r"[ \t\n\r]*")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.+-])")
LITERALS = {"true": True, "false": False, "null": None}
NoticeCallback = Callable[[str], None]


class PlacedValue(NamedTuple):
    """A value and the file or line that it came from."""

    value: object
    place: str


def parse_json_values(
    name: str, content: bytes, faults: FaultList, note: NoticeCallback
) -> list[PlacedValue]:
    """The values of a file: the items of its list, or consecutive objects.

    Faults: invalid JSON, duplicate fields, files that are too large.
    """
    text = decode_utf8(name, content, faults)
    if text is None or has_too_many_values(name, text, faults):
        return []
    values = _parse_parts(name, text, faults, note)
    for value, place in values:
        _check_structure(value, place, faults)
    return values


def _parse_parts(
    name: str, text: str, faults: FaultList, note: NoticeCallback
) -> list[PlacedValue]:
    lines = [(place, line) for place, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and all(_looks_like_object(line) for _, line in lines):
        # A line with a fault does not affect the others.
        parts = [(f"{name}, line {place}", line, place) for place, line in lines]
    else:
        parts = [(name, text, 1)]
    result: list[PlacedValue] = []
    for where, part, first in parts:
        try:
            values = _parse_text(name, part, first, note)
        except _NotJson as error:
            message = f"This is not JSON: {error}"
            faults.add(f"{name}, {error.place}", message, "a JSON file", "not_json")
        else:
            result += [PlacedValue(value, where) for value in values]
    return result


def _looks_like_object(line: str) -> bool:
    line = line.strip()
    return line.startswith("{") and line.endswith("}")


def _parse_text(name: str, text: str, first_line: int, note: NoticeCallback) -> list[object]:
    """The strict parser first, which is fast; the lenient one if that fails."""
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=JsonObject,
            parse_int=parse_number,
            parse_float=parse_number,
            parse_constant=_refuse_constant,
        )
    except (ValueError, RecursionError):
        return _LenientParser(name, text, first_line, note).values()
    return [*value] if isinstance(value, list) else [value]


def _refuse_constant(word: str) -> object:
    raise ValueError(word)


def _check_structure(value: object, place: str, faults: FaultList) -> None:
    """Report duplicate fields, of which JSON would lose one, and excessive nesting."""
    open_: list[tuple[object, tuple[str | int, ...]]] = [(value, ())]
    while open_:
        one, path = open_.pop()
        inside: list[tuple[str | int, object]] = []
        if isinstance(one, JsonObject):
            for name in one.repeated_fields:
                message = "This field is given more than once."
                faults.add(place_of(place, (*path, name)), message, "each field once")
            one.repeated_fields = ()
            inside = [*one.items()]
        elif isinstance(one, list):
            inside = [*enumerate(one)]
        if inside and len(path) == MAX_DEPTH:
            faults.add(place, "This is nested too deeply.", f"at most {MAX_DEPTH} levels")
            return
        open_ += [(it, (*path, name)) for name, it in inside]


class _NotJson(Exception):
    def __init__(self, sentence: str, place: str) -> None:
        super().__init__(sentence)
        self.place = place


@dataclass(frozen=True)
class _UnclosedObject:
    """An object that ended where the next one of its list began."""

    value: JsonObject


@dataclass
class _LenientParser:
    name: str
    text: str
    first_line: int
    note: NoticeCallback
    at: int = 0
    notice_count: int = 0

    def values(self) -> list[object]:
        result: list[object] = []
        while self._peek():
            if result and self._peek() == ",":
                self._expect(",")
            result.append(self._parse_value(0))
        if len(result) == 1 and isinstance(result[0], list):
            return [*result[0]]
        if len(result) > 1:
            self._add_notice("the objects of this file are not in a list", 0)
        return result

    def _parse_value(self, depth: int, in_list: bool = False) -> object:
        if depth > MAX_DEPTH:
            raise self._error("it is nested too deeply.")
        match self._peek():
            case "{":
                return self._parse_object(depth, in_list)
            case "[":
                return self._parse_list(depth)
            case '"':
                return self._parse_string()
        for word, value in LITERALS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        match = NUMBER.match(self.text, self.at)
        if match is None:
            raise self._error("a value is expected here.")
        self.at = match.end()
        return parse_number(match[0])

    def _parse_object(self, depth: int, in_list: bool) -> JsonObject | _UnclosedObject:
        self._expect("{")
        pairs: list[tuple[str, object]] = []
        while (mark := self._peek()) != "}":
            if mark == "{" and pairs and in_list:
                self._add_notice("an object is not closed before the next one begins", self.at)
                return _UnclosedObject(JsonObject(pairs))
            if mark != '"':
                raise self._error("a field's name in double quotes is expected here.")
            field = self._parse_string()
            self._expect(":")
            pairs.append((field, self._parse_value(depth + 1)))
            self._skip_comma("}")
        self._expect("}")
        return JsonObject(pairs)

    def _parse_list(self, depth: int) -> list[object]:
        self._expect("[")
        items: list[object] = []
        while self._peek() != "]":
            item = self._parse_value(depth + 1, in_list=True)
            if isinstance(item, _UnclosedObject):
                items.append(item.value)
                continue
            items.append(item)
            self._skip_comma("]")
        self._expect("]")
        return items

    def _skip_comma(self, closing: str) -> None:
        """A comma or the end; a comma before the end is ignored with a notice."""
        if self._peek() == closing:
            return
        place = self.at
        self._expect(",")
        if self._peek() == closing:
            self._add_notice("a comma stands before a closing bracket", place)

    def _parse_string(self) -> str:
        match = STRING.match(self.text, self.at)
        if match is None:
            raise self._error("this text has no end.")
        try:
            value: str = json.loads(match[0], strict=False)
        except ValueError:
            raise self._error("this text has a backslash that means nothing.") from None
        self.at = match.end()
        return value

    def _peek(self) -> str:
        space = WHITESPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _expect(self, mark: str) -> None:
        if self._peek() != mark:
            raise self._error(f"'{mark}' is expected here.")
        self.at += 1

    def _place(self, at: int) -> str:
        line = self.first_line + self.text.count("\n", 0, at)
        return f"line {line}, column {at - self.text.rfind(chr(10), 0, at)}"

    def _error(self, sentence: str) -> _NotJson:
        return _NotJson(sentence, self._place(self.at))

    def _add_notice(self, what: str, at: int) -> None:
        """Limited, because finding its line takes time proportional to the text before it."""
        self.notice_count += 1
        if self.notice_count <= MAX_NOTICES:
            self.note(f"{self.name}, {self._place(at)}: {what}.")
