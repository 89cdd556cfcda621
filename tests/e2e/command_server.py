"""Commands of manage.py for journeys, each in a fork of a process that has loaded Django.

A process of its own takes seconds of processor time to import what a command needs.
"""

import json
import os
import subprocess
import sys
import tempfile
import traceback
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

ROOT = Path(__file__).resolve().parents[2]


class CommandServer:
    """For one stack, while its servers run. `run` is for one thread at a time."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.command_server"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, arguments: tuple[str, ...]) -> str:
        """What the command printed. Raises RuntimeError, with its errors, if it failed."""
        requests, answers = self.process.stdin, self.process.stdout
        assert requests is not None and answers is not None
        requests.write(json.dumps(arguments) + "\n")
        requests.flush()
        result: dict[str, Any] = json.loads(answers.readline())
        if result["status"]:
            raise RuntimeError(f"manage.py {' '.join(arguments)} failed:\n{result['stderr']}")
        return str(result["stdout"])

    def close(self) -> None:
        self.process.communicate()


def serve() -> None:
    import django
    from django.core.management import get_commands, load_command_class

    from backend.config.embedded import command_services

    os.environ["DB_POOL"] = "0"  # the threads of a pool would not survive a fork
    with command_services.run_servers_for(["shell"]):
        django.setup()
        for name, app in get_commands().items():
            if isinstance(app, str) and not app.startswith("django."):
                load_command_class(app, name)
        for line in sys.stdin:
            sys.stdout.write(json.dumps(run_in_fork(json.loads(line))) + "\n")
            sys.stdout.flush()


def run_in_fork(arguments: list[str]) -> dict[str, int | str]:
    with ExitStack() as files:
        out, err = (files.enter_context(tempfile.TemporaryFile("w+")) for _ in range(2))
        pid = os.fork()
        if pid == 0:
            run_and_exit(arguments, out, err)
        _, status = os.waitpid(pid, 0)
        for file in (out, err):
            file.seek(0)
        return {"status": status, "stdout": out.read(), "stderr": err.read()}


def run_and_exit(arguments: list[str], out: TextIO, err: TextIO) -> None:
    """Never returns. As `python manage.py arguments` would end."""
    import manage

    status = 1
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.argv = ["manage.py", *arguments]
        manage.run(sys.argv)
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
        if isinstance(ended.code, str):
            sys.stderr.write(ended.code)
    finally:
        if sys.exception() is not None:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve()
