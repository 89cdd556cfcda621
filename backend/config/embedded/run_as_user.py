"""The user that runs the servers: PostgreSQL refuses to run as root."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from backend.config.embedded.errors import ServiceError


@dataclass(frozen=True)
class Identity:
    """The user id, group id and so on of a server process; by default those of this process."""

    wrapper: tuple[str, ...] = ()
    user: int | None = None
    group: int | None = None

    @property
    def uid(self) -> int:
        """The owner of its files on disk."""
        return os.geteuid() if self.user is None else self.user


def choose_identity(*, program: Path, data: Path) -> Identity:
    """The current user; for root, the first user that can run the program and enter the folder."""
    if os.geteuid() != 0:
        return Identity()
    for candidate in _root_alternatives(data):
        if _can_run(candidate, program, data):
            return candidate
    raise ServiceError(
        f"PostgreSQL may not run as root, and no other account can reach both {program.parent} "
        f"and {data}. Run as an ordinary user, or set DATA to a folder that others may enter."
    )


def _root_alternatives(data: Path) -> Iterator[Identity]:
    nobody = pwd.getpwnam("nobody")
    if shutil.which("unshare"):
        # In a user namespace, root has another number and can still enter private folders.
        yield Identity(wrapper=("unshare", "--user", f"--map-user={nobody.pw_uid}"))
    owner = data.parent.stat()
    if owner.st_uid != 0:  # sudo in a user's home
        yield Identity(user=owner.st_uid, group=owner.st_gid)
    yield Identity(user=nobody.pw_uid, group=nobody.pw_gid)


def _can_run(identity: Identity, program: Path, data: Path) -> bool:
    try:
        tried = subprocess.run(
            [*identity.wrapper, "sh", "-c", 'cd "$2" && exec "$1" --version', "sh", program, data],
            user=identity.user,
            group=identity.group,
            extra_groups=[] if identity.user else None,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd="/",
            check=False,
        )
    except OSError:
        return False
    return tried.returncode == 0


def change_owner(folder: Path, identity: Identity) -> None:
    """Change the owner of a folder and its content, if this process is root."""
    if os.geteuid() != 0 or folder.stat().st_uid == identity.uid:
        return
    for place, _, names in os.walk(folder):
        for path in [Path(place), *(Path(place) / name for name in names)]:
            os.chown(path, identity.uid, -1, follow_symlinks=False)
