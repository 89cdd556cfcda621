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
        files = [tempfile.TemporaryFile("w+") for _ in range(2)]  # noqa: SIM115  read at its end
        paths = [f"/proc/{os.getpid()}/fd/{file.fileno()}" for file in files]
        pid = self.call({"start": request, "paths": paths})
        assert isinstance(pid, int)
        return ForkedProcess(self, pid, *files)

    def call(self, message: dict[str, Any]) -> int | None:
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None and answers is not None
        requests.write(json.dumps(message) + "\n")
        requests.flush()
        answer: int | None = json.loads(answers.readline())
        return answer

    def close(self) -> None:
        self._process.communicate()


class ForkedProcess:
    """Named as subprocess.Popen names it."""

    def __init__(self, server: ForkServer, pid: int, out: Any, errors: Any) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._server, self._out, self._errors = server, out, errors

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self._server.call({"poll": self.pid})
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
        return self.read(self._out), self.read(self._errors)

    def read(self, file: Any) -> str:
        file.seek(0)
        return str(file.read())


def serve(run: Callable[[Any], None]) -> None:
    """Answer a ForkServer until it closes. run: in each fork, with its request."""
    for line in sys.stdin:
        message = json.loads(line)
        if "poll" in message:
            answer = poll(message["poll"])
        else:
            answer = fork(run, message["start"], message["paths"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def poll(pid: int) -> int | None:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def fork(run: Callable[[Any], None], request: Any, paths: list[str]) -> int:
    """The number of the process."""
    files = [os.open(path, os.O_WRONLY) for path in paths]
    pid = os.fork()
    if pid == 0:
        for number, file in enumerate(files, start=1):
            os.dup2(file, number)
        run_and_exit(run, request)
    for file in files:
        os.close(file)
    return pid


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
