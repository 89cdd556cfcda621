"""Who runs the servers. PostgreSQL refuses root, so for root another identity is found."""

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
    """How a server is started as someone else; the default is to start it as oneself."""

    wrapper: tuple[str, ...] = ()
    user: int | None = None
    group: int | None = None

    @property
    def uid(self) -> int:
        """Who owns its files on disk."""
        return os.geteuid() if self.user is None else self.user


def choose(*, program: Path, data: Path) -> Identity:
    """Oneself; for root, the first identity that can run the program and enter the folder."""
    if os.geteuid() != 0:
        return Identity()
    for candidate in _for_root(data):
        if _can(candidate, program, data):
            return candidate
    raise ServiceError(
        f"PostgreSQL may not run as root, and no other account can reach both {program.parent} "
        f"and {data}. Run as an ordinary user, or set DATA to a folder that others may enter."
    )


def _for_root(data: Path) -> Iterator[Identity]:
    nobody = pwd.getpwnam("nobody")
    if shutil.which("unshare"):
        # In a user namespace root goes by another number and keeps its way into private folders.
        yield Identity(wrapper=("unshare", "--user", f"--map-user={nobody.pw_uid}"))
    owner = data.parent.stat()
    if owner.st_uid != 0:  # sudo in somebody's home
        yield Identity(user=owner.st_uid, group=owner.st_gid)
    yield Identity(user=nobody.pw_uid, group=nobody.pw_gid)


def _can(identity: Identity, program: Path, data: Path) -> bool:
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


def give(folder: Path, identity: Identity) -> None:
    """Hand a folder and all in it to an identity (root only; others own what they make)."""
    if os.geteuid() != 0 or folder.stat().st_uid == identity.uid:
        return
    for place, _, names in os.walk(folder):
        for path in [Path(place), *(Path(place) / name for name in names)]:
            os.chown(path, identity.uid, -1, follow_symlinks=False)
