"""Starts the processes of a running Serendib, restarts them, and stops them in order."""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.process import ChildProcess
from backend.config.embedded.services import Services

MAX_RESTART_DELAY_S = 30.0
STEADY_UPTIME_S = 60.0  # seconds after which earlier failures are forgotten
LONGEST_START_S = 300.0  # of a process that lives: on a busy machine imports alone take a minute


@dataclass
class SupervisedProcess:
    """A process that is restarted when it ends."""

    name: str
    start: Callable[[], ChildProcess]
    reloads_on_change: bool = True  # it runs this project's Python code
    runs_once: bool = False  # ends after its work and is not restarted
    child: ChildProcess | None = None
    failures: int = 0
    started_at: float = 0.0
    restart_at: float = 0.0

    def start_child(self) -> ChildProcess:
        self.started_at = time.monotonic()
        self.child = self.start()
        return self.child

    def has_ended(self) -> bool:
        return self.child is not None and not self.child.is_alive()

    def record_failure(self, now: float) -> float:
        """Record a failure; returns the seconds until the next start, 0 after the first."""
        lived = now - self.started_at
        self.failures = 1 if lived > STEADY_UPTIME_S else self.failures + 1
        delay = 0.0 if self.failures == 1 else min(MAX_RESTART_DELAY_S, 0.5 * 2**self.failures)
        self.restart_at = now + delay
        self.child = None
        return delay


class Supervisor:
    """Processes in the order of their start. They stop in reverse order, before the servers."""

    def __init__(self, services: Services | None) -> None:
        self.services = services
        self.processes: list[SupervisedProcess] = []
        self.reload_requested = threading.Event()

    def add(
        self,
        name: str,
        start: Callable[[], ChildProcess],
        *,
        reloads_on_change: bool = True,
        runs_once: bool = False,
    ) -> ChildProcess:
        part = SupervisedProcess(name, start, reloads_on_change, runs_once)
        self.processes.append(part)
        child = part.start_child()
        self._record_pid(part)
        return child

    def watch(self) -> None:
        """Run until a signal arrives."""
        while True:
            time.sleep(0.2)
            self._restart_services()
            self.restart_ended()
            if self.reload_requested.is_set():
                self.reload_requested.clear()
                self._reload()

    def stop(self) -> None:
        for part in reversed(self.processes):
            if part.child is not None:
                part.child.stop()

    def restart_ended(self) -> None:
        """Restart processes that ended, except those that run once."""
        self.processes = [
            part for part in self.processes if not (part.runs_once and part.has_ended())
        ]
        for part in self.processes:
            self._restart_if_due(part)

    def _restart_if_due(self, part: SupervisedProcess) -> None:
        now = time.monotonic()
        if part.child is not None and not part.child.is_alive():
            code = part.child.process.returncode
            part.child.stop()  # processes that it started itself
            delay = part.record_failure(now)
            print_line(
                f"The {part.name} ended ({describe_exit(code)}); "
                f"it starts again {describe_delay(delay)}."
            )
        if part.child is None and now >= part.restart_at:
            part.start_child()
            self._record_pid(part)

    def _restart_services(self) -> None:
        if self.services is None:
            return
        for name in self.services.restart_dead():
            print_line(f"{name} ended and was started again.")

    def _reload(self) -> None:
        """Restart the processes that run this project's code, after a change of it."""
        for part in (part for part in self.processes if part.reloads_on_change):
            if part.child is not None:
                part.child.stop()
            part.start_child()
            self._record_pid(part)

    def _record_pid(self, part: SupervisedProcess) -> None:
        if self.services is not None and part.child is not None:
            self.services.state.record_child(part.name, part.child.pid)
            self.services.state.write(self.services.folders)


def describe_exit(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"status {code}"


def describe_delay(delay: float) -> str:
    return f"in {delay:.0f} s" if delay else "now"


def print_line(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def wait_for(
    ready: Callable[[], bool], child: ChildProcess, what: str, seconds: float = LONGEST_START_S
) -> None:
    limit = time.monotonic() + seconds
    while not ready():
        if not child.is_alive():
            raise ServiceError(f"The {what} ended as it started; the reason is above.")
        if time.monotonic() > limit:
            raise ServiceError(f"The {what} did not answer within {seconds:.0f} s.")
        time.sleep(0.05)
