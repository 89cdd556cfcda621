"""A complete Serendib for journeys: 'manage.py up' with a DATA and a port of its own."""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from tests.e2e.command_server import CommandServer

ROOT = Path(__file__).resolve().parents[2]
ISOLATED_VARIABLES = (
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "DB_POOL",
    "HOST",
    "PORT",
    "DATA",
    "SITE_URL",
)

ACTIVE_JOBS = """
from django.utils import timezone
from backend.jobs.models import Job
print(", ".join(
    f"{job.kind} {job.state} {(timezone.now() - job.created_at).seconds} s"
    for job in Job.objects.active().order_by("created_at")
) or "none")
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Stack:
    """Start it, kill parts of it, start it again; close() ends it and removes its data.

    Settings of the started processes are keyword arguments: Stack(DB_POOL="32"). With PORT it
    may be one that another process has started in `data`.
    """

    def __init__(self, data: Path | None = None, **environment: str) -> None:
        self.own_data = data is None
        self.data = data or Path(tempfile.mkdtemp(prefix="serendib-e2e-"))
        self.port = int(environment.get("PORT", 0)) or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.mail = self.data / "mail"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ISOLATED_VARIABLES},
            "DATA": str(self.data),
            "PORT": str(self.port),
            "DJANGO_SETTINGS_MODULE": "backend.config.settings",
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": str(self.mail),
            **environment,
        }
        self.embedded = "DATABASE_URL" not in environment
        self.process: subprocess.Popen[bytes] | None = None
        self.killed: set[int] = set()
        self.commands: CommandServer | None = None

    @property
    def log(self) -> Path:
        return self.data / "up.log"

    def start(self, seconds: float = 600.0) -> None:
        """Return once the first page is served."""
        self.launch()
        self.wait_until_served(seconds)

    def launch(self) -> None:
        self.end_commands()
        self.data.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def wait_until_served(self, seconds: float = 60.0) -> None:
        self.wait_until(self.is_ready, seconds)

    def wait_until(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        limit = time.monotonic() + seconds
        while not condition():
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError(f"It ended as it started:\n{self.output()}")
            if time.monotonic() > limit:
                raise TimeoutError(f"Nothing served after {seconds} s:\n{self.output()}")
            time.sleep(0.05)

    def is_ready(self) -> bool:
        """Served, and (with servers of its own, which it notes) by this very start."""
        return (not self.embedded or bool(self.state().get("address"))) and self.is_healthy()

    def is_healthy(self) -> bool:
        probe = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            probe.request("GET", "/healthz")
            return probe.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            probe.close()

    def wait_for_demo(self, seconds: float = 600.0) -> None:
        """A worker makes some releases and their boards after the first page is there. The last of
        them is Dyport's, with twelve simulated entries."""

        def has_boards() -> bool:
            board = self.get_json("/api/v1/boards/demo-later-links")
            return bool(board and board["entries"] >= 12)

        self.wait_until(has_boards, seconds)

    def get_json(self, path: str) -> dict[str, Any] | None:
        """What a visitor is answered; None if it is no success."""
        probe = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            probe.request("GET", path)
            answer = probe.getresponse()
            content: dict[str, Any] = json.loads(answer.read())
        finally:
            probe.close()
        return content if answer.status == 200 else None

    def stop(self, sig: int = signal.SIGTERM, seconds: float = 60.0) -> int:
        """End the supervisor by a signal; its status. kill -9 is stop(signal.SIGKILL)."""
        if self.process is None:
            return 0
        self.process.send_signal(sig)
        status = self.process.wait(seconds)
        self.process = None
        return status

    def kill(self, part: str, seconds: float = 60.0) -> None:
        """kill -9 of the web server or the worker; the supervisor starts another.

        A part that was killed is noted until its successor runs: that one is waited for.
        """
        limit = time.monotonic() + seconds
        while (pid := self.pid(part)) in self.killed:
            if time.monotonic() > limit:
                raise TimeoutError(f"No other {part} after {seconds} s:\n{self.output()}")
            time.sleep(0.05)
        self.killed.add(pid)
        os.kill(pid, signal.SIGKILL)

    def pause(self, part: str) -> None:
        """The web server or a worker holds still, as in a long outage, until it is resumed."""
        os.kill(self.pid(part), signal.SIGSTOP)

    def resume(self, part: str) -> None:
        os.kill(self.pid(part), signal.SIGCONT)

    def pid(self, part: str) -> int:
        return int(self.state()["children"][part]["pid"])

    def state(self) -> dict[str, Any]:
        try:
            state: dict[str, Any] = json.loads((self.data / "state.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}
        return state

    def manage(self, *arguments: str) -> str:
        """A manage.py command that shares these servers; what it printed."""
        if self.commands is None:
            self.commands = CommandServer(self.environment)
        return self.commands.run(arguments)

    def list_active_jobs(self) -> str:
        """Kind, state and seconds since the request of each job that has not ended."""
        try:
            return self.manage("shell", "--verbosity", "0", "--command", ACTIVE_JOBS).strip()
        except (RuntimeError, OSError) as error:
            return f"unknown ({type(error).__name__})"

    def end_commands(self) -> None:
        """Servers that start again may have other addresses."""
        if self.commands is not None:
            self.commands.close()
            self.commands = None

    def prepare_once(self, name: str, prepare: Callable[[], object]) -> None:
        """Data that several tests read: the first process to need them makes them."""
        done = self.data / f"{name}.done"
        with (self.data / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                prepare()
                done.touch()

    def mails(self, recipient: str) -> list[str]:
        """Every mail to this address so far, oldest first."""
        files = sorted(self.mail.glob("*"), key=lambda path: path.stat().st_mtime_ns)
        texts = [path.read_text() for path in files]
        return [text for text in texts if f"To: {recipient}" in text]

    def output(self) -> str:
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def close(self) -> None:
        self.end_commands()
        if self.process is not None and self.process.poll() is None:
            self.stop()
        if self.own_data:
            shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self) -> "Stack":
        try:
            self.start()
        except BaseException:
            self.close()  # __exit__ is not called
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
