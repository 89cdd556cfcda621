"""Which metapaths join two entities more than their degrees explain."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from backend.common.errors import DomainError
from backend.graphs.entity_lookup import find_entity
from backend.graphs.metapaths import describe_metapath, metapath_key, parse_metapath
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.view_csr import csr_of_view
from backend.runtime.cancellation import CancellationToken
from backend.science.evaluation.comparisons import adjust_by_holm
from backend.science.metapath_test import permute_metapaths
from backend.science.path_answers import Metapath
from backend.science.paths import PathQuery, find_paths

MOST_METAPATHS = 20
Progress = Callable[[float], None]  # share of the draws


@dataclass(frozen=True, slots=True)
class FoundMetapaths:
    """Those of the most paths, `MOST_METAPATHS` at most; other_paths: of the metapaths left out.

    is_complete: if False, the search ended early, and numbers of paths are lower bounds.
    """

    metapaths: Sequence[Metapath]
    other_paths: int
    is_complete: bool


@dataclass(frozen=True)
class MetapathTests:
    """Two different entities of a graph, and how the draws are made."""

    snapshot: Snapshot
    source: int
    target: int
    draws: int
    seed: int
    stop: CancellationToken | None = None

    @classmethod
    def between(
        cls,
        snapshot: Snapshot,
        ends: tuple[str, str],
        draws: int,
        seed: int,
        stop: CancellationToken | None = None,
    ) -> "MetapathTests":
        """By identifiers. Raises DomainError."""
        source, target = (_find_or_raise(snapshot, one) for one in ends)
        if source == target:
            raise DomainError("Both ends are the same entity. Name two.", code="same_entity")
        return cls(snapshot, source, target, draws, seed, stop)

    def find(self, hops: int) -> FoundMetapaths:
        """Metapaths of the paths between the two, of at most so many steps. Raises Cancelled."""
        return self._search(PathQuery([self.source], [self.target], hops))

    def parse(self, key: str) -> Metapath:
        """Raises DomainError for a metapath that does not lead from the one to the other."""
        kind, types = parse_metapath(self.snapshot, key), self.snapshot.type_of
        if (kind.types[0], kind.types[-1]) != (types[self.source], types[self.target]):
            message = "This metapath has other types at its ends. Choose another."
            raise DomainError(message, code="other_ends")
        return kind

    def count(self, kind: Metapath) -> FoundMetapaths:
        """This metapath with its number of paths."""
        search = self._search(
            PathQuery([self.source], [self.target], len(kind.steps), metapath=kind)
        )
        count = sum(one.path_count for one in search.metapaths)
        return FoundMetapaths([replace(kind, path_count=count)], 0, search.is_complete)

    def _search(self, query: PathQuery) -> FoundMetapaths:
        sides = csr_of_view(self.snapshot)
        query = replace(query, max_metapaths=MOST_METAPATHS, limit=0)
        result = find_paths(sides.links, sides.types, sides.symmetric, query, self.stop)
        if self.stop is not None:
            self.stop.raise_if_cancelled()
        return FoundMetapaths(result.metapaths, result.other_count, result.is_complete)

    def run(
        self, kinds: Sequence[Metapath], progress: Progress = lambda share: None
    ) -> list[dict[str, Any]]:
        """A row for each, with its p-value among all by Holm. Raises Cancelled."""
        sides, snapshot = csr_of_view(self.snapshot), self.snapshot
        results = permute_metapaths(
            snapshot.forward,
            sides.types,
            sides.symmetric,
            kinds,
            (self.source, self.target),
            draws=self.draws,
            seed=self.seed,
            stop=self.stop,
            progress=progress,
        )
        adjusted = adjust_by_holm([one.p_value for one in results])
        return [
            {
                "metapath": metapath_key(snapshot, kind),
                "phrase": describe_metapath(snapshot, kind),
                "paths": kind.path_count,
                **asdict(one),
                "z_score": one.z_score,
                "p_adjusted": p,
            }
            for kind, one, p in zip(kinds, results, adjusted, strict=True)
        ]


def _find_or_raise(snapshot: Snapshot, identifier: str) -> int:
    number = find_entity(snapshot, identifier)
    if number is None:
        message = f"This graph has no entity {identifier[:200]}. Check the identifier."
        raise DomainError(message, code="no_entity")
    return number
