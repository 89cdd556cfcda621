"""What the browser journeys share: people's windows, and what is asked of every page."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from tests.load import play, virtual_users
from tests.thorough import IS_THOROUGH, thorough

DEMO_PASSWORD = virtual_users.DEMO_PASSWORD
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROWEST: ViewportSize = {"width": 360, "height": 740}
REFLOWED: ViewportSize = {"width": 320, "height": 640}  # WCAG 1.4.10
ON_PHONE = pytest.param(PHONE, marks=thorough, id="phone")
BOTH_SIZES = pytest.mark.parametrize("size", [pytest.param(DESKTOP, id="desktop"), ON_PHONE])
# Of both, the dark one: other journeys are in the light one.
THEMES = pytest.mark.parametrize("theme", [pytest.param("light", marks=thorough), "dark"])
WAYS = pytest.mark.parametrize("kind", ["keyboard", pytest.param("touch", marks=thorough)])
PICTURES = os.environ.get("PICTURES", "")
MAX_TABS = 80
AXE = Axe()
TOUCH_SIZE = 44  # px
TIMEOUT_MS = 60_000  # ms: it only ends a journey that has gone wrong
COMPUTED_MS = 180_000  # what a worker computes, behind what others have requested
JOB_MS = 300_000  # ms: for a job that may wait behind those of other journeys


@dataclass
class BrowserProfiles:
    """Browser profiles at one server."""

    address: str
    chromium: Browser
    profiles: list[BrowserContext] = field(default_factory=list)

    def new_profile(
        self,
        theme: str = "light",
        size: ViewportSize | None = None,
        forced_colours: bool = False,
        opens_offline: bool = False,
    ) -> BrowserContext:
        """Nobody is signed in, nothing is kept.

        Without opens_offline there is no service worker, which would fetch every file again.
        """
        phone = size is not None and size["width"] < 500
        context = self.chromium.new_context(
            base_url=self.address,
            viewport=size or DESKTOP,
            color_scheme=theme,  # type: ignore[arg-type]  # light or dark
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce",
            forced_colors="active" if forced_colours else "none",
            service_workers="allow" if opens_offline else "block",
        )
        context.set_default_timeout(TIMEOUT_MS)
        self.profiles.append(context)
        return context

    def open_page(self, path: str = "/", **how: Any) -> Page:
        page = self.new_profile(**how).new_page()
        page.goto(path)
        return page

    def sign_in_profile(
        self, email: str, *, new_session: bool = False, **how: Any
    ) -> BrowserContext:
        """In which somebody with an account is signed in."""
        person = play(virtual_users.sign_in(self.address, email, new_session=new_session))
        profile = self.new_profile(**how)
        profile.add_cookies(
            [
                {"name": name, "value": value, "url": self.address, "httpOnly": name == "sessionid"}
                for name, value in person.cookies.items()
            ]
        )
        return profile

    def open_signed_in(
        self, email: str, path: str, *, new_session: bool = False, **how: Any
    ) -> Page:
        """A window of somebody with an account, at this path."""
        page = self.sign_in_profile(email, new_session=new_session, **how).new_page()
        page.goto(path)
        return page

    def close(self) -> None:
        for context in self.profiles:
            context.close()


def tab_to(page: Page, target: Locator, key: str = "Tab") -> None:
    """Tab on until the target has focus, as somebody without a mouse does."""
    expect(target).to_be_visible()
    for _ in range(MAX_TABS):
        if target.evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{MAX_TABS} tabs do not reach {target}")


def wait_until_loaded(page: Page) -> None:
    """The page is drawn: a heading is there and nothing says that it is still loading."""
    expect(page.locator("h1, h2").first).to_be_visible(timeout=TIMEOUT_MS)
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=TIMEOUT_MS)


def find_violations(page: Page) -> list[dict[str, Any]]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    # An announcement is an unseen element for seven seconds, which may outlast the button that it
    # has its name from.
    violations: list[dict[str, Any]] = page.evaluate(
        "axe.run({ exclude: ['[data-live-announcer]'] }, { resultTypes: ['violations'] })"
        ".then(({ violations }) => violations)"
    )
    return violations


def assert_accessible(page: Page) -> None:
    """No violation that axe knows, contrast included."""
    wait_until_loaded(page)
    violations = find_violations(page)
    if violations:  # a dialog may still be opening: what stays wrong is wrong
        page.wait_for_timeout(1000)
        violations = find_violations(page)
    result = [
        (one["id"], node["target"], node["failureSummary"])
        for one in violations
        for node in one["nodes"]
    ]
    assert not result, f"{page.url}: {result}"


def show_each_theme(page: Page) -> Iterator[str]:
    """Light, then dark: an open page follows the setting of the system."""
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        yield theme


def show_themes(page: Page) -> Iterator[str]:
    """Both, or of a quick run the light one on a desktop and the dark one on a phone.

    Colours do not depend on the size, nor sizes on the theme.
    """
    is_phone = (page.viewport_size or DESKTOP)["width"] <= PHONE["width"]
    quick = "dark" if is_phone else "light"
    for theme in show_each_theme(page):
        if theme == quick or IS_THOROUGH or PICTURES:
            yield theme


def assert_fits(page: Page) -> None:
    """The page itself never scrolls sideways, once it is drawn for this width."""
    wait_until_loaded(page)
    limit = time.monotonic() + TIMEOUT_MS / 1000
    while not page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"):
        assert time.monotonic() < limit, f"{page.url} scrolls sideways at {page.viewport_size}"
        page.wait_for_timeout(100)


def end_of_first_screen(page: Page) -> float:
    """Of a phone: above the bar at the bottom."""
    bar = page.get_by_role("navigation", name="Main").last.bounding_box()
    assert bar is not None
    return bar["y"]


def bottom_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


TRUNCATED_ELEMENTS = """() => [...document.querySelectorAll("button, a[href], h1, h2, label")]
  .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden"))
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    const tooLong = one.innerText && one.scrollWidth > one.clientWidth + 1;
    return width > 1 && (left < 0 || right > innerWidth || tooLong);
  })
  .map((one) => one.innerText)"""


def assert_nothing_truncated(page: Page) -> None:
    """No button, link or heading is wider than its place or stands beyond the window."""
    wait_until_loaded(page)
    cut = page.evaluate(TRUNCATED_ELEMENTS)
    assert cut == [], f"cut at {page.viewport_size}: {cut}"


def inspect_page(page: Page, picture: str) -> None:
    """At its size, and in the themes for it. PICTURES names a folder for screenshots of both."""
    wait_until_loaded(page)
    for theme in show_themes(page):
        assert_fits(page)
        assert_nothing_truncated(page)
        assert_accessible(page)
        if PICTURES:
            size = page.viewport_size or DESKTOP
            name = f"{picture}-{size['width']}-{theme}.png"
            page.screenshot(path=f"{PICTURES}/{name}", full_page=True)
