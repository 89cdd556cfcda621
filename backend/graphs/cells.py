"""Lists and documents inside one cell, both ways: what an exporter joins, an importer splits.

A list is separated by bars. Where an item itself has a bar, a backslash stands before it; where
backslashes stand before a bar (or at the end of an item that another follows), they are
doubled. A backslash anywhere else is itself, so that other people's text is kept as it is.

A document is the plain text of one section, or a JSON list of sections.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from backend.graphs.rows import Section

BARS = re.compile(r"(\\*)\|")
ENDS = re.compile(r"\\+\Z")
FIELDS = ("title", "text", "source")


def join_list(items: Iterable[str]) -> str:
    """The items in one cell; empty ones are left out, for no list keeps them.

    >>> join_list(["a", "b|c"])
    'a|b\\\\|c'
    """
    escaped = [BARS.sub(lambda found: found[1] * 2 + "\\|", item) for item in items if item]
    inner = [ENDS.sub(lambda found: found[0] * 2, item) for item in escaped[:-1]]
    return "|".join([*inner, *escaped[-1:]])


def split_list(cell: str) -> tuple[str, ...]:
    """The items of a cell, without empty ones."""
    if "\\" not in cell:
        return tuple(item for item in cell.split("|") if item) if cell else ()
    items, begun, position = [], "", 0
    for bar in BARS.finditer(cell):
        backslashes, escaped = divmod(len(bar[1]), 2)
        begun += cell[position : bar.start()] + "\\" * backslashes
        position = bar.end()
        if escaped:
            begun += "|"
        else:
            items.append(begun)
            begun = ""
    return tuple(item for item in (*items, begun + cell[position:]) if item)


def join_document(document: Iterable[Section]) -> str:
    sections = [{name: getattr(section, name) for name in FIELDS} for section in document]
    return json.dumps(sections, ensure_ascii=False) if sections else ""


def split_document(cell: str) -> tuple[Section, ...]:
    """The sections that a cell lists, or the whole cell as one section without a title."""
    if not cell:
        return ()
    return (_sections(cell) if cell.startswith("[") else None) or (Section("", cell, ""),)


def _sections(cell: str) -> tuple[Section, ...] | None:
    try:
        return sections_of(json.loads(cell))
    except (ValueError, RecursionError):
        return None


def sections_of(listed: object) -> tuple[Section, ...] | None:
    """The sections of a JSON list; None where it is no list of sections."""
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        return None
    if any(set(item) - set(FIELDS) or not item for item in listed):
        return None
    texts = [[item.get(name, "") for name in FIELDS] for item in listed]
    if not all(isinstance(text, str) for section in texts for text in section):
        return None
    return tuple(Section(*section) for section in texts)
