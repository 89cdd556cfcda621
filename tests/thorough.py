"""Tests that `make test` leaves out and `make test THOROUGH=1` runs, which a release needs.

A test is marked `thorough` where it takes long and each part of what it checks is also checked by
a quicker one: at full size, at each of many moments, on the second of two screen sizes. Tests that
are named run in any case. How many were left out is printed at the end.
"""

import os
from typing import Any

import pytest

IS_THOROUGH = os.environ.get("THOROUGH", "") not in ("", "0")
LEFT_OUT = pytest.StashKey[int]()
thorough = pytest.mark.thorough


def pytest_configure(config: pytest.Config) -> None:
    line = "thorough: takes long; run by 'make test THOROUGH=1' or where it is named"
    config.addinivalue_line("markers", line)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if IS_THOROUGH or any("::" in argument for argument in config.args):
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    if not left_out:
        return
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=left_out)
    config.stash[LEFT_OUT] = len(left_out)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist passes its number on; all workers have collected the same tests."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if number := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(
            f"{number} thorough tests were left out; 'make test THOROUGH=1' runs them."
        )
