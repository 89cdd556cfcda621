"""Edges as people read them: a phrase in the direction of the step, and what states them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from backend.graphs.entities import evidence_of, relation_number
from backend.graphs.snapshots.view import GraphView, within


@dataclass(frozen=True, slots=True)
class EntityRef:
    """As much of an entity as a list needs. degree: its entries on both sides."""

    number: int
    id: str
    name: str
    type: str
    degree: int


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """An edge walked along its direction (forward) or against it. No evidence: none is recorded."""

    edge: int
    relation: str
    phrase: str
    forward: bool
    symmetric: bool
    evidence: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Star:
    """An entity's own edges: the first of `count`."""

    centre: int
    numbers: tuple[int, ...]
    edges: tuple[int, ...]
    count: int


def entity_ref(view: GraphView, number: int) -> EntityRef:
    found = view.entity(number)
    return EntityRef(number, found.id, found.name, found.type, view.degree(number))


def phrase_of(view: GraphView, relation: int, *, forward: bool) -> str:
    """How a relation is said from the entity that a step leaves."""
    found = view.relations[relation]
    return found.forward if forward or found.symmetric else found.backward


def explain(view: GraphView, edge: int, *, forward: bool) -> ExplainedStep:
    record = view.edge(edge)
    relation = view.relations[record.relation]
    phrase = phrase_of(view, record.relation, forward=forward)
    return ExplainedStep(
        edge, relation.name, phrase, forward, relation.symmetric, evidence_of(record)
    )


def relation_numbers(view: GraphView, names: Iterable[str]) -> frozenset[int]:
    """Raises DomainError for a relation that the graph does not have."""
    return frozenset(relation_number(view, name) for name in names)


def star_of(
    view: GraphView,
    number: int,
    relation: int | None = None,
    *,
    ways: Sequence[bool] = (True, False),
    limit: int = 1000,
) -> Star:
    """The entity with its neighbours and the edges to them: outgoing ones first, each once."""
    numbers, edges = {number: None}, dict[int, None]()
    count = -loops_at(view, number, relation) if len(ways) == 2 else 0
    for outgoing in ways:
        page = view.neighbours(number, relation, outgoing=outgoing, limit=limit)
        count += page.count
        for neighbour, edge in zip(page.neighbours.tolist(), page.edges.tolist(), strict=True):
            if len(edges) < limit:
                edges[edge] = None
                numbers[neighbour] = None
    return Star(number, tuple(numbers), tuple(edges), count)


def loops_at(view: GraphView, number: int, relation: int | None) -> int:
    """Edges from an entity to itself, which are entries on both of its sides."""
    row = view.row(number)
    first, last = within(row, relation)
    return int((row.neighbours[first:last] == number).sum())
