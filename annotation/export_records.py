"""Records of exports: a study, its experts, questions, threads and answers.

The documents that they stand in are described in `annotation.exports`.
"""

import uuid
from collections import defaultdict
from typing import Any

from annotation.archived_ids import archived_ids
from annotation.blinding import sight_of
from annotation.judge_records import (
    judges_of_question,
)
from annotation.kinds.base import AnyKind
from annotation.models import (
    Assignment,
    Batch,
    BatchQuestion,
    Event,
    Response,
    Revision,
    Thread,
)
from annotation.presentations import complete_presentation
from annotation.threads import threads_with_messages
from backend.graphs.models import Version
from backend.graphs.study_links import pinned_version
from backend.studies.models import Member, Study, archive_of

PERSON = ("name", "email")
COORDINATOR = "coordinator"
RESPONSE_FIELDS = ("version", "status", "outcome", "payload", "active_ms", "updated_at")

ExportRecord = dict[str, Any]


def pseudonym(study: Study, user_id: uuid.UUID) -> str:
    archive = archive_of(study)
    if archive is not None and str(user_id) in archive.experts:
        return str(archive.experts[str(user_id)]["id"])
    return f"expert-{uuid.uuid5(study.id, str(user_id)).hex[:12]}"


def response_or_none(assignment: Assignment) -> Response | None:
    """None as well for what was withdrawn: of that, the assignment alone is exported."""
    if assignment.state == Assignment.State.WITHDRAWN:
        return None
    return assignment.response if hasattr(assignment, "response") else None


def _pick(row: object, *names: str) -> ExportRecord:
    return {name: getattr(row, name) for name in names}


STUDY_FIELDS = ("id", "name", "kind", "status", "is_demo", "graph", "guidelines", "created_at")


def study_record(study: Study) -> ExportRecord:
    archive = archive_of(study)
    if archive is not None:
        record = archive.record
        return {name: record[name] for name in STUDY_FIELDS}
    return {
        **_pick(study, "id", "name", "kind", "status", "is_demo"),
        "graph": _graph(pinned_version(study)),
        "guidelines": [
            _pick(one, "number", "created_at", "digest", "must_be_read", "text")
            for one in study.guidelines.order_by("number")
        ],
        "created_at": study.created_at,
    }


def _graph(version: Version | None) -> ExportRecord | None:
    """The graph that showed evidence to the experts."""
    if version is None:
        return None
    return {"slug": version.graph.slug, "version": version.number, "snapshot": version.snapshot}


def batch_record(study: Study, batch: Batch) -> ExportRecord:
    ids = archived_ids(study)
    own = batch.id if ids is None else ids.swap(batch.id)
    return {"id": own, **_pick(batch, "number", "name")}


def expert_record(study: Study, member: Member, with_names: bool) -> ExportRecord:
    """In an archive, the person's name and address are those of its file, if it has them."""
    archive = archive_of(study)
    known = archive.experts.get(str(member.user_id), {}) if archive else _pick(member.user, *PERSON)
    return {
        "id": pseudonym(study, member.user_id),
        **({name: known[name] for name in PERSON if name in known} if with_names else {}),
        "is_simulated": member.user.is_simulated,
        **_pick(member, "consent_version", "consented_at", "guidelines_number", "tags"),
        **_pick(member, "left_at", "answers_withdrawn"),
        **({"returns": member.returns} if member.returns else {}),
    }


def question_source(entry: BatchQuestion, coordination: ExportRecord) -> ExportRecord:
    """What the question is stored as, besides what every export names. shown: by the study.

    coordination: its `coordination_records`.
    """
    known = entry.known_answer if hasattr(entry, "known_answer") else None
    question, judges = entry.question, judges_of_question(entry)
    names = ("id", "name", "link", "identifier", "prior_rank")
    return {
        **_pick(question, "batch_number", "payload"),
        "shown": entry.payload,
        "candidates": [_pick(one, *names) for one in question.candidates.all()],
        "resources": [_pick(one, "name", "link") for one in question.resources.all()],
        **({"known_answer": _pick(known, "payload", "explanation")} if known else {}),
        **coordination,
        **({"judges": judges} if judges else {}),
    }


