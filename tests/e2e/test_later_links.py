"""Predictions are sealed, a later version of the graph opens them; a year leads to a discovery."""

import csv
import json
import secrets
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser_helpers import (
    BOTH_SIZES,
    DESKTOP,
    BrowserProfiles,
    inspect_page,
)
from tests.e2e.stack import Stack

COORDINATOR, RESEARCHER = "coordinator@demo.example", "researcher@demo.example"
DRUGS, DISEASES, SEALED_IN = 30, 50, 2020
DEMO_GRAPH = "/explore/drug-repurposing-demo"
SILDENAFIL = "DRUGBANK:DB00203"


def first_years() -> dict[tuple[int, int], int]:
    draw = np.random.default_rng(5)
    years: dict[tuple[int, int], int] = {}
    for _ in range(500):
        years.setdefault(
            (int(draw.integers(DRUGS)), int(draw.integers(DISEASES))),
            int(draw.integers(2001, 2025)),
        )
    return years


def write_graph(folder: Path, until: int) -> tuple[str, str]:
    entities, edges = folder / "entities.csv", folder / "edges.csv"
    with entities.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "type"])
        table.writerows((f"X:d{one}", f"Drug {one}", "Drug") for one in range(DRUGS))
        table.writerows((f"X:e{one}", f"Disease {one}", "Disease") for one in range(DISEASES))
    with edges.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["source", "relation", "target", "first_year", "date_source"])
        for (drug, disease), year in first_years().items():
            if year <= until:
                table.writerow([f"X:d{drug}", "treats", f"X:e{disease}", year, "synthetic"])
    return str(entities), str(edges)


def import_until(served: Stack, folder: Path, name: str, year: int) -> None:
    entities, edges = write_graph(folder, year)
    served.manage("import_graph", "csv", entities, edges, "--name", name, "--public")


def confirm(page: Page, button: str, confirmation: str) -> None:
    page.get_by_role("button", name=button, exact=True).press("Enter")
    page.get_by_role("button", name=confirmation, exact=True).press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def write_memory(served: Stack, slug: str, path: Path) -> None:
    """A model that read which links were found until 2022."""
    known = {
        (f"X:d{drug}", f"X:e{disease}")
        for (drug, disease), year in first_years().items()
        if year <= 2022
    }
    noise = np.random.default_rng(2)
    rows: list[dict[str, object]] = []
    total = 1
    while len(rows) < total:
        listed = served.get_json(f"/api/v1/releases/{slug}/item-page?offset={len(rows)}")
        assert listed is not None
        total = listed["total"]
        for item in listed["results"]:
            score = 2.0 if (item["subject"], item["object"]) in known else float(noise.random())
            rows.append({"id": item["id"], "score": score})
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


