"""Marks on the evidence of an assignment: whether it is there, and what it is in words."""

from collections.abc import Sequence
from uuid import UUID

from annotation.kinds.base import Answer, InvalidPayload, Payload
from annotation.kinds.items import hides_evidence
from annotation.kinds.marks import MarkedAnswer, PathMark, ResourceMark, mark_key, stored_marks
from annotation.models import Assignment
from backend.accounts.models import User
from backend.benchmarks.models import Match, Resource
from backend.common.errors import NotFound
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.graph_access import open_study_version
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.study_links import pinned_version
from backend.validation.faults import Fault

PlacedMarks = list[tuple[str, PathMark]]


def check_new_marks(actor: User, assignment: Assignment, answer: Answer, stored: Payload) -> None:
    """Write the text of each marked path. Marks of the stored answer are not checked again.

    Raises InvalidPayload with the place of each mark of evidence that the question does not have.
    """
    if not isinstance(answer, MarkedAnswer) or not answer.because:
        return
    texts = {mark_key(one): one.get("text", "") for one in stored_marks(stored)}
    resources: list[tuple[str, ResourceMark]] = []
    paths: PlacedMarks = []
    for at, mark in enumerate(answer.because):
        place, key = f"payload.because[{at}]", mark_key(mark.model_dump())
        if isinstance(mark, ResourceMark):
            resources += [] if key in texts else [(place, mark)]
        elif key in texts:
            mark.text = texts[key]
        else:
            paths.append((place, mark))
    faults = [
        *(_resource_faults(assignment, resources) if resources else ()),
        *(_path_faults(actor, assignment, paths) if paths else ()),
    ]
    if faults:
        raise InvalidPayload("This answer is not valid, so nothing was saved.", faults=faults)


def select_path_ends(
    matches: Sequence[Match], candidate: UUID | str
) -> tuple[list[Match], int | None]:
    """What the question names in the graph beside the candidate, and the candidate's entity."""
    end = next((it.entity for it in matches if str(it.candidate_id) == str(candidate)), None)
    named = [it for it in matches if it.candidate_id is None and it.entity not in (None, end)]
    return named, end


def _resource_faults(
    assignment: Assignment, marks: Sequence[tuple[str, ResourceMark]]
) -> list[Fault]:
    count = Resource.objects.filter(question=assignment.question_id).count()
    return [
        Fault(place, "The question has no such link.", "unknown")
        for place, mark in marks
        if mark.number >= count
    ]


def _path_faults(actor: User, assignment: Assignment, marks: PlacedMarks) -> list[Fault]:
    view, matches = _open_evidence(actor, assignment)
    faults = []
    for place, mark in marks:
        mark.text = "" if view is None else _text_of(view, matches, mark)
        if not mark.text:
            message = "The evidence of this question has no such path, step or paper."
            faults.append(Fault(place, message, "unknown"))
    return faults


def _open_evidence(actor: User, assignment: Assignment) -> tuple[GraphView | None, list[Match]]:
    """No graph where the study has none, its owner stopped sharing it, or an arm hides it."""
    version = None if hides_evidence(assignment.arms) else pinned_version(assignment.study)
    if version is None:
        return None, []
    try:
        view = open_study_version(actor, assignment.study, version).snapshot
    except NotFound:
        return None, []
    matches = Match.objects.filter(resolution__version=version, question=assignment.question_id)
    return view, list(matches)


def _text_of(view: GraphView, matches: Sequence[Match], mark: PathMark) -> str:
    """Empty unless the edges lead from what the question names to the candidate."""
    named, end = select_path_ends(matches, mark.candidate)
    if end is None or max(mark.edges) >= view.edge_count:
        return ""
    statements: list[str] = []
    at = end
    for number in reversed(mark.edges):
        edge = view.edge(number)
        if at not in (edge.source, edge.target):
            return ""
        is_forward = edge.target == at
        before = edge.source if is_forward else edge.target
        phrase = relation_phrase(view, edge.relation, forward=is_forward)
        names = (view.entity_summary(one).name for one in (before, at))
        statements.insert(0, f" {phrase} ".join(names))
        at = before
    is_path = any(it.entity == at for it in named)
    return _part_of(view, mark, statements) if is_path else ""


def _part_of(view: GraphView, mark: PathMark, statements: Sequence[str]) -> str:
    if mark.step is None:
        return "" if mark.paper else "; ".join(statements)
    if mark.step >= len(statements):
        return ""
    statement = statements[mark.step]
    if not mark.paper:
        return statement
    papers = view.edge(mark.edges[mark.step]).publications
    return f"{mark.paper}: {statement}" if mark.paper in papers else ""
