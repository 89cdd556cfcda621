"""PostgreSQL and Valkey together: started side by side, stopped one after the other."""

import shutil
import time
from pathlib import Path

from backend.config.embedded import identity as identities
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.folders import Folders
from backend.config.embedded.postgres import Postgres, binaries
from backend.config.embedded.process import Child
from backend.config.embedded.state import Lock, State, new_state, stop_leftovers
from backend.config.embedded.valkey import Valkey

PATIENCE = 60.0  # seconds in which a server that died has to be back


class Services:
    """Both servers of one DATA folder. Whoever starts them holds the lock until they end."""

    def __init__(self, data: Path, *, kind: str, durable: bool = True) -> None:
        self.folders = Folders(data)
        self.folders.make()
        self.lock = Lock(self.folders)
        self.durable = durable
        self.state: State = new_state(kind)
        self.children: list[Child] = []

    def start(self) -> None:
        """Return at once; wait() tells when they answer. The caller holds the lock."""
        self.begun = time.monotonic()
        stop_leftovers(self.folders)
        self.state.write(self.folders)
        identity = identities.choose(program=binaries() / "postgres", data=self.folders.data)
        self.sockets = self.folders.sockets(identity)
        self.postgres = Postgres(self.folders, identity, self.sockets, durable=self.durable)
        self.valkey = Valkey(self.folders, identity, self.sockets, durable=self.durable)
        self.state.database_url, self.state.redis_url = self.postgres.url, self.valkey.url
        self.children = [self.valkey.start(), self.postgres.start()]
        self._note()

    def wait(self) -> float:
        """Until both answer; the seconds since they were started."""
        valkey, postgres = self.children
        self.valkey.wait(valkey)
        self.postgres.wait(postgres)
        return time.monotonic() - self.begun

    def environment(self) -> dict[str, str]:
        return {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.valkey.url,
            "SECRET_KEY": self.folders.secret_key(),
        }

    def restart_dead(self) -> list[str]:
        """Start again what died; the names of what did."""
        dead = [place for place, child in enumerate(self.children) if not child.alive()]
        for place in dead:
            self._revive(place)
        if dead:
            self._note()
        return [self.children[place].name for place in dead]

    def _revive(self, place: int) -> None:
        """PostgreSQL refuses to start while a process of the one that was killed still ends."""
        server = (self.valkey, self.postgres)[place]
        limit = time.monotonic() + PATIENCE
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

    def _note(self) -> None:
        for child in self.children:
            self.state.note(child.name, child.pid)
        self.state.write(self.folders)