def question_record(
    kind: AnyKind, study: Study, entry: BatchQuestion, assignments: list[Assignment]
) -> ExportRecord:
    item = kind.build_item(entry.question, complete_presentation(entry.payload))
    cells = kind.coordinator_cells(entry.question)
    return {
        **item.model_dump(mode="json"),
        **({"for_coordinators": cells} if cells else {}),
        "assignments": [assignment_record(kind, study, one) for one in assignments],
    }


def coordination_records(study: Study) -> dict[uuid.UUID, ExportRecord]:
    """By question: what experts and coordinators wrote to each other, and decisions."""
    result: dict[uuid.UUID, ExportRecord] = defaultdict(dict)
    for question, threads in thread_records(study).items():
        result[question]["threads"] = threads
    for one in study.decisions.order_by("id"):
        decision = _pick(one, "action", "reason", "created_at")
        result[one.question_id].setdefault("decisions", []).append(decision)
    return result


def thread_records(study: Study) -> dict[uuid.UUID, list[ExportRecord]]:
    """By question; stored ids, also of an archive."""
    result: dict[uuid.UUID, list[ExportRecord]] = defaultdict(list)
    for thread in threads_with_messages(study):
        result[thread.question_id].append(_thread(study, thread))
    return result


def _thread(study: Study, thread: Thread) -> ExportRecord:
    expert = pseudonym(study, thread.expert_id)
    return {
        "expert": expert,
        "is_resolved": thread.is_resolved,
        "messages": [
            {
                "author": expert if one.author_id == thread.expert_id else COORDINATOR,
                **_pick(one, "text", "created_at"),
            }
            for one in thread.messages.all()
        ],
    }


def assignment_record(kind: AnyKind, study: Study, assignment: Assignment) -> ExportRecord:
    response = response_or_none(assignment)
    is_reopened = hasattr(assignment, "reopened")
    return {
        "id": assignment.id,
        "expert": pseudonym(study, assignment.expert_id),
        "created_at": assignment.created_at,
        **_pick(assignment, "state", "occasion", "purpose", "arms", "propensity"),
        **_pick(assignment, "is_adaptive", "selection_propensity"),
        **_blinding(assignment),
        **({"revision_reason": assignment.reopened.reason} if is_reopened else {}),
        "response": response and _pick(response, *RESPONSE_FIELDS),
        "revisions": [_revision(kind, it, assignment) for it in response.revisions.all()]
        if response
        else [],
        "events": [_event(study, it) for it in response.events.all()] if response else [],
    }


def _blinding(assignment: Assignment) -> ExportRecord:
    """Of adjudications, if it was recorded."""
    sight = sight_of(assignment)
    read_at = sight.answers_read_at
    return {
        **({"blinding": sight.state} if sight.state else {}),
        **({"answers_read_at": read_at} if read_at else {}),
    }


def _revision(kind: AnyKind, revision: Revision, assignment: Assignment) -> ExportRecord:
    payload = revision.answer
    listed = kind.convert(payload, assignment.arms, {})
    return {
        **_pick(revision, "number", "submitted_at", "status", "outcome"),
        **_pick(revision, "consent_version", "guidelines_number"),
        "payload": payload,
        **({} if listed == payload else {"payload_as_listed": listed}),
        "active_ms": revision.active_ms,
    }


def _event(study: Study, event: Event) -> ExportRecord:
    return {
        "id": event.id,
        "actor": pseudonym(study, event.actor_id),
        **_pick(event, "response_version", "sequence", "kind", "old", "new", "active_ms"),
        **_pick(event, "client_at", "received_at", "interface"),
    }
