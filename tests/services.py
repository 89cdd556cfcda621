"""Throw-away servers for one run of the tests; nothing of them stays, even after kill -9."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from backend.config.embedded.lock_file import DataLock
from backend.config.embedded.paths import DataPaths
from backend.config.embedded.services import Services

PREFIX = "serendib-test-"
OWN_SERVICES = "SERENDIB_TEST_SERVICES"
"""Set for this process and its children where the database is a throw-away one."""


def start_temporary_services() -> None:
    """Start what the environment does not name, and name it."""
    missing = [name for name in ("DATABASE_URL", "REDIS_URL") if not os.environ.get(name)]
    if not missing:
        return
    base = shared_memory_directory()
    remove_stale_directories(base)
    services = Services(
        Path(tempfile.mkdtemp(prefix=PREFIX, dir=base)), kind="command", durable=False
    )
    services.lock.try_acquire()
    atexit.register(stop_services, services, os.getpid())
    services.start()
    services.wait()
    for name in missing:
        os.environ[name] = services.environment()[name]
    if "DATABASE_URL" in missing:
        os.environ[OWN_SERVICES] = "1"


def stop_services(services: Services, starter: int) -> None:
    if os.getpid() == starter:  # a fork of ours inherits the duty, but not the right
        services.stop()
        shutil.rmtree(services.folders.data, ignore_errors=True)


def shared_memory_directory() -> Path:
    shared = Path("/dev/shm")  # noqa: S108  each run makes a private folder in it
    return shared if os.access(shared, os.W_OK) else Path(tempfile.gettempdir())


def remove_stale_directories(base: Path) -> None:
    """Remove what killed runs left: folders of ours whose lock nobody holds."""
    for folder in base.glob(f"{PREFIX}*"):
        if folder.stat().st_uid != os.geteuid() or not DataPaths(folder).lock.exists():
            continue
        lock = DataLock(DataPaths(folder))
        if lock.try_acquire():
            shutil.rmtree(folder, ignore_errors=True)
            lock.release()
