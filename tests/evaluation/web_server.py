"""The web server in a process of its own, with a test's database and files; tests kill it."""

import os
import signal
import socket
import subprocess
import sys
import time

import httpx
from django.conf import settings

from tests.command_processes import database_url

FOLDERS = ("SNAPSHOTS", "UPLOADS", "PREDICTIONS", "EVALUATIONS", "LITERATURE", "JOB_CHECKPOINTS")


class WebServer:
    """Its socket outlives it, as under the supervisor: the next process accepts what waits."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = self.socket.getsockname()
        self.url = f"http://127.0.0.1:{self.address[1]}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "backend.config.settings",
            "DATABASE_URL": database_url(),
            "ALLOWED_HOSTS": "127.0.0.1",
            **{name: str(getattr(settings, name)) for name in FOLDERS},
        }
        descriptor = self.socket.fileno()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "backend.config.serve", str(descriptor)],
            cwd=settings.ROOT,
            env=environment,
            pass_fds=(descriptor,),
        )

    def wait_until_served(self, seconds: float = 120.0) -> None:
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            try:
                if httpx.get(f"{self.url}/healthz", timeout=30).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise TimeoutError("The web server serves nothing.")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def restart_after_kill(self) -> None:
        self.kill()
        self.start()

    def close(self) -> None:
        self._end(signal.SIGTERM)
        self.socket.close()

    def _end(self, how: int) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None
