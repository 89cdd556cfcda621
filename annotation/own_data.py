"""What the site holds of one person's part in studies, for that person.

    {"format": "serendib.own-data/1", "exported_at": …, "person": {…},
     "studies": [{"id", "name", "role", "joined_at", "left_at", …, "acknowledgements": […],
                  "conflicts": […], "threads": [{"question", "messages"}],
                  "assignments": [{"item", "response", "revisions", "events"}]}]}

An item is as the expert saw it: nothing of an arm, of a hidden prior or of others' answers, and
nothing of which questions have a known answer: the order of assignments is that of their random
ids, without times of assignment. A repeated question has two assignments with the same item.
Coordinators get their adjudications.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Prefetch, Q
from django.utils import timezone

from annotation.export_records import RESPONSE_FIELDS
from annotation.exports import consistent_snapshot, events_in_order
from annotation.kinds.registry import study_kinds
from annotation.models import Assignment, ConflictOfInterest, Revision, Thread
from annotation.presentations import build_item_of
from backend.accounts.models import User
from backend.studies.models import Acknowledgement, Member

FORMAT = "serendib.own-data/1"
MEMBER_FIELDS = ("role", "joined_at", "left_at", "answers_withdrawn", "reminded_at", "tags")
ACKNOWLEDGEMENT_FIELDS = ("consent_version", "guidelines_number", "acknowledged_at")
REVISION_FIELDS = (
    *("number", "submitted_at", "outcome", "active_ms"),
    *("consent_version", "guidelines_number"),
)
EVENT_FIELDS = ("id", "kind", "old", "new", "active_ms", "client_at", "received_at", "interface")
ASSIGNMENTS_PER_QUERY = 200

Record = dict[str, Any]


def export_own_data(person: User) -> Iterator[str]:
    with consistent_snapshot():
        head = {
            "format": FORMAT,
            "exported_at": timezone.now(),
            "person": _read(person, "id", "email", "name"),
        }
        yield _json(head)[:-1] + ', "studies": ['
        members = Member.everyone.filter(user=person).select_related("study")
        for place, member in enumerate(members.order_by("joined_at", "id")):
            yield ",\n" if place else "\n"
            yield _json(_membership(member))[:-1] + ', "assignments": ['
            for index, assignment in enumerate(_assignments(member)):
                yield ",\n" if index else "\n"
                yield _json(_assignment(assignment))
            yield "]}"
        yield "]}\n"


def _membership(member: Member) -> Record:
    result = {**_read(member.study, "id", "name", "kind"), **_read(member, *MEMBER_FIELDS)}
    if member.role != Member.Role.EXPERT:
        return result
    acknowledged = Acknowledgement.objects.filter(study=member.study_id, user=member.user_id)
    conflicts = ConflictOfInterest.objects.filter(study=member.study_id, expert=member.user_id)
    threads = Thread.objects.filter(study=member.study_id, expert=member.user_id)
    return {
        **result,
        "acknowledgements": list(acknowledged.values(*ACKNOWLEDGEMENT_FIELDS)),
        "conflicts": list(conflicts.values("question", "reason", "declared_at")),
        "threads": [_thread(one) for one in threads.prefetch_related("messages").order_by("id")],
    }


def _thread(thread: Thread) -> Record:
    """is_own: written by the expert, not by a coordinator."""
    messages = sorted(thread.messages.all(), key=lambda one: one.created_at)
    return {
        "question": thread.question_id,
        "messages": [
            {**_read(one, "text", "created_at"), "is_own": one.author_id == thread.expert_id}
            for one in messages
        ],
    }


def _assignments(member: Member) -> Iterator[Assignment]:
    """Those that were begun: what nobody opened may still wait for the study to open, or for a
    consent. Of a coordinator, the adjudications. None where the study kind is no longer installed:
    its items cannot be shown."""
    if member.study.kind not in study_kinds():
        return
    is_adjudication = Q(purpose=Assignment.Purpose.ADJUDICATION)
    is_expert = member.role == Member.Role.EXPERT
    revisions = Prefetch("response__revisions", Revision.objects.order_by("number"))
    rows = (
        Assignment.objects.filter(study=member.study_id, expert=member.user_id)
        .filter(~is_adjudication if is_expert else is_adjudication)
        .filter(response__isnull=False)
        .with_item()
        .with_response()
        .prefetch_related(revisions, Prefetch("response__events", events_in_order()))
        .order_by("id")
    )
    yield from rows.iterator(chunk_size=ASSIGNMENTS_PER_QUERY)


def _assignment(assignment: Assignment) -> Record:
    response = assignment.response
    return {
        **_read(assignment, "id", "state"),
        "item": build_item_of(assignment).model_dump(mode="json"),
        "response": _read(response, *RESPONSE_FIELDS),
        "revisions": [
            {**_read(one, *REVISION_FIELDS), "payload": one.answer}
            for one in response.revisions.all()
        ],
        "events": [_read(one, *EVENT_FIELDS) for one in response.events.all()],
    }


def _read(row: object, *names: str) -> Record:
    return {name: getattr(row, name) for name in names}


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
