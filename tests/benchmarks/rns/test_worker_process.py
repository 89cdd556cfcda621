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

from backend.config.settings import with_scheme
from backend.jobs.models import Job, JobState
from backend.jobs.runner import run_job
from backend.jobs.services import RUN_TASK, expire_all_leases
from tests.benchmarks.rns.job_scenarios import KINDS, Bench, rows, stored_files, sweep
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
KILLS, LONGEST_S = 2, 400  # a third would be one too many for the same computation
RESTORE = "from backend.config.task_recovery import *; restore_unfinished_tasks()"


def environment() -> dict[str, str]:
    """The test's own database and files, with the settings of a running Serendib."""
    where = os.environ["DATABASE_URL"].partition("?")
    base, name = where[0].rsplit("/", 1)[0], connection.settings_dict["NAME"]
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "DATABASE_URL": f"{base}/{name}{where[1]}{where[2]}",
        "SNAPSHOTS": str(settings.SNAPSHOTS),
        "DATA": str(settings.JOB_CHECKPOINTS.parent),
    }


@contextmanager
def worker() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "backend.config.celery", "worker"]
    command += ["--queues", "long", "--concurrency", "1", "--loglevel", "ERROR"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    process = subprocess.Popen(command, cwd=settings.ROOT, env=environment())
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def send(result: list[Job]) -> None:
    broker = with_scheme(os.environ["REDIS_URL"], "redis+socket://")
    app = Celery("sender", broker=broker, set_as_current=False)
    app.conf.broker_transport_options = {"global_keyprefix": "serendib-"}
    for row in result:
        app.send_task(RUN_TASK, kwargs={"job": str(row.pk)}, queue="long")
    app.close()


def wait_for(*states: JobState) -> None:
    """Until one computation is in a state, of those that are not done; or all are done."""
    late = time.monotonic() + LONGEST_S
    while time.monotonic() < late:
        left = Job.objects.exclude(state=JobState.SUCCEEDED)
        if not left.exists() or left.filter(state__in=states).exists():
            return
        time.sleep(0.02)
    raise TimeoutError(f"nothing became {states} within {LONGEST_S} s")


def restart() -> None:
    """What `manage.py up` does before it starts a worker."""
    expire_all_leases()
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", RESTORE]
    subprocess.run(command, cwd=settings.ROOT, env=environment(), check=True, timeout=LONGEST_S)


def left(bench: Bench) -> tuple[Any, ...]:
    results = Job.objects.order_by("kind", "digest").values_list("kind", "result")
    return stored_files(bench.version), rows(bench.questions), list(results)


@thorough
def test_a_worker_killed_again_and_again_leaves_what_an_undisturbed_one_does() -> None:
    bench = Bench.new()
    for kind in KINDS:
        assert run_job(bench.create_job(kind).pk) is not None
    expected = left(bench)
    bench.forget()

    send([bench.create_job(kind) for kind in KINDS])
    chance, caught = random.Random(5), 0  # noqa: S311  seeded
    for _ in range(KILLS):
        with worker() as process:
            wait_for(JobState.RUNNING)
            time.sleep(chance.uniform(0, 0.3))  # a kill at any moment, in no order
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        caught += Job.objects.filter(state=JobState.RUNNING).count()
        restart()
    assert caught > 0
    with worker():
        wait_for()
    assert {one.state for one in Job.objects.all()} == {JobState.SUCCEEDED}
    sweep(bench.version)  # a worker that was killed as it tidied up has left its folder of work
    assert left(bench) == expected
