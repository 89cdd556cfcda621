"""JSON as every program reads it: what was read comes out as it was written, in every field."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence

from backend.benchmarks.serenqa.lenient import Written

LONE = re.compile("[\ud800-\udfff]")
STEP = "  "


def json_text(value: object, indent: str = "") -> str:
    """Two spaces a level. Numbers as they were written, texts as they are.

    Raises ValueError for what JSON cannot hold.
    """
    if isinstance(value, Mapping):
        fields = (
            f"{_text(str(name))}: {json_text(it, indent + STEP)}" for name, it in value.items()
        )
        return _block("{", fields, "}", indent)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _block("[", (json_text(it, indent + STEP) for it in value), "]", indent)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Written):
        return value.text
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    raise ValueError(f"{value!r} is no value of JSON.")


def _block(begin: str, items: Iterable[str], end: str, indent: str) -> str:
    inside = f",\n{indent}{STEP}".join(items)
    return f"{begin}\n{indent}{STEP}{inside}\n{indent}{end}" if inside else f"{begin}{end}"


def _text(text: str) -> str:
    """Half of a pair of surrogates is no character: it is written by its number."""
    return LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
