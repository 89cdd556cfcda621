"""The demo: a questionnaire of public facts, accounts to sign in with, and simulated experts.

Loading it again changes nothing. Simulated experts are named so, are marked so wherever a name
is shown, and cannot sign in; their answers are written by the same services as everybody's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.assignments import assign_batches
from annotation.imports import import_study
from annotation.models import Assignment, Revision
from annotation.simulation import ensure_simulated_expert, write_simulated_answer
from annotation.study_creation import Design, set_design
from annotation.study_graph import pin_to_study, resolve_study
from backend.accounts.demo import DOMAIN, ensure_account
from backend.accounts.models import User
from backend.benchmarks.file_discovery import read_source_files
from backend.benchmarks.question_sets import StoreProgress
from backend.common.advisory_locks import AdvisoryLock, lock_in_transaction
from backend.common.errors import Conflict
from backend.graphs.models import Version
from backend.graphs.study_links import pinned_version
from backend.studies.models import Member, Study
from backend.studies.policies import CONSENT_VERSION
from backend.studies.services import change_study

SEED = 20_250_101
STUDY_NAME = "Drug repurposing (demo)"
FIXTURES = settings.ROOT / "fixtures" / "demo"
QUESTIONNAIRE_FOLDER = FIXTURES / "questionnaire"
PASSWORD = "serendib-demo"  # noqa: S105 - everybody may know it


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

# Label, assigned batches, and the share of their questions that is answered.
SIMULATED_EXPERTS = (
    ("A", (1, 2, 3), 1.0),
    ("B", (1, 2, 3), 0.9),
    ("C", (1, 2, 3), 0.75),
    ("D", (1, 2, 3), 0.7),
    ("E", (1, 2), 1.0),
    ("F", (1, 3), 0.8),
)
ANSWERS_PER_DAY = 8
DAYS = 4
OPEN_DAYS = 60
DESCRIPTION = "Which known drugs could be worth a second look, and for what?"


@dataclass(frozen=True)
class FinishedStudy:
    """A small study that its simulated experts have answered, to be looked at.

    source: a file in `FIXTURES`. hidden_share: of items whose prior is not shown.
    """

    name: str
    kind: str
    source: str
    hidden_share: float | None = None


FINISHED_STUDIES = (
    FinishedStudy("Hypotheses (demo)", "hypothesis_pairs", "hypothesis_pairs/batch1.json"),
    FinishedStudy("Claims (demo)", "claims", "claims/batch1.json"),
    FinishedStudy("Ratings of queries (demo)", "ratings", "ratings/batch1.json"),
    FinishedStudy("Checks of questions (demo)", "question_check", "question_check/batch1.json"),
    FinishedStudy("Written queries (demo)", "written_queries", "written_queries/batch1.json"),
    # Its simulated experts are anchored by the prior, which only half of them see.
    FinishedStudy("Anchoring (demo)", "ranking", "questionnaire/batch1.json", hidden_share=0.5),
)


@dataclass(frozen=True)
class LoadedDemo:
    study: Study
    is_new: bool
    responses: int


@transaction.atomic
def load_demo(
    *, graph: Version | None = None, progress: StoreProgress = lambda done: None
) -> LoadedDemo:
    """Load all of the demo, or nothing if it is loaded already.

    The graph is pinned as the study's evidence as soon as one is given.
    """
    lock_in_transaction(AdvisoryLock.DEMO_STUDIES)
    study = Study.objects.filter(name=STUDY_NAME).first()
    if study is None:
        demo = _create_demo(progress)
        _pin_if_open(demo.study, graph)
        _create_finished_studies()
        return demo
    if not study.is_demo:
        raise Conflict(
            f"A study that is not the demo is named '{STUDY_NAME}'. Rename it and load again."
        )
    _pin_if_open(study, graph)
    _create_finished_studies()
    return LoadedDemo(study, is_new=False, responses=count_simulated_submissions(study))


def _pin_if_open(study: Study, graph: Version | None) -> None:
    """Entities are linked at once, which takes milliseconds: no worker may be running yet."""
    if graph is None or study.status != Study.Status.OPEN:
        return
    if pinned_version(study) is None:
        pin_to_study(actor=None, study=study, version=graph)
        resolve_study(study.id)


def list_demo_accounts() -> list[DemoAccount]:
    """The accounts of the demo that exist and can sign in."""
    active = set(User.objects.filter(is_active=True).values_list("email", flat=True))
    return [account for account in ACCOUNTS if account.email in active]


def count_simulated_submissions(study: Study) -> int:
    submitted = Revision.objects.filter(response__assignment__study=study)
    return submitted.filter(response__assignment__expert__is_simulated=True).count()


def _create_demo(progress: StoreProgress) -> LoadedDemo:
    users = {account: ensure_demo_account(account) for account in ACCOUNTS}
    sources, faults = read_source_files([QUESTIONNAIRE_FOLDER])
    study = import_study(
        actor=users[COORDINATOR], name=STUDY_NAME, sources=sources, faults=faults, is_demo=True
    ).study
    _add_expert(study, users[PHYSICIAN], (1, 2, 3))
    loaded_at = timezone.now()
    change_study(
        actor=users[COORDINATOR],
        study_id=study.id,
        description=DESCRIPTION,
        contact=COORDINATOR.email,
        closes_on=(loaded_at + timedelta(days=OPEN_DAYS)).date(),
    )
    for number, (label, batches, share) in enumerate(SIMULATED_EXPERTS, 1):
        expert = _simulated_expert(label)
        _add_expert(study, expert, batches, consented_at=loaded_at - timedelta(days=DAYS))
        _simulate_responses(study, expert, number, share, loaded_at, [SEED, number])
        progress(number)
    return LoadedDemo(study, is_new=True, responses=count_simulated_submissions(study))


def _create_finished_studies() -> None:
    """Those that do not exist yet. Every simulated expert answers everything; then they close."""
    coordinator = ensure_demo_account(COORDINATOR)
    for place, one in enumerate(FINISHED_STUDIES):
        if Study.objects.filter(name=one.name).exists():
            continue
        sources, faults = read_source_files([FIXTURES / one.source])
        study = import_study(
            actor=coordinator,
            name=one.name,
            sources=sources,
            faults=faults,
            kind=one.kind,
            is_demo=True,
        ).study
        shares = {} if one.hidden_share is None else {"prior": {"hidden": one.hidden_share}}
        set_design(study, Design(arm_shares=shares, seed=SEED))
        _answer_all(study, place)
        change_study(actor=coordinator, study_id=study.id, status=Study.Status.CLOSED)


def _answer_all(study: Study, place: int) -> None:
    loaded_at = timezone.now()
    for number, (label, *_) in enumerate(SIMULATED_EXPERTS, 1):
        expert = _simulated_expert(label)
        _add_expert(study, expert, (1,), consented_at=loaded_at - timedelta(days=DAYS))
        _simulate_responses(study, expert, number, 1.0, loaded_at, [SEED, number, place])


def ensure_demo_account(account: DemoAccount) -> User:
    return ensure_account(
        email=account.email,
        name=account.name,
        password=account.password,
        is_researcher=account is RESEARCHER,
        is_administrator=account is ADMINISTRATOR,
    )


def _simulated_expert(label: str) -> User:
    return ensure_simulated_expert(f"simulated-{label.lower()}@{DOMAIN}", label)


def _add_expert(
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


def _simulate_responses(
    study: Study,
    expert: User,
    number: int,
    share: float,
    loaded_at: datetime,
    seed: Sequence[int],
) -> None:
    """First answers to a share of the expert's questions, batch by batch, a few a day."""
    rng = np.random.default_rng(seed)
    assignments = list(
        Assignment.objects.filter(study=study, expert=expert)
        .with_item()
        .order_by("batch__number", "question__number")
    )
    clock = loaded_at
    for place, assignment in enumerate(assignments[: round(len(assignments) * share)]):
        if place % ANSWERS_PER_DAY == 0:
            clock = _session_start(loaded_at, number, place // ANSWERS_PER_DAY)
        clock = write_simulated_answer(assignment, number, rng, clock, loaded_at)


def _session_start(loaded_at: datetime, number: int, day: int) -> datetime:
    """One session a day, each expert at another hour, the last one on the day of loading."""
    return loaded_at - timedelta(days=DAYS - 1 - day, minutes=60 * number)
