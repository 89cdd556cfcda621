"""Which metapaths join two entities more than their degrees explain."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from backend.common.errors import DomainError
from backend.graphs.entity_lookup import find_entity
from backend.graphs.metapaths import describe_metapath, metapath_key, parse_metapath
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.view_csr import csr_of_view
from backend.runtime.cancellation import CancellationToken
from backend.science.edge_kinds import EdgeKind, count_edge_kinds
from backend.science.evaluation.comparisons import adjust_by_holm
from backend.science.metapath_test import count_metapaths, permute_metapaths
from backend.science.path_answers import Metapath
from backend.science.paths import PathQuery, find_paths

MOST_METAPATHS = 20
MOST_EDGES = 2 * 10**7  # of all tested relations: they are in memory, 64 bytes each
MOST_WORK = 10**9  # edges of all tested relations, times draws: two hours of a busy processor
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
        self,
        kinds: Sequence[Metapath],
        family: int | None,
        progress: Progress = lambda share: None,
    ) -> list[dict[str, Any]]:
        """A row for each. family: metapaths that p-values are adjusted for; None for a metapath
        that was chosen, whose p-value is not. Raises DomainError for more work than `MOST_WORK`,
        and Cancelled."""
        self._check_work(kinds)
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
        adjusted = self._adjust([one.p_value for one in results], family)
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

    def count_family(self, hops: int) -> int:
        """Metapaths of at most so many steps that the graph's edges could make between the two."""
        types, symmetric = self.snapshot.type_of, csr_of_view(self.snapshot).symmetric
        ends = int(types[self.source]), int(types[self.target])
        return count_metapaths(self._edge_kinds, symmetric, ends, hops)

    @cached_property
    def _edge_kinds(self) -> dict[EdgeKind, int]:
        return count_edge_kinds(self.snapshot.forward, self.snapshot.type_of)

    def _adjust(self, p_values: list[float], family: int | None) -> Sequence[float | None]:
        return [None] * len(p_values) if family is None else adjust_by_holm(p_values, family)

    def _check_work(self, kinds: Sequence[Metapath]) -> None:
        tested = {relation for kind in kinds for relation, _ in kind.steps}
        edges = sum(n for (_, relation, _), n in self._edge_kinds.items() if relation in tested)
        most = min(MOST_EDGES, MOST_WORK // self.draws)
        if edges > most:
            raise DomainError(
                f"The relations of these metapaths have {edges:,} edges; {self.draws:,} draws "
                f"allow {most:,}. Choose fewer draws, or one metapath.",
                code="too_large",
            )


def _find_or_raise(snapshot: Snapshot, identifier: str) -> int:
    number = find_entity(snapshot, identifier)
    if number is None:
        message = f"This graph has no entity {identifier[:200]}. Check the identifier."
        raise DomainError(message, code="no_entity")
    return number
