"""PostgreSQL and Valkey together: started in parallel, stopped in order."""

import shutil
import time
from pathlib import Path

from backend.config.embedded import run_as_user as identities
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.lock_file import DataLock, InstanceState, new_state, stop_leftovers
from backend.config.embedded.paths import DataPaths
from backend.config.embedded.postgres import Postgres, binary_directory
from backend.config.embedded.process import ChildProcess
from backend.config.embedded.valkey import Valkey

RESTART_TIMEOUT_S = 60.0  # seconds in which a restarted server must answer


class Services:
    """Both servers of a DATA folder. The process that starts them holds the lock until they end."""

    def __init__(self, data: Path, *, kind: str, durable: bool = True) -> None:
        self.folders = DataPaths(data)
        self.folders.create()
        self.lock = DataLock(self.folders)
        self.durable = durable
        self.state: InstanceState = new_state(kind)
        self.children: list[ChildProcess] = []

    def start(self) -> None:
        """Start both without waiting for them. The caller holds the lock."""
        self.begun = time.monotonic()
        stop_leftovers(self.folders)
        self.state.write(self.folders)
        identity = identities.choose_identity(
            program=binary_directory() / "postgres", data=self.folders.data
        )
        self.sockets = self.folders.socket_directory(identity)
        self.postgres = Postgres(self.folders, identity, self.sockets, durable=self.durable)
        self.valkey = Valkey(self.folders, identity, self.sockets, durable=self.durable)
        self.state.database_url, self.state.redis_url = self.postgres.url, self.valkey.url
        self.children = [self.valkey.start(), self.postgres.start()]
        self._record_children()

    def wait(self) -> float:
        """Wait until both answer; returns the seconds since they were started."""
        valkey, postgres = self.children
        self.valkey.wait(valkey)
        self.postgres.wait(postgres)
        return time.monotonic() - self.begun

    def environment(self) -> dict[str, str]:
        return {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.valkey.url,
            "SECRET_KEY": self.folders.read_or_create_secret_key(),
        }

    def restart_dead(self) -> list[str]:
        """Restart servers that ended; returns their names."""
        dead = [place for place, child in enumerate(self.children) if not child.is_alive()]
        for place in dead:
            self._restart(place)
        if dead:
            self._record_children()
        return [self.children[place].name for place in dead]

    def _restart(self, place: int) -> None:
        """PostgreSQL refuses to start while a process of the killed server is still ending."""
        server = (self.valkey, self.postgres)[place]
        limit = time.monotonic() + RESTART_TIMEOUT_S
        while True:
            self.children[place] = server.start()
            try:
                server.wait(self.children[place])
            except ServiceError:
                if time.monotonic() > limit:
                    raise
                self.children[place].stop()
                time.sleep(0.2)
            else:
                return

    def stop(self) -> None:
        for child in self.children:
            child.stop()
        self.children = []
        if hasattr(self, "sockets"):
            shutil.rmtree(self.sockets, ignore_errors=True)
        self.folders.state.unlink(missing_ok=True)
        self.lock.release()

    def _record_children(self) -> None:
        for child in self.children:
            self.state.record_child(child.name, child.pid)
        self.state.write(self.folders)
