"""What a visit of a page transfers, when it first paints and how far it shifts."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, ViewportSize

from tests.e2e.browser_helpers import PHONE, BrowserProfiles, wait_until_loaded

# As Chrome's developer tools have it; each request waits for the latency.
FAST_3G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
OBSERVE_SHIFTS = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  const shifts = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
  for (const { value } of shifts) window.layoutShift += value;
}).observe({ type: "layout-shift", buffered: true });
"""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


@dataclass
class Transfer:
    """What one visit transferred, in bytes as compressed by the server.

    Scripts are counted without the headers of their answers, which differ between servers, and
    which HTTP/2 compresses.
    """

    scripts: int = 0
    total: int = 0
    requests: int = 0
    _script_headers: dict[str, int] = field(default_factory=dict)

    def observe(self, session: CDPSession) -> None:
        session.send("Network.enable")
        session.on("Network.responseReceived", self._on_response)
        session.on("Network.loadingFinished", self._on_finished)

    def _on_response(self, event: dict[str, Any]) -> None:
        if event["type"] == "Script":
            headers = int(event["response"]["encodedDataLength"])
            self._script_headers[event["requestId"]] = headers

    def _on_finished(self, event: dict[str, Any]) -> None:
        size = int(event["encodedDataLength"])
        self.requests += 1
        self.total += size
        headers = self._script_headers.get(event["requestId"])
        if headers is not None:
            self.scripts += max(size - headers, 0)


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


@contextmanager
def cold_profile(
    profiles: BrowserProfiles, who: str, size: ViewportSize
) -> Iterator[BrowserContext]:
    """Nothing is in its cache; `who` is signed in, or nobody."""
    profile = profiles.sign_in_profile(who, size=size) if who else profiles.new_profile(size=size)
    profile.add_init_script(OBSERVE_SHIFTS)
    yield profile
    profile.close()
    profiles.profiles.remove(profile)


def visit_cold_and_warm(
    profiles: BrowserProfiles,
    path: str,
    who: str,
    sizes: Iterable[ViewportSize],
    inspect: Callable[[Page], None],
) -> list[Visit]:
    """A first visit at the first size, and one at each further size with the browser's cache.

    The page is inspected after it was measured.
    """
    first, *others = sizes
    with cold_profile(profiles, who, first) as profile:
        page = profile.new_page()
        result = [visit(page, path)]
        for size in others:
            page.set_viewport_size(size)
            result.append(visit(page, path))
        inspect(page)
    return result


def visit_on_3g(profiles: BrowserProfiles, path: str) -> Visit:
    """A first visit with a phone on a slow network."""
    with cold_profile(profiles, "", PHONE) as profile:
        page = profile.new_page()
        session = profile.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", FAST_3G)
        return visit(page, path)
