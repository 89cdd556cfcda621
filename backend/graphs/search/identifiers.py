"""Search for entities by identifier, with or without scheme, ignoring case."""

from backend.graphs.search.int_sets import smallest
from backend.graphs.search.normalization import scheme_and_rest
from backend.graphs.search.term_index import IndexRange, Numbers, TermIndex, prefix_range
from backend.graphs.snapshots.snapshot import Snapshot

MAX_PREFIX_MATCHES = 2_000  # matches of one prefix that are examined
IdentifierMatch = tuple[int, str]  # entity, and its identifier as in the source


def find_exact(snapshot: Snapshot, lexicon: TermIndex, query: str) -> list[IdentifierMatch]:
    scheme, rest = scheme_and_rest(query)
    if not rest:
        return []
    column = lexicon.identifiers
    numbers = column.numbers_in(column.exact_range(encode(rest)))
    result = filter_by_scheme(snapshot, lexicon, numbers, scheme)
    if scheme:  # or a part of the identifier that looks like one, as in HGNC:HGNC:123
        whole = column.exact_range(encode(f"{scheme}:{rest}"))
        result += filter_by_scheme(snapshot, lexicon, column.numbers_in(whole), "")
    return result


def find_by_prefix(snapshot: Snapshot, lexicon: TermIndex, query: str) -> list[IdentifierMatch]:
    """Requires a digit: plain words are not accession numbers."""
    scheme, rest = scheme_and_rest(query)
    if not any(one.isdigit() for one in rest):
        return []
    column = lexicon.identifiers
    places = prefix_range(column.texts, encode(rest))
    some = IndexRange(places.first, min(places.last, places.first + MAX_PREFIX_MATCHES))
    return filter_by_scheme(snapshot, lexicon, column.numbers_in(some), scheme)


def filter_by_scheme(
    snapshot: Snapshot, lexicon: TermIndex, numbers: Numbers, scheme: str
) -> list[IdentifierMatch]:
    """The best matches, restricted to the scheme if the query names one."""
    result = []
    for number in smallest(numbers, MAX_PREFIX_MATCHES if scheme else 100).tolist():
        entity = int(lexicon.identifiers.entities[number])
        record = snapshot.entity(entity)
        place = number - lexicon.identifiers.first_of(entity)
        identifier = (record.id, *record.xrefs)[place]
        if not scheme or scheme_and_rest(identifier)[0] == scheme:
            result.append((entity, identifier))
    return result


def encode(text: str) -> bytes:
    return text.encode(errors="replace")
