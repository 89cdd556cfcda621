"""Provide a command with the servers that it needs, before Django reads its settings.

Servers named by DATABASE_URL and REDIS_URL are used as they are. Otherwise a command shares those
of a running 'make run', or locks DATA and starts servers for its own duration.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.config import env
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.lock_file import InstanceState, read_state
from backend.config.embedded.paths import DataPaths
from backend.config.embedded.services import Services

ROOT = Path(__file__).resolve().parents[3]
LOCK_TIMEOUT_S = 180.0
SERVERLESS_COMMANDS = {
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

# The servers that this process started, for the supervisor.
started_services: Services | None = None


def has_external_servers() -> bool:
    """Whether the environment names servers. Naming only one of the two is an error."""
    named = [name for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)]
    if len(named) == 1:
        raise ServiceError(f"Only {named[0]} is set. Set both DATABASE_URL and REDIS_URL, or none.")
    return bool(named)


def needs_servers(arguments: list[str]) -> bool:
    command = arguments[0] if arguments else "help"
    prints_help = {"--help", "-h", "--version"} & set(arguments)
    return command not in SERVERLESS_COMMANDS and not command.startswith("-") and not prints_help


@contextmanager
def run_servers_for(arguments: list[str]) -> Iterator[None]:
    """Context in which a command runs: the environment holds the addresses of the servers."""
    if has_external_servers() or not needs_servers(arguments):
        yield
        return
    folders = DataPaths(env.folder("DATA", ROOT / "var"))
    folders.create()
    running = "up" if arguments[0] == "up" else "command"
    services = Services(folders.data, kind=running)
    if _acquire_or_share(services, running):
        with _start_servers(services):
            yield
    else:
        yield


def _acquire_or_share(services: Services, kind: str) -> bool:
    """True if this process now holds DATA's lock, False if it shares the servers of 'make run'."""
    limit, announced = time.monotonic() + LOCK_TIMEOUT_S, False
    while not services.lock.try_acquire():
        state = read_state(services.folders)
        if state and state.kind == "up" and state.holder.is_alive():
            if kind == "up":
                raise ServiceError(describe_running_instance(state, services.folders.data))
            if state.ready:
                _use_shared_servers(state, services.folders)
                return False
        if not announced and state:
            announced = True
            _print_error(
                f"Waiting for process {state.holder.pid}, which uses {services.folders.data} …"
            )
        if time.monotonic() > limit:
            raise ServiceError(f"{services.folders.data} is still in use by another command.")
        time.sleep(0.1)
    return True


def describe_running_instance(state: InstanceState, data: Path) -> str:
    where = state.address or "its address is not known yet"
    return (
        f"Serendib already runs on {data} (process {state.holder.pid}, {where}). Stop it first, "
        f"or start another beside it: make run PORT=8001 DATA=var2"
    )


def _use_shared_servers(state: InstanceState, folders: DataPaths) -> None:
    os.environ["DATABASE_URL"] = state.database_url
    os.environ["REDIS_URL"] = state.redis_url
    os.environ.setdefault("SECRET_KEY", folders.read_or_create_secret_key())
    if state.address:  # for links in printed output and e-mails
        os.environ.setdefault("SITE_URL", state.address)


@contextmanager
def _start_servers(services: Services) -> Iterator[None]:
    global started_services
    if services.state.kind != "up":
        _print_error(f"Starting PostgreSQL and Valkey on {services.folders.data} …")
    try:
        services.start()
        for name, value in services.environment().items():
            os.environ[name] = os.environ.get(name) or value
        started_services = services
        yield
    finally:
        started_services = None
        services.stop()


def _print_error(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()
