"""Weight, requests, first paint and layout shift of every public page, beside the goals.

Weight and shift are asserted; times depend on the machine and are printed alone.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from playwright.sync_api import CDPSession, Page, ViewportSize

from tests.e2e.browser_helpers import DESKTOP, PHONE, BrowserProfiles, wait_until_loaded

MAX_SCRIPTS_KB = 250
# The drawing of a graph comes after its words, in a part of its own.
DRAWING_KB = 150
MAX_SHIFT = 0.05
FIRST_PAINT_GOAL_S = 0.3
FAST_3G_GOAL_S = 1.0
# As Chrome's developer tools have it; each request waits for the latency.
FAST_3G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
GRAPH = "/explore/drug-repurposing-demo"
SILDENAFIL, RIOCIGUAT = "DRUGBANK:DB00203", "DRUGBANK:DB08931"
PAGES = (
    "/",
    "/practice",
    "/sign-in",
    "/leaderboard",
    "/leaderboard/truthhypo",
    "/models",
    "/releases",
    "/releases/demo-hypotheses",
    "/workbench",
    "question",
    GRAPH,
    f"{GRAPH}?q=sild",
    f"{GRAPH}/e/{SILDENAFIL}",
    f"{GRAPH}/canvas?focus={SILDENAFIL}",
    f"{GRAPH}/paths?from={SILDENAFIL}&to={RIOCIGUAT}",
    f"{GRAPH}/compare?id={SILDENAFIL}&id={RIOCIGUAT}",
    f"{GRAPH}/rns",
    "/no-such-page",
)
WITH_DRAWING = ("/e/", "/canvas")
OBSERVE_SHIFTS = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  const shifts = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
  for (const { value } of shifts) window.layoutShift += value;
}).observe({ type: "layout-shift", buffered: true });
"""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"

AWAIT_FIRST_PAINT = """
new Promise((resolve) => new PerformanceObserver((list) => {
  const [paint] = list.getEntriesByName("first-contentful-paint");
  if (paint) resolve(paint.startTime);
}).observe({ type: "paint", buffered: true }))
"""


@dataclass
class Transfer:
    """What one visit transferred, in bytes as compressed by the server."""

    scripts: int = 0
    total: int = 0
    requests: int = 0
    _kinds: dict[str, str] = field(default_factory=dict)

    def observe(self, session: CDPSession) -> None:
        session.send("Network.enable")
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.loadingFinished", self._on_finished)

    def _on_response(self, event: dict[str, Any]) -> None:
        self._kinds[event["requestId"]] = event["type"]

    def _on_finished(self, event: dict[str, Any]) -> None:
        size = int(event["encodedDataLength"])
        self.requests += 1
        self.total += size
        if self._kinds.get(event["requestId"]) == "Script":
            self.scripts += size


@dataclass(frozen=True)
class Visit:
    transfer: Transfer
    first_paint_s: float
    shift: float


def visit(page: Page, path: str) -> Visit:
    session = page.context.new_cdp_session(page)
    transfer = Transfer()
    transfer.observe(session)
    page.goto(path)
    wait_until_loaded(page)
    page.wait_for_load_state("networkidle")
    result = Visit(
        transfer, page.evaluate(FIRST_PAINT) / 1000, float(page.evaluate("window.layoutShift"))
    )
    session.detach()
    return result


def first_question(address: str) -> str:
    sets = f"{address}/api/v1/question-sets"
    (question_set, *_) = httpx.get(sets).raise_for_status().json()["results"]
    questions = httpx.get(f"{sets}/{question_set['id']}/questions").raise_for_status()
    return f"/workbench/{questions.json()['results'][0]['id']}"


def measure(profiles: BrowserProfiles, path: str, size: ViewportSize) -> tuple[Visit, Visit]:
    """The first visit, and a second one with the browser's cache."""
    profile = profiles.new_profile(size=size)
    profile.add_init_script(OBSERVE_SHIFTS)
    page = profile.new_page()
    cold, warm = visit(page, path), visit(page, path)
    profile.close()
    profiles.profiles.remove(profile)
    return cold, warm


def first_paint_on_3g(profiles: BrowserProfiles, path: str) -> float:
    """In seconds, of a first visit; what comes after the paint is not waited for."""
    profile = profiles.new_profile(size=PHONE)
    page = profile.new_page()
    session = profile.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", FAST_3G)
    page.goto(path, wait_until="commit")
    result: float = page.evaluate(AWAIT_FIRST_PAINT) / 1000
    profile.close()
    profiles.profiles.remove(profile)
    return result


def table_row(
    path: str, desktop: tuple[Visit, Visit], phone: tuple[Visit, Visit], on_3g: float
) -> str:
    cold, warm = desktop
    return (
        f"{path[:58]:58} {cold.transfer.scripts / 1000:7.0f} {cold.transfer.total / 1000:7.0f} "
        f"{cold.transfer.requests:5} {cold.first_paint_s:6.2f} {warm.first_paint_s:6.2f} "
        f"{on_3g:6.2f} {max_shift(desktop):7.3f} {max_shift(phone):7.3f}"
    )


def max_shift(visits: tuple[Visit, Visit]) -> float:
    return max(one.shift for one in visits)


def find_faults(path: str, desktop: tuple[Visit, Visit], phone: tuple[Visit, Visit]) -> list[str]:
    scripts = desktop[0].transfer.scripts / 1000
    has_drawing = any(part in path for part in WITH_DRAWING)
    faults = []
    if scripts > MAX_SCRIPTS_KB + DRAWING_KB * has_drawing:
        faults.append(f"{path}: {scripts:.0f} kB of scripts")
    for width, visits in (("wide", desktop), ("phone", phone)):
        if (shift := max_shift(visits)) > MAX_SHIFT:
            faults.append(f"{path}, {width}: shift {shift:.3f}")
    return faults


@pytest.fixture(scope="module")
def rows(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """The table that is printed after the last page."""
    result = [
        f"{'':58} {'scripts':>7} {'all':>7} {'req.':>5} {'first paint':>20} {'shift':>15}",
        f"{'':58} {'kB':>7} {'kB':>7} {'':5} {'cold s':>6} {'warm s':>6} {'3G s':>6} "
        f"{'wide':>7} {'phone':>7}",
        f"{'goals':58} {MAX_SCRIPTS_KB:7} {'':7} {'':5} {'':6} {FIRST_PAINT_GOAL_S:6} "
        f"{FAST_3G_GOAL_S:6} {MAX_SHIFT:7} {MAX_SHIFT:7}",
    ]
    yield result
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        sys.stdout.write("\n" + "\n".join(result) + "\n")


@pytest.mark.parametrize("name", PAGES)
def test_a_public_page_is_light_and_stands_still(
    profiles: BrowserProfiles, rows: list[str], name: str
) -> None:
    path = first_question(profiles.address) if name == "question" else name
    desktop, phone = measure(profiles, path, DESKTOP), measure(profiles, path, PHONE)
    rows.append(table_row(name, desktop, phone, first_paint_on_3g(profiles, path)))
    faults = find_faults(name, desktop, phone)
    assert not faults, "\n".join(faults)
