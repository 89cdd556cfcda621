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

from backend.common.command_utils import NO_CHECKS
from backend.config import env, listen_socket, local_model
from backend.config.embedded import command_services
from backend.config.embedded.errors import ServiceError
from backend.config.processes import ProcessFactory
from backend.config.supervisor import Supervisor, print_line
from backend.config.task_recovery import restore_unfinished_tasks
from backend.jobs.services import expire_all_leases


class Command(BaseCommand):
    help = "Start the servers, the workers and the web, and keep them alive until Ctrl-C."
    requires_system_checks = NO_CHECKS

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dev", action="store_true", help="Vite's server, and a new start at every change."
        )

    def handle(self, *, dev: bool, **options: object) -> None:
        started = time.monotonic()
        host, port = env.text("HOST") or "127.0.0.1", env.number("PORT", 8000)
        if not 0 <= port <= 65535:
            raise ServiceError(f"PORT must be from 0 to 65535, not {port}.")
        local_model.is_requested()  # a wrong value ends the start before anything runs
        socket = listen_socket.listen(host, port)
        supervisor = Supervisor(command_services.started_services)
        try:
            parts = ProcessFactory(socket, host, dev=dev)
            supervisor.add("kernels", parts.warm_kernels, reloads_on_change=False, runs_once=True)
            accounts = prepare_database()
            parts.start(supervisor)
            print_address(accounts, parts.address, time.monotonic() - started)
            supervisor.watch()
        finally:
            supervisor.stop()
            socket.close()


def prepare_database() -> str:
    """Migrate, load the demo into an embedded database, and recover what a killed worker left.

    The supervisor must survive the loss of the database, so it does not use it after this: the demo
    accounts, which are printed later, are read here.
    """
    accounts = StringIO()
    with step("Tables"):
        migrate()
    if command_services.started_services is not None:
        with step("Demo"):
            call_command("load_demo", verbosity=0)
            call_command("load_demo", accounts=True, stdout=accounts)
        with step("Demo releases"):
            call_command("load_demo_releases", verbosity=0)
        with step("Unfinished tasks"):
            expire_all_leases()
            restore_unfinished_tasks()
        command_services.started_services.state.ready = True
        command_services.started_services.state.write(command_services.started_services.folders)
    connection.close()
    cast(DatabaseWrapper, connection).close_pool()  # no thread may run while children are forked
    return accounts.getvalue()


def migrate() -> None:
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as error:
        raise ServiceError(f"The database does not answer: {error}") from error


def print_address(accounts: str, address: str, seconds: float) -> None:
    if command_services.started_services is not None:
        command_services.started_services.state.address = address
        command_services.started_services.state.write(command_services.started_services.folders)
    print_line(f"{accounts}Serendib is at {address} (ready after {seconds:.1f} s). Ctrl-C ends it.")


@contextmanager
def step(title: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    print_line(f"{title:<32}{time.monotonic() - started:6.1f} s")
