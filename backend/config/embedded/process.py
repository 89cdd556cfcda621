"""Child processes that die with their parent, and what an earlier parent left behind."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from backend.config.embedded.identity import Identity

PR_SET_PDEATHSIG = 1
# Loaded once here: between fork and exec a child should do as little as it can.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(sig: int) -> None:
    """Ask the kernel for a signal when the parent's thread ends, even by kill -9 (Linux only)."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, sig)


def tied_to_me(sig: int) -> Callable[[], None]:
    parent = os.getpid()

    def prepare() -> None:
        die_with_parent(sig)
        if os.getppid() != parent:  # it died before the kernel was asked
            os._exit(1)

    return prepare


@dataclass
class Child:
    """One server: its process, and how it is asked to end (signal, patience in seconds)."""

    name: str
    process: subprocess.Popen[bytes]
    ending: Sequence[tuple[int, float]] = field(default=((signal.SIGTERM, 5.0),))

    @property
    def pid(self) -> int:
        return self.process.pid

    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        for sig, patience in self.ending:
            if not self.alive():
                break
            self.process.send_signal(sig)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                continue
        end_group(self.pid)
        self.process.wait()


def spawn(
    name: str,
    command: Sequence[str | Path],
    *,
    identity: Identity | None = None,
    env: dict[str, str] | None = None,
    cwd: Path | str = "/",
    log: IO[bytes] | None = None,
    on_death: int = signal.SIGKILL,
    ending: Sequence[tuple[int, float]] = ((signal.SIGTERM, 5.0),),
    pass_fds: Sequence[int] = (),
) -> Child:
    """Start a direct child in a session of its own, so that Ctrl-C reaches the parent only."""
    who = identity or Identity()
    process = subprocess.Popen(
        [*who.wrapper, *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT if log else None,
        env=env,
        cwd=cwd,
        start_new_session=True,
        preexec_fn=tied_to_me(on_death),
        pass_fds=pass_fds,
        user=who.user,
        group=who.group,
        extra_groups=[] if who.user else None,
    )
    return Child(name, process, ending)


def end_group(pid: int) -> None:
    """End what a child started itself (pool processes); a leader's group outlives it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def birth(pid: int) -> str | None:
    """When a process began, or None if it is gone: tells a process from a later namesake."""
    if sys.platform == "linux":
        return _birth_from_proc(pid)
    return _ps(pid, "lstart") or None


def command_of(pid: int) -> str:
    """The words that a process was started with; empty if it is gone."""
    if sys.platform != "linux":
        return _ps(pid, "args")
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def _ps(pid: int, column: str) -> str:
    shown = subprocess.run(
        ["ps", "-o", f"{column}=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip()


def _birth_from_proc(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, *rest = stat.rpartition(")")[2].split()
    return None if state in {"Z", "X"} else rest[18]


def stop_leftover(pid: int, born: str, sig: int, patience: float = 10.0) -> None:
    """End a process that an earlier parent started, if it is still that very process."""
    for wanted in (sig, signal.SIGKILL):
        if birth(pid) != born:
            return
        os.kill(pid, wanted)
        if wait_until(lambda: birth(pid) != born, patience):
            return


def wait_until(condition: Callable[[], bool], seconds: float, step: float = 0.02) -> bool:
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(step)
    return True
