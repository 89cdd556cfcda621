"""A study as one JSON document: all its questions and all their answers.

    {"format": "serendib.study/2", "exported_at": …, "study": {…}, "experts": [{…}],
     "batches": [{"id", "number", "name", "questions": [{
         <the item of the study kind>,
         "assignments": [{"id", "expert", "created_at", "state", "occasion", "purpose", "arms",
                          "propensity", "is_adaptive", "selection_propensity", "response",
                          "revisions", "events"}],
         "threads": [{"expert", "is_resolved", "messages": [{"author", "text", "created_at"}]}],
         "decisions": [{"action", "reason", "created_at"}]}]}]}

An adjudication that was revised has `revision_reason`; its first revision is the blind answer.
Threads and decisions of coordinators are there where a question has some.

Model judges are in a member of their own, where there are some:

    "judges": [{"name", "imported_at",
                "answers": [{"question", "order", "outcome", "payload", "rationale"}]}]

A question also has `for_coordinators` where its kind holds something back from experts. Where an
arm changed what an expert saw, `payload_as_listed` is the answer to the item as it stands here.

Text that came from files is written unchanged. `payload` is the study kind's answer. `response` is
the current answer, perhaps a draft; `revisions` are the submissions, of which the last counts, each
with the versions of the consent text and of the guidelines under which it was written; `events` is
the activity log in order. Of an assignment in the state `withdrawn` nothing else is exported.

Experts have pseudonyms: one person has different ones in different studies, and the file alone
does not identify anybody. Names are added on request of the coordinator.
"""

import json
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import F, Prefetch, QuerySet
from django.utils import timezone

from annotation.archived_ids import ArchivedIds, archived_ids
from annotation.judge_records import (
    iterate_answers,
    judges_of_question,
    list_judges,
    with_judge_answers,
)
from annotation.kinds.base import AnyKind
from annotation.kinds.registry import get_kind_or_raise
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

FORMAT = "serendib.study/2"
QUESTIONS_PER_QUERY = 50
PERSON = ("name", "email")
COORDINATOR = "coordinator"
RESPONSE_FIELDS = ("version", "status", "outcome", "payload", "active_ms", "updated_at")

ExportRecord = dict[str, Any]


def pseudonym(study: Study, user_id: uuid.UUID) -> str:
    archive = archive_of(study)
    if archive is not None and str(user_id) in archive.experts:
        return str(archive.experts[str(user_id)]["id"])
    return f"expert-{uuid.uuid5(study.id, str(user_id)).hex[:12]}"


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """All reads inside see the database as it was at the first one."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def export_json(study: Study, *, with_names: bool = False) -> Iterator[str]:
    kind = get_kind_or_raise(study.kind)
    with consistent_snapshot():
        head = {
            "format": FORMAT,
            "exported_at": timezone.now(),
            "study": study_record(study),
            "experts": [expert_record(study, member, with_names) for member in _experts(study)],
        }
        coordination = _coordination(study)
        yield _json(head)[:-1] + ', "batches": ['
        for place, batch in enumerate(study.batches.all()):
            yield ",\n" if place else "\n"
            yield _json(batch_record(study, batch))[:-1]
            yield ', "questions": ['
            for index, (entry, assignments) in enumerate(iterate_questions(batch, events=True)):
                yield ",\n" if index else "\n"
                question = _question(kind, study, entry, assignments)
                yield _json({**question, **coordination[entry.question_id]})
            yield "]}"
        yield "]" + "".join(_judges(study)) + "}\n"


def _judges(study: Study) -> Iterator[str]:
    """A member of its own; none in a study without judges."""
    judges = list_judges(study)
    for place, (judge, head) in enumerate(judges):
        yield ",\n" if place else ', "judges": [\n'
        yield _json(head)[:-1] + ', "answers": ['
        for index, one in enumerate(iterate_answers(judge)):
            yield ",\n" if index else "\n"
            yield _json(one)
        yield "]}"
    if judges:
        yield "]"


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def exact_json(value: object) -> str:
    """With times to the microsecond, unlike `_json`, and ids as text."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _experts(study: Study) -> QuerySet[Member]:
    members = Member.everyone.filter(study=study, role=Member.Role.EXPERT)
    return members.select_related("user").order_by("joined_at", "id")


