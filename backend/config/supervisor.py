"""Keeps the parts of a running Serendib alive: starts them, restarts them, ends them in order."""

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.process import Child
from backend.config.embedded.services import Services

LONGEST_DELAY = 30.0
STEADY = 60.0  # a part that lived this long has no history of failing


@dataclass
class Part:
    """One process to be kept alive."""

    name: str
    start: Callable[[], Child]
    holds_code: bool = True  # runs our Python, so a change of it calls for a new start
    once: bool = False  # has its work done when it ends, and is not started again
    child: Child | None = None
    failures: int = 0
    begun: float = 0.0
    due: float = 0.0

    def begin(self) -> Child:
        self.begun = time.monotonic()
        self.child = self.start()
        return self.child

    def has_ended(self) -> bool:
        return self.child is not None and not self.child.alive()

    def fail(self, now: float) -> float:
        """Note a death; how long to wait before the next start. The first one is at once."""
        lived = now - self.begun
        self.failures = 1 if lived > STEADY else self.failures + 1
        delay = 0.0 if self.failures == 1 else min(LONGEST_DELAY, 0.5 * 2**self.failures)
        self.due = now + delay
        self.child = None
        return delay


class Supervisor:
    """Parts in the order of starting; they end in the opposite order, before the services."""

    def __init__(self, services: Services | None) -> None:
        self.services = services
        self.parts: list[Part] = []
        self.again = threading.Event()

    def add(
        self, name: str, start: Callable[[], Child], *, holds_code: bool = True, once: bool = False
    ) -> Child:
        part = Part(name, start, holds_code, once)
        self.parts.append(part)
        child = part.begin()
        self._note(part)
        return child

    def watch(self) -> None:
        """Until a signal ends it."""
        while True:
            time.sleep(0.2)
            self._restart_services()
            self.look()
            if self.again.is_set():
                self.again.clear()
                self._renew()

    def stop(self) -> None:
        for part in reversed(self.parts):
            if part.child is not None:
                part.child.stop()

    def look(self) -> None:
        """Start again what ended, but for what was to run once, whatever became of it."""
        self.parts = [part for part in self.parts if not (part.once and part.has_ended())]
        for part in self.parts:
            self._look_after(part)

    def _look_after(self, part: Part) -> None:
        now = time.monotonic()
        if part.child is not None and not part.child.alive():
            code = part.child.process.returncode
            part.child.stop()  # what it started itself
            delay = part.fail(now)
            say(f"The {part.name} ended ({ending(code)}); it starts again {when(delay)}.")
        if part.child is None and now >= part.due:
            part.begin()
            self._note(part)

    def _restart_services(self) -> None:
        if self.services is None:
            return
        for name in self.services.restart_dead():
            say(f"{name} ended and was started again.")

    def _renew(self) -> None:
        """Start what holds our code afresh, after a change of it."""
        for part in (part for part in self.parts if part.holds_code):
            if part.child is not None:
                part.child.stop()
            part.begin()
            self._note(part)

    def _note(self, part: Part) -> None:
        if self.services is not None and part.child is not None:
            self.services.state.note(part.name, part.child.pid)
            self.services.state.write(self.services.folders)


def ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"status {code}"


def when(delay: float) -> str:
    return f"in {delay:.0f} s" if delay else "now"


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def wait_for(ready: Callable[[], bool], child: Child, what: str, seconds: float = 60.0) -> None:
    limit = time.monotonic() + seconds
    while not ready():
        if not child.alive():
            raise ServiceError(f"The {what} ended as it started; the reason is above.")
        if time.monotonic() > limit:
            raise ServiceError(f"The {what} did not answer within {seconds:.0f} s.")
        time.sleep(0.05)
