"""Kinds of jobs: a decorated function per kind, in `job_kinds` modules of apps and plugins."""

import pkgutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import timedelta
from functools import cache
from importlib import import_module
from typing import Any, Literal

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from backend.accounts.models import User
from backend.common.errors import DomainError
from backend.jobs.context import JobContext
from backend.jobs.models import Job
from backend.runtime.discovery import plugin_packages

QueueName = Literal["quick", "studies", "long", "models"]
Result = Mapping[str, Any]
# A function returns its result, or a callable that stores rows and returns it: that one runs in
# the transaction in which the job ends, so that both happen or neither.
JobFunction = Callable[[JobContext], Result | Callable[[], Result]]

DescribeJobs = Callable[[Sequence[Job]], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class JobRequest:
    """What is to be done; see the fields of Job."""

    kind: str
    parameters: Mapping[str, Any]
    digest: str = ""
    subjects: Sequence[str] = ()
    id: uuid.UUID = field(default_factory=uuid.uuid4)


def is_owner_or_administrator(user: User, job: Job) -> bool:
    return user.is_active and (user.is_administrator or job.owner_id == user.pk)


def do_nothing(job: Job) -> None:
    """The default of hooks."""


@dataclass
class JobKind:
    """A decorator that registers a function as a kind of job: how it runs, and who may see it.

    time_limit: of one attempt; the job is cancelled cooperatively, then its process is killed.
    longer: the time limit of a job that takes longer than others of its kind and runs in the queue
        `long`; None for the others.
    group: workers run no more jobs of its kinds at a time than settings.JOB_GROUP_LIMITS has.
    create: builds a request from the parameters of POST /jobs; without, the API creates none.
    describe: further members of the API's `details`, such as names of what a job is about; for
        all jobs of a page at once, in their order.
    resumes: an attempt goes on from the checkpoint folder; progress is kept between attempts, and
        an attempt that gets further than the one before starts the count of attempts again.
    is_result_intact: whether the files of a job that succeeded are still there; if not, the same
        work can be requested again.
    makes_snapshots: its jobs may build files of graphs that another deletes as no version has them
        yet: while one runs, files of a deleted version stay for the sweeper.
    discard_attempt: removes what an unsuccessful attempt left behind.
    clean_up: runs after the end of every job, in whatever state.
    sweep: runs with the sweeper, every minute.
    """

    name: str
    _: KW_ONLY
    queue: QueueName = "quick"
    time_limit: timedelta = timedelta(minutes=10)
    longer: Callable[[Job], timedelta | None] = lambda job: None
    group: str = ""
    max_attempts: int = 3
    resumes: bool = False
    makes_snapshots: bool = False
    may_see: Callable[[User, Job], bool] = is_owner_or_administrator
    may_cancel: Callable[[User, Job], bool] = is_owner_or_administrator
    create: Callable[[User, Mapping[str, Any]], JobRequest] | None = None
    describe: DescribeJobs | None = None
    is_result_intact: Callable[[Job], bool] = lambda job: True
    discard_attempt: Callable[[Job], None] = do_nothing
    clean_up: Callable[[Job], None] = do_nothing
    sweep: Callable[[], None] | None = None
    function: JobFunction = field(init=False)

    def queue_of(self, job: Job) -> QueueName:
        return self.queue if self.longer(job) is None else "long"

    def time_limit_of(self, job: Job) -> timedelta:
        return self.longer(job) or self.time_limit

    def __call__(self, function: JobFunction) -> JobFunction:
        if self.name in _kinds:
            raise ValueError(f"There are two kinds of jobs with the name {self.name!r}.")
        self.function = function
        _kinds[self.name] = self
        return function


job_kind = JobKind
_kinds: dict[str, JobKind] = {}


@cache
def load_kinds() -> Mapping[str, JobKind]:
    """All kinds by name. Imports the modules that define them, so not before the apps are ready.

    They are in `<app>/job_kinds.py`, or in modules of a package `<plugin>/job_kinds/`.
    """
    packages = [*(app.name for app in apps.get_app_configs()), *plugin_packages()]
    for package in packages:
        if module_has_submodule(import_module(package), "job_kinds"):
            _import_with_children(f"{package}.job_kinds")
    return _kinds


def _import_with_children(name: str) -> None:
    for child in pkgutil.iter_modules(getattr(import_module(name), "__path__", ())):
        import_module(f"{name}.{child.name}")


def get_kind(name: str) -> JobKind:
    """A stored job can be of a kind that is no longer installed: it then has the default hooks."""
    return load_kinds().get(name) or JobKind(name)


def get_kind_or_raise(name: str) -> JobKind:
    kind = load_kinds().get(name)
    if kind is None:
        known = ", ".join(sorted(load_kinds())) or "none"
        sentence = f"There is no job kind {name!r}. Known kinds: {known}."
        raise DomainError(sentence, code="unknown_job_kind")
    return kind
