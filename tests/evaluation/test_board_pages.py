"""Pages of a board as they are stored: the same bytes as pages that are made when they are read."""

import gzip
import uuid
import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from backend.leaderboard.models import Standing, StandingPage, StandingRow
from backend.leaderboard.standing_pages import store_pages
from backend.leaderboard.standings import update_standing
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
BOARD = "/api/v1/boards/pairs"
ENTRIES = 230


@pytest.fixture
def entry(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> dict[str, Any]:
    model = register_model(actor=researcher.user, name="Ωmega <&>")
    body = form(prediction_lines(range(60)), model=model.slug)
    return dict(submit_and_score(researcher.browser, body))


@pytest.fixture
def standing(entry: dict[str, Any]) -> Standing:
    """A large one, of one entry many times; none of its pages is stored."""
    latest = Standing.objects.get()
    content = latest.rows.get().content
    large = Standing.objects.create(
        release=latest.release,
        split=latest.split,
        digest="0" * 64,
        evaluator_version=latest.evaluator_version,
        entries=ENTRIES,
        audit=latest.audit,
    )
    StandingRow.objects.bulk_create(
        StandingRow(
            standing=large,
            position=position,
            submission_id=uuid.UUID(entry["id"]),
            content={**content, "query": position},
        )
        for position in range(1, ENTRIES + 1)
    )
    return large


def read(visitor: APIClient, offset: int, **query: Any) -> bytes:
    """Under an address of its own, so that no page in memory answers."""
    address = {"offset": offset, "fresh": uuid.uuid4(), **query}
    return bytes(visitor.get(BOARD, address).content)


def test_a_stored_page_has_the_bytes_of_one_that_is_made_when_it_is_read(
    visitor: APIClient, standing: Standing, django_assert_num_queries: Any
) -> None:
    offsets = (0, 100, 200, 300)
    expected = [read(visitor, offset) for offset in offsets]
    store_pages(standing)
    assert set(standing.pages.values_list("offset", flat=True)) == {0, 100, 200}
    # Other rows under stored pages show which of them answers.
    standing.rows.update(content={})
    assert [read(visitor, offset) for offset in offsets] == expected
    with django_assert_num_queries(2):  # what the page depends on, and the page
        read(visitor, 100)


def test_a_stored_page_is_one_member_of_gzip(visitor: APIClient, standing: Standing) -> None:
    plain = read(visitor, 200)
    store_pages(standing)
    address: dict[str, Any] = {"offset": 200, "fresh": uuid.uuid4()}
    for _ in range(2):  # stored, then in memory
        answer = visitor.get(BOARD, address, headers={"Accept-Encoding": "gzip"})
        assert answer["Content-Encoding"] == "gzip"
        assert gzip.decompress(answer.content) == plain
    # Browsers stop at the end of the first member.
    unzip = zlib.decompressobj(31)
    assert unzip.decompress(answer.content) == plain
    assert (unzip.eof, unzip.unused_data) == (True, b"")


def test_views_of_a_board_are_not_answered_by_its_stored_pages(
    visitor: APIClient, standing: Standing
) -> None:
    store_pages(standing)
    views: tuple[dict[str, Any], ...] = (
        {"sort": "queries", "order": "descending"},
        {"text": "Ωmega"},
        {"hide": "simulated"},
        {"provenance": "evaluated"},
        {"offset": 150},
    )
    for query in views:
        with_pages = read(visitor, **{"offset": 100, **query})
        StandingPage.objects.all().delete()
        assert read(visitor, **{"offset": 100, **query}) == with_pages
        store_pages(standing)
    assert visitor.get(BOARD, {"slice": "nothing"}).status_code == 422


def test_a_stored_page_has_the_release_as_it_is_now(
    visitor: APIClient, standing: Standing, release: Release
) -> None:
    store_pages(standing)
    first = visitor.get(BOARD).json()
    Release.objects.update(
        name="Renamed", queries=77, closes_at=timezone.now() - timedelta(seconds=1)
    )
    second = visitor.get(BOARD).json()
    changed = {name for name in first if first[name] != second[name]}
    assert changed == {"name", "queries", "state"}
    assert (second["name"], second["queries"], second["state"]) == ("Renamed", 77, "closed")


def test_a_page_with_an_anonymous_entry_is_not_stored(
    visitor: APIClient, entry: dict[str, Any]
) -> None:
    Submission.objects.update(anonymous_until=timezone.now() + timedelta(days=1))
    standing = update_standing(Release.objects.get(), "test")
    assert standing is not None
    assert not standing.pages.exists()
    assert b"mega" not in read(visitor, 0)
    Submission.objects.update(anonymous_until=timezone.now())
    named = update_standing(Release.objects.get(), "test")
    assert named is not None
    assert named.pages.count() == 1
    assert "Ωmega" in read(visitor, 0).decode()


def test_a_page_with_an_anonymous_entry_is_in_memory_until_its_name_is_shown(
    visitor: APIClient, entry: dict[str, Any]
) -> None:
    now, day = timezone.now(), timedelta(days=1)
    Submission.objects.update(anonymous_until=now + day)
    update_standing(Release.objects.get(), "test")
    address = {"fresh": str(uuid.uuid4())}

    def read_again() -> tuple[bool, bool]:
        """Whether the page has the name, and whether its rows were read."""
        with CaptureQueriesContext(connection) as queries:
            text = visitor.get(BOARD, address).content.decode()
        return "Ωmega" in text, any("standingrow" in one["sql"] for one in queries)

    assert read_again() == (False, True)
    assert read_again() == (False, False)
    Submission.objects.update(anonymous_until=now)
    assert read_again() == (True, True)
    assert read_again() == (True, False)
    Submission.objects.update(anonymous_until=now + day)
    assert read_again() == (False, True)


def test_a_board_follows_dates_that_change_and_change_back(
    visitor: APIClient, standing: Standing
) -> None:
    now, day = timezone.now(), timedelta(days=1)
    for closes_at, state in ((now - day, "closed"), (now + day, "open"), (now - day, "closed")):
        Release.objects.update(closes_at=closes_at)
        for split in ("test", "dev"):
            assert visitor.get(BOARD, {"split": split}).json()["state"] == state
