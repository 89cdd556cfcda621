"""How soon a dead part starts again, and what a port that cannot be had is called."""

import errno
import socket
import sys

import pytest

from backend.config import listener
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.process import Child, spawn
from backend.config.supervisor import LONGEST_DELAY, STEADY, Part, Supervisor


def never() -> Child:
    raise AssertionError("nothing is to be started here")


def test_the_first_death_is_forgiven_at_once_and_later_ones_wait_longer() -> None:
    part = Part("web", never)
    delays = [part.fail(now=1.0) for _ in range(8)]
    assert delays[0] == 0
    assert delays[1:4] == [2.0, 4.0, 8.0]
    assert delays == sorted(delays)
    assert delays[-1] == LONGEST_DELAY


def test_a_part_that_lived_long_has_no_history() -> None:
    part = Part("web", never)
    for _ in range(5):
        part.fail(now=1.0)
    assert part.fail(now=STEADY + 1.0) == 0


@pytest.mark.parametrize("status", [0, 3])
def test_a_part_that_runs_once_is_not_started_again(status: int) -> None:
    started: list[Child] = []

    def start() -> Child:
        started.append(spawn("once", [sys.executable, "-c", f"raise SystemExit({status})"]))
        return started[-1]

    supervisor = Supervisor(None)
    supervisor.add("once", start, once=True)
    started[0].process.wait()
    supervisor.look()
    supervisor.look()
    assert len(started) == 1
    assert supervisor.parts == []


def test_a_taken_port_names_the_next_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ServiceError, match=f"Port {port} on 127.0.0.1 is taken.*PORT={port + 1}"
        ):
            listener.listen("127.0.0.1", port)


def test_a_port_for_root_only_and_a_foreign_address_are_said_plainly() -> None:
    forbidden = OSError(errno.EACCES, "Permission denied")
    assert "above 1023" in listener.refusal(forbidden, "127.0.0.1", 80)
    with pytest.raises(ServiceError, match="is not an address of this machine"):
        listener.listen("192.0.2.7", 0)


def test_an_ipv6_address_is_bracketed_where_an_address_is_shown() -> None:
    assert listener.address_for_people("::1", 8000) == "http://[::1]:8000"
    assert "[::1]" in listener.reachable_names("::1")


def test_a_server_for_all_addresses_is_reachable_by_the_machines_names() -> None:
    names = listener.reachable_names("0.0.0.0")  # noqa: S104  nothing is bound
    assert {"localhost", "127.0.0.1", socket.gethostname()} <= set(names)
    assert "*" not in names
