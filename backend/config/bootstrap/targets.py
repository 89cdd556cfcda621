"""What each make target needs, and what it then becomes."""

import ctypes
import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from backend.config.bootstrap import frontend, packages
from backend.config.bootstrap.steps import PYTHON, ROOT, StepFailed

PR_SET_PDEATHSIG = 1
COMMANDS = {
    "run": ["manage.py", "up"],
    "dev": ["manage.py", "up", "--dev"],
    "test": ["-m", "backend.config.gate"],
    "check": ["-m", "backend.config.gate", "--quick"],
    "bench": ["-m", "tests.bench"],
    "screenshots": ["-m", "tests.e2e.screenshots"],
}
DEVELOPERS = {"test", "check", "bench", "screenshots"}


def main(arguments: list[str]) -> None:
    if not arguments or arguments[0] not in COMMANDS:
        sys.exit(f"Say one of: {', '.join(COMMANDS)}.")
    target = arguments[0]
    os.chdir(ROOT)
    end_with_make()
    try:
        with alone():
            install(target)
    except StepFailed as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    become(target, arguments[1:])


def install(target: str) -> None:
    packages.install(packages.DEVELOPMENT if target in DEVELOPERS else packages.RUNTIME)
    if target in {"run", "test", "bench", "screenshots"}:
        frontend.build()
    elif target in {"dev", "check"}:
        frontend.prepare()


def become(target: str, rest: list[str]) -> None:
    """Replace this process, so that what make started is what runs."""
    # Bytecode in our own .venv is what makes the second start quick; git ignores it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.execv(PYTHON, [str(PYTHON), *COMMANDS[target], *rest])


@contextmanager
def alone() -> Iterator[None]:
    """Two first starts in one checkout wait for each other, without a file to leave behind."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def end_with_make() -> None:
    """kill -9 of make reaches us as SIGTERM (Linux); exec keeps that wish."""
    if sys.platform == "linux" and "MAKELEVEL" in os.environ:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
