"""PrimeKG's vocabulary: identifier schemes, and relations with their phrases.

STaRK's copy of PrimeKG uses the same vocabulary, so that both give the same graph.
"""

from typing import NamedTuple

from backend.graphs.identifiers import make_curie
from backend.graphs.importers.common.text_cache import cache_short_texts
from backend.graphs.source_records import RelationInfo
from backend.runtime.data_file import DataFile


class RelationRow(NamedTuple):
    name: str
    display: str
    type: str
    other_type: str
    forward: str
    backward: str


class PrimekgVocabulary(DataFile):
    prefixes: dict[str, str]
    numbered: frozenset[str]
    relations: tuple[RelationRow, ...]
    disease_sources: dict[str, str]
    non_text_columns: frozenset[str]


VOCABULARY = PrimekgVocabulary.load(__file__)
DISEASE_SOURCES, NON_TEXT_COLUMNS = VOCABULARY.disease_sources, VOCABULARY.non_text_columns
RELATIONS = {
    it.name: RelationInfo(it.name, it.forward, it.backward or it.forward, not it.backward)
    for it in VOCABULARY.relations
}
BY_ENDS = {(it.display, it.type, it.other_type): it.name for it in VOCABULARY.relations}


@cache_short_texts(65_536)
def make_identifiers(source: str, raw: str) -> tuple[str, ...]:
    """The CURIEs of an identifier without prefix: one, several for a group, none if invalid."""
    prefix = VOCABULARY.prefixes.get(source)
    parts = raw.split("_") if source == "MONDO_grouped" else [raw]
    if prefix is None or not all(parts):
        return ()
    if source in VOCABULARY.numbered and not all(
        part.isascii() and part.isdigit() for part in parts
    ):
        return ()
    return tuple(dict.fromkeys(make_curie(prefix, part) for part in parts))


def find_relation(display: str, kind: str, other: str) -> tuple[str, bool] | None:
    """The name of the relation, and whether its ends must be swapped; None if there is none."""
    if name := BY_ENDS.get((display, kind, other)):
        return name, False
    name = BY_ENDS.get((display, other, kind))
    return (name, True) if name else None


def order_ends(name: str, source: str, target: str, *, swapped: bool) -> tuple[str, str]:
    """The ends of an edge in the direction in which it is stored."""
    if RELATIONS[name].symmetric:
        return min(source, target), max(source, target)
    return (target, source) if swapped else (source, target)
