"""A researcher reads the papers that name an entity of the demo graph."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser_helpers import BrowserProfiles, assert_accessible, wait_until_loaded

NINTEDANIB = "/explore/drug-repurposing-demo/e/DRUGBANK:DB09079"
REAL = "Nintedanib for Systemic Sclerosis-Associated Interstitial Lung Disease."


def papers_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Papers that name it")


def test_the_papers_of_an_entity_are_dated_linked_and_marked(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(NINTEDANIB)
    papers = papers_of(page)
    real = papers.get_by_role("listitem").filter(has_text=REAL)
    expect(real).to_contain_text("2019-06-27")
    link = real.get_by_role("link", name=re.compile("PMID 31112379"))
    expect(link).to_have_attribute("href", "https://pubmed.ncbi.nlm.nih.gov/31112379/")
    made_up = papers.get_by_role("listitem").filter(has_text=re.compile("made-up", re.IGNORECASE))
    for entry in made_up.all():
        expect(entry).to_contain_text("Synthetic: this paper does not exist")
        expect(entry.get_by_role("link")).to_have_count(0)
    real.locator("summary").click()
    expect(real).to_contain_text("This text is a summary of ours, not the paper's abstract.")
    assert_accessible(page)


def test_a_cut_off_in_the_address_hides_later_papers(profiles: BrowserProfiles) -> None:
    page = profiles.open_page(f"{NINTEDANIB}?until=2015")
    wait_until_loaded(page)
    papers = papers_of(page)
    expect(papers).to_contain_text("Efficacy and safety of nintedanib")
    expect(papers).not_to_contain_text(REAL)
