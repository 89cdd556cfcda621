"""A coordinator's rarer tools, by keyboard: webhooks, model judges, adaptive pools, archives."""

import json
import re
import uuid
from typing import Any

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.browser_helpers import (
    BOTH_SIZES,
    COMPUTED_MS,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
    wait_until_loaded,
)
from tests.e2e.kind_pages import new_expert
from tests.e2e.stack import Stack
from tests.e2e.test_board import expert_by_http, make_study, submit_answers
from tests.load import play, virtual_users
from tests.load.studies import COORDINATOR
from tests.load.virtual_users import expect_status

ADMINISTRATOR = "administrator@demo.example"
BACK = "Shift+Tab"
ORDERS = ("as_listed", "swapped")


def check(page: Page) -> None:
    """For everybody, and at the narrowest phone, where the window of a phone is."""
    # What a button announced while it was busy names an element of the page before.
    expect(page.locator("[data-live-announcer] [role=img]")).to_have_count(0)
    assert_accessible(page)
    size = page.viewport_size
    assert size is not None
    if size["width"] == PHONE["width"]:
        page.set_viewport_size(NARROWEST)
    assert_fits(page)
    page.set_viewport_size(size)


def press(page: Page, target: Locator, key: str = "Tab") -> None:
    tab_to(page, target, key)
    page.keyboard.press("Enter")


def type_into(page: Page, label: str, text: str, key: str = "Tab") -> None:
    """In place of what is there."""
    tab_to(page, page.get_by_label(label, exact=True), key)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def choose_file(page: Page, name: str, content: bytes, key: str = "Tab") -> None:
    """By keys, but for the system's own window of files."""
    with page.expect_file_chooser() as waiting:
        press(page, page.get_by_role("button", name="Choose a file"), key)
    chosen: Any = {"name": name, "mimeType": "application/jsonl", "buffer": content}
    waiting.value.set_files(chosen)
    expect(page.get_by_label("Chosen files")).to_contain_text(name)


def allow_host(served: Stack) -> str:
    """A name that no name server has."""
    host = f"hooks-{uuid.uuid4().hex[:8]}.invalid"

    async def allow() -> None:
        administrator = await virtual_users.sign_in(served.url, ADMINISTRATOR)
        allowed = await administrator.post("/api/v1/webhook-hosts", {"host": host})
        expect_status(201, allowed)
        administrator.hang_up()

    play(allow())
    return host


@BOTH_SIZES
def test_a_webhook_is_added_tested_and_removed(
    served: Stack, profiles: BrowserProfiles, size: ViewportSize
) -> None:
    host, study = allow_host(served), make_study(served)
    page = profiles.open_signed_in(COORDINATOR, f"/studies/{study}?tab=webhooks", size=size)
    expect(page.get_by_text("No webhooks yet.")).to_be_visible()
    check(page)
    press(page, page.get_by_role("button", name="Add a webhook"))
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile(f"Allowed hosts: .*{re.escape(host)}"))).to_be_visible()
    type_into(page, "Address", "https://elsewhere.invalid/hook")
    page.keyboard.press("Enter")
    expect(dialog.get_by_text("The host elsewhere.invalid is not allowed.")).to_be_visible()
    type_into(page, "Address", f"https://{host}/hook")
    assert_accessible(page)
    press(page, dialog.get_by_role("button", name="Add it"))
    expect(dialog.get_by_label("Secret of the webhook")).to_have_value(re.compile("^whsec_.+"))
    assert_accessible(page)
    press(page, dialog.get_by_role("button", name="Done"))
    expect(dialog).to_have_count(0)
    press(page, page.get_by_role("button", name="Send a test"))
    row = page.get_by_role("table").get_by_role("row").filter(has_text="test")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("waiting")
    check(page)
    press(page, page.get_by_role("button", name="Remove", exact=True))
    press(page, page.get_by_role("button", name="Remove it"))
    removed = page.get_by_text(f"The webhook to https://{host}/hook is removed.")
    expect(removed).to_be_focused()
    expect(page.get_by_text("No webhooks yet.")).to_be_visible()


def judge_file(*qids: int) -> bytes:
    rows = [{"qid": qid, "order": order, "choice": "a"} for qid in qids for order in ORDERS]
    return "".join(f"{json.dumps(one)}\n" for one in rows).encode()


@BOTH_SIZES
def test_a_model_judge_is_imported_once_its_file_has_no_fault(
    served: Stack, profiles: BrowserProfiles, size: ViewportSize
) -> None:
    study = new_expert(served.url, "hypothesis_pairs").study
    page = profiles.open_signed_in(COORDINATOR, f"/studies/{study}?tab=statistics", size=size)
    section = page.get_by_role("region", name="Model judges")
    press(page, section.get_by_text("Import a file"))
    press(page, section.get_by_role("button", name="Import answers"))
    expect(section.get_by_text("Enter a name.")).to_be_visible()
    type_into(page, "Name of the model", "Judge of the journey")
    choose_file(page, "judge.jsonl", judge_file(1, 999))
    press(page, section.get_by_role("button", name="Import answers"))
    fault = section.get_by_role("row").filter(has_text="line 3")
    expect(fault).to_contain_text("The study has no question with this id.")
    check(page)
    choose_file(page, "mended.jsonl", judge_file(1, 2), BACK)
    press(page, section.get_by_role("button", name="Import answers"))
    expect(section.get_by_role("status")).to_have_text("Imported 4 answers; 0 replaced.")
    listed = section.get_by_role("listitem").filter(has_text="Judge of the journey")
    expect(listed.first).to_contain_text("4 answers to 2 questions")
    check(page)


