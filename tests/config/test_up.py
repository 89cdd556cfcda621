"""The supervisor with real servers: what dies, what stays, what comes back."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from backend.config.embedded.process import birth, command_of
from tests.e2e.stack import Stack


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    stack = Stack(tmp_path / "data")
    yield stack
    stack.leave()


def family(stack: Stack) -> dict[int, str]:
    """Every process below the supervisor, with when it began, once the worker has its pool."""
    assert stack.process is not None
    assert eventually(lambda: len(children_of(stack.pid("worker"))) == 3), stack.output()
    found, wanted = {}, [stack.process.pid]
    while wanted:
        pid = wanted.pop()
        found[pid] = birth(pid) or ""
        wanted += children_of(pid)
    return found


def children_of(pid: int) -> list[int]:
    return [
        int(line.split()[0])
        for line in subprocess.check_output(
            ["ps", "-e", "-o", "pid=,ppid="], text=True
        ).splitlines()
        if int(line.split()[1]) == pid
    ]


def left_of(family: dict[int, str]) -> list[str]:
    return [command_of(pid) for pid, born in family.items() if birth(pid) == born]


def using(folder: Path) -> list[str]:
    """Command lines that name a folder."""
    pids = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    return [words for words in map(command_of, pids) if str(folder) in words]


def eventually(condition: Callable[[], bool], seconds: float = 90.0) -> bool:
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.1)
    return True


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_outlives_the_supervisor_and_the_next_start_finds_what_was_kept(
    stack: Stack, sig: signal.Signals
) -> None:
    stack.start()
    processes = family(stack)
    assert len(processes) >= 8
    with psycopg.connect(stack.state()["database_url"]) as database:
        database.execute("CREATE TABLE kept AS SELECT 42 AS number")
    status = stack.stop(sig)
    assert status == (0 if sig != signal.SIGKILL else -signal.SIGKILL), stack.output()
    assert eventually(lambda: not left_of(processes)), left_of(processes)
    stack.start()
    with psycopg.connect(stack.state()["database_url"]) as database:
        assert database.execute("SELECT number FROM kept").fetchall() == [(42,)]


def test_a_killed_part_is_started_again_and_said(stack: Stack) -> None:
    stack.start()
    before = {name: stack.pid(name) for name in ("web", "worker", "PostgreSQL", "Valkey")}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: all(stack.pid(name) != pid for name, pid in before.items()))
    stack.wait_until_served()
    assert "The web ended (signal 9); it starts again now." in stack.output()
    assert "PostgreSQL ended and was started again." in stack.output()


def test_two_run_side_by_side(stack: Stack, tmp_path: Path) -> None:
    other = Stack(tmp_path / "other")
    try:
        stack.start()
        other.start()
        assert stack.serves()
        assert stack.state()["database_url"] != other.state()["database_url"]
    finally:
        other.leave()
    assert stack.serves()


def test_a_second_start_on_the_same_data_names_the_first(stack: Stack) -> None:
    stack.start()
    second = Stack(stack.data)
    second.log.unlink()
    with pytest.raises(RuntimeError, match=f"already runs on .*process .*, {stack.url}"):
        second.start()
    assert stack.serves()


def test_a_taken_port_is_one_sentence_that_names_the_way_out(stack: Stack) -> None:
    stack.start()
    second = Stack(stack.data.with_name("second"))
    second.environment["PORT"] = str(stack.port)
    with pytest.raises(RuntimeError, match=f"Port {stack.port} on 127.0.0.1 is taken"):
        second.start()
    assert "Traceback" not in second.output()
    assert using(second.data) == []


def test_a_command_shares_the_servers_of_a_running_one(stack: Stack) -> None:
    stack.start()
    shared = stack.manage(
        "shell", "-v0", "-c", "from django.conf import settings as s; print(s.DATABASE_URL)"
    )
    assert shared.strip() == stack.state()["database_url"]
    assert stack.serves()


def test_a_command_alone_starts_the_servers_for_its_own_duration(stack: Stack) -> None:
    code = "from backend.accounts.models import User; print(User.objects.count())"
    assert stack.manage("shell", "-v0", "-c", code).strip() == "0"
    assert using(stack.data) == []
