"""A worker that is killed in the middle: whoever goes on ends with the same bytes."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from backend.jobs.context import checkpoint_path
from backend.jobs.models import Job, JobState
from backend.jobs.runner import run_job
from backend.jobs.services import sweep_jobs
from backend.runtime.atomic_dirs import UNFINISHED_PREFIX
from tests.benchmarks.rns.job_scenarios import KINDS, Bench, beside, detail_of, sweep
from tests.jobs.forked_worker import begin, die, end_all

MAX_ATTEMPTS = 3  # the default of kinds of jobs
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bench() -> Iterator[Bench]:
    yield Bench.new()
    end_all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_computation_goes_on_and_ends_with_the_same_bytes(kind: str, bench: Bench) -> None:
    expected, count = bench.undisturbed(kind), bench.count(kind)
    for seed in (1, 2):
        check_killed(bench, kind, seed, expected, count)
        bench.forget()


def check_killed(bench: Bench, kind: str, seed: int, expected: tuple[Any, ...], count: int) -> None:
    row, chance = bench.create_job(kind), random.Random(f"{kind} {seed}")  # noqa: S311  seeded
    assert expected[0] and kind.split()[-1] in (
        row.kind.removeprefix("rns-"),
        expected[2].get("method"),
    )
    # The second time there is less to do, and it may be done before that moment.
    for latest in (count, count // 3):
        at = chance.randrange(2, latest)
        status = begin(row, die, at).end()
        row.refresh_from_db()
        if row.state == JobState.SUCCEEDED:
            break
        assert (status, row.state) == (-signal.SIGKILL, JobState.RUNNING), (seed, at, count)
        assert run_job(row.pk) is None  # the dead one may yet be alive
        Job.objects.update(heartbeat_at=None)
        assert sweep_jobs() == 1
    run_job(row.pk)
    sweep(bench.version)
    assert not checkpoint_path(row.pk).exists()
    assert bench.left(row) == expected, f"seed {seed}"
    assert not [one for one in beside(bench.version) if one.name.startswith(UNFINISHED_PREFIX)]


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        ("marginal by iteration", "marginal/search-*"),
        ("marginal by arnoldi", "marginal/space-0-*"),
        ("embedding by propagation", "embedding/propagation/rounds-*"),
        ("embedding by gcn", "embedding/training"),
        ("partition", "chunk-0"),
        ("scoring", "chunk-1"),
    ],
)
def test_what_was_done_lies_there_after_a_kill_and_is_gone_in_the_end(
    kind: str, left: str, bench: Bench
) -> None:
    last = bench.count(kind, outside_transactions=True)
    row = bench.create_job(kind)
    assert begin(row, die, last - 1, outside_transactions=True).end() == -signal.SIGKILL
    assert [*checkpoint_path(row.pk).glob(left)]
    Job.objects.update(heartbeat_at=None)
    assert run_job(row.pk) is not None
    assert not checkpoint_path(row.pk).exists()


def test_workers_may_die_often_as_long_as_each_gets_further(bench: Bench) -> None:
    expected, row = bench.undisturbed("embedding by gcn"), bench.create_job("embedding by gcn")
    for percent in (20, 35, 50, 65, 80):
        assert begin(row, die, at_percent=percent).end() == -signal.SIGKILL
        Job.objects.update(heartbeat_at=None)
        assert sweep_jobs() == 1
    assert run_job(row.pk) is not None
    assert bench.left(row) == expected


def test_what_kills_every_worker_at_one_place_fails(bench: Bench) -> None:
    row = bench.create_job("embedding by gcn")
    for _ in range(MAX_ATTEMPTS):
        assert begin(row, die, at_percent=35).end() == -signal.SIGKILL
        Job.objects.update(heartbeat_at=None)
        assert sweep_jobs() == 1
    row.refresh_from_db()
    assert row.state == JobState.FAILED and "3 times" in detail_of(row)
    assert not checkpoint_path(row.pk).exists()
