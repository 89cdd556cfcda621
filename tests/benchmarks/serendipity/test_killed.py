"""A worker that is killed in the middle: whoever goes on ends with the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from backend.benchmarks.models import Computation, Partition, Progress, Work
from backend.benchmarks.serendipity import files
from backend.benchmarks.serendipity.computations import (
    Wanted,
    request_computation,
    sweep_computations,
    work_folder,
)
from backend.benchmarks.serendipity.files import request_scoring
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.partitioning import parameters_for
from backend.benchmarks.serendipity.working import run_computation
from backend.graphs.models import Version
from backend.science.rns.measures import Weights
from tests.benchmarks.serendipity.making import drug, make_set, make_version
from tests.personas import make_person

pytestmark = pytest.mark.django_db(transaction=True)
LONGEST_S = 300


def wanted(kind: Work, version: Version) -> Computation:
    if kind is Work.SCORING:
        lines = [
            {"id": n, "existing": [drug(n % 28)], "serendipity": [drug((n + 1) % 28)]}
            for n in range(3 * files.LINES)
        ]
        content = "\n".join(map(json.dumps, [*lines, {"existing": []}])).encode()
        rohan = make_person("rohan", is_researcher=True).user
        return request_scoring(
            actor=rohan,
            version=version,
            options=Options(),
            weights=Weights(),
            content=content,
        ).computation
    asked = {
        Work.TRANSITION: lambda: Wanted(kind, version, Options().of_walk()),
        Work.EMBEDDING: lambda: Wanted(kind, version, {"method": "gcn"}),
        Work.PARTITION: lambda: of_set(version),
    }
    return request_computation(actor=None, wanted=asked[kind](), queue=False).computation


def of_set(version: Version) -> Wanted:
    questions = make_set(version, (7, 7, 7, 7, 20, 3))
    parameters = parameters_for(questions, Options(), Weights(), None)
    return Wanted(Work.PARTITION, version, parameters, questions)


def killed_at(row: Computation, percent: float) -> int:
    """The worker's end: minus the number of the signal."""
    where = os.environ["DATABASE_URL"].partition("?")
    base, name = where[0].rsplit("/", 1)[0], connection.settings_dict["NAME"]
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "DATABASE_URL": f"{base}/{name}{where[1]}{where[2]}",
        "SNAPSHOTS": str(settings.SNAPSHOTS),
    }
    command = [sys.executable, "-m", "tests.benchmarks.serendipity.worker"]
    return subprocess.run(
        [*command, str(row.pk), str(percent)],
        cwd=settings.ROOT,
        env=environment,
        timeout=LONGEST_S,
        check=False,
    ).returncode


def made_by(version: Version) -> dict[str, bytes]:
    """Everything beside the snapshot, by its path."""
    folder = Path(settings.SNAPSHOTS)
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.glob(f"{version.snapshot}.rns-*/**/*"))
        if file.is_file()
    }


def forget(version: Version) -> None:
    for file in made_by(version):
        (Path(settings.SNAPSHOTS) / file).unlink()
    Computation.objects.all().update(state=Progress.FAILED)


def partitions() -> list[tuple[str, list[int], list[int]]]:
    rows = Partition.objects.order_by("question__number")
    return [(one.question.file_id, one.serendipity, one.existing) for one in rows]


@pytest.mark.parametrize(
    ("kind", "percent", "left"),
    [
        (Work.TRANSITION, 50, ""),
        (Work.EMBEDDING, 50, "checkpoint"),
        (Work.PARTITION, 60, "chunk-0"),
        (Work.SCORING, 60, "chunk-0"),
    ],
)
def test_a_killed_computation_goes_on_and_ends_with_the_same_bytes(
    kind: Work, percent: float, left: str
) -> None:
    version = make_version(seed=11)
    forget(version)
    row = wanted(kind, version)
    content = (work_folder(row) / files.INPUT).read_bytes() if kind is Work.SCORING else b""
    assert killed_at(row, percent) == -signal.SIGKILL
    assert (work_folder(row) / left).exists() or not left
    row.refresh_from_db()
    assert row.state == Progress.RUNNING
    assert run_computation(row.pk) is None  # the dead one may yet be alive
    Computation.objects.update(heartbeat=None)
    assert sweep_computations() == 1
    assert run_computation(row.pk) is not None
    row.refresh_from_db()
    assert (row.state, row.attempts) == (Progress.DONE, 2)
    resumed, found = made_by(version), partitions()
    assert resumed and not work_folder(row).exists()

    forget(version)
    Computation.objects.all().delete()
    Partition.objects.all().delete()
    again = request_computation(
        actor=row.actor,
        wanted=Wanted(kind, version, row.parameters, row.question_set),
        queue=False,
    ).computation
    if kind is Work.SCORING:
        files._keep(again, content)
    assert run_computation(again.pk) is not None
    again.refresh_from_db()
    assert again.state == Progress.DONE
    assert made_by(version) == resumed
    assert partitions() == found
    assert again.result == row.result
