"""Processes of Python that begin with their imports done: each is a fork of one that made them.

A process of its own takes seconds of processor time to import what a command needs.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
POLL_S = 0.005


class ForkServer:
    """python -m MODULE, which imports and calls `serve`. For one thread at a time."""

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, request: dict[str, Any]) -> "ForkedProcess":
        """A fork that does what the module does with this request."""
        return ForkedProcess(self, self.call({"start": request}))

    def call(self, message: dict[str, Any]) -> Any:
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None and answers is not None
        requests.write(json.dumps(message) + "\n")
        requests.flush()
        return json.loads(answers.readline())

    def close(self) -> None:
        self._process.communicate()


class ForkedProcess:
    """Named as subprocess.Popen names it."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._server, self._outputs = server, ("", "")

    def poll(self) -> int | None:
        if self.returncode is None and (end := self._server.call({"poll": self.pid})):
            self.returncode, *outputs = end
            self._outputs = (outputs[0], outputs[1])
        return self.returncode

    def wait(self) -> int:
        while (status := self.poll()) is None:
            time.sleep(POLL_S)
        return status

    def kill(self) -> None:
        if self.poll() is None:  # its number is not given away before it is polled
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self) -> tuple[str, str]:
        """What it wrote, after its end."""
        self.wait()
        return self._outputs


class Forks:
    """Of a serving process, with the files of what each writes."""

    def __init__(self, run: Callable[[Any], None]) -> None:
        self._run = run
        self._open: dict[int, tuple[ExitStack, list[Any]]] = {}

    def start(self, request: Any) -> int:
        """The number of the process."""
        with ExitStack() as stack:
            files = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(2)]
            pid = os.fork()
            if pid == 0:
                for number, file in enumerate(files, start=1):
                    os.dup2(file.fileno(), number)
                run_and_exit(self._run, request)
            self._open[pid] = stack.pop_all(), files
        return pid

    def poll(self, pid: int) -> tuple[int, str, str] | None:
        """Its status, output and errors once it has ended."""
        ended, status = os.waitpid(pid, os.WNOHANG)
        if not ended:
            return None
        stack, files = self._open.pop(pid)
        with stack:
            for file in files:
                file.seek(0)
            out, errors = (file.read() for file in files)
        return os.waitstatus_to_exitcode(status), out, errors


def serve(run: Callable[[Any], None]) -> None:
    """Answer a ForkServer until it closes. run: in each fork, with its request."""
    forks = Forks(run)
    for line in sys.stdin:
        message = json.loads(line)
        poll = "poll" in message
        answer = forks.poll(message["poll"]) if poll else forks.start(message["start"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def run_and_exit(run: Callable[[Any], None], request: Any) -> None:
    """Never returns. As a program would end."""
    status = 1
    try:
        run(request)
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            sys.stderr.write(ended.code)
    finally:
        if (error := sys.exception()) is not None and not isinstance(error, SystemExit):
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
