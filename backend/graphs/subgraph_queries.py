"""Induced subgraphs: a set of entities and all edges between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from backend.common.errors import DomainError
from backend.graphs.edge_phrases import EntityRef, ExplainedStep, entity_ref, explain_step
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.view_csr import csr_of_entities, csr_of_view
from backend.runtime.cancellation import CancellationToken
from backend.science.induced_subgraph import induced_edges

MAX_ENTITIES = 2000
MAX_EDGES = 10_000
TIME_LIMIT_S = 5.0


@dataclass(frozen=True, slots=True)
class ExplainedEdge:
    """An edge between two entity numbers; its step is read from source to target."""

    source: int
    target: int
    step: ExplainedStep


@dataclass(frozen=True, slots=True)
class Subgraph:
    """The first of `edge_count` edges, in the graph's order.

    If `capped` is 'time', the search was stopped and `edge_count` is a lower bound.
    """

    entities: tuple[EntityRef, ...]
    edges: tuple[ExplainedEdge, ...]
    edge_count: int
    capped: Literal["time"] | None


def find_induced_edges(
    view: GraphView,
    numbers: Sequence[int],
    stop: CancellationToken,
    *,
    relations: frozenset[int] | None = None,
    limit: int = MAX_EDGES,
) -> tuple[list[int], int]:
    """Return the first edge numbers between the entities, and the number of all of them.

    Raises IndexError for an unknown entity number, DomainError for too many entities.
    """
    chosen = sorted(set(numbers))
    if len(chosen) > MAX_ENTITIES:
        raise DomainError(
            f"A subgraph may have {MAX_ENTITIES:,} entities, and {len(chosen):,} were given. "
            "Give fewer.",
            code="too_many",
        )
    sides = csr_of_view(view) if isinstance(view, Snapshot) else csr_of_entities(view, chosen)
    allowed = np.ones(len(view.relations), np.uint8)
    if relations is not None:
        allowed = np.isin(np.arange(len(allowed)), list(relations)).astype(np.uint8)
    inside = np.array(sides.to_csr_numbers(chosen), np.int32)
    edges, count = induced_edges(sides.links, inside, allowed, limit=limit, stop=stop)
    return edges.tolist(), count


def find_subgraph(
    view: GraphView,
    numbers: Sequence[int],
    stop: CancellationToken,
    *,
    relations: frozenset[int] | None = None,
    limit: int = MAX_EDGES,
    seconds: float = TIME_LIMIT_S,
) -> Subgraph:
    find_induced_edges(view, [], stop)  # compiles the kernel before the time limit starts
    with stop.cancel_after(seconds):
        edges, count = find_induced_edges(view, numbers, stop, relations=relations, limit=limit)
    return Subgraph(
        tuple(entity_ref(view, number) for number in sorted(set(numbers))),
        tuple(explain_edge(view, edge) for edge in edges),
        count,
        "time" if stop.is_cancelled else None,
    )


def explain_edge(view: GraphView, edge: int) -> ExplainedEdge:
    record = view.edge(edge)
    return ExplainedEdge(record.source, record.target, explain_step(view, edge, forward=True))
