"""Explanations: the best and most diverse paths between an existing and a serendipitous entity.

Paths of a pair are ranked by probability or by degree penalty. A few diverse ones are selected:
parallel edges between the same entities count as one explanation, and a new kind of path through
other entities comes before a second one of the same kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.benchmarks.formats.serenqa.writer import format_path
from backend.common.errors import DomainError
from backend.graphs.edge_phrases import EntityRef, entity_ref
from backend.graphs.path_queries import ExplainedPath, search_paths
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathOrder, PathQuery

MAX_PATHS_SEARCHED = 60  # candidates for the selection
MAX_PAIRS = 100
SECONDS_PER_PAIR = 5.0
SECONDS_TOTAL = 40.0


@dataclass(frozen=True)
class Explanation:
    """The paths of a pair. total: number of paths; capped: whether there may be more."""

    existing: EntityRef
    serendipity: EntityRef
    total: int
    capped: bool
    summary: str
    formula: str
    paths: tuple[ExplainedPath, ...]

    @property
    def notations(self) -> list[str]:
        return [format_path(path) for path in self.paths]


def explain_pairs(
    view: GraphView,
    existing: Sequence[int],
    serendipity: Sequence[int],
    stop: CancellationToken,
    *,
    order: PathOrder = "probability",
    limit: int = 3,
    seconds: float = SECONDS_TOTAL,
) -> list[Explanation]:
    """Explain every pair, with paths of up to three hops. Raises DomainError and Stopped.

    seconds: time for all pairs, divided equally.
    """
    if not existing or not serendipity or len(existing) * len(serendipity) > MAX_PAIRS:
        raise DomainError(
            f"Name 1 to {MAX_PAIRS} pairs of an existing and a serendipitous entity.",
            code="pairs",
            data={"most": MAX_PAIRS},
        )
    pairs = [(one, other) for one in existing for other in serendipity]
    each = min(SECONDS_PER_PAIR, seconds / len(pairs))
    return [
        explain_pair(view, pair, stop, order=order, limit=limit, seconds=each) for pair in pairs
    ]


def explain_pair(
    view: GraphView,
    pair: tuple[int, int],
    stop: CancellationToken,
    *,
    order: PathOrder,
    limit: int,
    seconds: float = SECONDS_PER_PAIR,
) -> Explanation:
    one, other = pair
    stop.raise_if_cancelled()
    question = PathQuery([one], [other], max_degree=None, order=order, limit=MAX_PATHS_SEARCHED)
    inner = CancellationToken()
    report = search_paths(view, question, inner, seconds=seconds)
    chosen = select_diverse(report.paths, limit)
    return Explanation(
        entity_ref(view, one),
        entity_ref(view, other),
        report.total,
        report.capped_by is not None,
        f"{len(chosen)} of {'at least ' if report.capped_by else ''}{report.total:,} paths",
        report.formula,
        chosen,
    )


def select_diverse(paths: Sequence[ExplainedPath], limit: int) -> tuple[ExplainedPath, ...]:
    """Select up to `limit` of the ranked paths, and keep their order.

    First those of a new kind without a common inner entity, then those of a new kind, then those
    through at least one other entity.
    """
    taken: list[ExplainedPath] = []

    def takes(fits: int) -> None:
        for path in paths:
            if len(taken) < limit and path_novelty(path, taken) >= fits:
                taken.append(path)

    for fits in (3, 2, 1):
        takes(fits)
    ranked = sorted(taken, key=lambda path: path.rank)
    return tuple(replace(path, rank=rank) for rank, path in enumerate(ranked, start=1))


def path_novelty(path: ExplainedPath, taken: Sequence[ExplainedPath]) -> int:
    """0 for a path through known entities only, up to 3 for a new kind of path through new ones."""
    inner = inner_entities(path)
    if any(inner == inner_entities(one) for one in taken):
        return 0
    if any(path.metapath == one.metapath for one in taken):
        return 1
    return 2 if any(inner & inner_entities(one) for one in taken) else 3


def inner_entities(path: ExplainedPath) -> frozenset[int]:
    return frozenset(entity.number for entity in path.entities[1:-1])
