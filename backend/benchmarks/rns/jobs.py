"""What the four kinds of RNS jobs share: their requests, their inputs, and who may see them."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.policies import can_have_computed
from backend.benchmarks.rns.artifacts import compute_marginal, compute_vectors
from backend.benchmarks.rns.options import RnsOptions
from backend.common.errors import DomainError
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.version_lookup import find_version_or_raise
from backend.jobs.command_runner import run_in_command
from backend.jobs.context import JobContext, ProgressCallback
from backend.jobs.models import Job, JobState
from backend.jobs.registry import JobRequest, is_owner_or_administrator, job_kind
from backend.validation.faults import Fault

TIME_LIMIT = timedelta(hours=12)  # a network over a million entities takes hours
MAX_SIZE = 500
RnsJobKind = Literal["rns-transition", "rns-embedding", "rns-partition", "rns-scoring"]


class WeightParameters(BaseModel):
    model_config = ConfigDict(extra="forbid")
    relevance: float
    novelty: float
    surprise: float


class JobParameters(BaseModel):
    """Parameters of a request to POST /jobs; options that are missing have their defaults."""

    model_config = ConfigDict(extra="forbid")
    graph: str = Field(max_length=120)
    question_set: uuid.UUID | None = None
    weights: WeightParameters | None = None
    size: int | None = Field(default=None, ge=1, le=MAX_SIZE)
    direction: str | None = None
    dangling: str | None = None
    support: str | None = None
    novelty: str | None = None
    method: str | None = None
    weighted: bool | None = None

    @classmethod
    def parse(cls, parameters: Mapping[str, Any]) -> JobParameters:
        try:
            return cls.model_validate(parameters)
        except ValidationError as error:
            faults = [
                Fault(".".join(["parameters", *map(str, one["loc"])]), one["msg"])
                for one in error.errors()
            ]
            raise DomainError("The parameters of this job are invalid.", faults=faults) from error

    @property
    def options(self) -> RnsOptions:
        return RnsOptions.parse(self.model_dump())

    def version(self, user: User) -> Version:
        version = find_version_or_raise(user, self.graph)
        if version is None:
            raise DomainError("Name a graph.", code="unknown_graph")
        return version


def build_request(
    kind: RnsJobKind,
    version: Version,
    parameters: Mapping[str, Any],
    question_set: QuestionSet | None = None,
    learned_from: str = "",
) -> JobRequest:
    """A request for a job over a version of a graph.

    parameters: everything that the result files depend on. learned_from: digest of the experts'
    partitions, on which only the calibration depends.
    """
    subjects = [graph_subject(version)]
    if question_set is not None:
        subjects.append(question_set_subject(question_set))
    identity = {
        "kind": kind.removeprefix("rns-"),
        "version": version.pk,
        "question_set": str(question_set.pk) if question_set else None,
        "parameters": dict(parameters),
    }
    if learned_from:
        identity["learnt_from"] = learned_from
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    stored = {
        "version": version.pk,
        "question_set": identity["question_set"],
        "options": dict(parameters),
    }
    return JobRequest(kind, stored, digest, subjects)


def graph_subject(version: Version) -> str:
    return f"graph-version:{version.pk}"


def question_set_subject(question_set: QuestionSet) -> str:
    return f"question-set:{question_set.pk}"


def get_version_of_job(job: Job) -> Version:
    result = Version.objects.select_related("graph").filter(pk=job.parameters["version"]).first()
    if result is None:
        raise DomainError("The graph of this job was deleted.", code="unknown_graph")
    return result


def get_question_set_of_job(job: Job) -> QuestionSet:
    result = QuestionSet.objects.filter(pk=job.parameters["question_set"]).first()
    if result is None:
        raise DomainError("The question set of this job was deleted.", code="unknown_set")
    return result


def compute_artifacts(
    context: JobContext, snapshot: Snapshot, options: RnsOptions, last: float
) -> None:
    """Compute the marginal and the embedding unless they exist, up to share `last` of the job."""
    compute_marginal_in_job(context, snapshot, options, context.subprogress(0, last / 2))
    compute_vectors_in_job(context, snapshot, options, context.subprogress(last / 2, last))


def compute_marginal_in_job(
    context: JobContext, snapshot: Snapshot, options: RnsOptions, progress: ProgressCallback
) -> None:
    compute_marginal(
        snapshot,
        options,
        checkpoint=context.checkpoint_folder / "marginal",
        progress=progress,
        stop=context.cancellation,
    )


def compute_vectors_in_job(
    context: JobContext, snapshot: Snapshot, options: RnsOptions, progress: ProgressCallback
) -> None:
    compute_vectors(
        snapshot,
        options.method,
        checkpoint=context.checkpoint_folder / "embedding",
        progress=progress,
        stop=context.cancellation,
    )


def open_snapshot_of_job(job: Job) -> Snapshot:
    return open_version_snapshot(get_version_of_job(job))


def options_of_job(job: Job) -> RnsOptions:
    return RnsOptions.parse(job.parameters["options"])


def may_see(user: User, job: Job) -> bool:
    """The owner, and others who could have started the same job."""
    if is_owner_or_administrator(user, job):
        return True
    try:
        version = get_version_of_job(job)
        question_set = get_question_set_of_job(job) if job.parameters["question_set"] else None
    except DomainError:
        return False
    return can_have_computed(user, version, question_set)


def describe(jobs: Sequence[Job]) -> list[Mapping[str, Any]]:
    """Names of the graph and the question set, for pages."""
    ids = {job.parameters["version"] for job in jobs}
    rows = Version.objects.filter(pk__in=ids).values_list("pk", "graph__slug", "snapshot")
    names = {pk: (graph, snapshot) for pk, graph, snapshot in rows}
    return [
        {"graph": graph, "snapshot": snapshot, "question_set": job.parameters["question_set"]}
        for job in jobs
        for graph, snapshot in [names.get(job.parameters["version"], (None, None))]
    ]


rns_job = partial(
    job_kind, queue="long", time_limit=TIME_LIMIT, group="rns", resumes=True, describe=describe
)


def run_or_raise(request: JobRequest) -> Job:
    """Run a job in this command. Raises DomainError if it fails."""
    job = run_in_command(request)
    if job.state != JobState.SUCCEEDED:
        error = job.error or {}
        raise DomainError(error.get("detail", "The job was cancelled."), code="failed")
    return job
