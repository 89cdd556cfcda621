"""The page on which an expert answers an item of a study kind."""

import re
import uuid
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import TOUCH_SIZE
from tests.e2e.ranking_page import Expert, invite_expert, run_coroutine
from tests.e2e.stack import ROOT
from tests.load import virtual_users
from tests.load.studies import COORDINATOR

SMALL_TARGETS = """([area, size]) =>
  [...document.querySelectorAll(`${area} :is(button, a), footer button`)]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.getAttribute("aria-label") ?? one.innerText, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < size - 0.5)
  .map(([name, { width, height }]) => `${name} ${width}x${height}`)"""


COVERED_FOCUS = """() => {
  const one = document.activeElement, work = document.getElementById("main");
  if (!work.contains(one)) return null;
  const question = work.querySelector("h1");
  const choices = work.querySelector("[data-choice]")?.parentElement.parentElement;
  const { top, bottom } = one.getBoundingClientRect();
  const covers = (bar) => bar && !bar.contains(one)
    && top < bar.getBoundingClientRect().bottom - 1 && bottom > bar.getBoundingClientRect().top + 1;
  return [question, choices].some(covers) ? one.innerText || one.tagName : null;
}"""


def new_expert(address: str, kind: str) -> Expert:
    """Of a new study of the demo's items of this kind."""

    async def create() -> Expert:
        coordinator = await virtual_users.sign_in(address, COORDINATOR)
        files = {"batch1.json": (ROOT / f"fixtures/demo/{kind}/batch1.json").read_bytes()}
        name = f"Study of {kind} {uuid.uuid4().hex[:8]}"
        study = await virtual_users.import_study(coordinator, name, files, kind=kind)
        return await invite_expert(coordinator, study)

    return run_coroutine(create())


def expect_item(page: Page, number: int) -> None:
    """It is there to be answered: half a second after it appears it takes the keys that end it."""
    expect(page.get_by_text(f"question {number}", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Skip")).not_to_have_attribute("aria-disabled", "true")


def assert_touchable(page: Page, area: str) -> None:
    """Everything to press in this part of the page and below it is large enough for a finger."""
    assert page.evaluate(SMALL_TARGETS, [area, TOUCH_SIZE]) == []


def submitted_answers(expert: Expert) -> list[dict[str, Any]]:
    """With the arms of their assignments."""
    return [one for one in expert.answers() if one["revisions"]]


def stored_responses(expert: Expert) -> list[dict[str, Any]]:
    """Of the submitted answers."""
    return [one["response"] for one in submitted_answers(expert)]


def scale(page: Page, name: str) -> Locator:
    return page.locator(f'[data-scale="{name}"]')


def level(page: Page, name: str, number: int) -> Locator:
    return scale(page, name).get_by_role("radio", name=re.compile(f"^{number}\\b"))


def assert_question_stays_in_view(page: Page) -> None:
    """At the end of the page, and neither it nor the bar of choices covers what has the focus."""
    page.evaluate("document.getElementById('main').scrollTo(0, 99999)")
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
    stops = page.locator("#main :is(a, button, input, summary)").count() + 10
    for key in ["Tab"] * stops + ["Shift+Tab"] * stops:
        page.keyboard.press(key)
        assert page.evaluate(COVERED_FOCUS) is None
