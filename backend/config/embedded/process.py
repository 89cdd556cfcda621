"""Child processes that end with their parent, and processes that an earlier parent left."""

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

from backend.config.embedded.run_as_user import Identity

PR_SET_PDEATHSIG = 1
# Loaded on import: between fork and exec a child should do as little as possible.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(sig: int) -> None:
    """Let the kernel send a signal when the parent's thread ends, even by kill -9 (Linux only)."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, sig)


def death_signal_setup(sig: int) -> Callable[[], None]:
    parent = os.getpid()

    def prepare() -> None:
        die_with_parent(sig)
        if os.getppid() != parent:  # the parent ended before the call
            os._exit(1)

    return prepare


@dataclass
class ChildProcess:
    """A server process, with its sequence of stop signals and the seconds to wait after each."""

    name: str
    process: subprocess.Popen[bytes]
    stop_sequence: Sequence[tuple[int, float]] = field(default=((signal.SIGTERM, 5.0),))

    @property
    def pid(self) -> int:
        return self.process.pid

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        for sig, patience in self.stop_sequence:
            if not self.is_alive():
                break
            self.process.send_signal(sig)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                continue
        kill_process_group(self.pid)
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
    stop_sequence: Sequence[tuple[int, float]] = ((signal.SIGTERM, 5.0),),
    pass_fds: Sequence[int] = (),
) -> ChildProcess:
    """Start a direct child in its own session, so that Ctrl-C reaches the parent only."""
    who = identity or Identity()
    process = subprocess.Popen(
        [*who.wrapper, *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT if log else None,
        env=env,
        cwd=cwd,
        start_new_session=True,
        preexec_fn=death_signal_setup(on_death),
        pass_fds=pass_fds,
        user=who.user,
        group=who.group,
        extra_groups=[] if who.user else None,
    )
    return ChildProcess(name, process, stop_sequence)


def kill_process_group(pid: int) -> None:
    """Kill the processes that a child started; the process group survives its leader."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def start_time(pid: int) -> str | None:
    """The start time of a process, or None if it has ended; identifies it if its id is reused."""
    if sys.platform == "linux":
        return _start_time_from_proc(pid)
    return _ps(pid, "lstart") or None


def command_line(pid: int) -> str:
    """The arguments of a process; empty if it has ended."""
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


def _start_time_from_proc(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, *rest = stat.rpartition(")")[2].split()
    return None if state in {"Z", "X"} else rest[18]


def stop_stale_process(pid: int, started_at: str, sig: int, timeout_s: float = 10.0) -> None:
    """Stop a process of an earlier parent, if the id still belongs to it."""
    for number in (sig, signal.SIGKILL):
        if start_time(pid) != started_at:
            return
        os.kill(pid, number)
        if wait_until(lambda: start_time(pid) != started_at, timeout_s):
            return


def wait_until(condition: Callable[[], bool], seconds: float, step: float = 0.02) -> bool:
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(step)
    return True
