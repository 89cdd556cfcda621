"""One migrated database for the whole run, which each process copies in a tenth of a second."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection

from tests.services import OWN_SERVICES

TEMPLATE = "serendib_test_template"
LOCK = 7_100_315  # any number that nothing else locks


def use_template() -> None:
    """Have Django create this process's database as a copy. The first process migrates.

    A server of somebody else may have a template of older code: there, each process migrates.
    """
    if not os.environ.get(OWN_SERVICES):
        return
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE])
            if cursor.fetchone() is None:
                cursor.execute(f"CREATE DATABASE {TEMPLATE}_incomplete")
                migrate(f"{TEMPLATE}_incomplete")
                cursor.execute(f"ALTER DATABASE {TEMPLATE}_incomplete RENAME TO {TEMPLATE}")
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    connection.settings_dict["TEST"]["TEMPLATE"] = TEMPLATE


def migrate(name: str) -> None:
    connection.close()
    original = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = name
    try:
        with garbage_ignored():
            call_command("migrate", verbosity=0, run_syncdb=True)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = original


@contextmanager
def garbage_ignored() -> Iterator[None]:
    """Each step of a migration makes classes of models; freeing them is a third of its time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def own_database(*, is_migrated: bool = False) -> Iterator[None]:
    """The default connection leads to another database until the block ends.

    It is empty, or has today's tables. Migrations that go back must not touch the usual one: the
    sequences of tables that are created again restart, and caches of the process know their keys.
    """
    usual = connection.settings_dict["NAME"]
    own = f"{usual}_before"
    has_template = is_migrated and bool(os.environ.get(OWN_SERVICES))
    create = f'CREATE DATABASE "{own}"' + (f" TEMPLATE {TEMPLATE}" if has_template else "")
    execute(f'DROP DATABASE IF EXISTS "{own}"', create)
    if is_migrated and not has_template:
        migrate(own)
    connect_to(own)
    try:
        yield
    finally:
        connect_to(usual)
        execute(f'DROP DATABASE "{own}"')


def execute(*statements: str) -> None:
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def connect_to(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name
