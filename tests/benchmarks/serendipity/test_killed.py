"""A worker that is killed in the middle: whoever goes on ends with the same bytes."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator

import pytest

from backend.benchmarks.models import Computation, Progress
from backend.benchmarks.serendipity.computations import (
    MOST_ATTEMPTS,
    sweep_computations,
    work_folder,
)
from backend.benchmarks.serendipity.working import run_computation
from backend.science.folders import UNFINISHED
from tests.benchmarks.serendipity.disturbed import KINDS, Bench, beside, sweep
from tests.benchmarks.serendipity.worker import begin, die, end_all

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bench() -> Iterator[Bench]:
    yield Bench.new()
    end_all()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_computation_goes_on_and_ends_with_the_same_bytes(
    kind: str, seed: int, bench: Bench
) -> None:
    wanted, count = bench.undisturbed(kind), bench.count(kind)
    row, chance = bench.ask(kind), random.Random(f"{kind} {seed}")  # noqa: S311  seeded
    assert wanted[0] and kind.split()[-1] in (row.kind, wanted[2].get("method"))
    # The second time there is less to do, and it may be done before that moment.
    for latest in (count, count // 3):
        at = chance.randrange(2, latest)
        status = begin(row, die, at).end()
        row.refresh_from_db()
        if row.state == Progress.DONE:
            break
        assert (status, row.state) == (-signal.SIGKILL, Progress.RUNNING), f"at {at} of {count}"
        assert run_computation(row.pk) is None  # the dead one may yet be alive
        Computation.objects.update(heartbeat=None)
        assert sweep_computations() == 1
    run_computation(row.pk)
    sweep(bench.version)
    assert not work_folder(row).exists()
    assert bench.left(row) == wanted
    assert not [one for one in beside(bench.version) if one.name.startswith(UNFINISHED)]


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
    last = bench.count(kind, only_told=True)
    row = bench.ask(kind)
    assert begin(row, die, last - 1, only_told=True).end() == -signal.SIGKILL
    assert [*work_folder(row).glob(left)]
    Computation.objects.update(heartbeat=None)
    assert run_computation(row.pk) is not None
    assert not work_folder(row).exists()


def test_workers_may_die_often_as_long_as_each_gets_further(bench: Bench) -> None:
    wanted, row = bench.undisturbed("embedding by gcn"), bench.ask("embedding by gcn")
    for percent in (20, 35, 50, 65, 80):
        assert begin(row, die, at_percent=percent).end() == -signal.SIGKILL
        Computation.objects.update(heartbeat=None)
        assert sweep_computations() == 1
    assert run_computation(row.pk) is not None
    assert bench.left(row) == wanted


def test_what_kills_every_worker_at_one_place_fails(bench: Bench) -> None:
    row = bench.ask("embedding by gcn")
    for _ in range(MOST_ATTEMPTS):
        assert begin(row, die, at_percent=35).end() == -signal.SIGKILL
        Computation.objects.update(heartbeat=None)
        assert sweep_computations() == 1
    row.refresh_from_db()
    assert row.state == Progress.FAILED and "3 times" in row.fault
    assert not work_folder(row).exists()
