"""Writing responses: drafts, submissions and skips of every study kind."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from django.db import transaction
from django.utils import timezone

from annotation.blinding import store_sight
from annotation.conflicts import record_conflict
from annotation.eligibility import require_eligible
from annotation.evidence_marks import check_new_marks
from annotation.kinds.base import Answer, AnyKind
from annotation.kinds.items import Item
from annotation.kinds.registry import get_kind_or_raise
from annotation.known_answers import FeedbackData, read_feedback, record_check
from annotation.locked_assignments import (
    lock_every_occasion,
    lock_own_assignment_or_raise,
    read_response,
)
from annotation.models import SKIPPED, Action, Assignment, Response, Revision, Status
from annotation.policies import check_adjudication
from annotation.pool_places import renew_lease, settle_place
from annotation.presentations import build_item_of
from annotation.work_requests import request_agreement_on_commit
from backend.accounts.models import User
from backend.common.errors import Conflict, DomainError
from backend.common.prepared_writes import store_row, store_row_with
from backend.studies.notifications import notify_on_commit
from backend.studies.webhooks.events import record_event
from backend.validation.faults import Fault

DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, kw_only=True)
class ResponseWrite:
    """One write of an answer.

    payload: unchecked; the study kind validates it. outcome: what the page showed that would be
    submitted; it must be the payload's own. Empty unless the action is submit. guidelines: the
    version that the page showed; None for the newest that the expert has read. conflict: of a skip,
    why the expert must not judge the question; empty for every other skip.
    """

    version: int
    action: Action
    payload: object
    outcome: str = ""
    active_ms: int = 0
    guidelines: int | None = None
    conflict: str = ""


class Terms(TypedDict):
    """What the expert had agreed to when an answer was written."""

    consent_version: str
    guidelines_number: int | None


class SubmissionData(TypedDict):
    number: int
    outcome: str
    submitted_at: str


class ResponseData(TypedDict):
    """A response as the API sends it."""

    version: int
    status: str
    outcome: str
    payload: dict[str, Any]
    active_ms: int
    updated_at: str | None
    submitted: SubmissionData | None
    feedback: FeedbackData | None


class VersionConflict(Conflict):
    code = "stale_version"


def write_response(
    *, actor: User, assignment_id: uuid.UUID, write: ResponseWrite, at: datetime | None = None
) -> Response:
    """Save a draft, submit an answer or skip the assignment.

    `at` is the time of the submission: now, except for the demo's simulated experts.
    """
    with transaction.atomic():
        return write_in_transaction(actor=actor, assignment_id=assignment_id, write=write, at=at)


def write_in_transaction(
    *, actor: User, assignment_id: uuid.UUID, write: ResponseWrite, at: datetime | None = None
) -> Response:
    """As `write_response`, where an error ends the transaction that the caller has begun."""
    if write.conflict:
        lock_every_occasion(actor, assignment_id)
    assignment = lock_own_assignment_or_raise(actor, assignment_id)
    if assignment.has_rule and write.action is not Action.SKIP:
        require_eligible(assignment.study_id, actor.pk)
    kind = get_kind_or_raise(assignment.study.kind)
    item = build_item_of(assignment)
    response = read_response(assignment) or new_response(assignment, kind, item)
    if response.version != write.version:
        raise _version_conflict(response, write)
    check_adjudication(response, write.action)
    answer = kind.validate(item, write.payload)
    check_new_marks(actor, assignment, answer, response.payload)
    _apply(response, kind, write, item, answer)
    if write.action is Action.SAVE:
        store_row(response)
        renew_lease(assignment, timezone.now())
    else:
        _submit(response, kind, _terms(assignment, write), at or timezone.now())
        if assignment.purpose == Assignment.Purpose.ADJUDICATION:
            _record_sight(assignment, response)
        record_check(assignment, kind, response)
        settle_place(assignment, kind, response)
        if write.action is Action.SKIP and write.conflict:
            _record_conflict(assignment, write.conflict)
        if write.action is Action.SUBMIT and assignment.has_webhooks:
            _record_event(assignment, response)
        notify_on_commit(assignment.study_id, "board")
        request_agreement_on_commit(assignment.batch_id)
    return response


def _record_event(assignment: Assignment, response: Response) -> None:
    """Known answers and repeated questions look like any other, as they do to their expert."""
    is_adjudication = assignment.purpose == Assignment.Purpose.ADJUDICATION
    record_event(
        assignment.study_id,
        "adjudication.submitted" if is_adjudication else "answer.submitted",
        {
            "assignment": assignment.id,
            "question": assignment.question_id,
            "batch": assignment.batch_id,
            "submission": response.submitted_number,
        },
    )


def _record_sight(assignment: Assignment, response: Response) -> None:
    if response.submitted_number == 1:
        store_sight(assignment)


def _record_conflict(assignment: Assignment, reason: str) -> None:
    record_conflict(
        actor=assignment.expert,
        study=assignment.study,
        question=assignment.question_id,
        expert=assignment.expert_id,
        reason=reason,
    )


def new_response(assignment: Assignment, kind: AnyKind, item: Item) -> Response:
    """The response before the expert did anything; not stored yet."""
    payload = kind.initial_answer(item).model_dump(mode="json")
    return Response(assignment=assignment, payload=payload)


def clamp_active_ms(active_ms: int) -> int:
    """A device whose clock jumped must neither lose the write nor add years to its time."""
    return min(max(active_ms, 0), DAY_MS)


def serialize_response(response: Response) -> ResponseData:
    return {
        "version": response.version,
        "status": response.status,
        "outcome": response.outcome,
        "payload": response.payload,
        "active_ms": response.active_ms,
        "updated_at": _iso(response.updated_at) if response.updated_at else None,
        "submitted": _serialize_submission(response),
        "feedback": read_feedback(response.assignment),
    }


def _apply(
    response: Response, kind: AnyKind, write: ResponseWrite, item: Item, answer: Answer
) -> None:
    payload = answer.model_dump(mode="json")
    if write.action is Action.SUBMIT:
        response.status = Status.SUBMITTED
        response.outcome = _check_outcome(write.outcome, kind.outcome(answer, item))
    elif write.action is Action.SKIP:
        response.status, response.outcome = Status.SKIPPED, SKIPPED
    elif not kind.is_same(response.payload, payload):
        response.status, response.outcome = Status.DRAFT, ""
    response.payload = payload
    response.active_ms += clamp_active_ms(write.active_ms)
    response.version += 1


def _check_outcome(sent: str, outcome: str) -> str:
    """The page must have shown what is submitted: agreeing is never confused with changing."""
    if sent != outcome:
        fault = Fault("outcome", f"This answer's outcome is '{outcome}'.", "differs", outcome)
        raise DomainError(
            "The answer does not match the submitted outcome. Check it and submit again.",
            code="outcome_differs",
            faults=[fault],
            data={"outcome": outcome},
        )
    return outcome


def _terms(assignment: Assignment, write: ResponseWrite) -> Terms:
    """The page's version counts if the expert has read it; a page cannot be ahead of that.

    Adjudicators agree to nothing.
    """
    read = assignment.guidelines_number
    shown = read if read is None or write.guidelines is None else min(write.guidelines, read)
    return {"consent_version": assignment.consent_version or "", "guidelines_number": shown}


def _submit(response: Response, kind: AnyKind, terms: Terms, now: datetime) -> None:
    response.submitted_number += 1
    response.submitted_outcome = response.outcome
    response.submitted_at = now
    if response.answer_ms is None and kind.counts_as_answer(response.outcome):
        response.answer_ms = response.active_ms
    revision = Revision(
        response=response,
        number=response.submitted_number,
        outcome=response.outcome,
        payload=response.payload,
        active_ms=response.active_ms,
        submitted_at=now,
        **terms,
    )
    store_row_with(response, revision, "response")


def _version_conflict(response: Response, write: ResponseWrite) -> VersionConflict:
    client_version = {
        "version": write.version,
        "action": write.action.value,
        "outcome": write.outcome,
        "payload": write.payload,
    }
    return VersionConflict(
        "This answer was changed elsewhere since you loaded it. Nothing was overwritten.",
        data={"server_version": serialize_response(response), "client_version": client_version},
    )


def _serialize_submission(response: Response) -> SubmissionData | None:
    if response.submitted_at is None:
        return None
    return {
        "number": response.submitted_number,
        "outcome": response.submitted_outcome,
        "submitted_at": _iso(response.submitted_at),
    }


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
