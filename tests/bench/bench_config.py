"""Duration of a start, compared with starting the bare servers."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from backend.config.embedded.services import Services
from tests.bench.figures import Figure, bench
from tests.e2e.stack import Stack

BARE = "PostgreSQL and Valkey alone"


@bench("config.start")
def start() -> Iterator[Figure]:
    """From the command to the first page: on an empty DATA with its demo, and once more."""
    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Path(folder) / "data")
        for name in ("first", "second"):
            bare = seconds_of_bare_servers(Path(folder) / "bare")
            began = time.monotonic()
            stack.start()
            seconds = time.monotonic() - began
            stack.stop()
            yield Figure(f"config.start.{name}", seconds, "s", "lower", BARE, bare)


def seconds_of_bare_servers(data: Path) -> float:
    services = Services(data, kind="command")
    services.lock.try_acquire()
    began = time.monotonic()
    try:
        services.start()
        services.wait()
        return time.monotonic() - began
    finally:
        services.stop()
