"""Before Django reads its settings: give a command the servers that it needs.

Named servers (DATABASE_URL, REDIS_URL) are used as they are. Otherwise a command shares those of
a running 'make run', or takes DATA for itself and starts them for its own duration.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.config import env
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.folders import Folders
from backend.config.embedded.services import Services
from backend.config.embedded.state import State, read_state

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 180.0
WITHOUT_SERVERS = {
    "check",
    "collectstatic",
    "compilemessages",
    "diffsettings",
    "findstatic",
    "help",
    "makemessages",
    "makemigrations",
    "spectacular",
    "startapp",
    "startproject",
    "test",
    "version",
}

# The servers that this process started, for the command that supervises them.
held: Services | None = None


def data_folder() -> Path:
    return env.folder("DATA", ROOT / "var")


def named_servers() -> bool:
    """Whether the environment names real servers; one without the other is a mistake."""
    named = [name for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)]
    if len(named) == 1:
        raise ServiceError(f"Only {named[0]} is set. Set both DATABASE_URL and REDIS_URL, or none.")
    return bool(named)


def needs_servers(arguments: list[str]) -> bool:
    command = arguments[0] if arguments else "help"
    asks = {"--help", "-h", "--version"} & set(arguments)
    return command not in WITHOUT_SERVERS and not command.startswith("-") and not asks


@contextmanager
def servers_for(arguments: list[str]) -> Iterator[None]:
    """Run a command line inside this; addresses are in the environment meanwhile."""
    if named_servers() or not needs_servers(arguments):
        yield
        return
    folders = Folders(data_folder())
    folders.make()
    running = "up" if arguments[0] == "up" else "command"
    services = Services(folders.data, kind=running)
    if _hold_or_share(services, running):
        with _started(services):
            yield
    else:
        yield


def _hold_or_share(services: Services, kind: str) -> bool:
    """True once we hold DATA; False when a running 'make run' lends its servers."""
    limit, told = time.monotonic() + PATIENCE, False
    while not services.lock.try_acquire():
        state = read_state(services.folders)
        if state and state.kind == "up" and state.holder.alive():
            if kind == "up":
                raise ServiceError(already_runs(state, services.folders.data))
            if state.ready:
                _share(state, services.folders)
                return False
        if not told and state:
            told = True
            _tell(f"Waiting for process {state.holder.pid}, which uses {services.folders.data} …")
        if time.monotonic() > limit:
            raise ServiceError(f"{services.folders.data} is still in use by another command.")
        time.sleep(0.1)
    return True


def already_runs(state: State, data: Path) -> str:
    where = state.address or "an address that it has not told yet"
    return (
        f"Serendib already runs on {data} (process {state.holder.pid}, {where}). Stop it first, "
        f"or start another beside it: make run PORT=8001 DATA=var2"
    )


def _share(state: State, folders: Folders) -> None:
    os.environ["DATABASE_URL"] = state.database_url
    os.environ["REDIS_URL"] = state.redis_url
    os.environ.setdefault("SECRET_KEY", folders.secret_key())
    if state.address:  # for links in what a command prints and mails
        os.environ.setdefault("SITE_URL", state.address)


@contextmanager
def _started(services: Services) -> Iterator[None]:
    global held
    try:
        services.start()
        for name, value in services.environment().items():
            os.environ[name] = os.environ.get(name) or value
        held = services
        yield
    finally:
        held = None
        services.stop()


def _tell(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()
