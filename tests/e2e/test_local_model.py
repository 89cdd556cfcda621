"""The real local model, from a click on the page of a release to a row of its board."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from backend.common.pluralize import pluralize
from backend.config.local_model import make_local_model
from tests.e2e.browser_helpers import BrowserProfiles, assert_fits
from tests.e2e.stack import ROOT, Stack
from tests.local_model import needs_model
from tests.thorough import thorough

pytestmark = needs_model
RESEARCHER = "researcher@demo.example"
SIZE = "135-million-parameter model"
# Releases, tasks and how many items are answered. The sample has five: of six, the last is
# answered after the start. A query is long, and so is the schema that the model reads for it.
TASKS = (
    ("demo-hypotheses", "truthhypo-parametric", 6),
    ("demo-hops", "biohopr-single", 1),
    ("demo-queries", "serenqa-retrieval-query", 1),
)
# It reads and writes on one core, which other tests use too: this ends a journey that hangs.
MODEL_MS = 600_000


@pytest.fixture(scope="module")
def local_model(served: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Registered in the way of `make run MODEL=local`, which tests/config/test_up.py starts."""
    model = make_local_model(tmp_path_factory.mktemp("model"), ROOT)
    child = model.start()
    try:
        printed = served.manage("add_local_model", "--url", model.url)
        assert SIZE in printed
        yield
    finally:
        child.stop()


@thorough
def test_the_local_model_answers_and_has_rows_that_name_its_size(
    profiles: BrowserProfiles, served: Stack, local_model: None, tmp_path: Path
) -> None:
    """One after the other, as the server answers: in several processes, each would have its own."""
    served.wait_for_demo()  # scores of runs would wait for it
    for release, task, items in TASKS:
        page = profiles.open_signed_in(RESEARCHER, f"/releases/{release}")
        name = f"Local {task} {tmp_path.name}"
        choose_local_model(page, task, name, items)
        run_all_items(page, name, items)
        assert_row_names_size(page, name)


def choose_local_model(page: Page, task: str, name: str, items: int) -> None:
    page.get_by_role("link", name="Run a model").click()
    page.get_by_label("Task").select_option(value=task)
    endpoint = page.get_by_label("Endpoint")
    endpoint.select_option(label="local: smollm2-135m-instruct-q4_1, free of charge")
    expect(page.get_by_text(f"A {SIZE}.")).to_be_visible()
    page.get_by_label("Model on the board").select_option(label="A new model")
    page.get_by_label("Name of the new model").fill(name)
    page.get_by_label("Most items").fill(str(items))
    page.get_by_role("button", name="Answer five sample items").click()


def run_all_items(page: Page, name: str, items: int) -> None:
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.get_by_text(SIZE, exact=False).first).to_be_visible()
    expect(page.get_by_role("region", name="Estimate")).to_be_visible(timeout=MODEL_MS)
    progress = page.get_by_role("region", name="Progress").get_by_role("status")
    expect(progress).to_contain_text(f"{min(items, 5)} of {pluralize(items, 'item')}")
    page.get_by_role("button", name="Answer all items").click()
    scored = page.get_by_role("link", name="Test items: scored")
    expect(scored).to_be_visible(timeout=MODEL_MS)
    expect(progress).to_contain_text(f"{items} of {pluralize(items, 'item')}")
    scored.click()


def assert_row_names_size(page: Page, name: str) -> None:
    expect(page.get_by_text(SIZE, exact=False).first).to_be_visible()
    page.get_by_role("link", name="See the board").click()
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text(f"by a {SIZE}")
    expect(row).to_contain_text("sample: ")
    assert_fits(page)
    row.get_by_role("link", name=name).click()
    expect(page.get_by_text(SIZE, exact=False).first).to_be_visible()
