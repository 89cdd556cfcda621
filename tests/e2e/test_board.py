"""A coordinator's board through a real worker and queue: it moves while the expert looks at it."""

import csv
import io
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import (
    NARROWEST,
    THEMES,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
)
from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR, new_study

QUESTIONS = 3


def make_study(served: Stack) -> str:
    async def prepare() -> str:
        _, study = await new_study(served.url, QUESTIONS)
        return study

    study: str = play(prepare())
    return study


def open_dashboard(visits: BrowserProfiles, study: str, **how: Any) -> Page:
    """The board, once its socket is open; a mark in its window reveals a reload."""
    page = visits.open_signed_in(COORDINATOR, f"/studies/{study}", **how)
    expect(page.get_by_text("updates live", exact=True)).to_be_visible()
    page.evaluate("window.notReloaded = true")
    return page


def assert_not_reloaded(page: Page) -> None:
    assert page.evaluate("window.notReloaded") is True


def invite_by_page(page: Page, email: str) -> str:
    """The link that is shown this once."""
    page.get_by_role("button", name="Invite", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("E-mail").fill(email)
    dialog.get_by_role("button", name="Choose all").click()
    dialog.get_by_role("button", name="Invite", exact=True).click()
    link = dialog.get_by_label(f"Invitation link for {email}").input_value()
    dialog.get_by_role("button", name="Done").click()
    return link


def new_address() -> str:
    return f"dr-{uuid.uuid4().hex[:8]}@example.org"


def agree_to_first_question(visits: BrowserProfiles, link: str, name: str) -> Page:
    """The expert accepts, consents and agrees with the order of their first question."""
    page = visits.open_page(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Accept the invitation").click()
    page.get_by_text("I have read what is recorded").click()
    page.get_by_role("button", name=re.compile("Begin|Take part")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 0?")
    page.get_by_role("button", name=re.compile("I agree with this order")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    return page


def expert_by_http(served: Stack, study: str) -> Browser:
    async def join() -> Browser:
        coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
        [expert] = await virtual_users.experts_of(coordinator, study, 1)
        expert.hang_up()  # a connection ends with the loop that made it
        return expert

    expert: Browser = play(join())
    return expert


def submit_answers(expert: Browser, count: int = 1) -> list[int]:
    """The expert agrees with the next orders; what the server answered to each."""

    async def write() -> list[int]:
        work = [one for one in await virtual_users.work_of(expert) if one.version == 0]
        replies = [await one.put(one.write("agree")) for one in work[:count]]
        expert.hang_up()
        return [answered.status for answered in replies]

    statuses: list[int] = play(write())
    return statuses


def first_row(page: Page, table: str) -> Locator:
    return page.get_by_role("table", name=table).locator("tbody tr").first


def batch_row(page: Page) -> Locator:
    return first_row(page, "Progress and agreement of each batch")


def test_the_board_moves_as_an_invited_expert_answers(
    served: Stack, profiles: BrowserProfiles
) -> None:
    page = open_dashboard(profiles, make_study(served))
    expect(batch_row(page)).to_contain_text("nobody assigned")
    email = new_address()
    expert = agree_to_first_question(profiles, invite_by_page(page, email), "Dr Nimal Perera")
    expect(batch_row(page)).to_contain_text(f"1 of {QUESTIONS}")
    newest = page.get_by_role("list", name="The newest answers").get_by_role("listitem").first
    expect(newest).to_contain_text("Dr Nimal Perera")
    expect(newest).to_contain_text("answered")
    expert.keyboard.press("ArrowDown")
    expect(page.get_by_text("Active: Dr Nimal Perera")).to_be_visible()
    expect(first_row(page, "Progress of each expert")).to_contain_text(email)
    expect(first_row(page, "Who was invited")).to_contain_text("accepted")
    expect(batch_row(page)).to_contain_text("too few to tell")
    assert_not_reloaded(page)


def test_two_experts_of_one_mind_agree_wholly_in_every_measure(
    served: Stack, profiles: BrowserProfiles
) -> None:
    study = make_study(served)
    page = open_dashboard(profiles, study)
    for _ in range(2):
        assert submit_answers(expert_by_http(served, study), QUESTIONS) == [200] * QUESTIONS
    cell = batch_row(page).get_by_role("cell").nth(2)
    expect(cell).to_contain_text("1.00")
    expect(page.get_by_text("all done")).to_be_visible()
    for chosen, value in (("tau-b", "1.00"), ("top-1", "100%")):
        page.get_by_role("button", name="Agreement, ").click()
        page.get_by_role("menuitemradio", name=chosen).click()
        expect(page).to_have_url(re.compile(f"measure={chosen}$"))
        expect(cell).to_contain_text(value)
    assert_not_reloaded(page)


def test_a_revoked_invitation_no_longer_opens(served: Stack, profiles: BrowserProfiles) -> None:
    page = open_dashboard(profiles, make_study(served))
    email = new_address()
    link = invite_by_page(page, email)
    page.get_by_role("button", name=f"Revoke the invitation of {email}").click()
    page.get_by_role("button", name="Revoke it").click()
    expect(first_row(page, "Who was invited")).to_contain_text("revoked")
    visitor = profiles.open_page(link)
    expect(visitor.get_by_text("This invitation was revoked")).to_be_visible()
    expect(visitor.get_by_label("Your name")).to_have_count(0)


@pytest.mark.disrupts
def test_a_lost_line_is_found_again_and_what_was_missed_is_read(
    stack: Stack, profiles: BrowserProfiles
) -> None:
    study = make_study(stack)
    expert = expert_by_http(stack, study)
    page = open_dashboard(profiles, study)
    stack.kill("web")
    expect(page.get_by_text(re.compile("^(reconnecting|checking every 15 s)"))).to_be_visible()
    expect(batch_row(page)).to_contain_text(f"0 of {QUESTIONS}")
    stack.wait_until_served()
    assert submit_answers(expert) == [200]
    expect(batch_row(page)).to_contain_text(f"1 of {QUESTIONS}")
    expect(page.get_by_text("updates live", exact=True)).to_be_visible()
    assert_not_reloaded(page)


def test_a_closed_study_takes_no_answers_until_it_is_opened_again(
    served: Stack, profiles: BrowserProfiles
) -> None:
    study = make_study(served)
    expert = expert_by_http(served, study)
    page = open_dashboard(profiles, study)
    page.get_by_role("button", name="Close the study").click()
    page.get_by_role("button", name="Close it").click()
    expect(page.get_by_role("button", name="Open the study")).to_be_visible()
    assert submit_answers(expert) == [409]
    page.get_by_role("button", name="Open the study").click()
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("button", name="Close the study")).to_be_visible()
    assert submit_answers(expert) == [200]


def test_an_expert_is_given_fewer_batches_but_keeps_what_the_expert_answered(
    served: Stack, profiles: BrowserProfiles
) -> None:
    study = make_study(served)
    expert = expert_by_http(served, study)
    page = open_dashboard(profiles, study)
    page.get_by_role("button", name="Batches of Expert 0").click()
    page.get_by_role("checkbox", name="Batch 1").click(force=True)
    page.get_by_role("button", name="Save the batches").click()
    expect(first_row(page, "Progress of each expert")).to_contain_text("no batches")
    page.get_by_role("button", name="Batches of Expert 0").click()
    page.get_by_role("checkbox", name="Batch 1").click(force=True)
    page.get_by_role("button", name="Save the batches").click()
    expect(first_row(page, "Progress of each expert")).to_contain_text(f"0 of {QUESTIONS}")
    assert submit_answers(expert) == [200]
    expect(first_row(page, "Progress of each expert")).to_contain_text(f"1 of {QUESTIONS}")
    page.get_by_role("button", name="Batches of Expert 0").click()
    expect(page.get_by_role("checkbox", name="Batch 1")).to_be_disabled()


def download(page: Page, name: str) -> str:
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name=name, exact=True).click()
    return Path(waiting.value.path()).read_text(encoding="utf-8-sig")


def test_exports_parse_and_name_nobody_unless_asked(
    served: Stack, profiles: BrowserProfiles
) -> None:
    study = make_study(served)
    assert submit_answers(expert_by_http(served, study), 2) == [200, 200]
    page = open_dashboard(profiles, study)
    [batch] = json.loads(download(page, "JSON"))["batches"]
    done = [one for item in batch["questions"] for one in item["assignments"] if one["revisions"]]
    assert len(done) == 2
    assert len(list(csv.DictReader(io.StringIO(download(page, "CSV"))))) >= 2
    for form in ("JSON", "CSV"):
        assert "Expert 0" not in download(page, form)
        assert "Expert 0" in download(page, f"{form} with names")


@pytest.mark.parametrize("form", ["JSON", "CSV"])
def test_a_long_export_arrives_to_its_last_line(profiles: BrowserProfiles, form: str) -> None:
    """In a browser, which reads of what is compressed in parts the first alone."""
    page = profiles.open_signed_in("coordinator@demo.example", "/studies")
    page.get_by_role("link", name="Drug repurposing (demo)").click()
    whole = download(page, form)
    assert len(whole) > 2 * 65_536
    rows = json.loads(whole)["batches"] if form == "JSON" else list(csv.reader(io.StringIO(whole)))
    assert len(rows) > 1
    assert form == "JSON" or {len(row) for row in rows} == {len(rows[0])}


def choose_files(page: Page, files: dict[str, bytes]) -> None:
    with page.expect_file_chooser() as waiting:
        page.get_by_role("button", name="Choose files").click()
    chosen = [
        {"name": name, "mimeType": "application/json", "buffer": content}
        for name, content in files.items()
    ]
    waiting.value.set_files(chosen)  # type: ignore[arg-type]  # plain dicts are what it takes


@THEMES
def test_faulty_files_are_explained_and_good_ones_become_a_study(
    profiles: BrowserProfiles, theme: str
) -> None:
    good = virtual_users.questionnaire(QUESTIONS)
    bad = json.loads(good)
    bad[1]["llm_ranking"][2]["llm_rank"] = "second"
    name = f"By page {uuid.uuid4().hex[:8]}"
    page = profiles.open_signed_in(COORDINATOR, "/studies/new", theme=theme)
    page.get_by_label("Name of the study").fill(name)
    choose_files(page, {"batch1.json": json.dumps(bad).encode(), "batch2.json": b"{"})
    page.get_by_role("button", name="Import and create the study").click()
    faults = page.get_by_role("table", name=re.compile("errors?$"))
    expect(faults).to_contain_text("batch1.json, question 2 (qid 1), llm_ranking[2].llm_rank")
    expect(faults).to_contain_text("batch2.json, line 1")
    assert_accessible(page)
    page.get_by_role("button", name="Remove batch2.json").click()
    choose_files(page, {"batch1.json": good})
    page.get_by_role("button", name="Import and create the study").click()
    page.get_by_role("link", name="To its dashboard").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(batch_row(page)).to_contain_text("nobody assigned")


@THEMES
def test_a_board_in_words_and_its_dialogs_are_accessible_and_fit(
    served: Stack, profiles: BrowserProfiles, theme: str
) -> None:
    study = make_study(served)
    page = open_dashboard(profiles, study, theme=theme)
    assert_accessible(page)
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    for opener in ("Invite", "Close the study"):
        page.get_by_role("button", name=opener, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert_accessible(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
