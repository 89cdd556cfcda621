"""A study as one JSON document: all its questions and all their answers.

    {"format": "serendib.study/2", "exported_at": …, "study": {…}, "experts": [{…}],
     "batches": [{"id", "number", "name", "questions": [{
         <the item of the study kind>,
         "assignments": [{"id", "expert", "created_at", "state", "occasion", "purpose", "arms",
                          "propensity", "is_adaptive", "selection_propensity", "response",
                          "revisions", "events"}],
         "threads": [{"expert", "is_resolved", "messages": [{"author", "text", "created_at"}]}],
         "decisions": [{"action", "reason", "created_at"}]}]}]}

An adjudication has `blinding`: `blind`, `answers_read` (with `answers_read_at`, when the
adjudicator read an expert's answer to the question first) or `partition` (the experts' common order
was stored, where coordinators can read it). One that was revised has `revision_reason`; its first
revision is the answer before the experts' were shown.
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
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import F, Prefetch, QuerySet
from django.utils import timezone

from annotation.archived_ids import ArchivedIds, archived_ids
from annotation.export_records import (
    batch_record,
    coordination_records,
    expert_record,
    question_record,
    response_or_none,
    study_record,
)
from annotation.judge_records import (
    iterate_answers,
    list_judges,
    with_judge_answers,
)
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import (
    Assignment,
    Batch,
    BatchQuestion,
    Event,
    Revision,
)
from backend.studies.models import Member, Study

FORMAT = "serendib.study/2"
QUESTIONS_PER_QUERY = 50


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
        coordination = coordination_records(study)
        yield _json(head)[:-1] + ', "batches": ['
        for place, batch in enumerate(study.batches.all()):
            yield ",\n" if place else "\n"
            yield _json(batch_record(study, batch))[:-1]
            yield ', "questions": ['
            for index, (entry, assignments) in enumerate(iterate_questions(batch, events=True)):
                yield ",\n" if index else "\n"
                question = question_record(kind, study, entry, assignments)
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
    related = result.select_related("expert", "response", "reopened", "blinding").prefetch_related(
        revisions
    )
    if events:
        related = related.prefetch_related(Prefetch("response__events", events_in_order()))
    return related.order_by("created_at", "expert_id")


def events_in_order() -> QuerySet[Event]:
    """Entries with a version come first, in the order of versions: they are older."""
    version = F("response_version").asc(nulls_last=True)
    return Event.objects.order_by(version, "sequence", "received_at", "id")
