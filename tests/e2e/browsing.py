"""What the browser journeys share: people's windows, and what is asked of every page."""

import time
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

DEMO_PASSWORD = "serendib-demo"  # of the demo accounts, which manage.py up prints
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROWEST: ViewportSize = {"width": 360, "height": 740}
REFLOWED: ViewportSize = {"width": 320, "height": 640}  # WCAG 1.4.10
TABS_AT_MOST = 60
PATIENCE = 30_000  # ms: it only ends a journey that has gone wrong

SIGN_IN = """async ([email, password]) => {
  await fetch("/api/v1/me");
  const token = /csrftoken=([^;]+)/.exec(document.cookie)[1];
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const body = JSON.stringify({ email, password });
  return (await fetch("/_allauth/browser/v1/auth/login", { method: "POST", headers, body })).status;
}"""


@dataclass
class Visits:
    """Browser profiles at one server."""

    address: str
    chromium: Browser
    profiles: list[BrowserContext] = field(default_factory=list)

    def profile(
        self, theme: str = "light", size: ViewportSize | None = None, forced_colours: bool = False
    ) -> BrowserContext:
        """Nobody is signed in, nothing is kept."""
        phone = size is not None and size["width"] < 500
        context = self.chromium.new_context(
            base_url=self.address,
            viewport=size or DESKTOP,
            color_scheme=theme,  # type: ignore[arg-type]  # light or dark
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce",
            forced_colors="active" if forced_colours else "none",
        )
        context.set_default_timeout(PATIENCE)
        self.profiles.append(context)
        return context

    def visitor(self, path: str = "/", **how: Any) -> Page:
        page = self.profile(**how).new_page()
        page.goto(path)
        return page

    def signed_in(self, email: str, path: str, password: str = DEMO_PASSWORD, **how: Any) -> Page:
        """A window of somebody with an account, at this path."""
        page = self.visitor("/healthz", **how)
        status = page.evaluate(SIGN_IN, [email, password])
        assert status == 200, f"{email} was answered {status}"
        page.goto(path)
        return page

    def end(self) -> None:
        for context in self.profiles:
            context.close()


def press_to(page: Page, target: Locator, key: str = "Tab") -> None:
    """Tab on until the target has focus, as somebody without a mouse does."""
    expect(target).to_be_visible()
    for _ in range(TABS_AT_MOST):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{TABS_AT_MOST} tabs do not reach {target}")


def settle(page: Page) -> None:
    """The page is drawn: a heading is there and nothing says that it is still loading."""
    expect(page.locator("h1, h2").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=PATIENCE)


def assert_accessible(page: Page) -> None:
    """No violation that axe knows, contrast included."""
    settle(page)
    violations = Axe().run(page).response["violations"]
    if violations:  # a dialog may still be opening: what stays wrong is wrong
        page.wait_for_timeout(1000)
        violations = Axe().run(page).response["violations"]
    found = [
        (one["id"], node["target"], node["failureSummary"])
        for one in violations
        for node in one["nodes"]
    ]
    assert not found, f"{page.url}: {found}"


def assert_fits(page: Page) -> None:
    """The page itself never scrolls sideways, once it is drawn for this width."""
    settle(page)
    limit = time.monotonic() + PATIENCE / 1000
    while not page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"):
        assert time.monotonic() < limit, f"{page.url} scrolls sideways at {page.viewport_size}"
        page.wait_for_timeout(100)


CUT = """() => [...document.querySelectorAll("button, a[href], h1, h2, label")]
  .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden"))
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    const tooLong = one.innerText && one.scrollWidth > one.clientWidth + 1;
    return width > 1 && (left < 0 || right > innerWidth || tooLong);
  })
  .map((one) => one.innerText)"""


def assert_nothing_cut(page: Page) -> None:
    """No button, link or heading is wider than its place or stands beyond the window."""
    settle(page)
    cut = page.evaluate(CUT)
    assert cut == [], f"cut at {page.viewport_size}: {cut}"
