"""The pictures of README and of previews, from the demo: python -m tests.e2e.screenshots."""

import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.e2e.browser_helpers import DESKTOP, PHONE, BrowserProfiles, wait_until_loaded
from tests.e2e.stack import ROOT, Stack
from tools.chromium import find_chromium

FOLDER = ROOT / "docs" / "images"
PREVIEWS = ("explore", "leaderboard", "workbench")
PREVIEW_SIZE: ViewportSize = {"width": 1200, "height": 630}
BOARDS_MS = 300_000
PROVIDER = {  # its button is on the sign-in page; nothing is sent to it
    "OIDC_SERVER_URL": "https://login.example.org",
    "OIDC_CLIENT_ID": "serendib",
    "OIDC_CLIENT_SECRET": "not-a-secret",
    "OIDC_NAME": "Example University",
    "OIDC_EMAIL_DOMAINS": "example.org",
}
PHYSICIAN, COORDINATOR = "physician@demo.example", "coordinator@demo.example"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Stack(None, **PROVIDER) as stack, sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=find_chromium()["CHROMIUM"], args=["--no-sandbox"]
        )
        visits = BrowserProfiles(stack.url, chromium)
        agree(visits)
        wait_for_boards(visits)
        for name, take in PICTURES.items():
            take(visits, FOLDER / f"{name}.png")
            print(f"docs/images/{name}.png")  # noqa: T201  for the terminal
        for name in PREVIEWS:
            save_preview(chromium, name)
            print(f"frontend/public/preview-{name}.jpg")  # noqa: T201  for the terminal
        visits.close()
        chromium.close()


def save_preview(chromium: Browser, name: str) -> None:
    """The upper part of a picture, as previews of links show it."""
    page = chromium.new_page(viewport=PREVIEW_SIZE)
    data = b64encode((FOLDER / f"{name}.png").read_bytes()).decode()
    page.set_content(
        f"<style>body {{ margin: 0 }} img {{ width: 100vw }}</style>"
        f'<img src="data:image/png;base64,{data}">'
    )
    page.locator("img").evaluate("image => image.decode()")
    path = ROOT / "frontend" / "public" / f"preview-{name}.jpg"
    page.screenshot(path=path, type="jpeg", quality=72)
    page.close()


def agree(visits: BrowserProfiles) -> None:
    """The demo's physician reads the introduction once and takes part."""
    page = visits.open_signed_in(PHYSICIAN, "/home")
    page.get_by_role("link", name=re.compile("Read the introduction")).first.click()
    page.get_by_text("I have read what is recorded").click()
    page.get_by_role("button", name=re.compile("^Begin")).click()
    expect(page.locator("[data-part=card]").first).to_be_visible()


def wait_for_boards(visits: BrowserProfiles) -> None:
    """The demo's predictions are scored in the background after the first start."""
    page = visits.open_page("/leaderboard/truthhypo")
    wait_until_loaded(page)
    # The page updates itself.
    first = page.get_by_text("Simulated hypothesizer A").first
    expect(first).to_be_visible(timeout=BOARDS_MS)


def account_page(who: str, path: str, **how: Any) -> Callable[[BrowserProfiles, Path], None]:
    def take(visits: BrowserProfiles, target: Path) -> None:
        page = visits.open_signed_in(who, path, **how) if who else visits.open_page(path, **how)
        save_screenshot(page, target)

    return take


def ranking(**how: Any) -> Callable[[BrowserProfiles, Path], None]:
    """The third question with one candidate moved, as it looks before it is submitted."""

    def take(visits: BrowserProfiles, target: Path) -> None:
        page = visits.open_signed_in(PHYSICIAN, "/home", **how)
        page.get_by_role("link", name=re.compile("Cancer, blood")).first.click()
        page.wait_for_url(re.compile(r"q="))
        page.goto(re.sub(r"q=\d+", "q=3", page.url))
        expect(page.get_by_role("heading", level=1)).to_contain_text("leukaemia")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Alt+ArrowUp")
        expect(page.get_by_text(re.compile(r"^Saved \d")).first).to_be_attached()
        save_screenshot(page, target)

    return take


def board(visits: BrowserProfiles, target: Path) -> None:
    page = visits.open_signed_in(COORDINATOR, "/studies")
    page.get_by_role("link", name="Drug repurposing (demo)").click()
    expect(page.get_by_text("updates live", exact=True)).to_be_visible()
    save_screenshot(page, target)


def evidence(visits: BrowserProfiles, target: Path) -> None:
    """What the graph says of the candidate that has the focus, beside the ranking."""
    page = visits.open_signed_in(PHYSICIAN, "/home", size=DESKTOP)
    page.get_by_role("link", name=re.compile("Cancer, blood")).first.click()
    expect(page.locator("[data-part=card]").first).to_be_focused()
    expect(page.get_by_text(re.compile(r"^[0-9]+ paths?"))).to_be_visible()
    save_screenshot(page, target)


def neighbourhood(visits: BrowserProfiles, target: Path) -> None:
    page = visits.open_page(
        "/explore/drug-repurposing-demo/canvas?focus=DRUGBANK%3ADB00203", size=DESKTOP
    )
    expect(page.get_by_role("application").locator("svg").first).to_be_visible()
    save_screenshot(page, target)


def workbench(visits: BrowserProfiles, target: Path) -> None:
    """A question of the demo, with one candidate open."""
    page = visits.open_page("/workbench", size=DESKTOP)
    page.get_by_role("link", name="Which drugs are used to treat osteoporosis?").click()
    expect(page.get_by_role("slider", name=re.compile("^Weights of relevance"))).to_be_visible()
    save_screenshot(page, target)


def save_screenshot(page: Page, target: Path) -> None:
    wait_until_loaded(page)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=target)


PICTURES: dict[str, Callable[[BrowserProfiles, Path], None]] = {
    "front": account_page("", "/", size=DESKTOP),
    "rank": ranking(size=DESKTOP),
    "rank-phone-dark": ranking(size=PHONE, theme="dark"),
    "board": board,
    "evidence": evidence,
    "explore": neighbourhood,
    "paths": account_page(
        "",
        "/explore/drug-repurposing-demo/paths?from=DRUGBANK%3ADB00203&to=DOID%3A6432",
        size=DESKTOP,
    ),
    "workbench": workbench,
    "leaderboard": account_page("", "/leaderboard", size=DESKTOP),
    "sign-in-provider": account_page("", "/sign-in", size=PHONE),
}

if __name__ == "__main__":
    main()
