"""Entities by an identifier of theirs, with its scheme or without, in any case."""

from __future__ import annotations

from backend.graphs.search.lexicon import Lexicon, Numbers, Range
from backend.graphs.search.normal import scheme_and_rest
from backend.graphs.search.sets import smallest
from backend.graphs.snapshots.opening import Snapshot

MOST = 2_000  # of one beginning that are looked at
Identified = tuple[int, str]  # the entity, and its identifier as its file has it


def exactly(snapshot: Snapshot, lexicon: Lexicon, asked: str) -> list[Identified]:
    scheme, rest = scheme_and_rest(asked)
    if not rest:
        return []
    column = lexicon.identifiers
    found = with_scheme(snapshot, lexicon, column.within(column.exactly(encoded(rest))), scheme)
    if scheme:  # what looks like a scheme may be part of the identifier, as in HGNC:HGNC:123
        whole = column.exactly(encoded(f"{scheme}:{rest}"))
        found += with_scheme(snapshot, lexicon, column.within(whole), "")
    return found


def beginning_with(snapshot: Snapshot, lexicon: Lexicon, asked: str) -> list[Identified]:
    """Only for what has a digit: words are no accession numbers."""
    scheme, rest = scheme_and_rest(asked)
    if not any(one.isdigit() for one in rest):
        return []
    column = lexicon.identifiers
    places = column.beginning(encoded(rest))
    some = Range(places.first, min(places.last, places.first + MOST))
    return with_scheme(snapshot, lexicon, column.within(some), scheme)


def with_scheme(
    snapshot: Snapshot, lexicon: Lexicon, numbers: Numbers, scheme: str
) -> list[Identified]:
    """The best of them; of the scheme, where one was typed."""
    found = []
    for number in smallest(numbers, MOST if scheme else 100).tolist():
        entity = int(lexicon.identifiers.entities[number])
        record = snapshot.entity(entity)
        place = number - lexicon.identifiers.first_of(entity)
        identifier = (record.id, *record.xrefs)[place]
        if not scheme or scheme_and_rest(identifier)[0] == scheme:
            found.append((entity, identifier))
    return found


def encoded(text: str) -> bytes:
    return text.encode(errors="replace")
