"""The data that a first start makes (tables, demo): made once in a run, copied for later starts.

'make test' names a folder for all its steps. The first start itself is that of the journeys.
"""

import fcntl
import os
import subprocess
from pathlib import Path

from tests.e2e.stack import Stack
from tools.check import RUN_FOLDER


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
            stack = Stack(folder / "data")
            for command in ("load_demo", "load_demo_releases"):
                stack.manage(command)
            (folder / "data.done").touch()
    return folder / "data"


def copy_data(prepared: Path, destination: Path) -> None:
    """With owners and rights: PostgreSQL accepts no others."""
    destination.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", f"{prepared}/.", str(destination)], check=True)
