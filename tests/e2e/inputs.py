"""Ways to use a page: by keyboard alone, or by touch. Journeys run with either."""

from pathlib import Path
from typing import Protocol

from playwright.sync_api import Locator, Page, ViewportSize

from tests.e2e.browser_helpers import DESKTOP, MAX_TABS, PHONE, tab_to

# Tab reaches one radio button of a group, and the arrows the others.
PLACE_OF_FOCUS = """target => {
  const group = target.closest("[role=radiogroup]");
  if (target === document.activeElement) return "here";
  return group?.contains(document.activeElement) ? "in its group" : "elsewhere";
}"""
# A box is drawn by its label.
TAPPED = "xpath=ancestor-or-self::*[self::label or self::button][1]"


class Input(Protocol):
    page: Page
    size: ViewportSize

    def __init__(self, page: Page) -> None: ...

    def press(self, target: Locator) -> None:
        """A button or a link."""

    def check(self, target: Locator) -> None:
        """A checkbox or a radio button."""

    def write(self, target: Locator, text: str) -> None:
        """In place of what is in the field."""

    def choose(self, target: Locator, label: str) -> None:
        """An option of the system's own list."""


class Keyboard:
    """Never sets the focus but by Tab, from where it is."""

    size = DESKTOP

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        tab_to(self.page, target)
        self.page.keyboard.press("Enter")

    def check(self, target: Locator) -> None:
        for _ in range(MAX_TABS):
            place = target.evaluate(PLACE_OF_FOCUS)
            if place == "here":
                self.page.keyboard.press("Space")
                return
            self.page.keyboard.press("ArrowRight" if place == "in its group" else "Tab")
        raise AssertionError(f"{MAX_TABS} keys do not reach {target}")

    def write(self, target: Locator, text: str) -> None:
        tab_to(self.page, target)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def choose(self, target: Locator, label: str) -> None:
        tab_to(self.page, target)
        self.page.keyboard.type(label)  # the list goes to what begins so


class Touch:
    size = PHONE

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        target.tap()

    def check(self, target: Locator) -> None:
        target.locator(TAPPED).tap()

    def write(self, target: Locator, text: str) -> None:
        target.fill(text)

    def choose(self, target: Locator, label: str) -> None:
        target.select_option(label=label)


INPUTS: dict[str, type[Input]] = {"keyboard": Keyboard, "touch": Touch}


def choose_file(way: Input, button: str, file: Path) -> None:
    """But for the system's own window of files."""
    with way.page.expect_file_chooser() as chooser:
        way.press(way.page.get_by_role("button", name=button))
    chooser.value.set_files(file)
