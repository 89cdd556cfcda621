"""Faults of the rows of a file: where each is, what was expected and what was given."""

import json
import math
import re
from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from backend.validation.faults import MAX_FAULTS_LISTED, Fault, printable
from backend.validation.json_files import FAULT, full_path


@dataclass(frozen=True)
class RowFault:
    """`line` counts from 1 (rows of a Parquet file likewise); 0 means the file as a whole.

    `message` is a sentence about what is there, `expected` what to give in its place. `item` is the
    key of the item that the row names, as far as it can be read.
    """

    line: int
    field: str
    code: str
    message: str
    expected: str
    given: str = ""
    item: str = ""

    def as_fault(self) -> Fault:
        line = f"line {self.line}" if self.line else ""
        place = ", ".join(part for part in (line, self.field) if part) or "file"
        return Fault(place, self.message, self.code, self.expected)


class FileRefused(Exception):
    """The file cannot be read any further."""

    def __init__(
        self, code: str, message: str, expected: str, line: int = 0, given: str = ""
    ) -> None:
        super().__init__(message)
        self.fault = RowFault(line, "", code, message, expected, given)


@dataclass
class RowFaultList:
    """All faults are counted; the MAX_FAULTS_LISTED of the first lines are listed, by line."""

    listed: list[RowFault] = field(default_factory=list)
    total: int = 0

    def is_beyond(self, line: int) -> bool:
        """Whether a fault of this line would not be listed."""
        return len(self.listed) >= MAX_FAULTS_LISTED and line >= self.listed[-1].line

    def add(self, fault: RowFault) -> None:
        self.total += 1
        if not self.is_beyond(fault.line):
            insort(self.listed, fault, key=lambda one: one.line)
            del self.listed[MAX_FAULTS_LISTED:]

    def add_errors(self, line: int, error: ValidationError, item: Callable[[], str]) -> None:
        """One fault for each faulty field of a row."""
        errors = errors_by_field(error)
        if self.is_beyond(line):
            self.total += len(errors)
            return
        name = item()
        for place, details in errors.items():
            self.add(row_fault(line, place, details, name))


def errors_by_field(error: ValidationError) -> dict[str, ErrorDetails]:
    """Of several errors of one field (it has alternatives), the one that fits the value."""
    errors: dict[str, ErrorDetails] = {}
    for details in error.errors(include_url=False):
        is_own = details["type"] == FAULT
        place = full_path(details["loc"]) if is_own else field_path(details["loc"])
        if place not in errors or isinstance(details["input"], str):
            errors[place] = details
    return errors


CODES = {
    "missing": ("missing_field", "This field is missing."),
    "extra_forbidden": ("unknown_field", "This field is unknown."),
    "unexpected_keyword_argument": ("unknown_field", "This field is unknown."),
    "literal_error": ("not_a_label", "This is not one of the labels."),
    "string_too_short": ("empty", "This text is empty."),
    "too_short": ("empty", "This list is too short."),
    "string_too_long": ("too_long", "This text is too long."),
    "too_long": ("too_long", "This list is too long."),
    "finite_number": ("not_finite", "This is not a finite number."),
    "string_unicode": ("not_utf8", "This is not UTF-8 text."),
    "string_pattern_mismatch": ("bad_character", "This text has a control character."),
    "greater_than_equal": ("out_of_range", "This number is out of range."),
    "less_than_equal": ("out_of_range", "This number is out of range."),
    "json_invalid": ("not_json", "This is not JSON."),
}
EXPECTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "string_sub_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object",
    "bool_type": "true or false",
    "dataclass_type": "an object with the fields of a row",
    "missing": "a value",
    "extra_forbidden": "no other fields",
    "unexpected_keyword_argument": "no other fields",
    "literal_error": "{expected}",
    "string_too_short": "text, {min_length} or more characters",
    "too_short": "{min_length} or more entries",
    "string_too_long": "at most {max_length} characters",
    "too_long": "at most {max_length} entries",
    "finite_number": "a finite number",
    "string_unicode": "UTF-8 text",
    "string_pattern_mismatch": "text without control characters",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "json_invalid": "one JSON object, its names and texts in double quotes",
}
# More exactly, by the words of the parser.
OF_JSON = {
    "key must be a string": "names in double quotes",
    "EOF while parsing": "a closing quote or bracket before the line ends",
    "trailing characters": "nothing after the object",
    "trailing comma": "no comma before a closing bracket",
    "control character": "no control characters in texts",
}
ERRORS_OF_NAMES = frozenset({"missing", "extra_forbidden", "unexpected_keyword_argument"})


def row_fault(line: int, place: str, details: ErrorDetails, item: str) -> RowFault:
    kind, value, context = details["type"], details["input"], details.get("ctx", {})
    if kind == FAULT:
        return RowFault(line, place, **context, item=item)
    code, message = CODES.get(kind, ("wrong_type", "This value has the wrong type."))
    if isinstance(value, float) and not math.isfinite(value):
        code, message = CODES["finite_number"]
    elif value == "" and kind not in ERRORS_OF_NAMES:
        code, message = "empty", "This value is empty."
    expected = EXPECTED[kind].format(**context) if kind in EXPECTED else plain(details["msg"])
    if kind == "json_invalid":
        expected = describe_json(str(context.get("error", "")))
    given = "" if kind in {"missing", "json_invalid"} else shorten(value)
    if isinstance(value, str) and code == "wrong_type":
        given = json.dumps(given, ensure_ascii=False)  # else "1" would look like the number
    return RowFault(line, place, code, message, expected, given, item)


def describe_json(error: str) -> str:
    """Of the row alone, whose line in the file is that of the fault."""
    column = re.search(r"column (\d+)", error)
    hints = (hint for start, hint in OF_JSON.items() if start in error)
    expected = next(hints, EXPECTED["json_invalid"])
    return f"{expected}, see column {column[1]}" if column else expected


def plain(message: str) -> str:
    """What pydantic expects, without its own sentence around it."""
    return message.removeprefix("Input should be ").removeprefix("a valid ")


def field_path(location: tuple[str | int, ...]) -> str:
    """`pred_rank[3]`. The names of alternatives of one field are left out."""
    parts = [*_path_parts(location)]
    return "".join(parts).removeprefix(".")


def _path_parts(location: tuple[str | int, ...]) -> Iterator[str]:
    for place, part in enumerate(location):
        if isinstance(part, int):
            yield f"[{part}]"
        elif place == 0:
            yield printable(part)


def shorten(value: object) -> str:
    """The value as text that can be printed, at most 60 characters.

    In quotes where spaces around it would not be seen.
    """
    if isinstance(value, str):
        return printable(value) if value == value.strip() else f'"{printable(value)}"'
    if isinstance(value, int) and abs(value) >= 10**18:
        return f"a number of {value.bit_length():,} bits"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list | dict):
        kind = "list" if isinstance(value, list) else "object"
        return f"{kind} of {len(value):,}"
    return printable(repr(value))
