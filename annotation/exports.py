"""A study as one JSON document: everything that was asked and everything that was answered.

    {"format": "serendib.study/1", "exported_at": …, "study": {…}, "experts": [{…}],
     "batches": [{"id", "number", "name", "questions": [{
         "id", "file_id", "number", "text", "category", "resources", "candidates", "prior",
         "assignments": [{"id", "expert", "created_at", "response", "revisions", "events"}]}]}]}

Text that came from files is written as it came. `prior` and every `ranking` are ordered groups
of candidate ids, best first. `response` is where the answer stands now, perhaps as a draft;
`revisions` are what was submitted, of which the last counts; `events` are in order.

Experts have pseudonyms: the same person in two studies has two, and who knows only the file
cannot tell whose they are. Names are added when the coordinator asks for them.
"""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from annotation.answers import prior_of
from annotation.models import (
    Assignment,
    Batch,
    Event,
    Member,
    Response,
    Revision,
    Study,
)
from backend.benchmarks.models import Question

FORMAT = "serendib.study/1"
QUESTIONS_AT_A_TIME = 50

Row = dict[str, Any]


def pseudonym(study: Study, user_id: uuid.UUID) -> str:
    return f"expert-{uuid.uuid5(study.id, str(user_id)).hex[:12]}"


@contextmanager
def one_moment() -> Iterator[None]:
    """All reads inside see the database as it was at the first one."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def export_json(study: Study, *, with_names: bool = False) -> Iterator[str]:
    """The study as one JSON document, question by question."""
    with one_moment():
        head = {
            "format": FORMAT,
            "exported_at": timezone.now(),
            "study": _study(study),
            "experts": [_expert(study, member, with_names) for member in _experts(study)],
        }
        yield _json(head)[:-1] + ', "batches": ['
        for place, batch in enumerate(study.batches.all()):
            yield ",\n" if place else "\n"
            yield _json({"id": batch.id, "number": batch.number, "name": batch.name})[:-1]
            yield ', "questions": ['
            for index, (question, assignments) in enumerate(questions_of(batch, events=True)):
                yield ",\n" if index else "\n"
                yield _json(_question(study, question, assignments))
            yield "]}"
        yield "]}\n"


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def _experts(study: Study) -> QuerySet[Member]:
    members = study.members.filter(role=Member.Role.EXPERT)
    return members.select_related("user").order_by("joined_at", "id")


def questions_of(batch: Batch, *, events: bool) -> Iterator[tuple[Question, list[Assignment]]]:
    """The batch's questions in order, each with its assignments, a few dozen in memory."""
    questions = Question.objects.filter(batches=batch).order_by("number", "file_id")
    ids = list(questions.values_list("id", flat=True))
    for start in range(0, len(ids), QUESTIONS_AT_A_TIME):
        part = ids[start : start + QUESTIONS_AT_A_TIME]
        found = questions.filter(id__in=part).prefetch_related("candidates", "resources")
        given: dict[uuid.UUID, list[Assignment]] = {question_id: [] for question_id in part}
        for assignment in _assignments(batch, part, events):
            given[assignment.question_id].append(assignment)
        for question in found:
            yield question, given[question.id]


def _assignments(batch: Batch, question_ids: list[uuid.UUID], events: bool) -> QuerySet[Assignment]:
    found = Assignment.objects.filter(batch=batch, question__in=question_ids)
    revisions = Prefetch("response__revisions", Revision.objects.order_by("number"))
    in_order = Event.objects.order_by("version", "place", "id")
    wanted = [revisions, Prefetch("response__events", in_order)] if events else [revisions]
    related = found.select_related("expert", "response").prefetch_related(*wanted)
    return related.order_by("created_at", "expert_id")


def response_of(assignment: Assignment) -> Response | None:
    return assignment.response if hasattr(assignment, "response") else None


def _study(study: Study) -> Row:
    return {
        "id": study.id,
        "name": study.name,
        "status": study.status,
        "is_demo": study.is_demo,
        "created_at": study.created_at,
    }


def _expert(study: Study, member: Member, with_names: bool) -> Row:
    name = {"name": member.user.name, "email": member.user.email} if with_names else {}
    return {
        "id": pseudonym(study, member.user_id),
        **name,
        "is_simulated": member.user.is_simulated,
        "consent_version": member.consent_version,
        "consented_at": member.consented_at,
    }


def _question(study: Study, question: Question, assignments: list[Assignment]) -> Row:
    candidates = list(question.candidates.all())
    return {
        "id": question.id,
        "file_id": question.file_id,
        "number": question.number,
        "text": question.text,
        "category": question.category,
        "resources": [{"name": it.name, "link": it.link} for it in question.resources.all()],
        "candidates": [
            {"id": it.id, "name": it.name, "link": it.link, "prior_rank": it.prior_rank}
            for it in candidates
        ],
        "prior": prior_of(candidates),
        "assignments": [_assignment(study, assignment) for assignment in assignments],
    }


def _assignment(study: Study, assignment: Assignment) -> Row:
    response = response_of(assignment)
    return {
        "id": assignment.id,
        "expert": pseudonym(study, assignment.expert_id),
        "created_at": assignment.created_at,
        "response": response and {**_answer(response), "updated_at": response.updated_at},
        "revisions": [revision_row(it) for it in response.revisions.all()] if response else [],
        "events": [_event(study, it) for it in response.events.all()] if response else [],
    }


def _answer(answer: Response | Revision) -> Row:
    version = {"version": answer.version} if isinstance(answer, Response) else {}
    return {
        **version,
        "state": answer.state,
        "ranking": answer.ranking,
        "confidence": answer.confidence,
        "reasons": answer.reasons,
        "comment": answer.comment,
        "unsure_reason": answer.unsure_reason,
        "active_ms": answer.active_ms,
    }


def revision_row(revision: Revision) -> Row:
    return {
        "number": revision.number,
        "submitted_at": revision.submitted_at,
        **_answer(revision),
    }


def _event(study: Study, event: Event) -> Row:
    return {
        "id": event.id,
        "actor": pseudonym(study, event.actor_id),
        "version": event.version,
        "place": event.place,
        "kind": event.kind,
        "old": event.old,
        "new": event.new,
        "client_at": event.client_at,
        "received_at": event.received_at,
        "interface": event.interface,
    }
