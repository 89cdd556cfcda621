"""Reversible escaping of CSV cells that a spreadsheet would run as a formula.

A spreadsheet reads a cell as a formula when it begins with = + - @ (also in their full-width
forms), a tab, a carriage return or a line feed. Such a cell is prefixed with an
apostrophe, and so is a cell that begins with an apostrophe. Unescaping is therefore exact: an
apostrophe before one of these characters is removed; every other cell is unchanged, including one
that another program began with a single apostrophe.
"""

ESCAPE_PREFIX = "'"
FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def escape(cell: str) -> str:
    return ESCAPE_PREFIX + cell if cell.startswith((ESCAPE_PREFIX, *FORMULA_PREFIXES)) else cell


def unescape(cell: str) -> str:
    if cell.startswith(ESCAPE_PREFIX) and cell[1:].startswith((ESCAPE_PREFIX, *FORMULA_PREFIXES)):
        return cell[1:]
    return cell
