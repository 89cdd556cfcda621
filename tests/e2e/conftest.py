"""Fixtures of the journeys: one complete Serendib, one Chromium per process.

With pytest-xdist the controller starts one stack that all workers share, and another for the
tests marked `disrupts`, which kill or pause a process of it: one at a time, beside the others.
"""

import fcntl
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.client.installed_client import InstalledClient, install_client
from tests.e2e.browser_helpers import TIMEOUT_MS, BrowserProfiles
from tests.e2e.page_table import page_table
from tests.e2e.stack import Stack
from tests.prepared_data import copy_data, find_prepared_data, named_run_folder
from tools.chromium import find_chromium
from tools.client_wheel import build_wheel

DISABLED_FEATURES = (
    # Each loads a page of its own in every window, for an address bar that is not shown.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # One site is open at a time: its first page need not start another process.
    "IsolateOrigins",
    "site-per-process",
    # Playwright's own: only the last list that Chromium is given counts.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
pytest_plugins = ["tests.thorough"]
SHARED_STACKS = pytest.StashKey[dict[str, Stack]]()
PLUGINS = {"SERENDIB_PLUGINS": "tests.plugins"}
"""The dummy study kind is served too."""


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Runs in the controller before each worker starts: the first call starts the stacks."""
    stash: pytest.Stash = node.config.stash
    if SHARED_STACKS not in stash:
        stacks = stash[SHARED_STACKS] = {
            name: Stack(None, **PLUGINS) for name in ("served", "disrupted")
        }
        for stack in stacks.values():
            copy_prepared_data(stack)
        stacks["served"].start()
        stacks["disrupted"].launch()
    node.workerinput["stacks"] = {
        name: {"data": str(stack.data), "port": stack.port}
        for name, stack in stash[SHARED_STACKS].items()
    }


def copy_prepared_data(stack: Stack) -> None:
    """Where an earlier step of the run has made them. Without one, a stack starts on nothing."""
    folder = named_run_folder()
    prepared = find_prepared_data(folder) if folder else None
    if prepared:
        copy_data(prepared, stack.data)


def pytest_unconfigure(config: pytest.Config) -> None:
    for stack in config.stash.get(SHARED_STACKS, {}).values():
        stack.close()


def shared_stack(config: pytest.Config, name: str) -> Stack | None:
    """A stack of the controller, in a worker of xdist."""
    address = getattr(config, "workerinput", {}).get("stacks", {}).get(name)
    return Stack(Path(address["data"]), PORT=str(address["port"]), **PLUGINS) if address else None


def is_disruptive(node: pytest.Item) -> bool:
    return node.get_closest_marker("disrupts") is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    stack = shared_stack(item.config, "disrupted") if is_disruptive(item) else None
    if stack is None:
        return (yield)
    with (stack.data / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The summary of a failure names the line of the journey and the jobs that were under way."""
    report = yield
    crash = getattr(report.longrepr, "reprcrash", None)
    if call.excinfo is not None and report.failed and crash is not None:
        lines = [f"{Path(one.path).name}:{one.lineno + 1}" for one in call.excinfo.traceback]
        place = next((one for one in reversed(lines) if one.startswith("test_")), "")
        fixtures = getattr(item, "funcargs", {})
        stack = fixtures.get("stack") or fixtures.get("served")
        jobs = stack.list_active_jobs() if isinstance(stack, Stack) else "unknown"
        first, _, others = crash.message.partition("\n")
        crash.message = f"{place}: {first} [jobs: {jobs}]\n{others}"
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = [
        report
        for outcome in ("rerun", "failed", "passed")
        for report in terminalreporter.stats.get(outcome, ())
        if isinstance(report, pytest.TestReport)
    ]
    if table := page_table(reports):
        terminalreporter.section("Pages")
        terminalreporter.write("\n".join(table) + "\n")
    for report in terminalreporter.stats.get("rerun", ()):
        crash = getattr(report.longrepr, "reprcrash", None)
        message = crash.message.partition("\n")[0] if crash else report.longreprtext[-200:]
        # The second try can fail at what the first one has made.
        terminalreporter.write(f"FIRST TRY tests/e2e/{report.nodeid} - {message}\n")


@pytest.fixture(scope="session")
def served(request: pytest.FixtureRequest) -> Iterator[Stack]:
    """Server, workers, PostgreSQL and Valkey as `make run` starts them, with the demo."""
    stack = shared_stack(request.config, "served")
    if stack is not None:
        yield stack
        return
    with Stack(None, **PLUGINS) as own:
        yield own


@pytest.fixture(scope="session")
def disrupted(request: pytest.FixtureRequest, served: Stack) -> Stack:
    """A stack like `served` that only tests marked `disrupts` use; in a single process the same."""
    stack = shared_stack(request.config, "disrupted")
    if stack is None:
        return served
    stack.wait_until_served(600.0)
    return stack


@pytest.fixture
def stack(request: pytest.FixtureRequest, served: Stack) -> Stack:
    """The stack that this test may use."""
    if not is_disruptive(request.node):
        return served
    disrupted: Stack = request.getfixturevalue("disrupted")
    return disrupted


@pytest.fixture(scope="session")
def installed_client(tmp_path_factory: pytest.TempPathFactory) -> InstalledClient:
    """The command of researchers, from its wheel and with nothing that it does not declare."""
    folder = tmp_path_factory.mktemp("client")
    client = install_client(build_wheel(folder), folder / "venv")
    client.add_extra("parquet")
    return client


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or find_chromium()["CHROMIUM"]
    flags = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    features = f"--disable-features={','.join(DISABLED_FEATURES)}"
    isolation = "--disable-site-isolation-trials"
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=path, args=[*flags, *quiet, isolation, features]
        )
        yield browser
        browser.close()


@pytest.fixture
def profiles(stack: Stack, chromium: Browser) -> Iterator[BrowserProfiles]:
    """Opens pages of the running server; each person has a browser profile of their own."""
    opened = BrowserProfiles(stack.url, chromium)
    yield opened
    opened.close()
