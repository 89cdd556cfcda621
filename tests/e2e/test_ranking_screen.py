"""The ranking page as it is drawn: whole on a narrow phone, magnified, and under a late notice."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browsing import (
    NARROWEST,
    PHONE,
    REFLOWED,
    Visits,
    assert_fits,
    assert_nothing_cut,
)
from tests.e2e.desk import Expert, cards, move_first_down, new_expert, wait_for
from tests.e2e.stack import Stack


@pytest.fixture
def expert(served: Stack) -> Expert:
    return wait_for(new_expert(served.url))


def desk_of(visits: Visits, expert: Expert, size: ViewportSize | None = None) -> Page:
    page = visits.signed_in(expert.email, expert.desk, size=size)
    expect(cards(page).first).to_be_visible()
    return page


@pytest.mark.parametrize("size", [PHONE, NARROWEST, REFLOWED], ids=lambda size: size["width"])
def test_every_button_is_whole_on_a_narrow_phone(
    visits: Visits, expert: Expert, size: ViewportSize
) -> None:
    page = desk_of(visits, expert, size)
    expect(page.get_by_role("button", name="I agree with this order")).to_be_visible()
    assert_nothing_cut(page)
    assert_fits(page)
    move_first_down(page)
    expect(page.get_by_role("button", name="Submit my order")).to_be_visible()
    assert_nothing_cut(page)
    assert_fits(page)
