"""A file with rationales is submitted and grounded; the board has the column and the bins.

Experts verify claims of it, and each study that ends narrows the board's corrected column.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    wait_until_loaded,
)
from tests.e2e.stack import Stack
from tests.evaluation.truthhypo_files import prediction_lines, write_source
from tests.load import play, virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR
from tests.load.virtual_users import expect_status

RESEARCHER = "researcher@demo.example"
RELEASE = "reasoned-pairs"
PAIRS = 40
FALSE = "Zinc cures baldness."
HEAD = "Groundedness by graph and papers, plain verifier"
CORRECTED = re.compile(f"^{HEAD}.*, corrected by experts$")
INTERVAL = re.compile(r"([0-9.]+) to ([0-9.]+)(?: \(approximate\))?, \d+ verified claims")
RATIONALES = ("Imatinib inhibits KIT.", f"Imatinib inhibits KIT. {FALSE}")


@pytest.fixture(scope="module", autouse=True)
def release(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Stack:
    folder = tmp_path_factory.mktemp("release")

    def prepare() -> None:
        path = write_source(folder, PAIRS)
        path.write_text(own_pairs(path.read_text()))
        source = str(path)
        graph = ("--graph", "drug-repurposing-demo", "--test-share", "0")
        served.manage("make_release", "truthhypo", source, "--name", RELEASE, *graph, "--open")

    served.prepare_once("reasoned-release", prepare)
    return served


def own_pairs(text: str) -> str:
    """Other pairs than those that other journeys' releases hide on this server."""
    return text.replace("Chemical|C", "Chemical|R")


def look(page: Page) -> None:
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_accessible(page)


async def verify_claims(served: Stack, name: str, claims: int) -> None:
    """A study of random claims, judged by one expert, and closed. Every third true claim lacks
    evidence for the expert."""
    coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
    [study] = [
        one["id"]
        for one in expect_status(200, await coordinator.get("/api/v1/studies"))["results"]
        if one["name"] == name
    ]
    [expert] = await virtual_users.experts_of(coordinator, study, 1)
    [own] = expect_status(200, await expert.get("/api/v1/batches"))["results"]
    judged = 0
    while judged < claims:
        leased = await expert.post(f"/api/v1/batches/{own['id']}/leases", {"count": 10})
        for one in expect_status(200, leased)["assignments"]:
            if one["response"]["submitted"] is None:
                true = "not_enough" if judged % 3 == 2 else "supported"
                verdict = "contradicted" if one["item"]["text"] == FALSE else true
                await answer(expert, one, verdict)
                judged += 1
    change = {"status": "closed"}
    expect_status(200, await coordinator.send("PATCH", f"/api/v1/studies/{study}", change))


async def answer(expert: Browser, assignment: dict[str, Any], verdict: str) -> None:
    body = {
        "version": assignment["response"]["version"],
        "action": "submit",
        "outcome": verdict,
        "payload": {"verdict": verdict, "because": [], "comment": ""},
        "active_ms": 1_000,
    }
    path = f"/api/v1/assignments/{assignment['id']}/response"
    expect_status(200, await expert.put(path, body))


def width(page: Page) -> float:
    """Of the interval in the corrected column."""
    page.reload()
    expect(page.get_by_role("columnheader", name=CORRECTED)).to_be_visible()
    match = INTERVAL.search(page.get_by_role("table").first.inner_text())
    assert match
    return float(match[2]) - float(match[1])


def test_rationales_are_submitted_grounded_and_shown_on_the_board(
    served: Stack, profiles: BrowserProfiles, tmp_path: Path
) -> None:
    lines = own_pairs(prediction_lines(range(PAIRS), wrong=[4]))
    rows = [json.loads(line) for line in lines.splitlines()]
    reasoned = [{**row, "rationale": RATIONALES[at % 2]} for at, row in enumerate(rows)]
    file = tmp_path / "reasons.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in reasoned))

    page = profiles.open_signed_in(RESEARCHER, f"/submissions/new?release={RELEASE}")
    wait_until_loaded(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(file)
    expect(page.get_by_text(f"It answers {PAIRS} of {PAIRS} items.")).to_be_visible()
    models = page.get_by_label("Model", exact=True)
    models.select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(f"Reasoner {tmp_path.name}")
    page.get_by_role("button", name="Submit for a score").click()

    section = page.get_by_role("region", name="Groundedness", exact=True)
    expect(section).to_be_visible(timeout=JOB_MS)
    section.get_by_label("Papers").select_option("demo-papers")
    look(page)
    section.get_by_role("button", name="Ground the rationales").click()
    cell = section.get_by_role("row", name="Graph and papers 75.0%")
    expect(cell).to_be_visible(timeout=JOB_MS)
    expect(section.get_by_role("row", name="0 to 60%")).to_be_visible()
    expect(section).to_contain_text("wrong hypothesis with a groundedness of 80% or more")
    look(page)
    link = section.get_by_role("link", name="Groundedness corrected by experts")
    batch = (link.get_attribute("href") or "").rpartition("/")[2]

    page.get_by_role("link", name="See the board").click()
    head = page.get_by_role("columnheader", name=HEAD).first
    expect(head).to_be_visible()
    bins = page.get_by_role("region", name="Accuracy by groundedness").first
    expect(bins).to_contain_text("in groups of at least 10 hypotheses")
    look(page)

    widths = []
    for part, claims in enumerate((15, 35)):
        name = f"Claims {part} of {tmp_path.name}"
        words = ("--claims", str(claims), "--overlap", "1", "--seed", "1", "--source", "both")
        who = ("--name", name, "--coordinator", COORDINATOR)
        served.manage("make_claim_study", batch, *who, *words)
        play(verify_claims(served, name, claims))
        widths.append(width(page))
    assert widths[1] < widths[0]
    look(page)
