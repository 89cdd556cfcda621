"""Why a serendipitous entity may matter beside a known one: the best paths between the two.

Paths between a pair are ranked by probability or by the degree penalty. Of the best, a few are
kept that say different things: parallel edges between the same entities are one explanation, and
another kind of path through other entities comes before a second of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.benchmarks.serenqa.writing import path_notation
from backend.common.errors import DomainError
from backend.graphs.neighbourhood import EntityRef, entity_ref
from backend.graphs.paths import ExplainedPath, search_paths
from backend.graphs.snapshots.view import GraphView
from backend.science.paths import Order, Question
from backend.science.stopping import Stop

LOOKED_AT = 60  # of the best paths of a pair
MOST_PAIRS = 100
SECONDS = 5.0  # for one pair
SECONDS_IN_ALL = 40.0


@dataclass(frozen=True)
class Explanation:
    """A pair and its paths. found: how many there are in all; capped: at least so many."""

    existing: EntityRef
    serendipity: EntityRef
    found: int
    capped: bool
    summary: str
    formula: str
    paths: tuple[ExplainedPath, ...]

    @property
    def notations(self) -> list[str]:
        """Each path in SerenQA's words."""
        return [path_notation(path) for path in self.paths]


def explain_pairs(
    view: GraphView,
    existing: Sequence[int],
    serendipity: Sequence[int],
    stop: Stop,
    *,
    order: Order = "probability",
    limit: int = 3,
    seconds: float = SECONDS_IN_ALL,
) -> list[Explanation]:
    """Every pair, up to three hops. Raises DomainError for too many of them, and Stopped.

    seconds: for all pairs together, each of which has its share.
    """
    if not existing or not serendipity or len(existing) * len(serendipity) > MOST_PAIRS:
        raise DomainError(
            f"Name 1 to {MOST_PAIRS} pairs of an existing and a serendipitous entity.",
            code="pairs",
            data={"most": MOST_PAIRS},
        )
    pairs = [(one, other) for one in existing for other in serendipity]
    each = min(SECONDS, seconds / len(pairs))
    return [
        explain_pair(view, pair, stop, order=order, limit=limit, seconds=each) for pair in pairs
    ]


def explain_pair(
    view: GraphView,
    pair: tuple[int, int],
    stop: Stop,
    *,
    order: Order,
    limit: int,
    seconds: float = SECONDS,
) -> Explanation:
    one, other = pair
    stop.check()
    question = Question([one], [other], hub=None, order=order, limit=LOOKED_AT)
    inner = Stop()
    report = search_paths(view, question, inner, seconds=seconds)
    chosen = different(report.paths, limit)
    return Explanation(
        entity_ref(view, one),
        entity_ref(view, other),
        report.found,
        report.capped is not None,
        f"{len(chosen)} of {'at least ' if report.capped else ''}{report.found:,} paths",
        report.formula,
        chosen,
    )


def different(paths: Sequence[ExplainedPath], limit: int) -> tuple[ExplainedPath, ...]:
    """Up to `limit` of paths that come best first, in the same order.

    First those of a new kind that share no inner entity with one that is taken, then those of a new
    kind, then those through at least one other entity.
    """
    taken: list[ExplainedPath] = []

    def takes(fits: int) -> None:
        for path in paths:
            if len(taken) < limit and novelty_of(path, taken) >= fits:
                taken.append(path)

    for fits in (3, 2, 1):
        takes(fits)
    ranked = sorted(taken, key=lambda path: path.rank)
    return tuple(replace(path, rank=rank) for rank, path in enumerate(ranked, start=1))


def novelty_of(path: ExplainedPath, taken: Sequence[ExplainedPath]) -> int:
    """0 for what is said already, to 3 for another kind of path through other entities."""
    inner = inner_of(path)
    if any(inner == inner_of(one) for one in taken):
        return 0
    if any(path.metapath == one.metapath for one in taken):
        return 1
    return 2 if any(inner & inner_of(one) for one in taken) else 3


def inner_of(path: ExplainedPath) -> frozenset[int]:
    return frozenset(entity.number for entity in path.entities[1:-1])
