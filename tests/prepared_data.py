"""The data that a first start makes (tables, demo): made once in a run, copied for later starts.

'make test' names a folder for all its steps.
"""

import fcntl
import os
import subprocess
import time
from pathlib import Path

import psycopg

from tests.e2e.stack import Stack
from tools.check import RUN_FOLDER

OPEN_WORK = """
SELECT (SELECT count(*) FROM jobs_job WHERE state IN ('queued', 'running'))
     + (SELECT count(*) FROM evaluation_submission WHERE state = 'queued')
"""
SWEEP = "from backend.jobs.services import sweep_jobs; sweep_jobs()"
IDLE_SECONDS = 5  # a task that has ended may queue another
MAX_SECONDS = 900


def named_run_folder() -> Path | None:
    name = os.environ.get(RUN_FOLDER)
    return Path(name) if name else None


def find_prepared_data(folder: Path) -> Path | None:
    """What another process has made there, if it has ended."""
    return folder / "data" if (folder / "data.done").exists() else None


def prepare_data(folder: Path) -> Path:
    """The first process to need the data makes them. Nothing runs on them afterwards."""
    with (folder / "data.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if find_prepared_data(folder) is None:
            with Stack(folder / "data") as stack:
                # Otherwise every copy would make the demo's other releases and boards again, and
                # with the first sweep, which comes once a minute, the pools of those boards.
                wait_for_open_work(stack)
                stack.manage("shell", "--verbosity", "0", "--command", SWEEP)
                wait_for_open_work(stack)
            stack.log.unlink()  # a copy's own start writes one
            (folder / "data.done").touch()
    return folder / "data"


def wait_for_open_work(stack: Stack) -> None:
    limit = time.monotonic() + MAX_SECONDS
    idle = 0
    with psycopg.connect(stack.state()["database_url"], autocommit=True) as database:
        while idle < IDLE_SECONDS:
            [(count,)] = database.execute(OPEN_WORK).fetchall()
            idle = 0 if count else idle + 1
            if time.monotonic() > limit:
                raise TimeoutError(f"{count} jobs are open after {MAX_SECONDS} s.")
            time.sleep(1.0)


def copy_data(prepared: Path, destination: Path) -> None:
    """With owners and rights: PostgreSQL accepts no others."""
    destination.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", f"{prepared}/.", str(destination)], check=True)
