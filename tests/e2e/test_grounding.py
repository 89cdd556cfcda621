"""A person pastes a rationale, reads its claims with their evidence, and publishes them."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.browser_helpers import (
    DESKTOP,
    JOB_MS,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    tab_to,
)

PERSON = "researcher@demo.example"
RATIONALE = "Imatinib inhibits KIT. Zinc cures baldness. Does it?"


def look(page: Page) -> None:
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert_fits(page)
        assert_accessible(page)


def test_a_rationale_becomes_claims_with_evidence_and_a_permalink(
    profiles: BrowserProfiles,
) -> None:
    page = profiles.open_signed_in(PERSON, "/workbench")
    page.get_by_role("link", name="Ground a rationale").click()
    page.get_by_label("Hypothesis").fill("Imatinib treats gastrointestinal stromal tumours.")
    page.get_by_label("Rationale").fill(RATIONALE)
    page.get_by_label("Graph", exact=True).select_option("drug-repurposing-demo")
    page.get_by_label("Papers", exact=True).select_option("demo-papers")
    look(page)
    tab_to(page, page.get_by_role("button", name="Ground this rationale"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Grounded claims")).to_be_visible()
    supported = page.get_by_role("link", name=re.compile("Imatinib inhibits KIT.*1 supported"))
    expect(supported).to_be_visible(timeout=JOB_MS)
    expect(page.get_by_role("link", name=re.compile("2 not enough evidence"))).to_be_visible()
    evidence = page.get_by_role("region", name="For the claim")
    expect(evidence).to_contain_text("PMID 12181401")
    expect(evidence).to_contain_text("This text is a summary of ours, not the paper's abstract.")
    look(page)
    tab_to(page, page.get_by_role("button", name="Next claim"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Claim 2 of 2")).to_be_visible()

    page.get_by_role("button", name="Make it public").click()
    expect(page.get_by_text("Everybody who has the address reads this page.")).to_be_visible()
    reader = profiles.open_page(page.url)
    expect(reader.get_by_role("heading", name="Claim 2 of 2")).to_be_visible()
    expect(reader.get_by_role("button", name="Make it private")).to_have_count(0)
    assert_accessible(reader)
