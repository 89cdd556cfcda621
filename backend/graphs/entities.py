"""An entity as a reader sees it: its page, and what it is joined to, page by page."""

from __future__ import annotations

from typing import Any

from backend.common.errors import DomainError, Missing
from backend.graphs.identifiers import link_of, scheme_of
from backend.graphs.snapshots.records import Degree, EdgeRecord, EntityRecord
from backend.graphs.snapshots.view import GraphView

MOST_LISTED = 1_000  # synonyms or identifiers of one entity


def entity_page(view: GraphView, number: int) -> dict[str, Any]:
    entity = view.entity(number)
    return {
        **brief(view, number),
        "number": number,
        "synonyms": list(entity.synonyms[:MOST_LISTED]),
        "identifiers": identifiers_of(entity),
        "document": [
            {"title": it.title, "text": it.text, "source": it.source}
            for it in view.document(number)
        ],
        "relations": [_relation(view, it) for it in view.degrees(number)],
    }


def brief(view: GraphView, number: int) -> dict[str, Any]:
    """What is shown of an entity wherever it is mentioned."""
    it = view.named(number)
    return {"id": it.id, "name": it.name, "type": it.type, "degree": view.degree(number)}


def identifiers_of(entity: EntityRecord) -> list[dict[str, Any]]:
    """Its own first; each with the page that it leads to, if there is one."""
    found = dict.fromkeys((entity.id, *entity.xrefs[:MOST_LISTED]))
    return [
        {
            "curie": identifier,
            "scheme": scheme.name if (scheme := scheme_of(identifier)) else "",
            "url": link_of(identifier),
        }
        for identifier in found
    ]


def _relation(view: GraphView, degree: Degree) -> dict[str, Any]:
    relation = view.relations[degree.relation]
    return {
        "relation": relation.name,
        "phrase": relation.forward if degree.outgoing else relation.backward,
        "outgoing": degree.outgoing,
        "symmetric": relation.symmetric,
        "count": degree.count,
    }


def neighbour_page(
    view: GraphView,
    number: int,
    *,
    relation: str | None,
    outgoing: bool,
    after: int | None,
    limit: int,
) -> dict[str, Any]:
    wanted = None if relation is None else relation_number(view, relation)
    try:
        page = view.neighbours(number, wanted, outgoing=outgoing, after=after, limit=limit)
    except (ValueError, IndexError) as error:
        raise Missing("There is no such page. Begin again at the first.") from error
    rows = zip(page.neighbours.tolist(), page.relations.tolist(), page.edges.tolist(), strict=True)
    return {
        "count": page.count,
        "results": [
            {
                "edge": edge,
                "relation": view.relations[kind].name,
                "entity": brief(view, neighbour),
                "evidence": evidence_of(view.edge(edge)),
            }
            for neighbour, kind, edge in rows
        ],
        "next": None if page.next is None else str(page.next),
    }


def relation_number(view: GraphView, name: str) -> int:
    found = next((it.number for it in view.relations if it.name == name), None)
    if found is None:
        raise DomainError("This graph has no such relation.", code="no_relation")
    return found


def evidence_of(edge: EdgeRecord) -> dict[str, Any] | None:
    """None where nobody said on what an edge rests."""
    said = (edge.evidence, edge.score, edge.level, edge.p_value, edge.publications)
    if all(it in ("", None, ()) for it in said):
        return None
    return {
        "source": edge.evidence,
        "score": edge.score,
        "level": edge.level,
        "p_value": edge.p_value,
        "publications": [{"curie": it, "url": link_of(it)} for it in edge.publications],
        "folded": edge.folded,
    }
