"""A Chromium for the journeys: an installed one, else Playwright's, else Debian's."""

import os
import shutil
import subprocess
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NEEDED = (
    "The journeys need a Chromium, and none is installed, Playwright's cannot be downloaded and "
    "Debian's cannot be installed by this account. Install Chromium, or name it: CHROMIUM=/path."
)


class NoBrowser(Exception):
    """No Chromium is here and none can be had; the text says what to do."""


def find_chromium() -> dict[str, str]:
    """CHROMIUM for the journeys' environment, installed first where that is possible."""
    found = installed() or playwrights() or debians()
    if found is None:
        raise NoBrowser(NEEDED)
    return {"CHROMIUM": found}


def installed() -> str | None:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def playwrights() -> str | None:
    """The one that Playwright brought, or brings now."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        path = play.chromium.executable_path
    if not Path(path).exists():
        _quietly(["playwright", "install", "chromium"], 600)
    return path if Path(path).exists() else None


def debians() -> str | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    _quietly(["apt-get", "update", "-qq"], 300)
    _quietly(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], 900)
    return shutil.which("chromium")


def _quietly(command: list[str], seconds: float) -> None:
    """Try it; whether it worked shows in what is there afterwards."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, env=environment, capture_output=True, timeout=seconds, check=False)
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return
