"""What an expert finds beside her ranking: what the pinned graph says of each candidate, and the
paths that lead to it from what the question names. Reading it changes nothing.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from annotation.models import Assignment, Study
from annotation.pins import resolution_of
from annotation.policies import NOTHING_HERE
from backend.accounts.models import User
from backend.benchmarks.models import Match
from backend.benchmarks.resolution import is_complete
from backend.common.errors import Missing
from backend.graphs.entities import brief, entity_page
from backend.graphs.paths import HUB
from backend.graphs.reading import OpenGraph, open_graph
from backend.graphs.rows import Section
from backend.graphs.snapshots.view import GraphView
from backend.science.paths import Question

HOPS = 3
PATHS = 12
NO_GRAPH = "This study shows no evidence: it names no graph."


@dataclass(frozen=True)
class Named:
    """A candidate, a resource or a word of the question, and the entity that it stands for."""

    name: str
    how: str | None
    why_not: str | None
    by: str
    entity: dict[str, Any] | None
    candidate: uuid.UUID | None = None


@dataclass(frozen=True)
class CandidateEvidence(Named):
    summary: Section | None = None
    sections: int = 0
    relations: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Evidence:
    """Not complete: a worker still looks the names up, and what is here is what it has so far."""

    opened: OpenGraph
    is_complete: bool
    named: list[Named]
    candidates: list[CandidateEvidence]


@dataclass(frozen=True)
class Search:
    """Paths to look for; none can be where nothing to begin from, or no end, is known."""

    opened: OpenGraph
    named: list[Named]
    question: Question | None


def evidence_of(user: User, assignment: Assignment) -> Evidence:
    opened = _open(user, assignment.study)
    matches, complete = _matches(assignment)
    view = opened.snapshot
    by_candidate = {match.candidate_id: match for match in matches if match.candidate_id}
    candidates = assignment.question.candidates.order_by("position")
    return Evidence(
        opened=opened,
        is_complete=complete,
        named=_starts(view, matches),
        candidates=[
            _candidate(view, row.id, row.name, by_candidate.get(row.id)) for row in candidates
        ],
    )


def search_of(user: User, assignment: Assignment, candidate: uuid.UUID, *, hubs: bool) -> Search:
    """Raises Missing for what is no candidate of this question."""
    opened = _open(user, assignment.study)
    if not assignment.question.candidates.filter(id=candidate).exists():
        raise Missing(NOTHING_HERE)
    matches, _ = _matches(assignment)
    found = next((it for it in matches if it.candidate_id == candidate), None)
    end = found.entity if found else None
    known = [it for it in _resolved(matches) if it.candidate_id is None and it.entity != end]
    starts = list(dict.fromkeys(it.entity for it in known if it.entity is not None))
    question = None
    if starts and end is not None:
        hub = None if hubs else HUB
        question = Question(starts, [end], hops=HOPS, hub=hub, limit=PATHS)
    return Search(opened, [_named(opened.snapshot, it) for it in known], question)


def _open(user: User, study: Study) -> OpenGraph:
    """Asked anew each time: a graph that its owner takes back is not shown by a study either."""
    version = study.graph_version
    if version is None:
        raise Missing(NO_GRAPH, code="no_graph")
    return open_graph(user, version.graph.slug, version.snapshot)


def _matches(assignment: Assignment) -> tuple[list[Match], bool]:
    resolution = resolution_of(assignment.study)
    if resolution is None:
        return [], False
    found = resolution.matches.filter(question=assignment.question_id)
    rows = list(found.select_related("candidate", "resource").order_by("id"))
    return rows, is_complete(resolution)


def _resolved(matches: list[Match]) -> list[Match]:
    return [match for match in matches if match.entity is not None]


def _starts(view: GraphView, matches: list[Match]) -> list[Named]:
    return [_named(view, match) for match in matches if match.candidate_id is None]


def _named(view: GraphView, match: Match) -> Named:
    name = match.resource.name if match.resource else match.mention
    return Named(name, match.how or None, match.why_not or None, match.by, _entity(view, match))


def _entity(view: GraphView, match: Match) -> dict[str, Any] | None:
    return None if match.entity is None else brief(view, match.entity)


def _candidate(
    view: GraphView, candidate: uuid.UUID, name: str, match: Match | None
) -> CandidateEvidence:
    if match is None:  # a worker has not come to it
        return CandidateEvidence(name, None, None, "", None, candidate)
    told = (match.how or None, match.why_not or None, match.by)
    if match.entity is None:
        return CandidateEvidence(name, *told, None, candidate)
    document = view.document(match.entity)
    return CandidateEvidence(
        name,
        *told,
        brief(view, match.entity),
        candidate,
        document[0] if document else None,
        len(document),
        entity_page(view, match.entity)["relations"],
    )
