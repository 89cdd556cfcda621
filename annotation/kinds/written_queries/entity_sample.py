"""Entities drawn from a graph at random, with what can be explored about them, as questions.

As in STaRK (2.6) every entity of the graph, or of some of its types, is equally likely; one without
edges has nothing to explore and is not drawn. The same graph, count and seed give the same
questions. A hub has some edges of each of its relations, drawn at random.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.kinds.passages import MAX_DOCUMENT_LENGTH, MAX_DOCUMENTS
from backend.common.errors import DomainError
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.graphs.snapshots.records import EntityRecord, RelationDegree

MAX_SHOWN_EDGES = 60


def draw_questions(
    view: GraphView, count: int, seed: int, types: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Entries of a questionnaire; fewer where the graph has no more entities with edges.

    types: of the entities, all if empty. Raises DomainError for one that the graph lacks.
    """
    rng = np.random.default_rng(seed)
    drawn = (int(one) for one in rng.permutation(_numbers_of_types(view, types)))
    result: list[dict[str, Any]] = []
    for number in drawn:
        if len(result) == count:
            break
        if view.degree(number):
            result.append(_question(view, number, len(result) + 1, rng))
    return result


def _numbers_of_types(view: GraphView, types: Collection[str]) -> NDArray[np.int64]:
    unknown = [one for one in types if one not in view.types]
    if unknown:
        raise DomainError(
            f"The graph has no type '{unknown[0]}'. It has: {', '.join(view.types)}.",
            code="unknown_type",
        )
    numbers = [view.types.index(one) for one in types] or list(range(len(view.types)))
    return np.flatnonzero(np.isin(view.type_of, numbers))


def _question(view: GraphView, number: int, place: int, rng: np.random.Generator) -> dict[str, Any]:
    entity = view.entity(number)
    return {
        "question_number": place,
        "qid": place,
        "text": f"Write a query whose answer is {entity.name}.",
        "category": entity.type,
        "answer": entity.name,
        "synonyms": list(entity.synonyms),
        "identifiers": [entity.id, *entity.xrefs],
        "documents": _documents(view, number),
        "edges": _edges(view, entity, rng),
    }


def _documents(view: GraphView, number: int) -> list[dict[str, str]]:
    sections = [one for one in view.document(number) if one.text.strip()]
    return [
        {
            "id": f"section-{place}",
            "title": one.title,
            "text": one.text[:MAX_DOCUMENT_LENGTH],
            "source": one.source,
        }
        for place, one in enumerate(sections[:MAX_DOCUMENTS], 1)
    ]


def _edges(view: GraphView, entity: EntityRecord, rng: np.random.Generator) -> list[dict[str, str]]:
    """Of each relation equally many, as far as it has them; parallel edges are shown once."""
    degrees = view.degrees(entity.number)
    share = max(1, MAX_SHOWN_EDGES // len(degrees))
    shown = [
        {
            "source": entity.name,
            "relation": relation_phrase(view, one.relation, forward=one.outgoing),
            "target": view.entity_summary(other).name,
        }
        for one in degrees[:MAX_SHOWN_EDGES]
        for other in _draw_neighbours(view, entity.number, one, share, rng)
    ]
    return list({tuple(one.values()): one for one in shown}.values())


def _draw_neighbours(
    view: GraphView, number: int, degree: RelationDegree, share: int, rng: np.random.Generator
) -> list[int]:
    row = view.row(number, outgoing=degree.outgoing)
    neighbours = np.unique(row.neighbours[slice(*relation_range(row, degree.relation))])
    drawn = rng.choice(neighbours, min(share, len(neighbours)), replace=False)
    return [int(one) for one in np.sort(drawn)]
