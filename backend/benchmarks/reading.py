"""Strict reading of JSON that a stranger wrote: every wrong place is named, none is skipped.

A Node is a value with its place in the file. Its methods return what was asked for or note a
fault and return a harmless value of the same type, so that one reading finds all faults.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from backend.common.errors import Fault

LARGEST_FILE = 20_000_000
MOST_VALUES = 1_000_000
FAULTS_LISTED = 200
LONGEST_NUMBER = 18
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
CONTROLS_OR_SPACE = re.compile(r"[\x00-\x20\x7f]")


def shown(text: str, longest: int = 60) -> str:
    """Text made safe to print: unprintable characters escaped, long ones cut."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()
        for char in cut
    )


@dataclass
class Faults:
    """What is wrong. All are counted; the first are kept."""

    listed: list[Fault] = field(default_factory=list)
    total: int = 0

    @classmethod
    def of(cls, faults: Iterable[Fault]) -> "Faults":
        made = cls()
        for fault in faults:
            made.add(fault.place, fault.message, fault.expected, fault.code)
        return made

    def add(self, place: str, message: str, expected: str = "", code: str = "invalid") -> None:
        self.total += 1
        if len(self.listed) < FAULTS_LISTED:
            self.listed.append(Fault(place, message, code, expected))


class Object(dict[str, object]):
    """A JSON object that remembers which of its fields were given twice."""

    __slots__ = ("repeated",)

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.repeated: tuple[str, ...] = ()
        if len(self) < len(pairs):
            times = Counter(name for name, _ in pairs)
            self.repeated = tuple(name for name in times if times[name] > 1)


class NotANumber(ValueError):
    pass


def _refuse_constant(word: str) -> object:
    raise NotANumber(f"{word} is not a JSON number.")


def _whole(digits: str) -> int | float:
    # Python refuses to convert very long integers; none of them is a valid value here.
    return int(digits) if len(digits) <= LONGEST_NUMBER else float(digits)


@dataclass(frozen=True)
class Node:
    """A value, and the words that say where it stands: `where`, then the `path` inside."""

    value: object
    where: str
    faults: Faults
    path: str = ""

    @property
    def place(self) -> str:
        return f"{self.where}, {self.path}" if self.path else self.where

    def wrong(self, message: str, expected: str = "", code: str = "invalid") -> None:
        self.faults.add(self.place, message, expected, code)

    def object(self, known: tuple[str, ...], ignored: Callable[[str], None]) -> "Node | None":
        """This node if it is an object without repeated fields; unknown ones go to `ignored`."""
        if not isinstance(self.value, Object):
            self.wrong(f"This is {kind(self.value)}.", f"an object with {', '.join(known)}")
            return None
        for name in self.value.repeated:
            self.wrong(f"The field '{shown(name)}' is given more than once.", "each field once")
        for name in self.value:
            if name not in known:
                ignored(name)
        return self

    def items(self, least: int, most: int, of: str) -> "list[Node]":
        """What is in too short a list is read all the same: its own faults are told with that."""
        expected = f"a list of {least} to {most:,} {of}"
        if not isinstance(self.value, list):
            self.wrong(f"This is {kind(self.value)}.", expected)
            return []
        if not least <= len(self.value) <= most:
            self.wrong(f"This list holds {len(self.value):,}.", expected)
        if len(self.value) > most:
            return []
        return [
            Node(item, self.where, self.faults, f"{self.path}[{index}]")
            for index, item in enumerate(self.value)
        ]

    def field(self, name: str) -> "Node":
        value = self.value.get(name, MISSING) if isinstance(self.value, dict) else MISSING
        return Node(value, self.where, self.faults, f"{self.path}.{name}".lstrip("."))

    def whole(self, least: int, most: int) -> int:
        expected = f"a whole number from {least} to {most:,}"
        if type(self.value) is not int:
            self.wrong(f"This is {kind(self.value)}.", expected)
        elif not least <= self.value <= most:
            self.wrong(f"This is {self.value}.", expected)
        else:
            return self.value
        return least

    def text(self, longest: int, *, empty: bool = False) -> str:
        expected = f"text of {0 if empty else 1} to {longest:,} characters"
        if not isinstance(self.value, str):
            self.wrong(f"This is {kind(self.value)}.", expected)
        elif len(self.value) > longest:
            self.wrong(f"This text has {len(self.value):,} characters.", expected)
        elif not empty and not self.value.strip():
            self.wrong("This text is empty.", expected)
        elif UNSTORABLE.search(self.value):
            found = UNSTORABLE.findall(self.value)[0]
            self.wrong(f"This text holds {shown(found)}, which is not a character.", expected)
        else:
            return self.value
        return ""

    def link(self, longest: int) -> str:
        before = self.faults.total
        link = self.text(longest, empty=True)
        if link and self.faults.total == before and not is_web_address(link):
            expected = "an address that begins with http:// or https://, or empty text"
            self.wrong(f"'{shown(link)}' is not a web address.", expected, "not_a_web_address")
        return link


MISSING = object()


def kind(value: object) -> str:
    """What a value is, in words for the person who wrote the file."""
    if value is MISSING:
        return "missing"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text '{shown(value)}'"
    return "a list" if isinstance(value, list) else "an object"


def is_web_address(link: str) -> bool:
    """Whether a browser that follows it can only reach another page."""
    if CONTROLS_OR_SPACE.search(link):
        return False
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def read_json(name: str, content: bytes, faults: Faults) -> Node | None:
    """The file's value, or None with the reason among the faults."""
    text = decoded(name, content, faults)
    if text is None:
        return None
    if sum(text.count(mark) for mark in ",[{") > MOST_VALUES:
        faults.add(name, "This file holds too many values.", f"at most {MOST_VALUES:,} values")
        return None
    try:
        value: object = json.loads(
            text, object_pairs_hook=Object, parse_int=_whole, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        place = f"{name}, line {error.lineno}, column {error.colno}"
        faults.add(place, f"This is not JSON: {error.msg}.", "a JSON file", "not_json")
    except NotANumber as error:
        faults.add(name, f"This is not JSON: {error}", "a JSON file", "not_json")
    except RecursionError:
        faults.add(name, "This file is nested too deeply.", "a list of questions", "not_json")
    else:
        return Node(value, name, faults)
    return None


def decoded(name: str, content: bytes, faults: Faults) -> str | None:
    """The file's text, or None with the reason among the faults."""
    if len(content) > LARGEST_FILE:
        faults.add(
            name,
            "This file is too large.",
            f"at most {LARGEST_FILE:,} bytes",
            "too_large",
        )
        return None
    try:
        # A mark of byte order at the beginning is no part of the text.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        faults.add(f"{name}, line {line}", "This is not UTF-8 text.", "UTF-8 text", "not_utf8")
        return None
