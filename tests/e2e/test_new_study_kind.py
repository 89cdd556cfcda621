"""A study kind that orders nothing, from the import to the export, with no file changed for it.

Its halves are tests/plugins/study_kinds/rating, which discovery finds, and a folder that is copied
into frontend/src/study-kinds of a second build.
"""

import csv
import io
import json
import re
import shutil
import subprocess
import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.e2e.browser_helpers import BrowserProfiles
from tests.e2e.ranking_page import (
    Expert,
    expect_saved,
    expect_unsent,
    invite_expert,
    run_coroutine,
)
from tests.e2e.stack import ROOT, Stack
from tests.e2e.test_board import batch_row, download
from tests.load import virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR

FRONTEND = ROOT / "frontend"
KIND = FRONTEND / "src/test/study-kinds/rating"
BUILD_FILES = (
    "index.html",
    "package.json",
    "tsconfig.json",
    "vite.config.ts",
    "bodyStyles.ts",
    "englishMessages.ts",
)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A build of the front end, never served elsewhere, with the kind beside ranking."""
    folder = tmp_path / "frontend"
    folder.mkdir()
    for name in BUILD_FILES:
        shutil.copy(FRONTEND / name, folder)
    (folder / "precompress.ts").write_text("export const precompress = () => null;")
    for name in ("node_modules", "public"):
        (folder / name).symlink_to(FRONTEND / name)
    shutil.copytree(FRONTEND / "src", folder / "src")
    shutil.copytree(KIND, folder / "src/study-kinds/rating")
    vite = FRONTEND / "node_modules/.bin/vite"
    command = [str(vite), "build", "--logLevel", "error", "--minify", "false"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder / "dist"


def serve_pages(profile: BrowserContext, pages: Path) -> None:
    """The pages of this build in place of the server's; everything else is the server's."""

    def send(route: Route, request: Request) -> None:
        if request.resource_type == "document":
            route.fulfill(response=route.fetch(), body=(pages / "index.html").read_text())
        else:
            route.fulfill(path=pages / request.url.partition("/static/web/")[2])

    profile.route(re.compile(r"/static/web/|/(rank|studies)/[^/]+$"), send)


def open_built_page(profiles: BrowserProfiles, pages: Path, email: str, path: str) -> Page:
    page = profiles.open_signed_in(email, "/healthz")
    serve_pages(page.context, pages)
    page.goto(path)
    return page


async def new_rating_study(address: str) -> tuple[Expert, Browser]:
    """Two experts of one study: the first works in the browser, the second over HTTP."""
    coordinator = await virtual_users.sign_in(address, COORDINATOR)
    name = f"Rating {uuid.uuid4().hex[:8]}"
    files = {"batch1.json": virtual_users.questionnaire(2)}
    study = await virtual_users.import_study(coordinator, name, files, kind="rating")
    [second] = await virtual_users.experts_of(coordinator, study, 1)
    return await invite_expert(coordinator, study), second


async def rate_all(expert: Browser, stars: int) -> None:
    again = Browser(expert.address, expert.cookies)
    for work in await virtual_users.work_of(again):
        answer = {"action": "submit", "outcome": "rated", "payload": {"stars": stars}}
        body = {"version": 0, "active_ms": 1000, **answer}
        virtual_users.expect_status(200, await again.put(f"{work.path}/response", body))


def stored_answers(expert: Expert) -> list[tuple[str, Any]]:
    responses = [one["assignments"][-1]["response"] or {} for one in expert.questions()]
    return [(one.get("outcome", ""), one.get("payload", {}).get("stars")) for one in responses]


def test_ratings_go_from_the_page_through_the_outbox_to_the_dashboard_and_the_exports(
    served: Stack, profiles: BrowserProfiles, pages: Path
) -> None:
    expert, second = run_coroutine(new_rating_study(served.url))
    page = open_built_page(profiles, pages, expert.email, expert.ranking_path)
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 0?")
    page.context.set_offline(True)
    page.get_by_role("radio", name="4 of 5").check()
    expect_unsent(page, 1)
    page.get_by_role("button", name="Submit my rating").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("number 1?")
    assert stored_answers(expert) == [("", None), ("", None)]
    page.context.set_offline(False)
    expect_saved(page)
    assert stored_answers(expert) == [("rated", 4), ("", None)]
    page.get_by_role("button", name="I have no opinion").click()
    expect(page.get_by_text("each is saved")).to_be_visible()
    run_coroutine(rate_all(second, 4))

    dashboard = open_built_page(profiles, pages, COORDINATOR, f"/studies/{expert.study}")
    expect(dashboard.get_by_role("columnheader", name="Unanimous").first).to_be_visible()
    expect(batch_row(dashboard)).to_contain_text("100%")
    exported = json.loads(download(dashboard, "JSON"))
    assert exported["study"]["kind"] == "rating"
    rows = list(csv.DictReader(io.StringIO(download(dashboard, "CSV"))))
    assert sorted((row["outcome"], row["stars"]) for row in rows) == [
        ("no_opinion", ""),
        ("rated", "4"),
        ("rated", "4"),
        ("rated", "4"),
    ]
