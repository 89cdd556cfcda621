"""Celery's worker itself, over a real broker, killed with -9 again and again while it computes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery import Celery
from django.conf import settings
from django.db import connection

from backend.benchmarks.models import Computation, Progress
from backend.benchmarks.serendipity.computations import TASK, release_all
from backend.benchmarks.serendipity.working import run_computation
from backend.config.settings import with_scheme
from tests.benchmarks.serendipity.disturbed import KINDS, Bench, kept, rows, sweep

pytestmark = pytest.mark.django_db(transaction=True)
KILLS, LONGEST_S = 2, 400  # a third would be one too many for the same computation
RESTORE = "from backend.config.recovery import *; restore_unfinished_tasks()"


def environment() -> dict[str, str]:
    """The test's own database and files, with the settings of a running Serendib."""
    where = os.environ["DATABASE_URL"].partition("?")
    base, name = where[0].rsplit("/", 1)[0], connection.settings_dict["NAME"]
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "DATABASE_URL": f"{base}/{name}{where[1]}{where[2]}",
        "SNAPSHOTS": str(settings.SNAPSHOTS),
    }


@contextmanager
def worker() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "backend.config.celery", "worker"]
    command += ["--concurrency", "1", "--loglevel", "ERROR"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    process = subprocess.Popen(command, cwd=settings.ROOT, env=environment())
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def send(found: list[Computation]) -> None:
    broker = with_scheme(os.environ["REDIS_URL"], "redis+socket://")
    app = Celery("sender", broker=broker, set_as_current=False)
    app.conf.broker_transport_options = {"global_keyprefix": "serendib-"}
    for row in found:
        app.send_task(TASK, kwargs={"computation": str(row.pk)})
    app.close()


def wait_for(*states: Progress) -> None:
    """Until one computation is in a state, of those that are not done; or all are done."""
    late = time.monotonic() + LONGEST_S
    while time.monotonic() < late:
        left = Computation.objects.exclude(state=Progress.DONE)
        if not left.exists() or left.filter(state__in=states).exists():
            return
        time.sleep(0.02)
    raise TimeoutError(f"nothing became {states} within {LONGEST_S} s")


def restart() -> None:
    """What `manage.py up` does before it starts a worker."""
    release_all()
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", RESTORE]
    subprocess.run(command, cwd=settings.ROOT, env=environment(), check=True, timeout=LONGEST_S)


def left(bench: Bench) -> tuple[Any, ...]:
    results = Computation.objects.order_by("kind", "digest").values_list("kind", "result")
    return kept(bench.version), rows(bench.questions), list(results)


def test_a_worker_killed_again_and_again_leaves_what_an_undisturbed_one_does() -> None:
    bench = Bench.new()
    for kind in KINDS:
        assert run_computation(bench.ask(kind).pk) is not None
    wanted = left(bench)
    bench.forget()

    send([bench.ask(kind) for kind in KINDS])
    chance, caught = random.Random(5), 0  # noqa: S311  seeded
    for _ in range(KILLS):
        with worker() as process:
            wait_for(Progress.RUNNING)
            time.sleep(chance.uniform(0, 0.3))
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        caught += Computation.objects.filter(state=Progress.RUNNING).count()
        restart()
    assert caught > 0
    with worker():
        wait_for()
    assert {one.state for one in Computation.objects.all()} == {Progress.DONE}
    sweep(bench.version)  # a worker that was killed as it tidied up has left its folder of work
    assert left(bench) == wanted
