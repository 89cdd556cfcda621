"""Each kind of computation, and what it leaves."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from backend.accounts.models import User
from backend.benchmarks.job_kinds.scoring import request_scoring
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.rns.artifacts import (
    marginal_folder,
    scores_folder,
    splits_folder,
    vectors_folder,
)
from backend.benchmarks.rns.jobs import build_request, open_snapshot_of_job
from backend.benchmarks.rns.options import RnsOptions, partition_parameters
from backend.graphs.models import Version
from backend.jobs.models import Job, JobState
from backend.jobs.registry import JobRequest
from backend.jobs.runner import run_job
from backend.jobs.services import request_job, sweep_jobs
from backend.runtime.atomic_dirs import UNFINISHED_PREFIX, workspace
from backend.science.rns.measures import Weights
from tests.benchmarks.rns.factories import drug, make_set, make_version
from tests.jobs.fault_injection import Moments, job_folders, passing
from tests.personas import make_person

SETS = 230  # more than two chunks of a file


def walk(version: Version, **options: Any) -> Job:
    return create_job(build_request("rns-transition", version, RnsOptions(**options).walk_json()))


def embedding(version: Version, method: str) -> Job:
    return create_job(build_request("rns-embedding", version, {"method": method}))


def partition(questions: QuestionSet, version: Version, size: int | None = None) -> Job:
    parameters = partition_parameters(questions.questions.count(), RnsOptions(), Weights(), size)
    return create_job(build_request("rns-partition", version, parameters, questions))


def create_job(expected: JobRequest) -> Job:
    return request_job(owner=None, request=expected, is_queued=False).job


def scoring(actor: User, version: Version) -> Job:
    sets = [
        {"id": n, "existing": [drug(n % 28)], "serendipity": [drug((n + 1) % 28)]}
        for n in range(SETS)
    ]
    content = "\n".join(map(json.dumps, [*sets, {"existing": []}])).encode()
    return request_scoring(
        actor=actor, version=version, options=RnsOptions(), weights=Weights(), content=content
    ).job


Ask = Callable[[Version, QuestionSet, User], Job]
KINDS: Mapping[str, Ask] = {
    "marginal by iteration": lambda version, *_: walk(version, hops=1, damping=0.2),
    "marginal by arnoldi": lambda version, *_: walk(version),
    "embedding by propagation": lambda version, *_: embedding(version, "propagation"),
    "embedding by gcn": lambda version, *_: embedding(version, "gcn"),
    "partition": lambda version, questions, _: partition(questions, version),
    "scoring": lambda version, _, actor: scoring(actor, version),
}


def detail_of(job: Job) -> str:
    """Why it failed."""
    return str((job.error or {}).get("detail", ""))


def result_folder(job: Job) -> Path:
    snapshot, given = open_snapshot_of_job(job), job.parameters["options"]
    folders: Mapping[str, Callable[[], Path]] = {
        "rns-transition": lambda: marginal_folder(snapshot, RnsOptions.parse(given)),
        "rns-embedding": lambda: vectors_folder(snapshot, given["method"]),
        "rns-partition": lambda: splits_folder(snapshot, job.parameters["question_set"], given),
        "rns-scoring": lambda: scores_folder(snapshot, given),
    }
    return folders[job.kind]()


def beside(version: Version) -> list[Path]:
    """What lies beside the snapshot, and what is unfinished there."""
    folder = Path(settings.SNAPSHOTS)
    return sorted(
        [*folder.glob(f"{version.snapshot}.rns-*"), *folder.glob(f"{UNFINISHED_PREFIX}*")]
    )


def stored_files(version: Version) -> dict[str, bytes]:
    """Every file beside the snapshot that can be seen, by its path."""
    observed = [one for one in beside(version) if not one.name.startswith(UNFINISHED_PREFIX)]
    files = [file for one in observed for file in one.rglob("*") if file.is_file()]
    return {str(file.relative_to(settings.SNAPSHOTS)): file.read_bytes() for file in files}


def rows(questions: QuestionSet) -> list[dict[str, Any]]:
    """Every partition by RNS, with all that is stored of it but its time."""
    result = Partition.objects.filter(question__question_set=questions, method="rns")
    fields = ("question", "number", "serendipity", "existing", "parameters", "source", "version")
    return list(result.order_by("question", "number").values(*fields))


def forget(version: Version, questions: QuestionSet) -> None:
    """All that was computed."""
    for one in beside(version):
        shutil.rmtree(one)
    Job.objects.all().delete()
    Partition.objects.filter(question__question_set=questions, method="rns").delete()


@dataclass(frozen=True)
class Bench:
    """A graph, questions about it, and a person who asks."""

    version: Version
    questions: QuestionSet
    rohan: User

    @classmethod
    def new(cls) -> Bench:
        version = make_version(seed=11)
        questions = make_set(version, (7, 7, 7, 7, 9, 3))
        result = cls(version, questions, make_person("rohan", is_researcher=True).user)
        result.forget()
        return result

    def create_job(self, kind: str) -> Job:
        return KINDS[kind](self.version, self.questions, self.rohan)

    def forget(self) -> None:
        forget(self.version, self.questions)

    def left(self, row: Job) -> tuple[Any, ...]:
        """All that a computation leaves."""
        row.refresh_from_db()
        assert row.state == JobState.SUCCEEDED, detail_of(row)
        return stored_files(self.version), rows(self.questions), row.result

    def undisturbed(self, kind: str) -> tuple[Any, ...]:
        """The same without anything happening; it is forgotten again."""
        row = self.create_job(kind)
        assert run_job(row.pk) is not None
        result = self.left(row)
        self.forget()
        return result

    def count(self, kind: str, *, outside_transactions: bool = False) -> int:
        """Moments of one that nothing happens to; it is forgotten again."""
        row = self.create_job(kind)
        with passing(
            Moments(job_folders(), -1, lambda: None, outside_transactions=outside_transactions)
        ) as moments:
            assert run_job(row.pk, on_progress=moments.count_progress) is not None
        self.forget()
        return moments.count


def sweep(version: Version) -> None:
    """An hour later: whoever makes something next, and the sweeper, find what was left."""
    for one in beside(version):
        os.utime(one, (0, 0))
    with workspace(Path(settings.SNAPSHOTS)):
        sweep_jobs()
