"""Drafts of releases: edited by several organisers."""

from pathlib import Path
from typing import Any

import pytest

from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from tests.evaluation.claim_worlds import make_coordinator
from tests.evaluation.truthhypo_files import write_source
from tests.personas import Person

pytestmark = pytest.mark.django_db
DRAFT = "/api/v1/releases/draft"


@pytest.fixture
def organiser(db: None) -> Person:
    return make_coordinator("cora")


@pytest.fixture
def draft(organiser: Person, tmp_path: Path) -> Release:
    request = ReleaseRequest(track="truthhypo", name="Draft", slug="draft")
    return make_release(actor=organiser.user, request=request, files=[write_source(tmp_path)])


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_of_two_organisers_who_edit_one_version_the_second_overwrites_nothing(
    draft: Release, organiser: Person, administrator: Person
) -> None:
    version = organiser.browser.get(DRAFT).json()["version"]
    first = {"version": version, "terms": "Cite the paper.", "closes_at": "2030-01-01T00:00:00Z"}
    for _ in range(2):  # the acknowledgement of the first was lost
        saved = organiser.browser.patch(DRAFT, first)
        assert (saved.status_code, saved.json()["version"]) == (200, version + 1)
    second = {"version": version, "terms": "None.", "licence": "MIT"}
    stale = administrator.browser.patch(DRAFT, second)
    assert (*code_of(stale), stale.json()["version"]) == (409, "stale_version", version + 1)
    now = administrator.browser.get(DRAFT).json()
    assert (now["terms"], now["licence"]) == ("Cite the paper.", "")
    overwritten = administrator.browser.patch(DRAFT, {**second, "version": now["version"]})
    assert (overwritten.json()["terms"], overwritten.json()["licence"]) == ("None.", "MIT")
    assert overwritten.json()["closes_at"] == "2030-01-01T00:00:00Z"


def test_a_change_without_the_version_that_was_read_is_refused(
    draft: Release, organiser: Person
) -> None:
    refused = organiser.browser.patch(DRAFT, {"terms": "None."})
    assert [one["place"] for one in refused.json()["errors"]] == ["version"]


def test_an_edit_begun_before_the_release_was_closed_by_hand_is_stale(
    draft: Release, organiser: Person, administrator: Person
) -> None:
    version = change_release_state(actor=None, release=draft, to=Release.State.OPEN).version
    organiser.browser.post(f"{DRAFT}/state", {"state": "closed"})
    body = {"version": version, "closes_at": "2031-01-01T00:00:00Z"}
    assert code_of(administrator.browser.patch(DRAFT, body)) == (409, "stale_version")
