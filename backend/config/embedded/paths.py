"""Folders of data, logs and sockets of the embedded servers."""

import hashlib
import os
import secrets
import stat
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from backend.config.embedded.errors import ServiceError
from backend.config.embedded.run_as_user import Identity

# sun_path holds 108 bytes on Linux and 104 elsewhere, including the final zero.
MAX_SOCKET_PATH_BYTES = 103
MAX_LOG_BYTES = 5_000_000


class DataPaths:
    def __init__(self, data: Path) -> None:
        self.data, self.logs = data, data / "log"
        self.postgres, self.valkey = data / "postgres", data / "valkey"
        self.lock, self.state = data / "lock", data / "state.json"

    def create(self) -> None:
        try:
            self.data.mkdir(parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise ServiceError(f"The folder {self.data} cannot be made: {error}.") from error

    def open_log(self, name: str) -> IO[bytes]:
        """Open a server's log to append; a long one is rotated first."""
        path = self.log_path(name)
        if path.exists() and path.stat().st_size > MAX_LOG_BYTES:
            path.replace(path.with_suffix(".1.log"))
        return path.open("ab")

    def log_path(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def tail_log(self, name: str, lines: int = 6) -> str:
        text = self.log_path(name).read_text(errors="replace")
        return "\n".join(text.splitlines()[-lines:])

    def read_or_create_secret_key(self) -> str:
        """The signing key of this DATA folder, created once and readable by its owner only."""
        path = self.data / "secret_key"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_text().strip()
        with os.fdopen(handle, "w") as file:
            key = secrets.token_urlsafe(50)
            file.write(key)
        return key

    def socket_directory(self, identity: Identity) -> Path:
        """A private folder with a short path: that of a checkout may be too long for a socket."""
        mark = hashlib.blake2b(os.fsencode(self.data), digest_size=6).hexdigest()
        name = f"serendib-{os.geteuid()}-{mark}"
        for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108  made private below
            path = Path(base) / name
            if len(os.fsencode(path / ".s.PGSQL.5432")) <= MAX_SOCKET_PATH_BYTES:
                return make_private(path, identity)
        raise ServiceError(f"The folder for sockets, {path}, has too long a name.")


def make_private(path: Path, identity: Identity) -> Path:
    """A private folder at this path, or one with a random name if another user owns the path."""
    path.mkdir(mode=0o700, exist_ok=True)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in {os.geteuid(), identity.uid}:
        path = Path(tempfile.mkdtemp(prefix="serendib-"))
    path.chmod(0o700)
    if os.geteuid() != identity.uid:
        os.chown(path, identity.uid, -1)
    return path


def find_package(name: str, server: str) -> Path:
    """The folder of the package that brings a server's binaries."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ServiceError(
            f"The embedded {server} is not installed. Run 'make run', or install the extra "
            "'embedded', or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent
