"""Response bodies of an entity: its details, and its neighbours page by page."""

import re
from dataclasses import asdict
from typing import Any

import numpy as np

from backend.common.errors import DomainError, NotFound
from backend.graphs.identifiers import (
    canonicalize,
    identifier_url,
    make_curie,
    scheme_of_curie,
)
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import EdgeRecord, EntityRecord, RelationDegree
from backend.validation.faults import printable

TRIALS, TRIAL_NUMBER = "CLINICALTRIALS", re.compile(r"NCT[0-9]{8}")
MAX_LISTED_TEXTS = 1_000  # synonyms or identifiers of one entity


def entity_payload(view: GraphView, number: int) -> dict[str, Any]:
    entity = view.entity(number)
    return {
        **entity_summary(view, number),
        "number": number,
        "synonyms": list(entity.synonyms[:MAX_LISTED_TEXTS]),
        "identifiers": identifier_links(entity),
        "document": [asdict(section) for section in view.document(number)],
        "relations": [_relation_payload(view, it) for it in view.degrees(number)],
    }


def entity_summary(view: GraphView, number: int) -> dict[str, Any]:
    """The fields by which an entity is shown in lists."""
    it = view.entity_summary(number)
    return {"id": it.id, "name": it.name, "type": it.type, "degree": view.degree(number)}


def entities_payload(view: GraphView, type_name: str, *, after: int, limit: int) -> dict[str, Any]:
    """Entities of a type in the order of their numbers, which descends by degree."""
    if type_name not in view.types:
        raise DomainError(
            "This graph has no type with this name. Choose one of its types.", code="no_type"
        )
    numbers = np.flatnonzero(view.type_of == view.types.index(type_name))
    first = int(np.searchsorted(numbers, after, "right"))
    page = numbers[first : first + limit].tolist()
    return {
        "count": len(numbers),
        "results": [entity_summary(view, number) for number in page],
        "next": str(page[-1]) if first + limit < len(numbers) else None,
    }


def identifier_links(entity: EntityRecord) -> list[dict[str, Any]]:
    """The entity's own identifier, then its cross-references, each with its web page if known."""
    identifiers = dict.fromkeys((entity.id, *entity.xrefs[:MAX_LISTED_TEXTS]))
    return [
        {
            "curie": identifier,
            "scheme": scheme.name if (scheme := scheme_of_curie(identifier)) else "",
            "url": identifier_url(identifier),
        }
        for identifier in identifiers
    ]


def _relation_payload(view: GraphView, degree: RelationDegree) -> dict[str, Any]:
    relation = view.relations[degree.relation]
    return {
        "relation": relation.name,
        "phrase": relation.forward if degree.outgoing else relation.backward,
        "outgoing": degree.outgoing,
        "symmetric": relation.symmetric,
        "count": degree.count,
    }


def neighbours_payload(
    view: GraphView,
    number: int,
    *,
    relation: str | None,
    outgoing: bool,
    after: int | None,
    limit: int,
) -> dict[str, Any]:
    relation_number = None if relation is None else relation_number_or_raise(view, relation)
    try:
        page = view.neighbours(number, relation_number, outgoing=outgoing, after=after, limit=limit)
    except (ValueError, IndexError) as error:
        raise NotFound("This page does not exist. Start again at the first page.") from error
    rows = zip(page.neighbours.tolist(), page.relations.tolist(), page.edges.tolist(), strict=True)
    return {
        "count": page.count,
        "results": [
            {
                "edge": edge,
                "relation": view.relations[kind].name,
                "entity": entity_summary(view, neighbour),
                "evidence": evidence_payload(view.edge(edge)),
            }
            for neighbour, kind, edge in rows
        ],
        "undated": (
            view.count_undated(number, relation_number, outgoing=outgoing)
            if isinstance(view, DatedView)
            else None
        ),
        "next": None if page.next is None else str(page.next),
    }


def relation_number_or_raise(view: GraphView, name: str) -> int:
    number = next((it.number for it in view.relations if it.name == name), None)
    if number is None:
        raise DomainError(
            f"This graph has no relation '{printable(name)}'. Choose one of its relations.",
            code="no_relation",
        )
    return number


def evidence_payload(edge: EdgeRecord) -> dict[str, Any] | None:
    """The evidence of an edge; None if none is recorded."""
    values = (
        *(edge.evidence, edge.score, edge.level, edge.p_value, edge.publications),
        *(edge.first_pmid, edge.first_year),
    )
    if all(it in ("", None, ()) for it in values):
        return None
    return {
        "source": edge.evidence,
        "score": edge.score,
        "level": edge.level,
        "p_value": edge.p_value,
        "publications": [{"curie": it, "url": publication_url(it)} for it in edge.publications],
        "first_seen": first_seen_payload(edge),
        "row_count": edge.row_count,
    }


def publication_url(identifier: str) -> str | None:
    """The page of a CURIE in any spelling of its prefix, or of a trial's number alone."""
    if TRIAL_NUMBER.fullmatch(identifier):
        return identifier_url(f"{TRIALS}:{identifier}")
    return identifier_url(canonicalize(identifier))


def first_seen_payload(edge: EdgeRecord) -> dict[str, Any] | None:
    """When the edge was first seen: a PMID with its page, or a year; None for an undated edge."""
    source = edge.date_source
    if edge.first_pmid is not None:
        url = identifier_url(make_curie("PMID", str(edge.first_pmid)))
        return {"unit": "pmid", "value": edge.first_pmid, "url": url, "source": source}
    if edge.first_year is not None:
        return {"unit": "year", "value": edge.first_year, "url": None, "source": source}
    return None
