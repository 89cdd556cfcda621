"""The lock of a DATA folder, and a file that describes the processes of its holder."""

import fcntl
import json
import os
import signal
from dataclasses import asdict, dataclass, field
from typing import IO

from backend.config.embedded.paths import DataPaths
from backend.config.embedded.process import kill_process_group, start_time, stop_stale_process

STOP_SIGNALS = {"PostgreSQL": signal.SIGINT, "Valkey": signal.SIGTERM}


@dataclass
class ProcessIdentity:
    """A process id with its start time, because the kernel reuses ids."""

    pid: int
    started_at: str

    def is_alive(self) -> bool:
        return start_time(self.pid) == self.started_at


def identify_process(pid: int) -> ProcessIdentity:
    return ProcessIdentity(pid, start_time(pid) or "")


@dataclass
class InstanceState:
    """The processes and addresses of the holder, read by other commands and by the next holder."""

    holder: ProcessIdentity
    kind: str  # "up", or "command"
    ready: bool = False
    database_url: str = ""
    redis_url: str = ""
    address: str = ""
    children: dict[str, ProcessIdentity] = field(default_factory=dict)

    def record_child(self, name: str, pid: int) -> None:
        self.children[name] = identify_process(pid)

    def write(self, folders: DataPaths) -> None:
        part = folders.state.with_suffix(".part")
        part.write_text(json.dumps(asdict(self), indent=1))
        part.replace(folders.state)


def read_state(folders: DataPaths) -> InstanceState | None:
    try:
        content = json.loads(folders.state.read_text())
        children = {
            name: ProcessIdentity(**child) for name, child in content.pop("children").items()
        }
        return InstanceState(
            holder=ProcessIdentity(**content.pop("holder")), children=children, **content
        )
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        return None  # another version, or incompletely written: the lock decides


class DataLock:
    """A lock that at most one process holds; the kernel releases it when the process ends."""

    def __init__(self, folders: DataPaths) -> None:
        self.folders = folders
        self.file: IO[str] | None = None

    def try_acquire(self) -> bool:
        file = self.folders.lock.open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        self.file = file
        return True

    def release(self) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None


def stop_leftovers(folders: DataPaths) -> None:
    """Stop processes that the previous holder left, last started first. Requires the lock."""
    left = read_state(folders)
    if left is None:
        return
    for name, child in reversed(left.children.items()):
        if child.is_alive():
            stop_stale_process(child.pid, child.started_at, STOP_SIGNALS.get(name, signal.SIGKILL))
            kill_process_group(child.pid)
    folders.state.unlink(missing_ok=True)


def new_state(kind: str) -> InstanceState:
    return InstanceState(holder=identify_process(os.getpid()), kind=kind)
