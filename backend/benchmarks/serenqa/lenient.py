"""JSON as people print it, read without losing a byte of what it says.

SerenQA's appendix A.3 is no valid JSON: a comma stands before a closing bracket, and an object in
a list is not closed before the next one begins. Both are read as they are meant, with a notice;
so are objects that follow one another without a list around them. Numbers keep the way in which
they are written, fields their order. What cannot be understood is a fault with its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from backend.benchmarks.reading import MOST_VALUES, Faults, Node, Object, decoded

DEEPEST = 60
LONGEST_INTEGER = 300  # digits; whatever is longer is kept as it is written
NOTICES_LISTED = 200
SPACE = re.compile(r"[ \t\n\r]*")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.+-])")
WORDS = {"true": True, "false": False, "null": None}
Note = Callable[[str], None]


class Written(float):
    """A number whose way of writing Python would not repeat: 1.50, 1e3, -0, very long ones."""

    def __new__(cls, text: str) -> Written:
        made = super().__new__(cls, text)
        made.text = text
        return made

    text: str


def number_of(text: str) -> int | float:
    """The number, which knows how it was written if that is not how Python would."""
    if len(text.lstrip("-")) <= LONGEST_INTEGER and text.lstrip("-").isdigit():
        whole = int(text)
        return whole if str(whole) == text else Written(text)
    value = float(text)
    return value if repr(value) == text else Written(text)


def read_values(name: str, content: bytes, faults: Faults, note: Note) -> list[Node]:
    """What stands in a file: the items of its one list, or the objects one after the other.

    Faults: what is not JSON even so, fields given twice, and what is too large.
    """
    text = decoded(name, content, faults)
    if text is None:
        return []
    if sum(text.count(mark) for mark in ",[{") > MOST_VALUES:
        faults.add(name, "This file holds too many values.", f"at most {MOST_VALUES:,} values")
        return []
    values = _values(name, text, faults, note)
    for node in values:
        _check_once(node)
    return values


def _values(name: str, text: str, faults: Faults, note: Note) -> list[Node]:
    lines = [(place, line) for place, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and all(_is_object(line) for _, line in lines):
        # A line that is wrong keeps nobody from reading the next.
        parts = [(f"{name}, line {place}", line, place) for place, line in lines]
    else:
        parts = [(name, text, 1)]
    found: list[Node] = []
    for where, part, first in parts:
        try:
            values = _parsed(name, part, first, note)
        except _NotJson as error:
            message = f"This is not JSON: {error}"
            faults.add(f"{name}, {error.place}", message, "a JSON file", "not_json")
        else:
            found += [Node(value, where, faults) for value in values]
    return found


def _is_object(line: str) -> bool:
    line = line.strip()
    return line.startswith("{") and line.endswith("}")


def _parsed(name: str, text: str, first_line: int, note: Note) -> list[object]:
    """Strictly if it can be, which is fast; else with what is known to be printed wrongly."""
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=Object,
            parse_int=number_of,
            parse_float=number_of,
            parse_constant=_refuse_constant,
        )
    except (ValueError, RecursionError):
        return _Reader(name, text, first_line, note).values()
    return [*value] if isinstance(value, list) else [value]


def _refuse_constant(word: str) -> object:
    raise ValueError(word)


def _check_once(node: Node) -> None:
    """A field that is given twice would lose one of its values; very deep ones help nobody."""
    open_ = [(node, 0)]
    while open_:
        one, depth = open_.pop()
        inside: list[Node] = []
        if isinstance(one.value, Object):
            for name in one.value.repeated:
                one.field(name).wrong("This field is given more than once.", "each field once")
            inside = [one.field(name) for name in one.value]
        elif isinstance(one.value, list):
            inside = one.items(0, len(one.value), "values")
        if inside and depth == DEEPEST:
            node.wrong("This is nested too deeply.", f"at most {DEEPEST} levels")
            return
        open_ += [(it, depth + 1) for it in inside]


class _NotJson(Exception):
    def __init__(self, sentence: str, place: str) -> None:
        super().__init__(sentence)
        self.place = place


@dataclass(frozen=True)
class _Unclosed:
    """An object that ended where the next one of its list began."""

    value: Object


@dataclass
class _Reader:
    name: str
    text: str
    first_line: int
    note: Note
    at: int = 0
    told: int = 0

    def values(self) -> list[object]:
        found: list[object] = []
        while self._peek():
            if found and self._peek() == ",":
                self._take(",")
            found.append(self._value(0))
        if len(found) == 1 and isinstance(found[0], list):
            return [*found[0]]
        if len(found) > 1:
            self._tell("the objects of this file are not in a list", 0)
        return found

    def _value(self, depth: int, in_list: bool = False) -> object:
        if depth > DEEPEST:
            raise self._wrong("it is nested too deeply.")
        match self._peek():
            case "{":
                return self._object(depth, in_list)
            case "[":
                return self._list(depth)
            case '"':
                return self._string()
        for word, value in WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        match = NUMBER.match(self.text, self.at)
        if match is None:
            raise self._wrong("a value is expected here.")
        self.at = match.end()
        return number_of(match[0])

    def _object(self, depth: int, in_list: bool) -> Object | _Unclosed:
        self._take("{")
        pairs: list[tuple[str, object]] = []
        while (mark := self._peek()) != "}":
            if mark == "{" and pairs and in_list:
                self._tell("an object is not closed before the next one begins", self.at)
                return _Unclosed(Object(pairs))
            if mark != '"':
                raise self._wrong("a field's name in double quotes is expected here.")
            field = self._string()
            self._take(":")
            pairs.append((field, self._value(depth + 1)))
            self._comma("}")
        self._take("}")
        return Object(pairs)

    def _list(self, depth: int) -> list[object]:
        self._take("[")
        items: list[object] = []
        while self._peek() != "]":
            item = self._value(depth + 1, in_list=True)
            if isinstance(item, _Unclosed):
                items.append(item.value)
                continue
            items.append(item)
            self._comma("]")
        self._take("]")
        return items

    def _comma(self, closing: str) -> None:
        """A comma, or the end; a comma before the end means nothing."""
        if self._peek() == closing:
            return
        place = self.at
        self._take(",")
        if self._peek() == closing:
            self._tell("a comma stands before a closing bracket", place)

    def _string(self) -> str:
        match = STRING.match(self.text, self.at)
        if match is None:
            raise self._wrong("this text has no end.")
        try:
            value: str = json.loads(match[0], strict=False)
        except ValueError:
            raise self._wrong("this text has a backslash that means nothing.") from None
        self.at = match.end()
        return value

    def _peek(self) -> str:
        space = SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _take(self, mark: str) -> None:
        if self._peek() != mark:
            raise self._wrong(f"'{mark}' is expected here.")
        self.at += 1

    def _place(self, at: int) -> str:
        line = self.first_line + self.text.count("\n", 0, at)
        return f"line {line}, column {at - self.text.rfind(chr(10), 0, at)}"

    def _wrong(self, sentence: str) -> _NotJson:
        return _NotJson(sentence, self._place(self.at))

    def _tell(self, what: str, at: int) -> None:
        """Finding a place takes as long as the text before it: not more often than it is read."""
        self.told += 1
        if self.told <= NOTICES_LISTED:
            self.note(f"{self.name}, {self._place(at)}: {what}.")
