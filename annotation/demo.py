"""The demo: a questionnaire of public facts, people to sign in as, and simulated experts.

Loading it again changes nothing. Simulated experts are named so, are marked so wherever a name
is shown, and cannot sign in; their answers go through the same service as everybody's.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from annotation.answers import Json, Order, Sent, SentEvent, prior_of
from annotation.assignments import assign_batches
from annotation.imports import import_study
from annotation.models import Action, Assignment, EventKind, Member, Revision, Study
from annotation.policies import CONSENT_VERSION
from annotation.responses import write_response
from annotation.simulated import SEED, SimulatedAnswer, simulate_answer
from backend.accounts.demo import DOMAIN, ensure_account
from backend.accounts.models import User
from backend.benchmarks.files import read_paths
from backend.benchmarks.services import Progress
from backend.common.errors import Conflict

STUDY = "Drug repurposing (demo)"
FOLDER = settings.ROOT / "fixtures" / "demo" / "questionnaire"
PASSWORD = "serendib-demo"  # noqa: S105 - everybody may know it
LOCK = 7_361_001  # of PostgreSQL's advisory locks: one loading at a time


@dataclass(frozen=True)
class DemoAccount:
    email: str
    name: str
    role: str
    password: str = PASSWORD


ADMINISTRATOR = DemoAccount(f"administrator@{DOMAIN}", "Ines Weber", "administrator")
COORDINATOR = DemoAccount(f"coordinator@{DOMAIN}", "Prof Kofi Mensah", "coordinator")
RESEARCHER = DemoAccount(f"researcher@{DOMAIN}", "Li Na", "researcher")
PHYSICIAN = DemoAccount(f"physician@{DOMAIN}", "Dr Amara Silva", "physician")
ACCOUNTS = (ADMINISTRATOR, COORDINATOR, RESEARCHER, PHYSICIAN)

# Which batches each simulated expert has, and how much of them she has answered.
SIMULATED = (
    ("A", (1, 2, 3), 1.0),
    ("B", (1, 2, 3), 0.9),
    ("C", (1, 2, 3), 0.75),
    ("D", (1, 2, 3), 0.7),
    ("E", (1, 2), 1.0),
    ("F", (1, 3), 0.8),
)
ENDS = {
    Action.AGREE: EventKind.AGREED,
    Action.SUBMIT: EventKind.SUBMITTED,
    Action.NOT_SURE: EventKind.NOT_SURE,
    Action.SKIP: EventKind.SKIPPED,
}
ANSWERS_A_DAY = 8
DAYS = 4
PAUSE_S = 8.0


@dataclass(frozen=True)
class Demo:
    study: Study
    loaded_now: bool
    responses: int


@transaction.atomic
def load_demo(*, progress: Progress = lambda done: None) -> Demo:
    """Everything or, where the demo is loaded already, nothing."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    study = Study.objects.filter(name=STUDY).first()
    if study is None:
        return _load(progress)
    if not study.is_demo:
        raise Conflict(f"There is a study named '{STUDY}' that is not the demo. Rename it first.")
    return Demo(study, loaded_now=False, responses=count_simulated(study))


def loaded_accounts() -> list[DemoAccount]:
    """Those that one can sign in as, if the demo is loaded."""
    there = set(User.objects.filter(is_active=True).values_list("email", flat=True))
    return [account for account in ACCOUNTS if account.email in there]


def count_simulated(study: Study) -> int:
    submitted = Revision.objects.filter(response__assignment__study=study)
    return submitted.filter(response__assignment__expert__is_simulated=True).count()


