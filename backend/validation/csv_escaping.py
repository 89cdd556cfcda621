"""Reversible escaping of CSV cells that a spreadsheet would run as a formula.

A spreadsheet reads a cell as a formula when it begins with = + - @ (also in their full-width
forms), a tab, a carriage return or a line feed. Such a cell is prefixed with an
apostrophe, and so is a cell that begins with an apostrophe. Unescaping is therefore exact: an
apostrophe before one of these characters is removed; every other cell is unchanged, including one
that another program began with a single apostrophe.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

ESCAPE_PREFIX = "'"
FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def escape(cell: str) -> str:
    return ESCAPE_PREFIX + cell if cell.startswith((ESCAPE_PREFIX, *FORMULA_PREFIXES)) else cell


def unescape(cell: str) -> str:
    if cell.startswith(ESCAPE_PREFIX) and cell[1:].startswith((ESCAPE_PREFIX, *FORMULA_PREFIXES)):
        return cell[1:]
    return cell


def csv_text(rows: Iterable[Mapping[str, object]], columns: Sequence[str]) -> str:
    """UTF-8 without a byte order mark, lines end with CR LF, None is an empty cell.

    Numbers are written as they are; texts are escaped.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[column]) for column in columns])
    return buffer.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    return escape(value) if isinstance(value, str) else str(value)
