"""The processes of a running Serendib: web server, a worker per queue, and Vite in development."""

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

from backend.config import env, listen_socket, local_model
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.process import ChildProcess, spawn
from backend.config.serve import SHUTDOWN_GRACE_S
from backend.config.supervisor import Supervisor, print_line, wait_for

QUICK_CONCURRENCY = 2
STUDIES_CONCURRENCY = 1
LONG_CONCURRENCY = 2
MODELS_CONCURRENCY = 4  # they mostly wait for endpoints; each has an event loop for its calls
VITE_URL = "http://127.0.0.1:5173"


class ProcessFactory:
    """Starts the processes; all share one environment."""

    def __init__(self, bound: socket.socket, host: str, *, dev: bool) -> None:
        self.socket = bound
        self.dev = dev
        self.port: int = bound.getsockname()[1]
        self.served_at = listen_socket.public_url(host, self.port)
        self.address = VITE_URL if dev else self.served_at
        self.environment = {
            "PYTHONUNBUFFERED": "1",
            "SITE_URL": self.address,
            **({"DEBUG": "yes"} if dev else {}),
            **os.environ,
            "ALLOWED_HOSTS": allowed_hosts(host),
        }

    def start(self, supervisor: Supervisor) -> None:
        """Start all processes; then wait until a page is served."""
        began = time.monotonic()
        web = supervisor.add("web", self.web)
        supervisor.add("worker", self.quick_worker)
        supervisor.add("studies worker", self.studies_worker)
        supervisor.add("long worker", self.long_worker)
        supervisor.add("models worker", self.models_worker)
        wait_for(self.is_healthy, web, "web server")
        print_line(f"{'Web and workers':<32}{time.monotonic() - began:6.1f} s")
        if local_model.is_requested():
            self.start_model(supervisor)
        if self.dev:
            supervisor.add("Vite", self.vite, reloads_on_change=False)
            watch_code(supervisor.reload_requested.set)

    def web(self) -> ChildProcess:
        return self._python(
            "web",
            ["-m", "backend.config.serve", str(self.socket.fileno())],
            ending=((signal.SIGTERM, SHUTDOWN_GRACE_S + 5.0),),
            pass_fds=(self.socket.fileno(),),
        )

    def quick_worker(self) -> ChildProcess:
        """The worker of short tasks, which also schedules the periodic tasks."""
        schedule = settings.DATA / "beat-schedule"
        settings.DATA.mkdir(parents=True, exist_ok=True)
        beat = ["--beat", "--schedule", str(schedule)]
        return self._worker("worker", "quick", QUICK_CONCURRENCY, beat)

    def studies_worker(self) -> ChildProcess:
        """The worker of statistics, imports and releases of studies. Each takes seconds to minutes,
        and a coordinator waits for it."""
        return self._worker("studies worker", "studies", STUDIES_CONCURRENCY, [])

    def long_worker(self) -> ChildProcess:
        """The worker of jobs that take minutes to hours."""
        return self._worker("long worker", "long", LONG_CONCURRENCY, [])

    def models_worker(self) -> ChildProcess:
        """The worker of model runs and checks of endpoints, which mostly wait for those."""
        return self._worker("models worker", "models", MODELS_CONCURRENCY, [])

    def _worker(self, name: str, queue: str, concurrency: int, options: list[str]) -> ChildProcess:
        """A running task has ten seconds to end; otherwise it is queued again at the next start."""
        command = ["-W", "ignore::UserWarning:celery.platforms"]  # without the warning about root
        command += ["-m", "celery", "--quiet", "-A", "backend.config.celery", "worker"]
        command += ["--queues", queue, "--concurrency", str(concurrency)]
        command += ["--hostname", f"{queue}@%h", "--loglevel", "WARNING"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat", *options]
        return self._python(
            name,
            command,
            {"DB_POOL": "0"},  # the threads of a pool would not survive the fork
            ending=((signal.SIGTERM, 10.0), (signal.SIGQUIT, 3.0)),
        )

    def warm_kernels(self) -> ChildProcess:
        """Compile the kernels while the database is prepared."""
        command = ["-m", "django", "compile_kernels"]
        return self._python("kernels", command, ending=((signal.SIGTERM, 1.0),))

    def start_model(self, supervisor: Supervisor) -> None:
        """The page is served already; another process waits for the first answer."""
        model = local_model.make_local_model(settings.DATA, settings.ROOT)
        began = time.monotonic()
        supervisor.add("model", model.start, reloads_on_change=False)

        def register() -> ChildProcess:
            command = ["manage.py", "add_local_model", "--url", model.url, "--since", str(began)]
            return self._python("model check", command, ending=((signal.SIGTERM, 1.0),))

        supervisor.add("model check", register, reloads_on_change=False, runs_once=True)

    def vite(self) -> ChildProcess:
        npm = shutil.which("npm")
        if npm is None:
            raise ServiceError("npm is not on the path. Run 'make dev' instead of manage.py.")
        environment = {**self.environment, "BACKEND": self.served_at}
        return spawn("Vite", [npm, "run", "dev"], env=environment, cwd=settings.ROOT / "frontend")

    def is_healthy(self) -> bool:
        """Whether /healthz answers with success, on the address of the socket."""
        host = str(self.socket.getsockname()[0])
        loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  compared with, not bound
        probe = HTTPConnection(loopback.get(host, host), self.port)
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
    ) -> ChildProcess:
        return spawn(
            name,
            [sys.executable, *arguments],
            env={**self.environment, **(extra or {})},
            cwd=settings.ROOT,
            stop_sequence=ending,
            pass_fds=pass_fds,
        )


def allowed_hosts(host: str) -> str:
    """ALLOWED_HOSTS of the environment, or all names of this machine; always with localhost."""
    names = env.word_list("ALLOWED_HOSTS", listen_socket.reachable_names(host))
    return ",".join(dict.fromkeys([*names, "localhost"]))


def watch_code(act: Callable[[], None]) -> None:
    """Call `act` from a separate thread whenever a Python file changes."""
    from watchfiles import PythonFilter, watch

    folders = [settings.ROOT / "backend", settings.ROOT / "annotation"]

    def look() -> None:
        for _ in watch(*folders, watch_filter=PythonFilter()):
            act()

    threading.Thread(target=look, daemon=True).start()
