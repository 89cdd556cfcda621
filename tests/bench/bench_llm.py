"""Calls to a model beside a bare aiohttp loop on the same server, which answers after 500 ms.

A call of ours is in the ledger, within a budget and a limit, and its JSON is read.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from backend.config.embedded.services import Services
from tests.bench.figures import ROOT, Figure, Size, bench, run_size

PEER = "bare aiohttp loop"
DELAY_S = 0.5
# In flight: calls.
CALLS: Mapping[Size, Mapping[int, int]] = {
    "tiny": {1: 2, 20: 40},
    "small": {1: 6, 50: 250, 500: 2_000},
    "full": {1: 20, 50: 1_000, 500: 5_000},
}
SHARED: Mapping[Size, int] = {"tiny": 20, "small": 100, "full": 100}
MOST_TIMES = 1.2  # the bare loop's seconds
MOST_PROCESSOR_MS = 1.0  # of a call


@contextmanager
def ledger_and_server() -> Iterator[tuple[Mapping[str, str], int]]:
    """An empty database and the scripted server, each in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        services = Services(Path(folder) / "data", kind="command")
        services.lock.try_acquire()
        services.start()
        services.wait()
        environment = {
            **os.environ,
            **services.environment(),
            "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        }
        command = [sys.executable, "-m", "tests.llm.scripted_server", "--delay", str(DELAY_S)]
        server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        try:
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
            assert server.stdout is not None
            yield environment, int(server.stdout.readline())
        finally:
            server.kill()
            server.wait()
            services.stop()


def start(environment: Mapping[str, str], *words: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bench.llm_calls", *map(str, words)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def result_of(process: "subprocess.Popen[str]") -> dict[str, Any]:
    output, _ = process.communicate()
    assert process.returncode == 0
    result: dict[str, Any] = json.loads(output.splitlines()[-1])
    return result


def measure_overhead(
    environment: Mapping[str, str], port: int, in_flight: int, calls: int
) -> Iterator[Figure]:
    words = (port, in_flight, calls)
    peer = result_of(start(environment, "bare", *words, "bare"))
    mine = result_of(start(environment, "client", *words, f"bench:{in_flight}"))
    size, name = f"{in_flight} in flight, {calls} calls", f"llm.overhead.{in_flight}"
    ours, theirs = mine["seconds"], peer["seconds"]
    yield Figure(name, ours, "s", "lower", PEER, theirs, size, goal=MOST_TIMES)
    cpu, bare = (1000 * one["cpu"] / calls for one in (mine, peer))
    name, unit, most = f"{name}.cpu", "ms a call", MOST_PROCESSOR_MS
    yield Figure(name, cpu, unit, "lower", PEER, bare, size)
    yield Figure(f"{name}.goal", cpu, unit, "lower", "goal", most, size, goal=1)


@bench("llm.overhead")
def overhead() -> Iterator[Figure]:
    """Seconds of the calls with 1, 50 and 500 in flight, and processor time of a call."""
    with ledger_and_server() as (environment, port):
        for in_flight, calls in CALLS[run_size()].items():
            yield from measure_overhead(environment, port, in_flight, calls)


@bench("llm.two_workers")
def two_workers() -> Iterator[Figure]:
    """Two processes share one limit: seconds beside one bare loop, and most in flight."""
    shared = SHARED[run_size()]
    calls = 5 * shared
    with ledger_and_server() as (environment, port):
        peer = result_of(start(environment, "bare", port, shared, 2 * calls, "bare"))
        httpx.get(f"http://127.0.0.1:{port}/most-in-flight")
        processes = [
            start(environment, "client", port, shared, calls, f"bench:{number}")
            for number in range(2)
        ]
        ours, bare = max(result_of(one)["seconds"] for one in processes), peer["seconds"]
        most = httpx.get(f"http://127.0.0.1:{port}/most-in-flight").json()
        size, name = f"{shared} in flight, {2 * calls} calls", "llm.two_workers"
        yield Figure(name, ours, "s", "lower", PEER, bare, size, goal=MOST_TIMES)
        name = f"{name}.most_in_flight"
        yield Figure(name, most, "calls", "lower", "limit", shared, size, goal=1)
