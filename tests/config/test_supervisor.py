"""How soon a dead part starts again, and what a port that cannot be had is called."""

import errno
import os
import socket
import subprocess
import sys

import pytest

from backend.config import listen_socket
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.process import ChildProcess, spawn
from backend.config.supervisor import (
    MAX_RESTART_DELAY_S,
    STEADY_UPTIME_S,
    SupervisedProcess,
    Supervisor,
)


def never() -> ChildProcess:
    raise AssertionError("nothing is to be started here")


def test_the_first_death_is_forgiven_at_once_and_later_ones_wait_longer() -> None:
    part = SupervisedProcess("web", never)
    delays = [part.record_failure(now=1.0) for _ in range(8)]
    assert delays[0] == 0
    assert delays[1:4] == [2.0, 4.0, 8.0]
    assert delays == sorted(delays)
    assert delays[-1] == MAX_RESTART_DELAY_S


def test_a_part_that_lived_long_has_no_history() -> None:
    part = SupervisedProcess("web", never)
    for _ in range(5):
        part.record_failure(now=1.0)
    assert part.record_failure(now=STEADY_UPTIME_S + 1.0) == 0


@pytest.mark.parametrize("status", [0, 3])
def test_a_part_that_runs_once_is_not_started_again(status: int) -> None:
    started: list[ChildProcess] = []

    def start() -> ChildProcess:
        started.append(spawn("once", [sys.executable, "-c", f"raise SystemExit({status})"]))
        return started[-1]

    supervisor = Supervisor(None)
    supervisor.add("once", start, runs_once=True)
    started[0].process.wait()
    supervisor.restart_ended()
    supervisor.restart_ended()
    assert len(started) == 1
    assert supervisor.processes == []


def test_a_taken_port_names_the_next_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ServiceError, match=f"Port {port} on 127.0.0.1 is taken.*PORT={port + 1}"
        ):
            listen_socket.listen("127.0.0.1", port)


def test_a_port_for_root_only_and_a_foreign_address_are_said_plainly() -> None:
    forbidden = OSError(errno.EACCES, "Permission denied")
    assert "above 1023" in listen_socket.describe_bind_error(forbidden, "127.0.0.1", 80)
    with pytest.raises(ServiceError, match="is not an address of this machine"):
        listen_socket.listen("192.0.2.7", 0)


def test_an_ipv6_address_is_bracketed_where_an_address_is_shown() -> None:
    assert listen_socket.public_url("::1", 8000) == "http://[::1]:8000"
    assert "[::1]" in listen_socket.reachable_names("::1")


def test_a_server_for_all_addresses_is_reachable_by_the_machines_names() -> None:
    names = listen_socket.reachable_names("0.0.0.0")  # noqa: S104  nothing is bound
    assert {"localhost", "127.0.0.1", socket.gethostname()} <= set(names)
    assert "*" not in names


def test_a_pool_process_that_begins_after_its_worker_was_killed_ends_at_once() -> None:
    """The kernel sends no signal for a parent that had ended before it was requested."""
    program = """
import os, time, django
from celery.signals import worker_init, worker_process_init
import backend.config.celery

django.setup()
worker_init.send(sender=None)
worker_process_init.send(sender=None)  # as a solo pool does, which is the worker
worker = os.getpid()
if os.fork() == 0:
    while os.getppid() == worker:
        time.sleep(0.01)
    worker_process_init.send(sender=None)
    print("It goes on.", flush=True)
os._exit(0)
"""
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
    )
    assert (ended.stdout, ended.stderr) == ("", "")