@BOTH_SIZES
def test_predictions_are_sealed_until_a_later_version_opens_them(
    profiles: BrowserProfiles, served: Stack, tmp_path: Path, size: ViewportSize
) -> None:
    kind = "desktop" if size == DESKTOP else "phone"
    own = f"{kind} {secrets.token_hex(2)}"  # a second try meets what the first has made
    graph, name, model = f"Dated on a {own}", f"Later links on a {own}", f"Memory on a {own}"
    import_until(served, tmp_path, graph, SEALED_IN)

    organiser = profiles.open_signed_in(COORDINATOR, "/releases", size=size)
    organiser.get_by_role("link", name="Seal predictions").click()
    organiser.get_by_label("Name", exact=True).fill(name)
    organiser.get_by_label("Graph", exact=True).select_option(label=graph)
    organiser.get_by_label("First type of a pair").select_option("Drug")
    organiser.get_by_label("Second type").select_option("Disease")
    inspect_page(organiser, "seal")
    organiser.get_by_role("button", name="Make the draft").press("Enter")
    expect(organiser.get_by_role("heading", level=1, name=name)).to_be_visible()
    slug = organiser.url.rpartition("/")[2]
    confirm(organiser, "Open", "Open it")
    expect(organiser.get_by_text("No predictions are sealed yet.")).to_be_visible()

    file = tmp_path / "memory.jsonl"
    write_memory(served, slug, file)
    researcher = profiles.open_signed_in(RESEARCHER, f"/releases/{slug}", size=size)
    researcher.get_by_role("link", name="Seal predictions").click()
    with researcher.expect_file_chooser() as chooser:
        researcher.get_by_role("button", name="Choose files").or_(
            researcher.get_by_role("button", name="Choose a file")
        ).first.click()
    chooser.value.set_files(file)
    researcher.get_by_label("Model", exact=True).select_option(label="A new model")
    researcher.get_by_label("Name of the new model").fill(model)
    researcher.get_by_text("What is declared").click()
    researcher.get_by_label("Knowledge until").fill("2022")
    expect(researcher.get_by_text("The file has no error.")).to_be_visible()
    researcher.get_by_role("button", name="Seal without a score").press("Enter")
    expect(researcher.get_by_text("Nothing is scored before a later version")).to_be_visible()
    expect(researcher.get_by_role("table", name="Scores")).to_have_count(0)
    inspect_page(researcher, "sealed-submission")

    organiser.reload()
    sealed = organiser.get_by_role("table", name="Sealed files")
    expect(sealed.get_by_role("row").filter(has_text=model)).to_contain_text("2022")
    expect(organiser.get_by_text("Import a later version into the same graph")).to_be_visible()
    inspect_page(organiser, "sealed-release")

    import_until(served, tmp_path, graph, 2024)
    organiser.reload()
    confirm(organiser, "Score by version 2", "Score them")
    expect(organiser.get_by_text("Version 2 of the graph opened")).to_be_visible(timeout=60_000)
    inspect_page(organiser, "unsealed-release")
    organiser.get_by_role("link", name="See its board").click()
    organiser.wait_for_url("**/leaderboard/dyport?**")
    row = (
        organiser.get_by_role("row")
        .filter(has_text=model)
        .or_(organiser.get_by_role("listitem").filter(has_text=model))
    )
    expect(row.first).to_be_visible(timeout=60_000)
    board = organiser.url
    organiser.goto(f"{board}&part=2022")
    expect(row.first).to_contain_text("1.00")
    organiser.goto(f"{board}&part=after+its+knowledge")
    expect(row.first).to_be_visible()
    expect(row.first).not_to_contain_text("1.00")
    inspect_page(organiser, "dated-board")


@BOTH_SIZES
def test_a_year_of_the_explorer_leads_to_a_discovery_and_who_predicted_it(
    profiles: BrowserProfiles, served: Stack, size: ViewportSize
) -> None:
    served.wait_for_demo()
    page = profiles.open_page(f"{DEMO_GRAPH}/e/{SILDENAFIL}?rel=out.treats", size=size)
    slider = page.get_by_role("slider", name="As of year")
    expect(slider).to_have_attribute("aria-valuetext", "all years")
    link = page.get_by_role("link", name="pulmonary hypertension")
    expect(link.first).to_be_visible()
    slider.fill("2004")
    page.wait_for_url("**until=2004**")
    expect(link).to_have_count(0)
    slider.fill("2005")
    page.wait_for_url("**until=2005**")
    expect(link.first).to_be_visible()
    page.get_by_text("Edges by year", exact=True).press("Enter")
    inspect_page(page, "year-slider")
    page.get_by_role("button", name="Show all dates").click()
    expect(slider).to_have_attribute("aria-valuetext", "all years")

    page.goto("/releases/demo-later-links")
    page.get_by_role("link", name="Discoveries").click()
    expect(
        page.get_by_role("heading", level=1, name="Discovered later and mattered")
    ).to_be_visible()
    page.get_by_label("Year", exact=True).select_option("2006")
    expect(
        page.get_by_role("heading", level=1, name="Discovered in 2006 and mattered")
    ).to_be_visible()
    assert page.url.endswith("?year=2006")
    first = page.get_by_role("listitem").filter(has_text="Importance").first
    expect(first).to_contain_text("first seen in 2006")
    expect(page.get_by_text("Predicted by").first).to_be_visible()
    expect(page.get_by_role("table", name="Area under each curve")).to_contain_text("Degrees alone")
    inspect_page(page, "discoveries")
    page.get_by_role("link", name="Simulated forecaster").first.click()
    expect(page.get_by_role("heading", level=1, name="Simulated forecaster")).to_be_visible()
