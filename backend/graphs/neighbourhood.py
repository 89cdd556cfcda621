"""Edges as people read them: a phrase in the direction of the step, and what states them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backend.common.errors import DomainError
from backend.graphs.identifiers import link_of
from backend.graphs.snapshots.records import EdgeRecord
from backend.graphs.snapshots.view import GraphView


@dataclass(frozen=True, slots=True)
class EntityRef:
    """As much of an entity as a list needs. degree: its entries on both sides."""

    number: int
    id: str
    name: str
    type: str
    degree: int


@dataclass(frozen=True, slots=True)
class Publication:
    curie: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What states an edge; folded: how many equal rows did."""

    source: str
    score: float | None
    level: str
    p_value: float | None
    publications: tuple[Publication, ...]
    folded: int


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """An edge walked along its direction (forward) or against it. No evidence: none is recorded."""

    edge: int
    relation: str
    phrase: str
    forward: bool
    symmetric: bool
    evidence: Evidence | None


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


def evidence_of(edge: EdgeRecord) -> Evidence | None:
    """None where nothing is recorded but the edge itself."""
    said = (edge.evidence, edge.level, edge.publications)
    if not any(said) and edge.score is None and edge.p_value is None:
        return None
    publications = tuple(Publication(curie, link_of(curie)) for curie in edge.publications)
    return Evidence(edge.evidence, edge.score, edge.level, edge.p_value, publications, edge.folded)


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
    known = {one.name: one.number for one in view.relations}
    wanted = list(names)
    for name in wanted:
        if name not in known:
            raise DomainError(
                f"This graph has no relation {name[:100]}.",
                code="no_relation",
                data={"relations": sorted(known)[:200]},
            )
    return frozenset(known[name] for name in wanted)


def star_of(
    view: GraphView,
    number: int,
    relation: int | None = None,
    *,
    ways: Sequence[bool] = (True, False),
    limit: int = 1000,
) -> Star:
    """The entity with its neighbours and the edges to them: outgoing ones first, each once."""
    numbers, edges, count = {number: None}, dict[int, None](), 0
    for outgoing in ways:
        page = view.neighbours(number, relation, outgoing=outgoing, limit=limit)
        count += page.count
        for neighbour, edge in zip(page.neighbours.tolist(), page.edges.tolist(), strict=True):
            if edge in edges:
                count -= 1  # a self-loop is an entry on both sides
            elif len(edges) < limit:
                edges[edge] = None
                numbers[neighbour] = None
    return Star(number, tuple(numbers), tuple(edges), count)
