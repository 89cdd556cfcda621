"""Answers of simulated experts: of the demo, and to try a study before people see it."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

import numpy as np
from django.db import transaction
from django.utils import timezone

from annotation.activity import ActivityEntry, record_activity
from annotation.assignments import assign_batches
from annotation.kinds.base import SimulatedAnswer, SimulatedEvent
from annotation.kinds.registry import get_kind_or_raise
from annotation.kinds.visits import VISIT_GAP
from annotation.models import SKIPPED, Action, ActivityKind, Assignment, BatchQuestion
from annotation.pool import lease_questions
from annotation.presentations import build_item_of, design_of
from annotation.responses import ResponseWrite, write_response
from backend.accounts.models import User
from backend.common.bounds import require_seed
from backend.common.errors import Conflict
from backend.studies.guidelines import newest_guidelines_number
from backend.studies.models import Member, Study
from backend.studies.policies import CONSENT_VERSION, check_open

INTERFACE = "simulated-1"
Simulate = Callable[[Assignment, int], SimulatedAnswer]
# Planned slower than the first questions are answered, so that the second visit has its gap.
MEAN_PAUSE_S, PLANNED_PAUSE_S = 8.0, 32.0
MAX_RATERS = 200
LEASED_AT_ONCE = 5
ABSENCE = VISIT_GAP + timedelta(minutes=1)


@dataclass(frozen=True)
class Simulation:
    """skips: questions that a rater skipped; they are no answers."""

    study: str
    raters: int
    answers: int
    skips: int


def simulate_by_kind(assignment: Assignment, expert: int) -> SimulatedAnswer:
    """The answer of the simulated expert of this number."""
    return get_kind_or_raise(assignment.study.kind).simulate(build_item_of(assignment), expert)


def simulate_study(
    *, study: Study, raters: int, seed: int, simulate: Simulate = simulate_by_kind
) -> Simulation:
    """Let simulated experts answer all that the study assigns them; repeating it adds nothing.

    Each rater is an account that cannot sign in. seed: of how they answer. All times have passed:
    a rater's last answer is given about now. The raters alternate, so that all have a share of a
    pool. Raises Conflict unless the study is open.
    """
    if study.status == Study.Status.DRAFT:
        raise Conflict("This study is a draft. Open it first.", code="study_draft")
    check_open(study)
    require_seed(seed)
    visits = []
    for number in range(1, raters + 1):
        expert = _ensure_rater(study, number)
        rng = np.random.default_rng([seed, number])
        visits.append(_answer_all(study, expert, seed * MAX_RATERS + number, rng, simulate))
    total: Counter[str] = Counter()
    for count in _alternate(visits):
        total += count
    return Simulation(study.name, raters, total["answers"], total["skips"])


def _alternate(visits: Sequence[Iterator[Counter[str]]]) -> Iterator[Counter[str]]:
    while visits:
        steps = [(one, next(one, None)) for one in visits]
        yield from (count for _, count in steps if count is not None)
        visits = [one for one, count in steps if count is not None]


def _answer_all(
    study: Study, expert: User, identity: int, rng: np.random.Generator, simulate: Simulate
) -> Iterator[Counter[str]]:
    """How many answers and skips at a time. What comes again comes in a second visit, after all
    others."""
    has_begun, clock, has_returned = False, timezone.now(), False
    latest = clock
    while True:
        assignments = _next_assignments(study, expert, clock)
        if not assignments and (has_returned or not has_begun):
            return
        if not assignments:
            clock, latest, has_returned = clock + ABSENCE, timezone.now(), True
        elif not has_begun:
            clock, latest = _plan_first_visit(study, assignments, identity)
            has_begun = True
        for assignment in assignments:
            clock = write_simulated_answer(assignment, identity, rng, clock, latest, simulate)
        yield _count_given(assignments)


def _count_given(assignments: Sequence[Assignment]) -> Counter[str]:
    written = Assignment.objects.filter(pk__in=[one.pk for one in assignments])
    skips = written.filter(response__submitted_outcome=SKIPPED).count()
    return Counter(answers=len(assignments) - skips, skips=skips)


def ensure_simulated_expert(email: str, label: str) -> User:
    """Inactive, so that neither a code nor a password signs in."""
    return User.objects.by_email(email) or User.objects.create_user(
        email, None, name=f"Simulated expert {label}", is_simulated=True, is_active=False
    )


@transaction.atomic
def _ensure_rater(study: Study, number: int) -> User:
    label = f"{number}-{study.id.hex[:8]}"
    expert = ensure_simulated_expert(f"simulated-{label}@demo.example", str(number))
    Member.everyone.update_or_create(
        study=study,
        user=expert,
        role=Member.Role.EXPERT,
        defaults={
            "consent_version": CONSENT_VERSION,
            "consented_at": timezone.now(),
            "guidelines_number": newest_guidelines_number(study.id),
            "left_at": None,
            "left_by": None,
            "answers_withdrawn": False,
        },
    )
    assign_batches(study=study, expert=expert, batches=study.batches.all(), actor=None)
    return expert


def _next_assignments(study: Study, expert: User, at: datetime) -> Sequence[Assignment]:
    """Those neither answered nor skipped: leased from the pool, or of the assigned batches."""
    open_rows = Assignment.objects.not_released().filter(study=study, expert=expert)
    open_rows = open_rows.exclude(purpose=Assignment.Purpose.ADJUDICATION)
    leased = lease_questions(actor=expert, study_id=study.id, count=LEASED_AT_ONCE, at=at)
    if design_of(study).overlap is not None:
        open_rows = open_rows.filter(pk__in=[row.pk for row in leased])
    ordered = open_rows.order_by("batch__number", "question__number", "question__file_id")
    return list(ordered.exclude(response__submitted_number__gt=0).with_item())


def _plan_first_visit(
    study: Study, first: Sequence[Assignment], expert: int
) -> tuple[datetime, datetime]:
    """Its start and its latest end: so early that the expert of this number is through by now, at
    the pace of the first questions. In a pool there are others to come: at most all of the study.
    A share comes again after an absence, however long the others take."""
    kind = get_kind_or_raise(study.kind)
    active_ms = [kind.simulate(build_item_of(one), expert).active_ms for one in first]
    pace = timedelta(milliseconds=fmean(active_ms), seconds=PLANNED_PAUSE_S)
    questions = len(first)
    design = design_of(study)
    if design.overlap is not None:
        questions = max(questions, BatchQuestion.objects.filter(batch__study=study).count())
    absence = ABSENCE if design.repeat_share else timedelta()
    end = timezone.now() - questions * design.repeat_share * pace - absence
    return end - questions * pace, end


def write_simulated_answer(
    assignment: Assignment,
    expert: int,
    rng: np.random.Generator,
    opened: datetime,
    latest: datetime,
    simulate: Simulate = simulate_by_kind,
) -> datetime:
    """Answer as the expert of this number, a little after `opened`; returns when it was done, which
    is never later than `latest`."""
    answer = simulate(assignment, expert)
    start = min(opened + timedelta(seconds=float(rng.exponential(MEAN_PAUSE_S))), latest)
    end = min(start + timedelta(milliseconds=answer.active_ms), latest)
    _write(assignment, answer, _activity_entries(rng, answer, start, end), end)
    return end


def _write(
    assignment: Assignment, answer: SimulatedAnswer, entries: list[ActivityEntry], at: datetime
) -> None:
    write_response(
        actor=assignment.expert,
        assignment_id=assignment.id,
        write=ResponseWrite(
            version=0,
            action=Action.SUBMIT if answer.outcome else Action.SKIP,
            outcome=answer.outcome,
            payload=answer.payload,
            active_ms=answer.active_ms,
        ),
        at=at,
    )
    record_activity(
        actor=assignment.expert, assignment_id=assignment.id, entries=entries, interface=INTERFACE
    )


def _activity_entries(
    rng: np.random.Generator, answer: SimulatedAnswer, opened: datetime, end: datetime
) -> list[ActivityEntry]:
    """The opening, then the answer's own events, evenly spread until its end."""
    events = [SimulatedEvent(ActivityKind.OPENED), *answer.events]
    step = (end - opened) / max(len(events) - 1, 1)
    return [
        ActivityEntry(
            id=uuid.UUID(bytes=rng.bytes(16), version=4),
            kind=event.kind,
            at=opened + place * step,
            old=event.old,
            new=event.new,
        )
        for place, event in enumerate(events)
    ]
