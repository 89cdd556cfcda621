"""Calls to a model beside a bare aiohttp loop on the same server, which answers after 500 ms."""

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
from tests.bench.figures import ROOT, Figure, bench

PEER = "bare aiohttp loop"
DELAY_S = 0.5
# In flight: calls. Half of the time is waiting for the server's 500 ms in any case.
CALLS = {1: 6, 50: 250, 500: 2_000}
SHARED = 100


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


@bench("llm.overhead")
def overhead() -> Iterator[Figure]:
    """Seconds a call at 1, 50 and 500 in flight, and processor time of a call."""
    with ledger_and_server() as (environment, port):
        for in_flight, calls in CALLS.items():
            words = (port, in_flight, calls)
            peer = result_of(start(environment, "bare", *words, "bare"))
            mine = result_of(start(environment, "client", *words, f"bench:{in_flight}"))
            size = f"{in_flight} in flight, {calls} calls"
            name = f"llm.overhead.{in_flight}"
            yield Figure(name, mine["seconds"], "s", "lower", PEER, peer["seconds"], size=size)
            cpu, theirs = (1000 * one["cpu"] / calls for one in (mine, peer))
            yield Figure(f"{name}.cpu", cpu, "ms a call", "lower", PEER, theirs, size=size)


@bench("llm.two_workers")
def two_workers() -> Iterator[Figure]:
    """Two processes share a limit of 100: seconds beside one bare loop, and most in flight."""
    calls = 5 * SHARED
    with ledger_and_server() as (environment, port):
        peer = result_of(start(environment, "bare", port, SHARED, 2 * calls, "bare"))
        httpx.get(f"http://127.0.0.1:{port}/most-in-flight")
        processes = [
            start(environment, "client", port, SHARED, calls, f"bench:{number}")
            for number in range(2)
        ]
        slowest = max(result_of(one)["seconds"] for one in processes)
        most = httpx.get(f"http://127.0.0.1:{port}/most-in-flight").json()
        size = f"{SHARED} in flight, {2 * calls} calls"
        yield Figure("llm.two_workers", slowest, "s", "lower", PEER, peer["seconds"], size=size)
        yield Figure(
            "llm.two_workers.most_in_flight", most, "calls", "lower", "limit", SHARED, size=size
        )
