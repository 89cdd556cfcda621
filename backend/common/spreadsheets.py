"""Cells that a spreadsheet would run, made harmless and put back.

A spreadsheet takes a cell for a formula when it begins with = + - @ (also in their full-width
forms), a tab, a carriage return or a line feed. Such a cell gets an apostrophe in front of it,
and so does one that begins with an apostrophe itself. Therefore the way back is exact: an
apostrophe before one of these characters goes; every other cell is as it was, also one that
somebody else began with a lone apostrophe.
"""

MARK = "'"
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def escape(cell: str) -> str:
    return MARK + cell if cell.startswith((MARK, *DANGEROUS)) else cell


def unescape(cell: str) -> str:
    if cell.startswith(MARK) and cell[1:].startswith((MARK, *DANGEROUS)):
        return cell[1:]
    return cell
