"""Where the sentences of texts end, for answers and verdicts that refer to a sentence.

Answers refer to sentences by their places: with other rules, stored answers would have to be
migrated.
"""

import re

_END = re.compile(r"[.!?][\"'\u2019\u201d)\]]*\s+(?=[\"'\u2018\u201c(\[]?[A-Z0-9])|\n+\s*")
# An abbreviation with what must be before it; longer ones do not occur.
_WINDOW = 20
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:et al|vs|cf|ca|approx|resp|Figs?|Eqs?|Refs?|Tab|Suppl|Dr|Prof|St|No|spp?"
    r"|(?:[A-Za-z]\.)+[A-Za-z]|[A-Z])\.$|^\s{0,8}[0-9]{1,3}\.$",
    re.MULTILINE,
)


def split_sentences(text: str) -> list[str]:
    """The parts of the text, each with the spaces after it: joined they are the text.

    A line that ends ends a sentence too. Text without any letter or digit joins what is before it.
    """
    parts: list[str] = []
    start = 0
    for end in _END.finditer(text):
        last = end.start() + 1
        if end[0].strip() == "." and _ABBREVIATION.search(text[max(start, last - _WINDOW) : last]):
            continue
        parts.append(text[start : end.end()])
        start = end.end()
    return _join_fragments([*parts, text[start:]])


def _join_fragments(parts: list[str]) -> list[str]:
    result: list[str] = []
    for part in parts:
        if result and not any(one.isalnum() for one in part):
            result[-1] += part
        elif part:
            result.append(part)
    return result
