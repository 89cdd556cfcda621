"""Workers' processes to which something happens in the middle: kill -9, a stop, a full disk.

They are forked, as Celery's are: so that a test can afford many.
"""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from backend.jobs.models import Job
from backend.jobs.runner import run_job
from tests.jobs.fault_injection import Moments, job_folders, passing

LONGEST_S = 300
ENDED, NOTHING, BROKEN = 0, 3, 4


@dataclass
class Worker:
    pid: int
    has_ended: bool = False

    def end(self) -> int:
        """Its exit status, or minus the number of the signal that killed it."""
        status = self._wait(0)
        return os.waitstatus_to_exitcode(status)

    def stopped(self) -> bool:
        """Wait until it stopped itself; False if it ended before."""
        return os.WIFSTOPPED(self._wait(os.WUNTRACED))

    def wake(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def _wait(self, options: int) -> int:
        late = time.monotonic() + LONGEST_S
        while time.monotonic() < late:
            pid, status = os.waitpid(self.pid, options | os.WNOHANG)
            if pid:
                self.has_ended = not os.WIFSTOPPED(status)
                return status
            time.sleep(0.01)
        raise TimeoutError(f"a worker took longer than {LONGEST_S} s")

    def kill(self) -> None:
        if not self.has_ended:
            os.kill(self.pid, signal.SIGKILL)
            self._wait(0)


_begun: list[Worker] = []


def end_all() -> None:
    """No worker outlives the test that began it."""
    while _begun:
        _begun.pop().kill()


def nothing() -> None:
    """Does not happen."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def begin(
    row: Job,
    happens: Callable[[], None] = nothing,
    at: int = -1,
    *,
    outside_transactions: bool = False,
    at_percent: float = math.inf,
    largest_file: int = resource.RLIM_INFINITY,
) -> Worker:
    """A process that works at it, to which something happens at a moment: see `Moments`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which are idle now
        pid = os.fork()
    if pid:
        _begun.append(Worker(pid))
        return _begun[-1]
    code = BROKEN
    try:
        moments = Moments(job_folders(), at, happens, outside_transactions=outside_transactions)
        moments.at_percent = at_percent
        code = _work(row, moments, largest_file)
    except BaseException:  # noqa: BLE001  the outermost of a process
        traceback.print_exc()
    finally:
        os._exit(code)


def _work(row: Job, moments: Moments, largest_file: int) -> int:
    parents = connection.connection  # not closed, for the parent goes on with it
    connection.connection = None
    # Bytecode of what is imported now would be cut off, and every later import of it would fail.
    sys.dont_write_bytecode = sys.dont_write_bytecode or largest_file != resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    with passing(moments):
        result = run_job(row.pk, on_progress=moments.count_progress)
    del parents
    return NOTHING if result is None else ENDED
