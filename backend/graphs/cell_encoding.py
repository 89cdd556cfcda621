"""Encode lists and documents in one table cell, and decode them.

Items of a list are separated by bars. A bar inside an item is escaped by a backslash, and
backslashes before a bar (or at the end of an item that is not the last) are doubled. Backslashes
elsewhere are literal, so that text of other programs is read unchanged.

A document is the plain text of one section, or a JSON list of sections.
"""

import json
import re
from collections.abc import Iterable

from backend.graphs.source_records import Section

BAR = re.compile(r"(\\*)\|")
TRAILING_BACKSLASHES = re.compile(r"\\+\Z")
SECTION_FIELDS = ("title", "text", "source")


def join_list(items: Iterable[str]) -> str:
    """Join items into one cell; empty items are left out.

    >>> join_list(["a", "b|c"])
    'a|b\\\\|c'
    """
    escaped = [BAR.sub(lambda match: match[1] * 2 + "\\|", item) for item in items if item]
    inner = [TRAILING_BACKSLASHES.sub(lambda match: match[0] * 2, item) for item in escaped[:-1]]
    return "|".join([*inner, *escaped[-1:]])


def split_list(cell: str) -> tuple[str, ...]:
    """Split a cell into its items, without empty ones."""
    if "\\" not in cell:
        return tuple(item for item in cell.split("|") if item) if cell else ()
    items, begun, position = [], "", 0
    for bar in BAR.finditer(cell):
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
    sections = [{name: getattr(section, name) for name in SECTION_FIELDS} for section in document]
    return json.dumps(sections, ensure_ascii=False) if sections else ""


def split_document(cell: str) -> tuple[Section, ...]:
    """The sections of a JSON list, or the whole cell as one section without a title."""
    if not cell:
        return ()
    return (_parse_document(cell) if cell.startswith("[") else None) or (Section("", cell, ""),)


def _parse_document(cell: str) -> tuple[Section, ...] | None:
    try:
        return parse_sections(json.loads(cell))
    except (ValueError, RecursionError):
        return None


def parse_sections(listed: object) -> tuple[Section, ...] | None:
    """The sections of a parsed JSON list; None if it is not a list of sections."""
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        return None
    if any(set(item) - set(SECTION_FIELDS) or not item for item in listed):
        return None
    texts = [[item.get(name, "") for name in SECTION_FIELDS] for item in listed]
    if not all(isinstance(text, str) for section in texts for text in section):
        return None
    return tuple(Section(*section) for section in texts)
