"""The supervisor with real servers: what dies, what stays, what comes back."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from backend.config.embedded.model_server import is_installed
from backend.config.embedded.process import command_line, start_time
from backend.config.processes import (
    LONG_CONCURRENCY,
    MODELS_CONCURRENCY,
    QUICK_CONCURRENCY,
    STUDIES_CONCURRENCY,
)
from tests.e2e.stack import ROOT, Stack
from tests.local_model import needs_model
from tests.prepared_data import copy_data
from tests.thorough import thorough

# The pool of each worker; the first has the schedule beside it.
POOLS = {
    "worker": QUICK_CONCURRENCY + 1,
    "studies worker": STUDIES_CONCURRENCY,
    "long worker": LONG_CONCURRENCY,
    "models worker": MODELS_CONCURRENCY,
}
# With the optional local model, where it is installed.
MODEL = {"MODEL": "local"} if is_installed() else {}


@pytest.fixture(scope="module")
def shared_stack(tmp_path_factory: pytest.TempPathFactory, prepared_data: Path) -> Iterator[Stack]:
    stack = Stack(tmp_path_factory.mktemp("supervisor") / "data", **MODEL)
    copy_data(prepared_data, stack.data)
    yield stack
    stack.close()


@pytest.fixture
def stack(shared_stack: Stack) -> Stack:
    """One that runs."""
    if shared_stack.process is None or shared_stack.process.poll() is not None:
        shared_stack.start()
    return shared_stack


def family(stack: Stack) -> dict[int, str]:
    """Every process below the supervisor, with when it began, once the worker has its pool."""
    assert stack.process is not None
    for name, size in POOLS.items():
        assert eventually(lambda: len(children_of(stack.pid(name))) == size), stack.output()  # noqa: B023  called at once
    result, expected = {}, [stack.process.pid]
    while expected:
        pid = expected.pop()
        result[pid] = start_time(pid) or ""
        expected += children_of(pid)
    return result


def children_of(pid: int) -> list[int]:
    return [
        int(line.split()[0])
        for line in subprocess.check_output(
            ["ps", "-e", "-o", "pid=,ppid="], text=True
        ).splitlines()
        if int(line.split()[1]) == pid
    ]


def survivors_of(family: dict[int, str]) -> list[str]:
    return [command_line(pid) for pid, born in family.items() if start_time(pid) == born]


def processes_using(folder: Path) -> list[str]:
    """Command lines that name a folder."""
    pids = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    return [words for words in map(command_line, pids) if str(folder) in words]


def eventually(condition: Callable[[], bool], seconds: float = 90.0) -> bool:
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.1)
    return True


@pytest.mark.parametrize(
    "sig",
    [
        pytest.param(signal.SIGINT, marks=thorough),
        pytest.param(signal.SIGTERM, marks=thorough),
        signal.SIGKILL,
    ],
)
def test_nothing_outlives_the_supervisor_and_the_next_start_has_the_data(
    stack: Stack, sig: signal.Signals
) -> None:
    processes = family(stack)
    assert len(processes) >= 8
    with psycopg.connect(stack.state()["database_url"]) as database:
        database.execute("DROP TABLE IF EXISTS stored")
        database.execute("CREATE TABLE stored AS SELECT %s::int AS number", [int(sig)])
    status = stack.stop(sig)
    assert status == (0 if sig != signal.SIGKILL else -signal.SIGKILL), stack.output()
    assert eventually(lambda: not survivors_of(processes)), survivors_of(processes)
    stack.start()
    with psycopg.connect(stack.state()["database_url"]) as database:
        assert database.execute("SELECT number FROM stored").fetchall() == [(int(sig),)]


def test_a_killed_part_is_started_again_and_reported(stack: Stack) -> None:
    parts = ("web", *POOLS, "PostgreSQL", "Valkey", *(["model"] if MODEL else []))
    before = {name: stack.pid(name) for name in parts}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: all(stack.pid(name) != pid for name, pid in before.items()))
    stack.wait_until_served()
    assert "The web ended (signal 9); it starts again now." in stack.output()
    assert "PostgreSQL ended and was started again." in stack.output()


@needs_model
def test_the_local_model_is_an_endpoint_and_its_first_answer_is_reported(stack: Stack) -> None:
    reported = "Local model: first answer after .* a 135-million-parameter model"
    assert eventually(lambda: bool(re.search(reported, stack.log.read_text())), 300.0)
    with psycopg.connect(stack.state()["database_url"]) as database:
        query = "SELECT price_in, price_out, is_private, base_url FROM llm_endpoint"
        [(price_in, price_out, is_private, url)] = database.execute(query).fetchall()
    assert (price_in, price_out, is_private) == (0, 0, True)
    assert url == f"http://127.0.0.1:{(stack.data / 'model_port').read_text()}/v1"
    assert "is served at" in (stack.data / "log" / "model.log").read_text()


@thorough
def test_two_run_side_by_side(stack: Stack, prepared_data: Path, tmp_path: Path) -> None:
    other = Stack(tmp_path / "other")
    copy_data(prepared_data, other.data)
    try:
        other.start()
        assert stack.is_healthy()
        assert stack.state()["database_url"] != other.state()["database_url"]
    finally:
        other.close()
    assert stack.is_healthy()


def test_a_second_start_on_the_same_data_names_the_first(stack: Stack) -> None:
    second = Stack(stack.data)
    with pytest.raises(RuntimeError, match=f"already runs on .*process .*, {stack.url}"):
        second.start()
    assert stack.is_healthy()


def test_a_taken_port_is_one_sentence_that_names_the_way_out(stack: Stack) -> None:
    second = Stack(stack.data.with_name("second"))
    second.environment["PORT"] = str(stack.port)
    with pytest.raises(RuntimeError, match=f"Port {stack.port} on 127.0.0.1 is taken"):
        second.start()
    assert "Traceback" not in second.output()
    assert processes_using(second.data) == []


def test_a_command_shares_the_servers_of_a_running_one(stack: Stack) -> None:
    shared = stack.manage(
        "shell", "-v0", "-c", "from django.conf import settings as s; print(s.DATABASE_URL)"
    )
    assert shared.strip() == stack.state()["database_url"]
    assert stack.is_healthy()


@thorough
def test_a_command_alone_starts_the_servers_for_its_own_duration(tmp_path: Path) -> None:
    alone = Stack(tmp_path / "data")
    code = "from backend.accounts.models import User; print(User.objects.count())"
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    printed = subprocess.check_output(command, cwd=ROOT, env=alone.environment, text=True)
    assert printed.strip() == "0"
    assert processes_using(alone.data) == []