def iterate_questions(
    batch: Batch, *, events: bool
) -> Iterator[tuple[BatchQuestion, list[Assignment]]]:
    """The batch's questions in order, each with its assignments; a few dozen in memory.

    Those of an archive have the ids of its file, so they must not be saved.
    """
    archived = archived_ids(batch.study)
    entries = batch.entries.order_by("question__number", "question__file_id")
    ids = list(entries.values_list("question_id", flat=True))
    for start in range(0, len(ids), QUESTIONS_PER_QUERY):
        part = ids[start : start + QUESTIONS_PER_QUERY]
        loaded = entries.select_related("question", "known_answer").prefetch_related(
            "question__candidates", "question__resources", with_judge_answers()
        )
        given: dict[uuid.UUID, list[Assignment]] = {question_id: [] for question_id in part}
        for assignment in _assignments(batch, part, events):
            given[assignment.question_id].append(assignment)
        for entry in loaded.filter(question__in=part):
            assignments = given[entry.question_id]
            if archived is not None:
                _restore_ids(archived, entry, assignments, events)
            yield entry, assignments


def _restore_ids(
    ids: ArchivedIds, entry: BatchQuestion, assignments: list[Assignment], events: bool
) -> None:
    question, swap = entry.question, ids.swapper(entry.question)
    question.id = ids.swap(question.id)
    for candidate in question.candidates.all():
        candidate.id = ids.swap(candidate.id)
    if hasattr(entry, "known_answer"):
        entry.known_answer.payload = swap(entry.known_answer.payload)
    for answer in entry.judge_answers.all():
        answer.payload = swap(answer.payload)
    for assignment in assignments:
        assignment.id = ids.swap(assignment.id)
    for response in filter(None, map(response_or_none, assignments)):
        response.payload = swap(response.payload)
        for revision in response.revisions.all():
            revision.payload = swap(revision.payload)
        for event in response.events.all() if events else ():
            event.old, event.new = swap(event.old), swap(event.new)


def _assignments(batch: Batch, question_ids: list[uuid.UUID], events: bool) -> QuerySet[Assignment]:
    result = Assignment.objects.filter(batch=batch, question__in=question_ids)
    revisions = Prefetch("response__revisions", Revision.objects.order_by("number"))
    related = result.select_related("expert", "response", "reopened").prefetch_related(revisions)
    if events:
        related = related.prefetch_related(Prefetch("response__events", events_in_order()))
    return related.order_by("created_at", "expert_id")


def events_in_order() -> QuerySet[Event]:
    """Entries with a version come first, in the order of versions: they are older."""
    version = F("response_version").asc(nulls_last=True)
    return Event.objects.order_by(version, "sequence", "received_at", "id")


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


def question_source(entry: BatchQuestion, threads: list[ExportRecord]) -> ExportRecord:
    """What the question is stored as, besides what every export names. shown: by the study."""
    known = entry.known_answer if hasattr(entry, "known_answer") else None
    question, judges = entry.question, judges_of_question(entry)
    names = ("id", "name", "link", "identifier", "prior_rank")
    return {
        **_pick(question, "batch_number", "payload"),
        "shown": entry.payload,
        "candidates": [_pick(one, *names) for one in question.candidates.all()],
        "resources": [_pick(one, "name", "link") for one in question.resources.all()],
        **({"known_answer": _pick(known, "payload", "explanation")} if known else {}),
        **({"threads": threads} if threads else {}),
        **({"judges": judges} if judges else {}),
    }


def _question(
    kind: AnyKind, study: Study, entry: BatchQuestion, assignments: list[Assignment]
) -> ExportRecord:
    item = kind.build_item(entry.question, complete_presentation(entry.payload))
    cells = kind.coordinator_cells(entry.question)
    return {
        **item.model_dump(mode="json"),
        **({"for_coordinators": cells} if cells else {}),
        "assignments": [assignment_record(kind, study, one) for one in assignments],
    }


def _coordination(study: Study) -> dict[uuid.UUID, ExportRecord]:
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
        **({"revision_reason": assignment.reopened.reason} if is_reopened else {}),
        "response": response and _pick(response, *RESPONSE_FIELDS),
        "revisions": [_revision(kind, it, assignment) for it in response.revisions.all()]
        if response
        else [],
        "events": [_event(study, it) for it in response.events.all()] if response else [],
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
