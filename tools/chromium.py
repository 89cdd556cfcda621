"""Chromium for the journeys: an installed one, Debian's, or Playwright's.

The headless shell is preferred: it opens a page with a third of the processor time of the browser
with windows, and installs in seconds.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

Search = Callable[[], str | None]
HEADLESS_SHELL = "chromium-headless-shell"
EXECUTABLE_NAMES = (
    HEADLESS_SHELL,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
INSTALL_HINT = (
    "The journeys need a Chromium, and none is installed, Debian's cannot be installed by this "
    "account and Playwright's cannot be downloaded. Install Chromium, or name it: CHROMIUM=/path."
)


class ChromiumNotFound(Exception):
    """Chromium is missing and cannot be installed; the text has what to do."""


def find_chromium(searches: Sequence[Search] = ()) -> dict[str, str]:
    """CHROMIUM for the environment of the journeys; installs it if possible."""
    for search in searches or (installed_chromium, debian_chromium, playwright_chromium):
        if path := search():
            return {"CHROMIUM": path}
    raise ChromiumNotFound(INSTALL_HINT)


def installed_chromium() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for name in EXECUTABLE_NAMES if (path := shutil.which(name))), None)


def playwright_chromium() -> str | None:
    """Playwright's Chromium, installed if necessary."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = play.chromium.executable_path
    if not Path(path).exists():
        _run_silently(["playwright", "install", "chromium"], 600)
    return path if Path(path).exists() else None


def debian_chromium() -> str | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    _run_silently(["apt-get", "update", "-qq"], 300)
    for package in (HEADLESS_SHELL, "chromium"):  # older releases have the second alone
        _run_silently(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], 900)
        if path := shutil.which(package):
            return path
    return None


def _run_silently(command: list[str], seconds: float) -> None:
    """Run a command and ignore its result; the caller checks what it installed."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, env=environment, capture_output=True, timeout=seconds, check=False)
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return
