"""Where the embedded servers keep their data, their logs and their sockets."""

import hashlib
import os
import secrets
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.identity import Identity

# sun_path holds 108 bytes on Linux and 104 elsewhere, the final zero included.
LONGEST_SOCKET = 103
LONGEST_LOG = 5_000_000


@dataclass(frozen=True)
class Folders:
    """The layout of DATA."""

    data: Path

    def make(self) -> None:
        try:
            self.data.mkdir(parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise ServiceError(f"The folder {self.data} cannot be made: {error}.") from error

    @property
    def postgres(self) -> Path:
        return self.data / "postgres"

    @property
    def valkey(self) -> Path:
        return self.data / "valkey"

    @property
    def logs(self) -> Path:
        return self.data / "log"

    @property
    def lock(self) -> Path:
        return self.data / "lock"

    @property
    def state(self) -> Path:
        return self.data / "state.json"

    def log(self, name: str) -> IO[bytes]:
        """A server's log, opened to append; the one before it is kept when it grew long."""
        path = self.log_path(name)
        if path.exists() and path.stat().st_size > LONGEST_LOG:
            path.replace(path.with_suffix(".1.log"))
        return path.open("ab")

    def log_path(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def last_words(self, name: str, lines: int = 6) -> str:
        text = self.log_path(name).read_text(errors="replace")
        return "\n".join(text.splitlines()[-lines:])

    def secret_key(self) -> str:
        """The signing key of this DATA, made once; its file is for the owner's eyes only."""
        path = self.data / "secret_key"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_text().strip()
        with os.fdopen(handle, "w") as file:
            key = secrets.token_urlsafe(50)
            file.write(key)
        return key

    def sockets(self, identity: Identity) -> Path:
        """A private folder with a short path: a checkout's own path may be too long."""
        mark = hashlib.blake2b(os.fsencode(self.data), digest_size=6).hexdigest()
        name = f"serendib-{os.geteuid()}-{mark}"
        for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108  made private below
            path = Path(base) / name
            if len(os.fsencode(path / ".s.PGSQL.5432")) <= LONGEST_SOCKET:
                return private(path, identity)
        raise ServiceError(f"The folder for sockets, {path}, has too long a name.")


def private(path: Path, identity: Identity) -> Path:
    """The folder, ours alone; where somebody else holds the name, one with a random name."""
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), identity.uid}:
        path = Path(tempfile.mkdtemp(prefix="serendib-"))
    path.chmod(0o700)
    if os.geteuid() != identity.uid:
        os.chown(path, identity.uid, -1)
    return path
