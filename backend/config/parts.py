"""The parts of a running Serendib: web, worker with beat, and in development Vite."""

import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException

from django.conf import settings

from backend.config import env, listener
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.process import Child, spawn
from backend.config.serve import GRACE
from backend.config.supervisor import Supervisor, say, wait_for

WORKERS = 2
VITE = "http://127.0.0.1:5173"


class Parts:
    """How each part is started; all share one environment."""

    def __init__(self, bound: socket.socket, host: str, *, dev: bool) -> None:
        self.socket = bound
        self.dev = dev
        self.port: int = bound.getsockname()[1]
        self.served_at = listener.address_for_people(host, self.port)
        self.address = VITE if dev else self.served_at
        self.environment = {
            "PYTHONUNBUFFERED": "1",
            "SITE_URL": self.address,
            **({"DEBUG": "yes"} if dev else {}),
            **os.environ,
            "ALLOWED_HOSTS": allowed_hosts(host),
        }

    def start(self, supervisor: Supervisor) -> None:
        """All at once; then wait until a page is served."""
        began = time.monotonic()
        web = supervisor.add("web", self.web)
        supervisor.add("worker", self.worker)
        wait_for(self.answers, web, "web server")
        say(f"{'Web and worker':<32}{time.monotonic() - began:6.1f} s")
        supervisor.add("kernels", self.kernels, holds_code=False, once=True)
        if self.dev:
            supervisor.add("Vite", self.vite, holds_code=False)
            on_change_of_code(supervisor.again.set)

    def web(self) -> Child:
        return self._python(
            "web",
            ["-m", "backend.config.serve", str(self.socket.fileno())],
            ending=((signal.SIGTERM, GRACE + 5.0),),
            pass_fds=(self.socket.fileno(),),
        )

    def worker(self) -> Child:
        """A task in hand gets ten seconds; what is not done by then is given back at boot."""
        schedule = settings.DATA / "beat-schedule"
        settings.DATA.mkdir(parents=True, exist_ok=True)
        command = ["-W", "ignore::UserWarning:celery.platforms"]  # that we are root
        command += ["-m", "celery", "--quiet", "-A", "backend.config.celery", "worker"]
        command += ["--concurrency", str(WORKERS), "--loglevel", "WARNING"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        command += ["--beat", "--schedule", str(schedule)]
        return self._python(
            "worker",
            command,
            {"DB_POOL": "0"},  # a pool's threads would not survive the fork of its processes
            ending=((signal.SIGTERM, 10.0), (signal.SIGQUIT, 3.0)),
        )

    def kernels(self) -> Child:
        """Ahead of the first reader who looks for paths."""
        command = ["-m", "backend.graphs.warming"]
        return self._python("kernels", command, ending=((signal.SIGTERM, 1.0),))

    def vite(self) -> Child:
        npm = shutil.which("npm")
        if npm is None:
            raise ServiceError("npm is not on the path. Run 'make dev' instead of manage.py.")
        environment = {**self.environment, "BACKEND": self.served_at}
        return spawn("Vite", [npm, "run", "dev"], env=environment, cwd=settings.ROOT / "frontend")

    def answers(self) -> bool:
        """Whether /healthz says yes; asked on the socket's own address."""
        host = str(self.socket.getsockname()[0])
        probe = HTTPConnection({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), self.port)  # noqa: S104
        try:
            probe.timeout = 30
            probe.request("GET", "/healthz", headers={"Host": f"localhost:{self.port}"})
            return probe.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            probe.close()

    def _python(
        self,
        name: str,
        arguments: list[str],
        extra: dict[str, str] | None = None,
        *,
        ending: tuple[tuple[int, float], ...],
        pass_fds: tuple[int, ...] = (),
    ) -> Child:
        return spawn(
            name,
            [sys.executable, *arguments],
            env={**self.environment, **(extra or {})},
            cwd=settings.ROOT,
            ending=ending,
            pass_fds=pass_fds,
        )


def allowed_hosts(host: str) -> str:
    """What the environment says, else every name of ours; our own question is always allowed."""
    asked = env.words("ALLOWED_HOSTS", listener.reachable_names(host))
    return ",".join(dict.fromkeys([*asked, "localhost"]))


def on_change_of_code(act: Callable[[], None]) -> None:
    """Call from a thread of its own whenever a Python file changes."""
    from watchfiles import PythonFilter, watch

    rooms = [settings.ROOT / "backend", settings.ROOT / "annotation"]

    def look() -> None:
        for _ in watch(*rooms, watch_filter=PythonFilter()):
            act()

    threading.Thread(target=look, daemon=True).start()
