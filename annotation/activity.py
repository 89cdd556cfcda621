"""The activity log: what experts did on the way to an answer, and for how long.

The log is append-only and idempotent: clients make the ids of entries, entries that are known
change nothing, and the order of requests does not matter. It has no part in versions, so looking
at a question in one window never conflicts with answering it in another.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F

from annotation.kinds.base import Json
from annotation.kinds.registry import get_kind_or_raise
from annotation.locked_assignments import lock_own_assignment_or_raise, read_response
from annotation.models import ActivityKind, Event, Response
from annotation.presentations import build_item_of
from annotation.responses import clamp_active_ms, new_response
from annotation.threads import MESSAGE, send_messages
from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.validation.faults import Fault

MAX_ENTRIES = 500


@dataclass(frozen=True, kw_only=True)
class ActivityEntry:
    """at: the device's clock. active_ms: the active time that this entry reports."""

    id: uuid.UUID
    kind: str
    at: datetime
    active_ms: int = 0
    old: Json = None
    new: Json = None


@transaction.atomic
def record_activity(
    *, actor: User, assignment_id: uuid.UUID, entries: Sequence[ActivityEntry], interface: str
) -> int:
    """Append the entries that are not known yet; returns how many those were.

    Messages to the coordinators go to their thread.
    """
    messages = [(one.id, one.new) for one in entries if one.kind == MESSAGE]
    sent = 0
    if messages:
        sent = send_messages(actor=actor, assignment_id=assignment_id, messages=messages)
    others = [one for one in entries if one.kind != MESSAGE]
    is_message_only = messages and not others
    return sent + (0 if is_message_only else _record(actor, assignment_id, others, interface))


def _record(
    actor: User, assignment_id: uuid.UUID, entries: Sequence[ActivityEntry], interface: str
) -> int:
    assignment = lock_own_assignment_or_raise(actor, assignment_id)
    kind = get_kind_or_raise(assignment.study.kind)
    _check_kinds(entries, {*ActivityKind.values, *kind.activity_kinds})
    response = read_response(assignment)
    if response is None:
        response = new_response(assignment, kind, build_item_of(assignment))
        response.save()
    unknown = _unknown_entries(response, entries)
    _append(response, actor, unknown, interface)
    active_ms = sum(clamp_active_ms(entry.active_ms) for entry in unknown)
    Response.objects.filter(pk=response.pk).update(active_ms=F("active_ms") + active_ms)
    return len(unknown)


def _check_kinds(entries: Sequence[ActivityEntry], known: Collection[str]) -> None:
    faults = [
        Fault(f"entries.{place}.kind", "This kind is not known.", "invalid_choice")
        for place, entry in enumerate(entries)
        if entry.kind not in known
    ]
    if faults:
        raise DomainError("Some entries have a kind that this study does not know.", faults=faults)


def _unknown_entries(response: Response, entries: Sequence[ActivityEntry]) -> list[ActivityEntry]:
    """Each new id once, in the order given."""
    by_id = {entry.id: entry for entry in reversed(entries)}
    known = set(response.events.filter(id__in=by_id).values_list("id", flat=True))
    first = dict.fromkeys(entry.id for entry in entries)
    return [by_id[one] for one in first if one not in known]


def _append(
    response: Response, actor: User, entries: Sequence[ActivityEntry], interface: str
) -> None:
    start = response.events.count()
    Event.objects.bulk_create(
        Event(
            id=entry.id,
            response=response,
            actor=actor,
            sequence=start + place,
            kind=entry.kind,
            old=entry.old,
            new=entry.new,
            active_ms=clamp_active_ms(entry.active_ms),
            client_at=entry.at,
            interface=interface,
        )
        for place, entry in enumerate(entries)
    )
