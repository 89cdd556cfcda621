"""Requests through real HTTP beside an empty view in the same run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.figures import ROOT, Figure
from tests.e2e.stack import Stack
from tests.load.closed_loop import Operation, Timed
from tests.load.http import Browser
from tests.load.virtual_users import expect_status

PEER = "empty view"


def empty_view(visitors: Sequence[Browser]) -> Operation:
    async def turn(person: int) -> None:
        expect_status(204, await visitors[person].get("/livez"))

    return turn


def bring_in(folder: Path, name: str, stack: Stack) -> None:
    """A graph of tables, by the command that people use."""
    command = [sys.executable, "manage.py", "import_graph", "csv", str(folder)]
    subprocess.run(
        [*command, "--name", name, "--public"],
        cwd=ROOT,
        env=stack.environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def figures_of(
    name: str, size: str, timed: Timed, peer: Timed, seed: int, *, goal: float | None = None
) -> Iterator[Figure]:
    """goal: of the 95th percentile, as times that of the peer."""
    size = f"{size}, {len(timed.latencies)} requests"
    mine, theirs = timed.per_second, peer.per_second
    yield Figure(f"{name}.rate", mine, "requests/s", "higher", PEER, theirs, size, seed)
    for share in (50, 95, 99):
        mine, theirs = timed.percentile(share / 100), peer.percentile(share / 100)
        title, limit = f"{name}.p{share}", goal if share == 95 else None
        yield Figure(title, mine, "ms", "lower", PEER, theirs, size, seed, limit)
