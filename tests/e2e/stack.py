"""A complete Serendib for journeys: 'manage.py up' with a DATA and a port of its own."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMED = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DB_POOL", "HOST", "PORT", "DATA", "SITE_URL")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class Stack:
    """Start it, break it, start it again; leave() ends it and removes its data.

    Settings for the started processes are given as words: Stack(DB_POOL="32").
    """

    def __init__(self, data: Path | None = None, **environment: str) -> None:
        self.own_data = data is None
        self.data = data or Path(tempfile.mkdtemp(prefix="serendib-e2e-"))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.mail = self.data / "mail"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in NAMED},
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

    @property
    def log(self) -> Path:
        return self.data / "up.log"

    def start(self, seconds: float = 120.0) -> None:
        """Return once the first page is served."""
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
        self.wait_until_served(seconds)

    def wait_until_served(self, seconds: float = 60.0) -> None:
        limit = time.monotonic() + seconds
        while not self.ready():
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError(f"It ended as it started:\n{self.output()}")
            if time.monotonic() > limit:
                raise TimeoutError(f"Nothing served after {seconds} s:\n{self.output()}")
            time.sleep(0.05)

    def ready(self) -> bool:
        """Served, and (with servers of its own, which it notes) by this very start."""
        return (not self.embedded or bool(self.state().get("address"))) and self.serves()

    def serves(self) -> bool:
        probe = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            probe.request("GET", "/healthz")
            return probe.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            probe.close()

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

    def pause_web(self) -> None:
        """The server holds still and answers nothing, as in a long outage."""
        os.kill(self.pid("web"), signal.SIGSTOP)

    def resume_web(self) -> None:
        os.kill(self.pid("web"), signal.SIGCONT)

    def pid(self, part: str) -> int:
        return int(self.state()["children"][part]["pid"])

    def state(self) -> dict[str, Any]:
        try:
            kept: dict[str, Any] = json.loads((self.data / "state.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}
        return kept

    def manage(self, *arguments: str) -> str:
        """A manage.py command that shares these servers; what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(arguments)} failed:\n{done.stderr}")
        return done.stdout

    def letters(self) -> list[str]:
        """Every mail sent so far, oldest first."""
        files = sorted(self.mail.glob("*"), key=lambda path: path.stat().st_mtime_ns)
        return [path.read_text() for path in files]

    def output(self) -> str:
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def leave(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()
        if self.own_data:
            shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self) -> "Stack":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()
