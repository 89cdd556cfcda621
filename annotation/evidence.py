"""Evidence beside an expert's question: what the pinned graph contains about each candidate, and
paths to it from the entities that the question names. Reading it changes nothing.
"""

import uuid
from dataclasses import dataclass, field
from typing import Any

from annotation.evidence_marks import select_path_ends
from annotation.kinds.items import hides_evidence
from annotation.models import Assignment
from annotation.study_graph import get_resolution
from backend.accounts.models import User
from backend.benchmarks.entity_linking import is_complete
from backend.benchmarks.models import Match
from backend.common.errors import NotFound
from backend.graphs.entity_details import entity_payload, entity_summary
from backend.graphs.graph_access import OpenGraph, open_study_version
from backend.graphs.literature.entity_papers import NamingPapers, find_papers_naming, names_of
from backend.graphs.literature.policies import readable_collections
from backend.graphs.path_queries import DEFAULT_HUB_LINKS
from backend.graphs.policies import may_read_graph
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.source_records import Section
from backend.graphs.study_links import pinned_version
from backend.science.paths import PathQuery
from backend.studies.policies import NOT_FOUND_MESSAGE

MAX_HOPS = 3
MAX_PATHS = 12
MAX_PAPERS = 10
NO_GRAPH_MESSAGE = "There is no evidence to show with this question."


@dataclass(frozen=True)
class LinkedEntity:
    """A candidate, a resource or a mention in the question, and its entity in the graph.

    unmatched_reason is set where no entity was linked.
    """

    name: str
    match_method: str | None
    unmatched_reason: str | None
    matched_on: str
    entity: dict[str, Any] | None
    candidate: uuid.UUID | None = None


@dataclass(frozen=True)
class CandidateEvidence(LinkedEntity):
    """rest: of the document, after the summary; None where it is read on the graph's own pages."""

    summary: Section | None = None
    sections: int = 0
    rest: list[Section] | None = None
    relations: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class AssignmentEvidence:
    """Not complete: a worker is still linking names, and these are the links so far.

    Candidates are ordered by their random ids: their order in the file may be the prior.
    has_pages: the expert may open the graph's own pages.
    """

    opened: OpenGraph
    has_pages: bool
    is_complete: bool
    named: list[LinkedEntity]
    candidates: list[CandidateEvidence]


@dataclass(frozen=True)
class EvidencePathQuery:
    """The paths to search; no question where no start, or not the end, is in the graph."""

    opened: OpenGraph
    named: list[LinkedEntity]
    question: PathQuery | None


def load_evidence(user: User, assignment: Assignment) -> AssignmentEvidence:
    opened = _open_study_graph(user, assignment)
    matches, complete = _load_matches(assignment)
    view = opened.snapshot
    by_candidate = {match.candidate_id: match for match in matches if match.candidate_id}
    candidates = assignment.question.candidates.order_by("id")
    has_pages = may_read_graph(user, opened.graph)
    return AssignmentEvidence(
        opened=opened,
        has_pages=has_pages,
        is_complete=complete,
        named=[_linked_entity(view, match) for match in matches if match.candidate_id is None],
        candidates=[
            _candidate_evidence(
                view, row.id, row.name, by_candidate.get(row.id), has_pages=has_pages
            )
            for row in candidates
        ],
    )


def build_path_query(
    user: User, assignment: Assignment, candidate: uuid.UUID, *, hubs: bool
) -> EvidencePathQuery:
    """Raises NotFound unless it is a candidate of this question."""
    opened = _open_study_graph(user, assignment)
    if not assignment.question.candidates.filter(id=candidate).exists():
        raise NotFound(NOT_FOUND_MESSAGE)
    matches, _ = _load_matches(assignment)
    known, end = select_path_ends(matches, candidate)
    starts = list(dict.fromkeys(it.entity for it in known if it.entity is not None))
    question = None
    if starts and end is not None:
        hub = None if hubs else DEFAULT_HUB_LINKS
        question = PathQuery(starts, [end], hops=MAX_HOPS, max_degree=hub, limit=MAX_PATHS)
    return EvidencePathQuery(
        opened, [_linked_entity(opened.snapshot, it) for it in known], question
    )


def load_candidate_papers(
    user: User, assignment: Assignment, candidate: uuid.UUID
) -> list[NamingPapers]:
    """The papers that name a candidate, by its names in the graph, else by its own. Only of public
    collections: evidence is the same for every expert.

    Raises NotFound unless it is a candidate of this question, and where the study shows no graph.
    """
    opened = _open_study_graph(user, assignment)
    row = assignment.question.candidates.filter(id=candidate).first()
    if row is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    matches, _ = _load_matches(assignment)
    _, end = select_path_ends(matches, candidate)
    names = [row.name] if end is None else names_of(opened.snapshot.entity(end))
    return [
        find_papers_naming(collection, names, MAX_PAPERS)
        for collection in readable_collections(None)
    ]


def _open_study_graph(user: User, assignment: Assignment) -> OpenGraph:
    """Check access each time: a study does not show a graph that its owner made private. Where an
    arm hides the evidence, the answer is that of a study without a graph."""
    version = None if hides_evidence(assignment.arms) else pinned_version(assignment.study)
    if version is None:
        raise NotFound(NO_GRAPH_MESSAGE, code="no_graph")
    return open_study_version(user, assignment.study, version)


def _load_matches(assignment: Assignment) -> tuple[list[Match], bool]:
    version = pinned_version(assignment.study)
    resolution = get_resolution(assignment.study, version) if version else None
    if resolution is None:
        return [], False
    result = resolution.matches.filter(question=assignment.question_id)
    rows = list(result.select_related("candidate", "resource").order_by("id"))
    return rows, is_complete(resolution)


def _linked_entity(view: GraphView, match: Match) -> LinkedEntity:
    name = match.resource.name if match.resource else match.mention
    return LinkedEntity(
        name,
        match.match_method or None,
        match.unmatched_reason or None,
        match.matched_on,
        None if match.entity is None else entity_summary(view, match.entity),
    )


def _candidate_evidence(
    view: GraphView, candidate: uuid.UUID, name: str, match: Match | None, *, has_pages: bool
) -> CandidateEvidence:
    if match is None:  # not linked yet
        return CandidateEvidence(name, None, None, "", None, candidate)
    link = (match.match_method or None, match.unmatched_reason or None, match.matched_on)
    if match.entity is None:
        return CandidateEvidence(name, *link, None, candidate)
    document = view.document(match.entity)
    return CandidateEvidence(
        name,
        *link,
        entity_summary(view, match.entity),
        candidate,
        document[0] if document else None,
        len(document),
        None if has_pages else list(document[1:]),
        entity_payload(view, match.entity)["relations"],
    )
