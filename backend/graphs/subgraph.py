"""The part of a graph that a set of entities makes: they, and all edges among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from backend.common.errors import DomainError
from backend.graphs.neighbourhood import EntityRef, ExplainedStep, entity_ref, explain
from backend.graphs.sides import copied, sides_of
from backend.graphs.snapshots.opening import Snapshot
from backend.graphs.snapshots.view import GraphView
from backend.science.induced import edges_among
from backend.science.stopping import Stop

MOST_ENTITIES = 2000
MOST_EDGES = 10_000
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ExplainedEdge:
    """source and target are numbers of entities; the step is read along the edge."""

    source: int
    target: int
    step: ExplainedStep


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Edges are the first of edge_count, in the graph's own order. Timed out: of at least that."""

    entities: tuple[EntityRef, ...]
    edges: tuple[ExplainedEdge, ...]
    edge_count: int
    capped: Literal["time"] | None


def edge_numbers_among(
    view: GraphView,
    numbers: Sequence[int],
    stop: Stop,
    *,
    relations: frozenset[int] | None = None,
    limit: int = MOST_EDGES,
) -> tuple[list[int], int]:
    """The first edges among some entities, and how many there are.

    Raises IndexError for an entity that is not there, DomainError for too many.
    """
    chosen = sorted(set(numbers))
    if len(chosen) > MOST_ENTITIES:
        raise DomainError(
            f"A part of a graph has {MOST_ENTITIES:,} entities at most, and these are "
            f"{len(chosen):,}.",
            code="too_many",
        )
    sides = sides_of(view) if isinstance(view, Snapshot) else copied(view, chosen)
    allowed = np.ones(len(view.relations), np.uint8)
    if relations is not None:
        allowed = np.isin(np.arange(len(allowed)), list(relations)).astype(np.uint8)
    inside = np.array(sides.inside(chosen), np.int32)
    found, count = edges_among(sides.links, inside, allowed, limit=limit, stop=stop)
    return found.tolist(), count


def subgraph_of(
    view: GraphView,
    numbers: Sequence[int],
    stop: Stop,
    *,
    relations: frozenset[int] | None = None,
    limit: int = MOST_EDGES,
    seconds: float = SECONDS,
) -> Subgraph:
    edge_numbers_among(view, [], stop)  # compiled here, if it was not: none of its time goes there
    with stop.after(seconds):
        edges, count = edge_numbers_among(view, numbers, stop, relations=relations, limit=limit)
    return Subgraph(
        tuple(entity_ref(view, number) for number in sorted(set(numbers))),
        tuple(explained_edge(view, edge) for edge in edges),
        count,
        "time" if stop.pulled else None,
    )


def explained_edge(view: GraphView, edge: int) -> ExplainedEdge:
    record = view.edge(edge)
    return ExplainedEdge(record.source, record.target, explain(view, edge, forward=True))
