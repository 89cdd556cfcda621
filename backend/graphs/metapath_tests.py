"""Which metapaths join two entities more than their degrees explain."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from backend.common.errors import DomainError
from backend.graphs.entity_lookup import find_entity
from backend.graphs.metapaths import describe_metapath, metapath_key, parse_metapath
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.view_csr import csr_of_view
from backend.science.metapath_test import MetapathResult, permute_metapath
from backend.science.path_answers import Metapath
from backend.science.paths import PathQuery, find_paths

MOST_METAPATHS = 20


@dataclass(frozen=True)
class MetapathTests:
    """Two different entities of a graph, and how the draws are made."""

    snapshot: Snapshot
    source: int
    target: int
    draws: int
    seed: int

    @classmethod
    def between(
        cls, snapshot: Snapshot, ends: tuple[str, str], draws: int, seed: int
    ) -> "MetapathTests":
        """By identifiers. Raises DomainError."""
        source, target = (_find_or_raise(snapshot, one) for one in ends)
        if source == target:
            raise DomainError("Both ends are the same entity. Name two.", code="same_entity")
        return cls(snapshot, source, target, draws, seed)

    def metapaths(self, hops: int) -> list[Metapath]:
        """Those of the most paths between the two, `MOST_METAPATHS` at most."""
        sides = csr_of_view(self.snapshot)
        query = PathQuery([self.source], [self.target], hops, max_metapaths=MOST_METAPATHS, limit=0)
        return find_paths(sides.links, sides.types, sides.symmetric, query).metapaths

    def parse(self, key: str) -> Metapath:
        """Raises DomainError for a metapath that does not lead from the one to the other."""
        kind, types = parse_metapath(self.snapshot, key), self.snapshot.type_of
        if (kind.types[0], kind.types[-1]) != (types[self.source], types[self.target]):
            message = "This metapath has other types at its ends. Choose another."
            raise DomainError(message, code="other_ends")
        sides = csr_of_view(self.snapshot)
        query = PathQuery([self.source], [self.target], len(kind.steps), metapath=kind, limit=0)
        result = find_paths(sides.links, sides.types, sides.symmetric, query)
        return replace(kind, path_count=result.path_count)

    def run(self, kinds: list[Metapath]) -> Iterator[tuple[str, str, int, MetapathResult]]:
        """Key, words, number of paths and result of each."""
        sides, snapshot = csr_of_view(self.snapshot), self.snapshot
        for kind in kinds:
            result = permute_metapath(
                snapshot.forward,
                sides.types,
                sides.symmetric,
                kind,
                (self.source, self.target),
                draws=self.draws,
                seed=self.seed,
            )
            words = describe_metapath(snapshot, kind)
            yield metapath_key(snapshot, kind), words, kind.path_count, result


def _find_or_raise(snapshot: Snapshot, identifier: str) -> int:
    number = find_entity(snapshot, identifier)
    if number is None:
        message = f"This graph has no entity {identifier[:200]}. Check the identifier."
        raise DomainError(message, code="no_entity")
    return number
