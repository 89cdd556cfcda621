"""From a discovery to what its importance is made of, and to the scores of models by importance."""

from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser_helpers import BOTH_SIZES, BrowserProfiles, inspect_page
from tests.e2e.stack import Stack

RELEASE = "/releases/demo-later-links"
COMPONENTS = ["Integrated gradients", "Change of centrality", "Betweenness", "Unlike neighbours"]


def numbers_of(page: Page, table: str, column: int) -> list[float]:
    cells = page.get_by_role("table", name=table, exact=True).locator(
        f"tbody tr > :nth-child({column})"
    )
    expect(cells.first).to_be_visible()
    return [float(one.replace(",", "").strip("%")) for one in cells.all_inner_texts()]


@BOTH_SIZES
def test_importance_is_shown_by_component_and_leads_to_the_links_ranked_highest(
    profiles: BrowserProfiles, served: Stack, size: ViewportSize
) -> None:
    served.wait_for_demo()
    page = profiles.open_page(f"{RELEASE}/discoveries", size=size)
    page.get_by_role("link", name="Components of importance").press("Enter")
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text("Components of importance")
    listed = page.get_by_role("table", name="Components of importance").get_by_role("link")
    expect(listed).to_have_text(COMPONENTS)
    missing = page.get_by_role("region", name="Missing components").get_by_role("listitem")
    expect(missing).to_contain_text(["Mentions", "Citations"])
    matrix = page.get_by_role("table", name="Rank correlations of components")
    expect(matrix.locator("tbody tr")).to_have_count(len(COMPONENTS))
    inspect_page(page, "importance")

    links = int(numbers_of(page, "Components of importance", 6)[2])
    page.get_by_role("link", name="Betweenness").press("Enter")
    expect(title).to_have_text("Betweenness")
    values = numbers_of(page, "Links ranked highest", 2)
    assert values == sorted(values, reverse=True)
    assert sum(numbers_of(page, "Links by value", 2)) == links
    inspect_page(page, "betweenness")
    link = page.get_by_role("table", name="Links ranked highest").get_by_role("link").first
    name = link.inner_text()
    link.press("Enter")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Components of importance").first.press("Enter")
    expect(title).to_have_text("Components of importance")


@BOTH_SIZES
def test_what_has_no_importance_says_what_to_give(
    profiles: BrowserProfiles, served: Stack, size: ViewportSize
) -> None:
    served.wait_for_demo()
    page = profiles.open_page(f"{RELEASE}/importance/mentions", size=size)
    expect(page.get_by_text("This release lacks the component.")).to_be_visible()
    inspect_page(page, "missing-component")
    page.goto(f"{RELEASE}/importance/fame")
    expect(page.get_by_text("There is no such component of importance.")).to_be_visible()
    inspect_page(page, "unknown-component")
    page.goto(f"{RELEASE}/discoveries?year=1950")
    expect(page.get_by_text("No link was first seen in this year.")).to_be_visible()
    inspect_page(page, "no-discoveries")
