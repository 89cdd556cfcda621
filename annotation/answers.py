"""What an expert sends as her answer, the rules it must keep, and how it is told back."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Protocol, TypedDict

from annotation.models import Action, Assignment, Prior, Response, State, UnsureReason
from backend.common.errors import Conflict, DomainError, Fault
from backend.science.rankings import InvalidRanking, same_order, validate_weak_order

Order = list[list[str]]
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

EVENTS_AT_MOST = 500
FAULTS_SHOWN = 200  # an answer must not outgrow by far what was sent
DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True)
class SentEvent:
    id: uuid.UUID
    kind: str
    at: datetime
    old: Json = None
    new: Json = None


@dataclass(frozen=True, kw_only=True)
class Look:
    """What she did at a question, and for how long; no answer, so it can contradict none."""

    active_ms: int = 0
    events: tuple[SentEvent, ...] = ()
    interface: str = "rank-1"


@dataclass(frozen=True, kw_only=True)
class Sent(Look):
    """One write of an answer. ranking is whatever came, until `read_order` has checked it."""

    version: int
    action: Action
    ranking: object
    confidence: int | None = None
    reasons: tuple[str, ...] = ()
    comment: str = ""
    unsure_reason: str = ""


class SubmittedData(TypedDict):
    number: int
    state: str
    submitted_at: str


class ResponseData(TypedDict):
    version: int
    state: str
    ranking: Order
    confidence: int | None
    reasons: list[str]
    comment: str
    unsure_reason: str
    active_ms: int
    updated_at: str | None
    submitted: SubmittedData | None


class YoursData(TypedDict):
    """What was sent, repeated beside the current response when the two have parted."""

    version: int
    action: str
    ranking: object
    confidence: int | None
    reasons: list[str]
    comment: str
    unsure_reason: str


class InvalidOrder(DomainError):
    code = "invalid_ranking"


class OrderDiffers(DomainError):
    code = "order_differs"


class OrderUnchanged(DomainError):
    code = "order_unchanged"


class StaleVersion(Conflict):
    code = "stale_version"


class Ranked(Protocol):
    """A candidate with the rank that the file gives it."""

    @property
    def id(self) -> object: ...

    @property
    def prior_rank(self) -> int: ...


def prior_of(candidates: Iterable[Ranked]) -> Order:
    """The order shown first, of candidates in the order of the file."""
    return prior_order([{"id": str(it.id), "prior_rank": it.prior_rank} for it in candidates])


def prior_order(candidates: Sequence[Prior]) -> Order:
    """The order shown first; equal ranks are a tie, ids in the order of the file."""
    ranked = sorted(candidates, key=lambda candidate: candidate["prior_rank"])
    groups = groupby(ranked, key=lambda candidate: candidate["prior_rank"])
    return [[candidate["id"] for candidate in group] for _, group in groups]


def untouched(assignment: Assignment, prior: Order) -> Response:
    """The response that is there before she did anything; not in the database yet."""
    return Response(assignment=assignment, ranking=prior)


def read_order(sent: object, ids: Sequence[str]) -> Order:
    """The ranking that was sent, as groups of ids; else every fault it has at once."""
    order, faults = _shaped(sent)
    try:
        validate_weak_order(order, ids)
    except InvalidRanking as error:
        faults += _faults_of(error)
    if faults:
        raise InvalidOrder(
            "The order cannot be used; nothing was changed.",
            faults=faults[:FAULTS_SHOWN],
            data={"faults_total": len(faults)},
        )
    return order


def check_action(sent: Sent, order: Order, prior: Order) -> None:
    """Agreeing and not looking are never confused: each action says what the order must be."""
    unchanged = same_order(order, prior)
    if sent.action is Action.AGREE and not unchanged:
        raise OrderDiffers("The order was changed, so it must be submitted as your own.")
    if sent.action is Action.SUBMIT and unchanged:
        raise OrderUnchanged("Nothing was moved. Agree with the order, or change it first.")
    if sent.action is Action.NOT_SURE and not sent.unsure_reason:
        fault = Fault(
            "unsure_reason", "A reason is missing.", "required", ", ".join(UnsureReason.values)
        )
        raise DomainError("Say why you are not sure.", faults=[fault])


def state_after(response: Response, sent: Sent, order: Order) -> State:
    """A save that changes nothing keeps the state: what was moved and undone is no draft."""
    submitted = {
        Action.AGREE: State.CONFIRMED,
        Action.SUBMIT: State.CHANGED,
        Action.NOT_SURE: State.NOT_SURE,
        Action.SKIP: State.SKIPPED,
    }
    if sent.action in submitted:
        return submitted[sent.action]
    return State.DRAFT if _differs(response, sent, order) else State(response.state)


def as_told(response: Response) -> ResponseData:
    return {
        "version": response.version,
        "state": response.state,
        "ranking": response.ranking,
        "confidence": response.confidence,
        "reasons": list(response.reasons),
        "comment": response.comment,
        "unsure_reason": response.unsure_reason,
        "active_ms": response.active_ms,
        "updated_at": _iso(response.updated_at) if response.updated_at else None,
        "submitted": _submitted(response),
    }


def stale(response: Response, sent: Sent) -> StaleVersion:
    yours: YoursData = {
        "version": sent.version,
        "action": sent.action.value,
        "ranking": sent.ranking,
        "confidence": sent.confidence,
        "reasons": list(sent.reasons),
        "comment": sent.comment,
        "unsure_reason": sent.unsure_reason,
    }
    return StaleVersion(
        "This answer was changed elsewhere in the meantime. Nothing was overwritten.",
        data={"current": as_told(response), "yours": yours},
    )


def _submitted(response: Response) -> SubmittedData | None:
    if response.submitted_at is None:
        return None
    return {
        "number": response.submitted_number,
        "state": response.submitted_state,
        "submitted_at": _iso(response.submitted_at),
    }


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _differs(response: Response, sent: Sent, order: Order) -> bool:
    return not same_order(order, response.ranking) or (
        sent.confidence,
        set(sent.reasons),
        sent.comment,
        sent.unsure_reason,
    ) != (
        response.confidence,
        set(response.reasons),
        response.comment,
        response.unsure_reason,
    )


def _shaped(sent: object) -> tuple[Order, list[Fault]]:
    """The ids that can be read, group by group, and a fault for all that is something else."""
    if not isinstance(sent, list):
        return [], [Fault("ranking", "The ranking is not a list.", "not_a_list", _SHAPE)]
    order: Order = []
    faults: list[Fault] = []
    for place, group in enumerate(sent):
        if not isinstance(group, list):
            faults.append(Fault(f"ranking[{place}]", "Not a list of ids.", "not_a_list", _SHAPE))
            continue
        words = [item for item in group if isinstance(item, str)]
        faults += [
            Fault(f"ranking[{place}][{index}]", "Not an id.", "not_an_id", _SHAPE)
            for index, item in enumerate(group)
            if not isinstance(item, str)
        ]
        if words or not group:
            order.append(words)
    return order, faults


_SHAPE = "a list of groups, best first, each a list of candidate ids"


def _faults_of(error: InvalidRanking) -> list[Fault]:
    expected = "every candidate of the question exactly once"
    return [
        *(
            Fault("ranking", f"{name} is not a candidate of this question.", "unknown_id", expected)
            for name in error.unknown
        ),
        *(
            Fault("ranking", f"{name} is missing.", "missing_id", expected)
            for name in error.missing
        ),
        *(
            Fault("ranking", f"{name} is ranked more than once.", "repeated_id", expected)
            for name in error.repeated
        ),
        *(
            Fault(f"ranking[{place}]", "The group is empty.", "empty_group", expected)
            for place in error.empty_groups
        ),
    ]
