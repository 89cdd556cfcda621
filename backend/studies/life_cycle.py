"""The states of a study and the moves between them."""

from collections.abc import Mapping

from backend.common.errors import Conflict
from backend.studies.models import Study
from backend.studies.policies import can_reopen, check_can_reopen
from backend.studies.webhooks.events import EVENT_OF_STATUS, record_event

Status = Study.Status

ALLOWED_MOVES: Mapping[Status, tuple[Status, ...]] = {
    Status.DRAFT: (Status.OPEN,),
    Status.OPEN: (Status.PAUSED, Status.CLOSED),
    Status.PAUSED: (Status.OPEN, Status.CLOSED),
    Status.CLOSED: (Status.OPEN, Status.FROZEN),
    Status.FROZEN: (),
}


def possible_moves(study: Study) -> list[Status]:
    """The states that it can be given now."""
    moves = ALLOWED_MOVES[Status(study.status)]
    is_final = study.status == Status.CLOSED and not can_reopen(study)
    return [to for to in moves if not (is_final and to == Status.OPEN)]


def move_study(study: Study, to: Status) -> None:
    """The only place that writes `status`; the caller holds the lock of the study."""
    if to == study.status:
        return
    check_move(study, to)
    if study.status == Status.CLOSED and to == Status.OPEN:
        check_can_reopen(study)
    study.status = to
    study.save(update_fields=["status"])
    record_event(study.id, EVENT_OF_STATUS[to])


def check_move(study: Study, to: Status) -> None:
    origin = Status(study.status)
    if to not in ALLOWED_MOVES[origin]:
        allowed = " or ".join(ALLOWED_MOVES[origin]) or "nothing else"
        raise Conflict(
            f"This study is {origin}. It can become {allowed}, not {to}.", code="move_not_allowed"
        )