def _load(progress: Progress) -> Demo:
    users = {account: _ensure(account) for account in ACCOUNTS}
    sources, faults = read_paths([FOLDER])
    study = import_study(
        actor=users[COORDINATOR], name=STUDY, sources=sources, faults=faults, is_demo=True
    ).study
    _join(study, users[PHYSICIAN], (1, 2, 3))
    loaded_at = timezone.now()
    for number, (letter, batches, share) in enumerate(SIMULATED, 1):
        expert = _simulated_expert(letter)
        _join(study, expert, batches, consented_at=loaded_at - timedelta(days=DAYS))
        _answer(expert, number, share, loaded_at)
        progress(number)
    return Demo(study, loaded_now=True, responses=count_simulated(study))


def _ensure(account: DemoAccount) -> User:
    return ensure_account(
        email=account.email,
        name=account.name,
        password=account.password,
        is_researcher=account is RESEARCHER,
        is_administrator=account is ADMINISTRATOR,
    )


def _simulated_expert(letter: str) -> User:
    """Not active, so that no code and no password signs her in."""
    email = f"simulated-{letter.lower()}@{DOMAIN}"
    return User.objects.by_email(email) or User.objects.create_user(
        email, None, name=f"Simulated expert {letter}", is_simulated=True, is_active=False
    )


def _join(
    study: Study, user: User, numbers: tuple[int, ...], consented_at: datetime | None = None
) -> None:
    Member.objects.create(
        study=study,
        user=user,
        role=Member.Role.EXPERT,
        consent_version=CONSENT_VERSION if consented_at else "",
        consented_at=consented_at,
    )
    batches = study.batches.filter(number__in=numbers)
    assign_batches(study=study, expert=user, batches=batches, actor=None)


def _answer(expert: User, number: int, share: float, loaded_at: datetime) -> None:
    """Her first answers, batch by batch, a few a day; the rest is still to do."""
    rng = np.random.default_rng([SEED, number])
    hers = list(
        Assignment.objects.filter(expert=expert)
        .with_question()
        .order_by("batch__number", "question__number")
    )
    clock = loaded_at
    for place, assignment in enumerate(hers[: round(len(hers) * share)]):
        if place % ANSWERS_A_DAY == 0:
            clock = _session(loaded_at, number, place // ANSWERS_A_DAY)
        prior = prior_of(assignment.question.candidates.all())
        answer = simulate_answer(number, int(assignment.question.file_id), prior)
        opened = clock + timedelta(seconds=float(rng.exponential(PAUSE_S)))
        clock = opened + timedelta(milliseconds=answer.active_ms)
        sent = _sent(answer, _events(rng, answer, prior, opened, clock))
        write_response(actor=expert, assignment_id=assignment.id, sent=sent, at=clock)


def _session(loaded_at: datetime, number: int, day: int) -> datetime:
    """When she sits down: on days in turn, each expert at her own hour, the last today."""
    return loaded_at - timedelta(days=DAYS - 1 - day, minutes=60 * number)


def _sent(answer: SimulatedAnswer, events: tuple[SentEvent, ...]) -> Sent:
    return Sent(
        version=0,
        action=answer.action,
        ranking=answer.order,
        confidence=answer.confidence,
        reasons=answer.reasons,
        unsure_reason=answer.unsure_reason,
        active_ms=answer.active_ms,
        events=events,
        interface="simulated-1",
    )


def _events(
    rng: np.random.Generator, answer: SimulatedAnswer, prior: Order, opened: datetime, end: datetime
) -> tuple[SentEvent, ...]:
    """Opened, moved if the order is hers, and how it ended."""

    def event(kind: EventKind, at: datetime, old: Order | None, new: Order | None) -> SentEvent:
        made = uuid.UUID(bytes=rng.bytes(16), version=4)
        return SentEvent(made, kind, at, _as_json(old), _as_json(new))

    middle = opened + (end - opened) / 2
    moved = answer.action is Action.SUBMIT
    return (
        event(EventKind.OPENED, opened, None, None),
        *([event(EventKind.MOVED, middle, prior, answer.order)] if moved else []),
        event(ENDS[answer.action], end, None, None),
    )


def _as_json(order: Order | None) -> Json:
    return None if order is None else [[*group] for group in order]
