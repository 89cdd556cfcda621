"""manage.py up: everything that a running Serendib needs, in one process tree."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import cast

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper

from backend.benchmarks.serendipity.computations import release_all as release_computations
from backend.config import env, listener
from backend.config.embedded import session
from backend.config.embedded.errors import ServiceError
from backend.config.parts import Parts
from backend.config.recovery import restore_unfinished_tasks
from backend.config.supervisor import Supervisor, say
from backend.graphs.imports import release_all


class Command(BaseCommand):
    help = "Start the servers, a worker and the web, and keep them alive until Ctrl-C."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dev", action="store_true", help="Vite's server, and a new start at every change."
        )

    def handle(self, *, dev: bool, **options: object) -> None:
        started = time.monotonic()
        host, port = env.text("HOST") or "127.0.0.1", env.number("PORT", 8000)
        if not 0 <= port <= 65535:
            raise ServiceError(f"PORT must be from 0 to 65535, not {port}.")
        socket = listener.listen(host, port)
        supervisor = Supervisor(session.held)
        try:
            accounts = prepare()
            parts = Parts(socket, host, dev=dev)
            parts.start(supervisor)
            announce(accounts, parts.address, time.monotonic() - started)
            supervisor.watch()
        finally:
            supervisor.stop()
            socket.close()


def prepare() -> str:
    """Tables, then the demo where the database is our own, then what a killed worker left.

    The last that this process asks of the database, whose loss the supervisor must survive: so
    the demo accounts, printed later, are read here.
    """
    accounts = StringIO()
    with step("Tables"):
        migrate()
    if session.held is not None:
        with step("Demo"):
            call_command("load_demo", verbosity=0)
            call_command("load_demo", accounts=True, stdout=accounts)
        with step("Unfinished tasks"):
            release_all()
            release_computations()
            restore_unfinished_tasks()
        session.held.state.ready = True
        session.held.state.write(session.held.folders)
    connection.close()
    cast(DatabaseWrapper, connection).close_pool()  # no thread may run while children are forked
    return accounts.getvalue()


def migrate() -> None:
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as error:
        raise ServiceError(f"The database does not answer: {error}") from error


def announce(accounts: str, address: str, seconds: float) -> None:
    if session.held is not None:
        session.held.state.address = address
        session.held.state.write(session.held.folders)
    say(f"{accounts}Serendib is at {address} (ready after {seconds:.1f} s). Ctrl-C ends it.")


@contextmanager
def step(title: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    say(f"{title:<32}{time.monotonic() - started:6.1f} s")
