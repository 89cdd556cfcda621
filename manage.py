#!/usr/bin/env python
"""Django's command line for Serendib, with the servers that a command needs."""

import os
import sys

from backend.config import env
from backend.config.embedded import command_services
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.signals import StopRequested, stop_on_signals
from backend.config.env import SettingError

# These look at the tables, or make them, themselves.
OWN_TABLES = {"up", "restore", "migrate", "showmigrations", "sqlmigrate", "dbshell", "inspectdb"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    if sys.argv[1:2] == ["up"]:
        stop_on_signals()
    else:
        # One connection serves one command; a pool's threads would not survive a fork.
        os.environ.setdefault("DB_POOL", "0")
    try:
        env.check_packages("SERENDIB_PLUGINS")
        with command_services.run_servers_for(sys.argv[1:]):
            run(sys.argv)
    except (ServiceError, SettingError) as error:
        sys.exit(str(error))
    except StopRequested:
        sys.stdout.write("\nStopped.\n")


def run(arguments: list[str]) -> None:
    import django
    from django.core.management import call_command, execute_from_command_line

    from backend.common.database_errors import DATABASE_ERRORS, classify_database_error

    if command_services.started_services is not None:
        django.setup()  # while the servers start
        seconds = command_services.started_services.wait()
        if arguments[1] == "up":
            sys.stdout.write(f"{'PostgreSQL and Valkey':<32}{seconds:6.1f} s\n")
        if arguments[1] not in OWN_TABLES:
            call_command("migrate", verbosity=0)
    try:
        execute_from_command_line(arguments)
    except DATABASE_ERRORS as error:
        if OWN_TABLES.intersection(arguments[1:2]):
            raise
        sys.exit(f"{classify_database_error(error).to_domain_error().detail} ({error})")


if __name__ == "__main__":
    main()
