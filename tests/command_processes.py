"""Commands in processes of their own, on the database and the files of a test; tests kill them.

They are forks of one process for each worker of the tests, started when first needed.
"""

import atexit
import importlib
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.fork_server import ForkedProcess, ForkServer, serve

# Folders that a test may have replaced.
FOLDERS = ("SNAPSHOTS", "PREDICTIONS", "EVALUATIONS")


def start_command(*words: str) -> ForkedProcess:
    from django.conf import settings

    folders = {name: str(getattr(settings, name)) for name in FOLDERS}
    return get_server(database_url()).start({"command": words, "folders": folders})


def start_requests(*words: str) -> ForkedProcess:
    """tests.llm.worker with these arguments."""
    return get_server(database_url()).start({"requests": words})


def kill_after(process: ForkedProcess, log: list[Any], requests: int) -> None:
    """SIGKILL once the server has seen so many requests."""
    kill_when(process, lambda: len(log) >= requests)


def kill_when(process: ForkedProcess, condition: Callable[[], bool]) -> None:
    while not condition() and process.poll() is None:
        time.sleep(0.005)
    process.kill()
    process.wait()


def database_url() -> str:
    """Of this worker's database."""
    from django.db import connection

    head, _, tail = os.environ["DATABASE_URL"].partition("?")
    named = f"{head.rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    return f"{named}?{tail}" if tail else named


@cache
def get_server(url: str) -> ForkServer:
    environment = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    server = ForkServer("tests.command_processes", {**os.environ, **environment})
    atexit.register(server.close)
    return server


def load_commands() -> None:
    from django.core.management import get_commands, load_command_class

    for name, app in get_commands().items():
        if isinstance(app, str) and not app.startswith("django."):
            load_command_class(app, name)


def run(request: dict[str, Any]) -> None:
    from django.conf import settings
    from django.core.management import call_command

    from tests.llm.worker import send_requests

    for name, folder in request.get("folders", {}).items():
        setattr(settings, name, Path(folder))
    if "requests" in request:
        send_requests(*request["requests"])
    else:
        call_command(*request["command"])


def main() -> None:
    import django

    django.setup()
    load_commands()
    importlib.import_module("tests.llm.worker")
    serve(run)


if __name__ == "__main__":
    main()
