"""Numbers and dates of papers, as tables write them."""

import re

from backend.graphs.importers.common.record_builder import MAX_PMID

DATE = re.compile(r"([1-9]\d{3})(\D.*|\d\d|\d{4})?", re.ASCII)


def parse_pmid(text: str) -> int | None:
    if text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_PMID)):
        return int(text) or None
    return None


def parse_year(date: str) -> int | None:
    """Of '1998', '1998-05', '199805' or '1998 Mar 3'."""
    written = DATE.fullmatch(date)
    return int(written[1]) if written else None
