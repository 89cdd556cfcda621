"""The journeys: one complete Serendib for all of them, one Chromium, and people who use it."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from backend.config.browser import find_chromium
from tests.e2e.browsing import PATIENCE, Visits
from tests.e2e.stack import Stack


@pytest.fixture(scope="session")
def served() -> Iterator[Stack]:
    """Server, worker, PostgreSQL and Valkey as 'make run' starts them, with the demo."""
    with Stack() as stack:
        yield stack


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or find_chromium()["CHROMIUM"]
    flags = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=[*flags, *quiet])
        yield browser
        browser.close()


@pytest.fixture
def visits(served: Stack, chromium: Browser) -> Iterator[Visits]:
    """Opens pages at the running server; each person has a browser profile of her own."""
    visiting = Visits(served.url, chromium)
    yield visiting
    visiting.end()
