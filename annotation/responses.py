"""Writing answers."""

import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotation.answers import (
    DAY_MS,
    Look,
    Order,
    Sent,
    SentEvent,
    check_action,
    prior_order,
    read_order,
    stale,
    state_after,
    untouched,
)
from annotation.live import ask_for_agreement_on_commit, tell_on_commit
from annotation.models import (
    ANSWERED,
    Action,
    Assignment,
    Event,
    Response,
    Revision,
    State,
    Study,
    UnsureReason,
)
from annotation.policies import NOTHING_HERE, check_consent, check_open
from backend.accounts.models import User
from backend.common.errors import Missing


@transaction.atomic
def write_response(
    *, actor: User, assignment_id: uuid.UUID, sent: Sent, at: datetime | None = None
) -> Response:
    """Save a draft or submit an answer; either all of it is kept or nothing.

    It is written now; only the simulated experts of the demo have written at other times.
    """
    assignment, prior, ids = _lock_own_assignment_or_raise(actor, assignment_id)
    # Read after the lock, in its own statement: a join would still show what was there before
    # the wait for the lock.
    found = Response.objects.filter(assignment=assignment).first()
    response = found or untouched(assignment, prior)
    if response.version != sent.version:
        raise stale(response, sent)
    order = read_order(sent.ranking, ids)
    check_action(sent, order, prior)
    _apply(response, sent, order)
    if sent.action is Action.SAVE:
        response.save()
    else:
        _submit(response, at or timezone.now())
        tell_on_commit(assignment.study_id, "board")
        ask_for_agreement_on_commit(assignment.batch_id)
    _add_events(response, actor, sent)
    return response


@transaction.atomic
def record_look(*, actor: User, assignment_id: uuid.UUID, look: Look) -> Response:
    """Keep what she did and how long she looked, and leave her answer as it is.

    It has no version to be checked and makes none: looking in one window must never stand
    against an answer that is given in another.
    """
    assignment, prior, _ = _lock_own_assignment_or_raise(actor, assignment_id)
    response = Response.objects.filter(assignment=assignment).first()
    if response is None:
        response = untouched(assignment, prior)
        response.save()
    response.active_ms += _kept_ms(look)
    response.save(update_fields=["active_ms"])
    if look.events:
        _add_events(response, actor, look, start=_events_of_version(response))
    return response


def _lock_own_assignment_or_raise(
    actor: User, assignment_id: uuid.UUID
) -> tuple[Assignment, Order, list[str]]:
    found = (
        Assignment.objects.filter(id=assignment_id, expert=actor)
        .with_consent()
        .with_prior()
        .select_for_update(of=("self",))
        .first()
    )
    if found is None:
        raise Missing(NOTHING_HERE)
    check_consent(found.study_id, found.consent_version)
    check_open(Study.objects.held(found.study_id))
    return found, prior_order(found.prior), [candidate["id"] for candidate in found.prior]


def _apply(response: Response, sent: Sent, order: Order) -> None:
    response.state = state_after(response, sent, order)
    response.ranking = order
    response.confidence = sent.confidence
    response.reasons = list(sent.reasons)
    response.comment = sent.comment
    response.unsure_reason = _reason_kept(sent)
    response.active_ms += _kept_ms(sent)
    response.version += 1


def _kept_ms(look: Look) -> int:
    """A device whose clock jumped must not cost her the answer, nor add a year to it."""
    return min(max(look.active_ms, 0), DAY_MS)


def _reason_kept(sent: Sent) -> str:
    """An answer that was submitted as an order, or skipped, has no reason for being unsure."""
    keeps = sent.action in (Action.SAVE, Action.NOT_SURE)
    return UnsureReason(sent.unsure_reason).value if keeps and sent.unsure_reason else ""


def _submit(response: Response, now: datetime) -> None:
    response.submitted_number += 1
    response.submitted_state = State(response.state)
    response.submitted_at = now
    if response.answer_ms is None and response.state in ANSWERED:
        response.answer_ms = response.active_ms
    response.save()
    Revision.objects.create(
        response=response,
        number=response.submitted_number,
        state=response.submitted_state,
        submitted_at=now,
        ranking=response.ranking,
        confidence=response.confidence,
        reasons=response.reasons,
        comment=response.comment,
        unsure_reason=response.unsure_reason,
        active_ms=response.active_ms,
    )


def _add_events(response: Response, actor: User, look: Look, *, start: int = 0) -> None:
    """An id that this response has already is the same event, sent again."""
    Event.objects.bulk_create(
        [
            _event(response, actor, look, place, event)
            for place, event in enumerate(look.events, start=start)
        ],
        ignore_conflicts=True,
    )


def _events_of_version(response: Response) -> int:
    """The first place that is free: one version may have been looked at many times."""
    taken = Event.objects.filter(response=response, version=response.version)
    last: int | None = taken.aggregate(last=Max("place"))["last"]
    return 0 if last is None else last + 1


def _event(response: Response, actor: User, look: Look, place: int, event: SentEvent) -> Event:
    return Event(
        id=event.id,
        response=response,
        actor=actor,
        version=response.version,
        place=place,
        kind=event.kind,
        old=event.old,
        new=event.new,
        client_at=event.at,
        interface=look.interface,
    )
