#!/usr/bin/env python
"""Django's command line for Serendib, with the servers that a command needs."""

import os
import sys

from backend.config.embedded import session
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.signals import Stopped, stop_on_signals
from backend.config.env import SettingError

# These look at the tables, or make them, themselves.
OWN_TABLES = {"up", "migrate", "showmigrations", "sqlmigrate", "dbshell", "inspectdb"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    if sys.argv[1:2] == ["up"]:
        stop_on_signals()
    else:
        # One connection serves one command; a pool's threads would not survive a fork.
        os.environ.setdefault("DB_POOL", "0")
    try:
        with session.servers_for(sys.argv[1:]):
            run(sys.argv)
    except (ServiceError, SettingError) as error:
        sys.exit(str(error))
    except Stopped:
        sys.stdout.write("\nStopped.\n")


def run(arguments: list[str]) -> None:
    import django
    from django.core.management import call_command, execute_from_command_line

    if session.held is not None:
        django.setup()  # while the servers start
        seconds = session.held.wait()
        if arguments[1] == "up":
            sys.stdout.write(f"{'PostgreSQL and Valkey':<32}{seconds:6.1f} s\n")
        if arguments[1] not in OWN_TABLES:
            call_command("migrate", verbosity=0)
    execute_from_command_line(arguments)


if __name__ == "__main__":
    main()
