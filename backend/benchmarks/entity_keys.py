"""How predictions name the entities of a graph: by STaRK's node numbers, else by identifier."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self

from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.runtime.lru_cache import LruCache
from backend.tracks.item_table import Candidates
from backend.tracks.stark_rows import parse_id

STARK = "STARK:"
VERSIONS_AT_ONCE = 4


@dataclass(frozen=True)
class EntityKeys:
    """keys: of each entity, in the order of the graph. candidates: all that a prediction may name.

    If any entity has a node number of STaRK, the keys are these numbers, and an entity without one
    has no key; otherwise they are the graph's own identifiers, as the track normalizes them: one
    of digits is a number. An entity that several nodes became has the smallest of their numbers as
    its key.
    """

    keys: Sequence[int | str | None]
    candidates: Candidates

    @classmethod
    def of_identifiers(cls, entities: Iterable[Sequence[str]]) -> Self:
        """entities: the identifier and the cross-references of each."""
        identifiers: list[int | str] = []
        numbers: list[list[int]] = []
        for first, *others in entities:
            identifiers.append(parse_id(first))
            numbers.append([*find_node_numbers((first, *others))])
        if not any(numbers):
            return cls(identifiers, frozenset(identifiers))
        known = frozenset(chain.from_iterable(numbers))
        is_gapless = known == frozenset(range(len(known)))
        keys = [min(own, default=None) for own in numbers]
        return cls(keys, range(len(known)) if is_gapless else known)


_cache: LruCache[EntityKeys] = LruCache(VERSIONS_AT_ONCE)


def get_entity_keys(version: Version) -> EntityKeys:
    return _cache.get_or_create(version.snapshot, lambda: read_entity_keys(version))


def read_entity_keys(version: Version) -> EntityKeys:
    entities = open_version_snapshot(version).entities()
    return EntityKeys.of_identifiers((one.id, *one.xrefs) for one in entities)


def find_node_numbers(identifiers: Iterable[str]) -> Iterator[int]:
    for identifier in identifiers:
        digits = identifier.removeprefix(STARK)
        if digits != identifier and digits.isascii() and digits.isdigit():
            yield int(digits)