def name_of(served: Stack, study: str) -> str:
    async def read() -> str:
        coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
        shown = expect_status(200, await coordinator.get(f"/api/v1/studies/{study}/board"))
        coordinator.hang_up()
        return str(shown["study"]["name"])

    name: str = play(read())
    return name


def export_of(served: Stack, study: str) -> bytes:
    async def read() -> bytes:
        coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
        exported = await coordinator.get(f"/api/v1/studies/{study}/export?format=jsonl")
        coordinator.hang_up()
        assert exported.status == 200, exported.body[:200]
        return exported.body

    content: bytes = play(read())
    return content


def opened_study(page: Page, name: str) -> str:
    """The id of the study whose dashboard opens."""
    page.wait_for_url(re.compile("/studies/[0-9a-f-]{36}$"))
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page.url.rsplit("/", 1)[-1]


@BOTH_SIZES
def test_an_adaptive_pool_is_created_with_at_least_a_fifth_by_chance(
    served: Stack, profiles: BrowserProfiles, size: ViewportSize
) -> None:
    question_set = name_of(served, make_study(served))
    page = profiles.open_signed_in(COORDINATOR, "/studies/new?from=question-set", size=size)
    name = f"Adaptive {uuid.uuid4().hex[:8]}"
    type_into(page, "Name of the study", name)
    page.get_by_label("Question set").select_option(label=f"{question_set} (3)")
    share = page.get_by_label("Choose by information, in %")
    expect(share).to_have_count(0)
    page.get_by_label("Assignment").select_option(label="Questions from a pool")
    type_into(page, "Choose by information, in %", "81")
    press(page, page.get_by_role("button", name="Create the study"))
    expect(share).to_have_attribute("aria-invalid", "true")
    check(page)
    type_into(page, "Choose by information, in %", "80", BACK)
    press(page, page.get_by_role("button", name="Create the study"))
    study = opened_study(page, name)
    check(page)
    head = json.loads(export_of(served, study).splitlines()[0])
    assert (head["design"]["adaptive_share"], head["design"]["overlap"]) == (0.8, 3)


@BOTH_SIZES
def test_an_export_is_imported_as_a_closed_study_and_a_faulty_one_is_explained(
    served: Stack, profiles: BrowserProfiles, size: ViewportSize
) -> None:
    study = make_study(served)
    assert submit_answers(expert_by_http(served, study), 2) == [200, 200]
    content = export_of(served, study)
    page = profiles.open_signed_in(COORDINATOR, "/studies/new?from=export", size=size)
    name = f"Archive {uuid.uuid4().hex[:8]}"
    type_into(page, "Name of the study", name)
    choose_file(page, "broken.jsonl", content.replace(b'"confirmed"', b'"agreed"', 1))
    press(page, page.get_by_role("button", name="Import the study"))
    faults = page.get_by_role("row").filter(has_text="outcome")
    expect(faults.first).to_contain_text(
        "This study kind has no such outcome.", timeout=COMPUTED_MS
    )
    check(page)
    choose_file(page, "study.jsonl", content, BACK)
    press(page, page.get_by_role("button", name="Import the study"))
    archive = opened_study(page, name)
    expect(page.get_by_text("closed", exact=True).first).to_be_visible()
    check(page)
    assert export_of(served, archive) == content


@BOTH_SIZES
def test_a_closed_study_is_frozen_by_keyboard(
    served: Stack, profiles: BrowserProfiles, size: ViewportSize
) -> None:
    study = make_study(served)
    assert submit_answers(expert_by_http(served, study)) == [200]
    page = profiles.open_signed_in(COORDINATOR, f"/studies/{study}", size=size)
    press(page, page.get_by_role("button", name="Close the study"))
    press(page, page.get_by_role("button", name="Close it", exact=True))
    expect(page.get_by_role("dialog")).to_have_count(0)
    # On a phone the site's own menu has the same name.
    more = page.get_by_role("main").get_by_role("button", name="More", exact=True)
    expect(more).to_be_visible()
    press(page, more)
    item = page.get_by_role("menuitem", name=re.compile("Freeze the study"))
    expect(item).to_be_visible()
    item.press("Enter")
    type_into(page, "Name of the release", f"release-{study}")
    assert_accessible(page)
    press(page, page.get_by_role("button", name="Freeze it"))
    expect(page.get_by_text(f"Frozen as release release-{study}")).to_be_visible()
    wait_until_loaded(page)
    expect(page.get_by_role("button", name="Settings")).to_have_count(0)
    check(page)
