"""Who holds DATA now: a lock that the kernel frees at death, and a note of what runs."""

import fcntl
import json
import os
import signal
from dataclasses import asdict, dataclass, field
from typing import IO

from backend.config.embedded.folders import Folders
from backend.config.embedded.process import birth, end_group, stop_leftover

ENDINGS = {"PostgreSQL": signal.SIGINT, "Valkey": signal.SIGTERM}


@dataclass
class Running:
    """One process of the holder's, told from a later namesake by when it began."""

    pid: int
    born: str

    def alive(self) -> bool:
        return birth(self.pid) == self.born


def running(pid: int) -> Running:
    return Running(pid, birth(pid) or "")


@dataclass
class State:
    """What the holder of DATA writes down for others, and for whoever comes after its death."""

    holder: Running
    kind: str  # "up", or "command"
    ready: bool = False
    database_url: str = ""
    redis_url: str = ""
    address: str = ""
    children: dict[str, Running] = field(default_factory=dict)

    def note(self, name: str, pid: int) -> None:
        self.children[name] = running(pid)

    def write(self, folders: Folders) -> None:
        part = folders.state.with_suffix(".part")
        part.write_text(json.dumps(asdict(self), indent=1))
        part.replace(folders.state)


def read_state(folders: Folders) -> State | None:
    try:
        kept = json.loads(folders.state.read_text())
        children = {name: Running(**child) for name, child in kept.pop("children").items()}
        return State(holder=Running(**kept.pop("holder")), children=children, **kept)
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        return None  # of another version, or not written to its end: whoever holds the lock tells


class Lock:
    """At most one holder of a DATA folder; the kernel lets go when it dies."""

    def __init__(self, folders: Folders) -> None:
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


def stop_leftovers(folders: Folders) -> None:
    """End what the holder before us left, the last started first; needs the lock."""
    left = read_state(folders)
    if left is None:
        return
    for name, child in reversed(left.children.items()):
        if child.alive():
            stop_leftover(child.pid, child.born, ENDINGS.get(name, signal.SIGKILL))
            end_group(child.pid)
    folders.state.unlink(missing_ok=True)


def new_state(kind: str) -> State:
    return State(holder=running(os.getpid()), kind=kind)
