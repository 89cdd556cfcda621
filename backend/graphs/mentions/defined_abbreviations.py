"""Abbreviations that a text defines: after 'atopic dermatitis (AD)', AD is no Alzheimer's disease.

A short form in brackets right after a linked mention stands for it if its letters occur in the
mention in this order, the first of them first. After Schwartz and Hearst, Pacific Symposium on
Biocomputing 8 (2003), but only where the long form is linked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from backend.graphs.mentions.linked_mentions import LinkedMention
from backend.graphs.mentions.spans import Word

DEFINITION = re.compile(r" ?[(\[]([A-Za-z][A-Za-z0-9-]{1,9})[)\]]")


def link_abbreviations(
    text: str, words: Sequence[Word], mentions: Sequence[LinkedMention]
) -> list[LinkedMention]:
    """The mentions, with every use of a defined abbreviation linked as its long form."""
    defined = dict(definitions(text, mentions))
    if not defined:
        return list(mentions)
    uses = [
        replace(long, start=word.start, end=word.end, text=word.text, method="synonym")
        for word in words
        if (long := defined.get(word.text)) is not None
    ]
    places = {place for one in uses for place in range(one.start, one.end)}
    apart = (one for one in mentions if places.isdisjoint(range(one.start, one.end)))
    return sorted([*apart, *uses], key=lambda it: it.start)


def definitions(
    text: str, mentions: Iterable[LinkedMention]
) -> Iterator[tuple[str, LinkedMention]]:
    for one in mentions:
        match = DEFINITION.match(text, one.end)
        if match and is_short_form(match[1], one.text):
            yield match[1], one


def is_short_form(short: str, long: str) -> bool:
    initials, rest = short.lower(), iter(long.lower())
    return initials[0] == long[:1].lower() and all(one in rest for one in initials)
