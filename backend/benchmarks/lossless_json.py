"""JSON that preserves every field and the notation of every number, for stored records."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
INDENT = "  "
MAX_INTEGER_DIGITS = 300  # longer numbers keep their notation


class NumberLiteral(float):
    """A number whose notation Python would not reproduce: 1.50, 1e3, -0, very long ones."""

    def __new__(cls, text: str) -> NumberLiteral:
        instance = super().__new__(cls, text)
        instance.text = text
        return instance

    text: str


def parse_number(text: str) -> int | float:
    """The number, with its notation if Python would write it differently."""
    if len(text.lstrip("-")) <= MAX_INTEGER_DIGITS and text.lstrip("-").isdigit():
        whole = int(text)
        return whole if str(whole) == text else NumberLiteral(text)
    value = float(text)
    return value if repr(value) == text else NumberLiteral(text)


def format_json(value: object, indent: str = "") -> str:
    """Indented by two spaces. Numbers keep their original notation, texts are not escaped.

    Raises ValueError for values that JSON cannot represent.
    """
    if isinstance(value, Mapping):
        fields = (
            f"{_format_text(str(name))}: {format_json(it, indent + INDENT)}"
            for name, it in value.items()
        )
        return _format_block("{", fields, "}", indent)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _format_block("[", (format_json(it, indent + INDENT) for it in value), "]", indent)
    if isinstance(value, str):
        return _format_text(value)
    if isinstance(value, NumberLiteral):
        return value.text
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    raise ValueError(f"{value!r} is no value of JSON.")


def _format_block(begin: str, items: Iterable[str], end: str, indent: str) -> str:
    inside = f",\n{indent}{INDENT}".join(items)
    return f"{begin}\n{indent}{INDENT}{inside}\n{indent}{end}" if inside else f"{begin}{end}"


def _format_text(text: str) -> str:
    """A lone surrogate is escaped, because it cannot be encoded."""
    return LONE_SURROGATE.sub(
        lambda result: f"\\u{ord(result[0]):04x}", json.dumps(text, ensure_ascii=False)
    )
