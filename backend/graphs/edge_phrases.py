"""Edges in words: the phrase of the relation in the direction walked, and the evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from backend.graphs.entity_details import evidence_payload, relation_number_or_raise
from backend.graphs.snapshots.graph_view import GraphView


@dataclass(frozen=True, slots=True)
class EntityRef:
    """An entity in a list. `degree` counts its edges in both directions."""

    number: int
    id: str
    name: str
    type: str
    degree: int


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """An edge walked along its direction (`forward`) or against it."""

    edge: int
    relation: str
    phrase: str
    forward: bool
    symmetric: bool
    evidence: dict[str, Any] | None


def entity_ref(view: GraphView, number: int) -> EntityRef:
    entity = view.entity(number)
    return EntityRef(number, entity.id, entity.name, entity.type, view.degree(number))


def relation_phrase(view: GraphView, relation: int, *, forward: bool) -> str:
    """The phrase of a relation, read from the entity where the step starts."""
    info = view.relations[relation]
    return info.forward if forward or info.symmetric else info.backward


def explain_step(view: GraphView, edge: int, *, forward: bool) -> ExplainedStep:
    record = view.edge(edge)
    relation = view.relations[record.relation]
    phrase = relation_phrase(view, record.relation, forward=forward)
    return ExplainedStep(
        edge, relation.name, phrase, forward, relation.symmetric, evidence_payload(record)
    )


def relation_numbers(view: GraphView, names: Iterable[str]) -> frozenset[int]:
    """Raises DomainError for a name that is no relation of the graph."""
    return frozenset(relation_number_or_raise(view, name) for name in names)


def find_star(
    view: GraphView,
    number: int,
    relation: int | None = None,
    *,
    directions: Sequence[bool] = (True, False),
    limit: int = 1000,
) -> tuple[list[int], list[int]]:
    """The entity with its neighbours, and the edges to them: outgoing first, each edge once."""
    numbers, edges = {number: None}, dict[int, None]()
    for outgoing in directions:
        page = view.neighbours(number, relation, outgoing=outgoing, limit=limit)
        for neighbour, edge in zip(page.neighbours.tolist(), page.edges.tolist(), strict=True):
            if len(edges) < limit:
                edges[edge] = None
                numbers[neighbour] = None
    return list(numbers), list(edges)
