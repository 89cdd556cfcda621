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
from backend.benchmarks.models import Computation, Partition, Progress, QuestionSet, Work
from backend.benchmarks.serendipity.computations import (
    Wanted,
    request_computation,
    sweep_computations,
)
from backend.benchmarks.serendipity.files import request_scoring
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.partitioning import parameters_for
from backend.benchmarks.serendipity.working import run_computation
from backend.graphs.models import Version
from backend.science.folders import UNFINISHED, workspace
from backend.science.rns.measures import Weights
from tests.benchmarks.serendipity.making import drug, make_set, make_version
from tests.benchmarks.serendipity.moments import Moments, passing
from tests.personas import make_person

SETS = 230  # more than two chunks of a file


def walk(version: Version, **options: Any) -> Computation:
    return asked(Wanted(Work.TRANSITION, version, Options(**options).of_walk()))


def embedding(version: Version, method: str) -> Computation:
    return asked(Wanted(Work.EMBEDDING, version, {"method": method}))


def partition(questions: QuestionSet, version: Version, size: int | None = None) -> Computation:
    parameters = parameters_for(questions, Options(), Weights(), size)
    return asked(Wanted(Work.PARTITION, version, parameters, questions))


def asked(wanted: Wanted) -> Computation:
    return request_computation(actor=None, wanted=wanted, queue=False).computation


def scoring(actor: User, version: Version) -> Computation:
    sets = [
        {"id": n, "existing": [drug(n % 28)], "serendipity": [drug((n + 1) % 28)]}
        for n in range(SETS)
    ]
    content = "\n".join(map(json.dumps, [*sets, {"existing": []}])).encode()
    return request_scoring(
        actor=actor, version=version, options=Options(), weights=Weights(), content=content
    ).computation


Ask = Callable[[Version, QuestionSet, User], Computation]
KINDS: Mapping[str, Ask] = {
    "marginal by iteration": lambda version, *_: walk(version, hops=1, damping=0.2),
    "marginal by arnoldi": lambda version, *_: walk(version),
    "embedding by propagation": lambda version, *_: embedding(version, "propagation"),
    "embedding by gcn": lambda version, *_: embedding(version, "gcn"),
    "partition": lambda version, questions, _: partition(questions, version),
    "scoring": lambda version, _, actor: scoring(actor, version),
}


def beside(version: Version) -> list[Path]:
    """What lies beside the snapshot, and what is unfinished there."""
    folder = Path(settings.SNAPSHOTS)
    return sorted([*folder.glob(f"{version.snapshot}.rns-*"), *folder.glob(f"{UNFINISHED}*")])


def kept(version: Version) -> dict[str, bytes]:
    """Every file beside the snapshot that can be seen, by its path."""
    seen = [one for one in beside(version) if not one.name.startswith(UNFINISHED)]
    files = [file for one in seen for file in one.rglob("*") if file.is_file()]
    return {str(file.relative_to(settings.SNAPSHOTS)): file.read_bytes() for file in files}


def rows(questions: QuestionSet) -> list[dict[str, Any]]:
    """Every partition by RNS, with all that is stored of it but its time."""
    found = Partition.objects.filter(question__question_set=questions, method="rns")
    fields = ("question", "number", "serendipity", "existing", "parameters", "source", "version")
    return list(found.order_by("question", "number").values(*fields))


def forget(version: Version, questions: QuestionSet) -> None:
    """All that was computed."""
    for one in beside(version):
        shutil.rmtree(one)
    Computation.objects.all().delete()
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
        found = cls(version, questions, make_person("rohan", is_researcher=True).user)
        found.forget()
        return found

    def ask(self, kind: str) -> Computation:
        return KINDS[kind](self.version, self.questions, self.rohan)

    def forget(self) -> None:
        forget(self.version, self.questions)

    def left(self, row: Computation) -> tuple[Any, ...]:
        """All that a computation leaves."""
        row.refresh_from_db()
        assert row.state == Progress.DONE, row.fault
        return kept(self.version), rows(self.questions), row.result

    def undisturbed(self, kind: str) -> tuple[Any, ...]:
        """The same without anything happening; it is forgotten again."""
        row = self.ask(kind)
        assert run_computation(row.pk) is not None
        found = self.left(row)
        self.forget()
        return found

    def count(self, kind: str, *, only_told: bool = False) -> int:
        """Moments of one that nothing happens to; it is forgotten again."""
        row, folder = self.ask(kind), str(settings.SNAPSHOTS)
        with passing(Moments(folder, -1, lambda: None, only_told=only_told)) as moments:
            assert run_computation(row.pk, moments.hear) is not None
        self.forget()
        return moments.count


def sweep(version: Version) -> None:
    """An hour later: whoever makes something next, and the sweeper, find what was left."""
    for one in beside(version):
        os.utime(one, (0, 0))
    with workspace(Path(settings.SNAPSHOTS)):
        sweep_computations()
